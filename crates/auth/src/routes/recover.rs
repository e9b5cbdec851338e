//! `POST /recover`
//!
//! Source: supabase/auth, `internal/api/recover.go`.

use actix_web::HttpResponse;
use actix_web::web;
use gateway::Anyone;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::enumeration;
use crate::flows::one_time_tokens::{self, RECOVERY, Return};
use crate::model::account::Metadata;
use crate::model::address::Address;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::standing::Standing;
use crate::model::{addresses, timestamp};
use crate::outside::captcha;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::one_time_tokens::Kind;
use crate::store::{flow_state, users};

/// The address of a user who forgot the password.
#[derive(Default, ToSchema)]
pub(crate) struct RecoverParams {
    email: String,
    /// RFC 7636: the link then leads back with a code.
    code_challenge: String,
    code_challenge_method: String,
}
params!(RecoverParams as "RecoverParams" { email: Text, code_challenge: Text, code_challenge_method: Text });

/// Mails a link for setting a new password. The answer does not reveal whether the address has an account.
#[utoipa::path(post, path = "/recover", tag = "one-time codes", request_body = RecoverParams,
    params(("redirect_to" = Option<String>, Query, description = "Where the link leads in the end")),
    responses((status = 200, description = "`{}`"), (status = 400), (status = 413), (status = 429)))]
pub(crate) async fn recover(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let params: RecoverParams = body.parse()?;
    if params.email.is_empty() {
        return Err(AuthError::RecoveryEmailRequired);
    }
    let email = addresses::email(&params.email)?;
    let challenge = Challenge::read(&params.code_challenge, &params.code_challenge_method)?;
    let audience = requester.audience(&state.config);
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = users::by_email(&connection, &email, audience).await.or_fault("Unable to process request")?;
    let address = Address::Email(email);
    let (user, standing) = match found {
        Some(user) => (user, Standing::User),
        None => (state.unknown_addresses.user(&address, audience, Metadata::new(), now), Standing::Unknown),
    };
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    if let Some(challenge) = &challenge {
        flow_state::insert(&db, user.id, "recovery", "recovery", challenge, now).await.or_fault(UNEXPECTED)?;
    }
    audit::record(&state, &db, &user, Action::UserRecoveryRequested, Value::Null).await?;
    let redirect_to = requester.redirect_to(&state.config);
    let back = Return { challenge: challenge.as_ref(), redirect_to: &redirect_to };
    let dispatch = one_time_tokens::request(&state, &db, &user, &RECOVERY, back, now).await?;
    enumeration::conclude(&state, db, standing, (Kind::Recovery, &address), dispatch, &requester, now).await?;
    Ok(HttpResponse::Ok().json(json!({})))
}
