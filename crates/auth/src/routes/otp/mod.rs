//! `POST /otp`
//!
//! Source: supabase/auth, `internal/api/otp.go`.

mod messaged;

use actix_web::HttpResponse;
use actix_web::web;
use gateway::Anyone;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::magiclink;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::model::addresses;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::outside::captcha;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::users;

/// The address to send a code to.
#[derive(ToSchema)]
pub(crate) struct OtpParams {
    email: String,
    phone: String,
    /// Whether to create an unknown user; `true` by default.
    create_user: bool,
    /// Metadata of a new user.
    #[schema(value_type = Option<Object>)]
    data: Option<serde_json::Map<String, Value>>,
    /// `sms` or `whatsapp`.
    channel: String,
    code_challenge: String,
    code_challenge_method: String,
}
params!(OtpParams as "OtpParams" {
    email: Text, phone: Text, create_user: Flag, data: Object, channel: Text, code_challenge: Text,
    code_challenge_method: Text,
});

impl Default for OtpParams {
    fn default() -> Self {
        OtpParams {
            email: String::new(),
            phone: String::new(),
            create_user: true,
            data: None,
            channel: String::new(),
            code_challenge: String::new(),
            code_challenge_method: String::new(),
        }
    }
}

/// Sends a code, and by mail also a link, that signs in. Using it also confirms the address.
#[utoipa::path(post, path = "/otp", tag = "one-time codes", request_body = OtpParams,
    params(("redirect_to" = Option<String>, Query, description = "Where the link leads in the end")),
    responses((status = 200, description = "`{}`"), (status = 400), (status = 403), (status = 409),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn otp(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let params: OtpParams = body.parse()?;
    if !params.email.is_empty() && !params.phone.is_empty() {
        return Err(AuthError::OtpEmailOrPhone);
    }
    if !params.email.is_empty() && !params.channel.is_empty() {
        return Err(AuthError::OtpChannelForEmail);
    }
    let challenge = Challenge::read(&params.code_challenge, &params.code_challenge_method)?;
    if !params.create_user {
        check_known(&state, &params, &requester).await?;
    }
    let data = params.data.unwrap_or_default();
    let message = match (params.email.as_str(), params.phone.as_str()) {
        ("", "") => return Err(AuthError::OtpAddressMissing),
        ("", phone) => messaged::send(&state, phone, &params.channel, data, &requester).await?,
        (email, _) => {
            magiclink::send(&state, email, data, challenge, &requester).await?;
            None
        }
    };
    Ok(HttpResponse::Ok().json(message.map_or(json!({}), |id| json!({ "message_id": id }))))
}

/// DEVIATION (words): at `/otp` an invalid address is refused as such even with `create_user: false`; GoTrue then
/// answers that sign-ups are not allowed.
async fn check_known(state: &State, params: &OtpParams, requester: &Requester) -> Result<(), AuthError> {
    let audience = requester.audience(&state.config);
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = match (params.email.as_str(), params.phone.as_str()) {
        ("", "") => return Ok(()),
        ("", phone) => users::by_phone(&db, &addresses::phone(phone)?, audience).await,
        (email, _) => users::by_email(&db, &addresses::email(email)?, audience).await,
    };
    found.or_fault("Database error finding user")?.map(drop).ok_or(AuthError::OtpDisabled)
}
