//! `POST /factors/{factor_id}/challenge`
//!
//! Source: supabase/auth, `internal/api/mfa.go`.

use actix_web::web::{self, Json, Path};
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::first_party::FirstParty;
use crate::flows::limits::{self, Subject};
use crate::flows::mfa::{self, ChallengeBody, Holder};
use crate::model::client::Client;
use crate::model::factor::{Challenge, Kind};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::body::{Body, Params, params};
use crate::routes::signup::check_channel;
use crate::state::State;
use crate::store::sessions;

/// How to send a code.
#[derive(Default, ToSchema)]
pub(crate) struct ChallengeFactorParams {
    /// For `phone`: `sms` (the default) or `whatsapp`.
    channel: String,
    /// Ignored.
    #[schema(value_type = Option<Object>)]
    webauthn: Option<Value>,
}
params!(ChallengeFactorParams as "ChallengeFactorParams" { channel: Text, webauthn: Raw });

impl ChallengeFactorParams {
    fn read(body: &Body) -> Result<Self, AuthError> {
        let mut params: Self = body.parse()?;
        mfa::webauthn_member(Self::NAME, params.webauthn.take())?;
        Ok(params)
    }
}

/// Challenges a factor. The answer must come from the same IP address before `expires_at`.
#[utoipa::path(post, path = "/factors/{factor_id}/challenge", tag = "second factors", security(("user" = [])),
    params(("factor_id" = String, Path)), request_body = Option<ChallengeFactorParams>,
    responses((status = 200, body = ChallengeBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn challenge(
    who: FirstParty,
    state: web::Data<State>,
    path: Path<String>,
    requester: Requester,
    body: Body,
) -> Result<Json<ChallengeBody>, AuthError> {
    let holder = mfa::holder(&state, &who).await?;
    let factor = mfa::factor_of(&holder.user, &path)?;
    // Read before a code is sent: afterwards nothing may fail.
    let is_own_client = session_client(&state, &holder).await? == Some(Client::at(requester.ip));
    let now = timestamp::now(&state.clock);
    let config = &state.config.mfa;
    let body: Result<_, AuthError> = match Kind::named(&factor.factor_type).ok_or(MfaError::FactorType)? {
        Kind::Totp if !config.totp.verify => Err(MfaError::TotpVerifyDisabled.into()),
        Kind::Phone if !config.phone.switches.verify => Err(MfaError::PhoneVerifyDisabled.into()),
        Kind::WebAuthn if !config.webauthn.verify => Err(MfaError::WebAuthnChallengeDisabled.into()),
        Kind::Totp => {
            // The body is not read: it has no options here.
            let challenge = Challenge::new(&factor, requester.ip, now);
            let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
            let db = connection.transaction().await.or_fault(UNEXPECTED)?;
            mfa::challenged(&state, &db, &holder.user, &factor, &challenge).await?;
            db.commit().await.or_fault(UNEXPECTED)?;
            Ok(Json(ChallengeBody::of(&challenge, &state, &factor, None)))
        }
        Kind::Phone => {
            let params = ChallengeFactorParams::read(&body)?;
            let channel = check_channel(&state, &params.channel)?;
            let challenge = mfa::challenge_phone(&state, &holder, &factor, channel, &requester, now).await?;
            Ok(Json(ChallengeBody::of(&challenge, &state, &factor, None)))
        }
        Kind::WebAuthn => {
            ChallengeFactorParams::read(&body)?;
            let (challenge, asked) = mfa::challenge_security_key(&state, &holder, &factor, &requester, now).await?;
            Ok(Json(ChallengeBody::of(&challenge, &state, &factor, Some(asked))))
        }
    };
    let body = body?;
    if is_own_client {
        // Others who know the password cannot use up these guesses.
        limits::code_requested(&state, &Subject::factor(factor.id), requester.client, now);
    }
    Ok(body)
}

/// The client that last used the caller's session.
async fn session_client(state: &State, holder: &Holder) -> Result<Option<Client>, AuthError> {
    let Ok(session) = holder.session("") else { return Ok(None) };
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    Ok(sessions::address(&db, session.id).await.or_fault(UNEXPECTED)?.map(Client::at))
}
