//! `POST /resend`
//!
//! Source: supabase/auth, `internal/api/resend.go`.

use actix_web::HttpResponse;
use actix_web::web;
use chrono::{DateTime, Utc};
use gateway::Anyone;
use pg::pool::Transaction;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::enumeration;
use crate::flows::one_time_tokens::{self, Dispatch, Occasion, Return};
use crate::model::account::{Metadata, User};
use crate::model::address::Address;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::standing::Standing;
use crate::model::{addresses, timestamp};
use crate::outside::captcha;
use crate::outside::sms::Channel;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::one_time_tokens::Kind;
use crate::store::{flow_state, users};

/// The kind of code to resend, and its address.
#[derive(Default, ToSchema)]
pub(crate) struct ResendParams {
    /// `signup`, `email_change`, `sms` or `phone_change`.
    r#type: String,
    email: String,
    phone: String,
    code_challenge: String,
    code_challenge_method: String,
}
params!(ResendParams as "ResendConfirmationParams" {
    r#type: Text, email: Text, phone: Text, code_challenge: Text, code_challenge_method: Text,
});

/// The kinds of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Signup,
    EmailChange,
    Sms,
    PhoneChange,
}

/// Sends a code again. The answer does not reveal whether the address has an account that waits for one.
#[utoipa::path(post, path = "/resend", tag = "one-time codes", request_body = ResendParams,
    params(("redirect_to" = Option<String>, Query, description = "Where the link leads in the end")),
    responses((status = 200, description = "`{}`"), (status = 400), (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn resend(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let params: ResendParams = body.parse()?;
    let (what, address, challenge) = check(&state, &params)?;
    let audience = requester.audience(&state.config);
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = match &address {
        Address::Email(email) => users::by_email(&connection, email, audience).await,
        Address::Phone(phone) => users::by_phone(&connection, phone, audience).await,
    };
    let found = found.or_fault("Unable to process request")?;
    let (mut user, standing) = match found.filter(|user| what.is_awaited(user)) {
        Some(user) => (user, Standing::User),
        None => (state.unknown_addresses.user(&address, audience, Metadata::new(), now), Standing::Unknown),
    };
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let redirect_to = requester.redirect_to(&state.config);
    let back = Return { challenge: challenge.as_ref(), redirect_to: &redirect_to };
    let dispatch = once_more(&state, &db, what, &mut user, back, now).await?;
    let message =
        enumeration::conclude(&state, db, standing, (what.kind(), &address), dispatch, &requester, now).await?;
    Ok(HttpResponse::Ok().json(message.map_or(json!({}), |id| json!({ "message_id": id }))))
}

/// Checks the parameters, in GoTrue's order.
fn check(state: &State, params: &ResendParams) -> Result<(What, Address, Option<Challenge>), AuthError> {
    let what = What::named(&params.r#type).ok_or(AuthError::ResendType)?;
    let challenge = match what {
        What::Signup | What::EmailChange => Challenge::read(&params.code_challenge, &params.code_challenge_method)?,
        What::Sms | What::PhoneChange => None,
    };
    let external = &state.config.external;
    let address = match (params.email.as_str(), params.phone.as_str()) {
        ("", _) if what == What::Signup => return Err(AuthError::ResendEmailRequired),
        (_, "") if what == What::Sms => return Err(AuthError::ResendPhoneRequired),
        ("", "") => return Err(AuthError::ResendAddressMissing),
        (_, "") if !external.email_enabled => return Err(AuthError::ResendEmailDisabled),
        (email, "") => Address::Email(addresses::email(email)?),
        ("", _) if !external.phone_enabled => return Err(AuthError::ResendPhoneDisabled),
        ("", phone) => Address::Phone(addresses::phone(phone)?),
        _ => return Err(AuthError::ResendEmailOrPhone),
    };
    Ok((what, address, challenge))
}

async fn once_more(
    state: &State,
    db: &Transaction<'_>,
    what: What,
    user: &mut User,
    back: Return<'_>,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    let flow = match what {
        What::Signup => {
            audit::record(state, db, user, Action::UserConfirmationRequested, Value::Null).await?;
            "email/signup"
        }
        What::Sms => {
            audit::record(state, db, user, Action::UserRecoveryRequested, Value::Null).await?;
            ""
        }
        What::EmailChange | What::PhoneChange => "email_change",
    };
    if let Some(challenge) = back.challenge {
        flow_state::insert(db, user.id, flow, flow, challenge, now).await.or_fault(UNEXPECTED)?;
    }
    let occasion = match what {
        What::Signup => return one_time_tokens::request_confirmation(state, db, user, back, now).await,
        What::EmailChange => {
            // An unknown address has no pending change and takes the same steps with itself.
            let email = Some(&user.email_change).filter(|email| !email.is_empty()).unwrap_or(&user.email).clone();
            return one_time_tokens::request_email_change(state, db, user, &email, back, now).await;
        }
        What::Sms => Occasion::Confirmation,
        What::PhoneChange => Occasion::PhoneChange,
    };
    let new = Some(&user.phone_change).filter(|phone| what == What::PhoneChange && !phone.is_empty());
    let phone = new.unwrap_or(&user.phone).clone();
    let due = one_time_tokens::request_phone_code(state, db, user, &phone, occasion, Channel::Sms, now).await?;
    Ok(Dispatch::Message(due))
}

impl What {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "signup" => What::Signup,
            "email_change" => What::EmailChange,
            "sms" => What::Sms,
            "phone_change" => What::PhoneChange,
            _ => return None,
        })
    }

    /// True if the user has such a code pending.
    fn is_awaited(self, user: &User) -> bool {
        match self {
            What::Signup => user.email_confirmed_at.is_none(),
            What::EmailChange => !user.email_change.is_empty(),
            What::Sms => user.phone_confirmed_at.is_none(),
            What::PhoneChange => !user.phone_change.is_empty(),
        }
    }

    fn kind(self) -> Kind {
        match self {
            What::Signup | What::Sms => Kind::Confirmation,
            What::EmailChange => Kind::EmailChangeNew,
            What::PhoneChange => Kind::PhoneChange,
        }
    }
}
