//! `POST /signup`
//!
//! Source: supabase/auth, `internal/api/signup.go` and `anonymous.go`.

mod anonymous;
mod permanent;

pub(crate) use permanent::check_channel;

use actix_web::HttpResponse;
use actix_web::web;
use gateway::Anyone;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::flows::limits::{self, Bucket};
use crate::flows::tokens::TokenBody;
use crate::model::account::{Metadata, UserBody};
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::outside::captcha;
use crate::protocol::body::{Body, params};
use crate::state::State;

/// The parameters of a sign-up. Without an address the user is anonymous.
#[derive(Default, ToSchema)]
pub(crate) struct SignupParams {
    email: String,
    phone: String,
    /// At most 72 bytes.
    password: String,
    /// The user's own metadata, stored as `user_metadata`.
    #[schema(value_type = Option<Object>)]
    data: Option<serde_json::Map<String, Value>>,
    /// `sms` or `whatsapp`.
    channel: String,
    /// RFC 7636: the confirmation link then leads back with a code.
    code_challenge: String,
    /// `s256` or `plain`.
    code_challenge_method: String,
}
params!(SignupParams as "SignupParams" {
    email: Text, phone: Text, password: Text, data: Object, channel: Text, code_challenge: Text,
    code_challenge_method: Text,
});

/// The outcome of a sign-up.
pub(crate) enum Outcome {
    /// The user is signed in.
    SignedIn(Box<TokenBody>),
    /// The user must confirm the address. For a taken address the user is made up.
    Unconfirmed(Box<UserBody>),
}

/// Signs up a user. Returns a session if the address counts as confirmed, else the user; a taken address gets the same
/// answer as a new one.
#[utoipa::path(post, path = "/signup", tag = "session", request_body = SignupParams,
    responses((status = 200, body = TokenBody), (status = 400), (status = 403), (status = 409), (status = 413),
        (status = 422), (status = 429)))]
pub(crate) async fn signup(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let params: SignupParams = body.parse()?;
    let outcome = if params.email.is_empty() && params.phone.is_empty() {
        anonymous::check(&state)?;
        limits::admit(&state, Bucket::AnonymousSignup, requester.client)?;
        anonymous::sign_up(&state, params, &requester, &trace).await?
    } else {
        limits::admit(&state, Bucket::Signup, requester.client)?;
        permanent::sign_up(&state, params, &requester, &trace).await?
    };
    Ok(match outcome {
        Outcome::SignedIn(body) => HttpResponse::Ok().json(body),
        Outcome::Unconfirmed(user) => HttpResponse::Ok().json(user),
    })
}

impl SignupParams {
    fn metadata(&self) -> Metadata {
        self.data.clone().unwrap_or_default()
    }
}
