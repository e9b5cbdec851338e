//! `POST /factors/{factor_id}/verify`
//!
//! Source: supabase/auth, `internal/api/mfa.go`.

use actix_web::web::{self, Json, Path};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{AuthError, MfaError};
use crate::flows::first_party::FirstParty;
use crate::flows::hooks;
use crate::flows::limits::{self, Subject};
use crate::flows::mfa::{self, Holder, Proven, Response};
use crate::flows::tokens::TokenBody;
use crate::model::account::Factor;
use crate::model::factor::Kind;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::body::{Body, Params, params};
use crate::state::State;

/// The answer to a challenge.
#[derive(Default, ToSchema)]
pub(crate) struct VerifyFactorParams {
    challenge_id: Option<Uuid>,
    /// For an app or a message.
    code: String,
    /// For a security key: `type` (`create` or `request`) and `credential_response`, as the browser returned it.
    #[schema(value_type = Option<Object>)]
    webauthn: Option<Value>,
}
params!(VerifyFactorParams as "VerifyFactorParams" { challenge_id: Id, code: Text, webauthn: Raw });

/// Verifies a factor. The session becomes `aal2` and gets new tokens; the user's `aal1` sessions end.
#[utoipa::path(post, path = "/factors/{factor_id}/verify", tag = "second factors", security(("user" = [])),
    params(("factor_id" = String, Path)), request_body = VerifyFactorParams,
    responses((status = 200, body = TokenBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn verify(
    who: FirstParty,
    state: web::Data<State>,
    path: Path<String>,
    requester: Requester,
    body: Body,
) -> Result<Json<TokenBody>, AuthError> {
    let holder = mfa::holder(&state, &who).await?;
    let factor = mfa::factor_of(&holder.user, &path)?;
    let mut params: VerifyFactorParams = body.parse()?;
    let webauthn = mfa::webauthn_member(VerifyFactorParams::NAME, params.webauthn.take())?;
    let kind = check(&state, &factor, &params)?;
    let response = match kind {
        Kind::WebAuthn => Some(Response::read(webauthn)?),
        Kind::Totp | Kind::Phone => None,
    };
    let session = holder.session("Cannot read SessionId claim as UUID")?;
    let now = timestamp::now(&state.clock);
    let challenge = params.challenge_id.unwrap_or_default();
    let pending = mfa::pending(&state, &factor, challenge, requester.ip, now).await?;
    let mut step = None;
    let answer = match (kind, &response) {
        (Kind::WebAuthn, Some(response)) => {
            Some(mfa::verify_security_key(&state, &holder, &factor, &pending, response).await?)
        }
        (Kind::Phone, _) => {
            let is_right = mfa::is_right_code(&state, &factor, &pending, &params.code).await?;
            attempted(&state, &requester, &holder, &factor, is_right, MfaError::PhoneWrong).await?;
            None
        }
        _ => {
            step = mfa::right_totp_step(&state, &factor, &pending, &params.code, now).await?;
            attempted(&state, &requester, &holder, &factor, step.is_some(), MfaError::TotpWrong).await?;
            None
        }
    };
    let proven = Proven { factor: &factor, kind, pending: &pending, step, answer };
    mfa::accept(&state, &holder, session, proven, &requester, now).await.map(Json)
}

/// Calls the hook before the result is used: it may also reject right codes.
///
/// DEVIATION (stricter): for the codes of one second factor, one client may try 10 in an hour, and all clients together
/// 100; GoTrue counts only by client.
async fn attempted(
    state: &State,
    requester: &Requester,
    holder: &Holder,
    factor: &Factor,
    is_right: bool,
    wrong: MfaError,
) -> Result<(), AuthError> {
    let guess = limits::guess(state, &Subject::factor(factor.id), requester.client)?;
    let which = (factor.id, factor.factor_type.as_str());
    hooks::check_mfa_attempt(state, requester, holder.user.id, which, is_right).await?;
    if !is_right {
        return Err(wrong.into());
    }
    guess.was_right(state);
    Ok(())
}

/// Checks that this type of factor can be verified with such an answer.
fn check(state: &State, factor: &Factor, params: &VerifyFactorParams) -> Result<Kind, MfaError> {
    let kind = Kind::named(&factor.factor_type);
    if params.code.is_empty() && kind != Some(Kind::WebAuthn) {
        return Err(MfaError::CodeRequired);
    }
    let config = &state.config.mfa;
    match kind.ok_or(MfaError::FactorType)? {
        Kind::Totp if !config.totp.verify => Err(MfaError::TotpVerifyDisabled),
        Kind::Phone if !config.phone.switches.verify => Err(MfaError::PhoneVerifyDisabled),
        Kind::WebAuthn if !config.webauthn.verify => Err(MfaError::WebAuthnVerifyDisabled),
        kind => Ok(kind),
    }
}
