//! `POST /magiclink`
//!
//! Source: supabase/auth, `internal/api/magic_link.go`.

use actix_web::HttpResponse;
use actix_web::web;
use gateway::Anyone;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::limits::{self, Subject};
use crate::flows::one_time_tokens::{self, MAGIC_LINK, Return};
use crate::flows::signup::{self, Applicant, Enrolled};
use crate::model::account::Metadata;
use crate::model::address::Address;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::outside::captcha;
use crate::outside::sms::Channel;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::{flow_state, users};

/// The address to send a link to.
#[derive(Default, ToSchema)]
pub(crate) struct MagicLinkParams {
    email: String,
    /// Metadata of a new user.
    #[schema(value_type = Option<Object>)]
    data: Option<serde_json::Map<String, Value>>,
    code_challenge: String,
    code_challenge_method: String,
}
params!(MagicLinkParams as "MagicLinkParams" {
    email: Text, data: Object, code_challenge: Text, code_challenge_method: Text,
});

/// Mails a link that signs in; the older form of `POST /otp`.
#[utoipa::path(post, path = "/magiclink", tag = "one-time codes", request_body = MagicLinkParams,
    params(("redirect_to" = Option<String>, Query, description = "Where the link leads in the end")),
    responses((status = 200, description = "`{}`"), (status = 400), (status = 403), (status = 409),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn magiclink(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    check_enabled(&state)?;
    let params: MagicLinkParams = body.parse_first().map_err(|error| match error {
        AuthError::BadJson(reason) => AuthError::MagicLinkBadJson(reason),
        other => other,
    })?;
    if params.email.is_empty() {
        return Err(AuthError::MagicLinkEmailRequired);
    }
    addresses::email(&params.email)?;
    let challenge = Challenge::read(&params.code_challenge, &params.code_challenge_method)?;
    send(&state, &params.email, params.data.unwrap_or_default(), challenge, &requester).await?;
    Ok(HttpResponse::Ok().json(json!({})))
}

fn check_enabled(state: &State) -> Result<(), AuthError> {
    let external = &state.config.external;
    match (external.email_enabled, external.magic_link_enabled) {
        (false, _) => Err(AuthError::EmailLoginDisabled),
        (_, false) => Err(AuthError::MagicLinkDisabled),
        _ => Ok(()),
    }
}

/// Mails a link to a known user, or signs up a new one, whose link confirms the address.
///
/// DEVIATION (behaviour): with autoconfirm, a new user at `/magiclink` gets the link and no session; GoTrue starts a
/// session whose tokens nobody gets.
pub(super) async fn send(
    state: &State,
    email: &str,
    data: Metadata,
    challenge: Option<Challenge>,
    requester: &Requester,
) -> Result<(), AuthError> {
    check_enabled(state)?;
    let email = addresses::email(email)?;
    let audience = requester.audience(&state.config).to_owned();
    let redirect_to = requester.redirect_to(&state.config);
    let now = timestamp::now(&state.clock);
    let found = {
        let connection = state.pool.get().await.or_fault(UNEXPECTED)?;
        users::by_email(&connection, &email, &audience).await.or_fault("Database error finding user")?
    };
    let known = found.filter(|user| user.email_confirmed_at.is_some());
    let applicant = Applicant {
        id: Uuid::new_v4(),
        address: Address::Email(email),
        password_hash: String::new(),
        audience,
        data,
        channel: Channel::Sms,
        challenge: challenge.clone(),
        redirect_to: redirect_to.clone(),
    };
    if known.is_none() {
        if state.config.disable_signup {
            return Err(AuthError::SignupDisabled);
        }
        signup::introduce(state, &applicant, requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let user = match known {
        Some(user) => {
            signup::find(state, &db, &applicant).await?;
            signup::pretend(state, &db, &user, &applicant, now).await?;
            user
        }
        None => {
            // The address may belong to a user by an identity, too.
            let existing = signup::find(state, &db, &applicant).await?;
            match signup::enrol(state, &db, existing, &applicant, now).await? {
                Enrolled::Confirmed(user) => user,
                Enrolled::Waiting(user, standing, dispatch) => {
                    let ready = signup::hand_over(state, &db, standing, dispatch, requester).await?;
                    db.commit().await.or_fault(UNEXPECTED)?;
                    drop(connection);
                    signup::send(state, (&user, standing), ready, &applicant, requester, now).await?;
                    return Ok(());
                }
            }
        }
    };
    if let Some(challenge) = &challenge {
        flow_state::insert(&db, user.id, "magiclink", "magiclink", challenge, now).await.or_fault(UNEXPECTED)?;
    }
    audit::record(state, &db, &user, Action::UserRecoveryRequested, Value::Null).await?;
    let back = Return { challenge: challenge.as_ref(), redirect_to: &redirect_to };
    let dispatch = one_time_tokens::request(state, &db, &user, &MAGIC_LINK, back, now).await?;
    let ready = dispatch.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    ready.send(state).await?;
    limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
    Ok(())
}
