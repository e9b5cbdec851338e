//! `POST /factors`
//!
//! Source: supabase/auth, `internal/api/mfa.go`.

use actix_web::web::{self, Json};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{AuthError, MfaError};
use crate::flows::first_party::FirstParty;
use crate::flows::mfa::{self, Holder, Totp};
use crate::model::factor::{Kind, NewFactor};
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::protocol::body::{Body, params};
use crate::state::State;

/// The factor to enrol.
#[derive(Default, ToSchema)]
pub(crate) struct EnrollFactorParams {
    /// Must differ from the names of the user's other factors.
    friendly_name: String,
    /// `totp`, `phone` or `webauthn`.
    factor_type: String,
    /// For `totp`: the issuer that the app shows; the host of the site by default.
    issuer: String,
    /// For `phone`.
    phone: String,
}
params!(EnrollFactorParams as "EnrollFactorParams" { friendly_name: Text, factor_type: Text, issuer: Text, phone: Text });

/// The unverified factor.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnrollFactorBody {
    id: Uuid,
    r#type: &'static str,
    friendly_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    totp: Option<TotpBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

/// The secret for an authenticator app; it is shown only once.
#[derive(Serialize, ToSchema)]
struct TotpBody {
    /// The URI as a QR code in SVG.
    qr_code: String,
    secret: String,
    uri: String,
}

/// Enrols a second factor. The first verification activates it.
#[utoipa::path(post, path = "/factors", tag = "second factors", security(("user" = [])),
    request_body = EnrollFactorParams, responses((status = 200, body = EnrollFactorBody), (status = 400), (status = 401),
        (status = 403), (status = 413), (status = 422)))]
pub(crate) async fn enroll(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
    body: Body,
) -> Result<Json<EnrollFactorBody>, AuthError> {
    let holder = mfa::holder(&state, &who).await?;
    holder.session("A valid session and a registered user are required to enroll a factor")?;
    let params: EnrollFactorParams = body.parse()?;
    let kind = Kind::named(&params.factor_type).ok_or(MfaError::FactorType)?;
    check_enabled(&state, kind)?;
    let mut new =
        NewFactor { id: Uuid::new_v4(), kind, friendly_name: &params.friendly_name, secret: None, phone: None };
    let (phone, totp);
    match kind {
        Kind::Totp => {
            totp = Some(Totp::new(&state, &holder.user, &params.issuer)?);
            let secret = totp.as_ref().map(|totp| state.config.encryption.seal(new.id, totp.secret.reveal()));
            new.secret = secret;
        }
        Kind::Phone => {
            phone = number(&holder, &params.phone)?;
            new.phone = Some(&phone);
            totp = None;
        }
        Kind::WebAuthn => totp = None,
    }
    mfa::enroll(&state, &holder, &new, &requester, timestamp::now(&state.clock)).await?;
    let totp = totp.map(|totp| TotpBody {
        qr_code: totp.qr_code.reveal().clone(),
        secret: totp.secret.reveal().clone(),
        uri: totp.uri.reveal().clone(),
    });
    let phone = (kind == Kind::Phone).then_some(params.phone);
    Ok(Json(EnrollFactorBody { id: new.id, r#type: kind.as_str(), friendly_name: params.friendly_name, totp, phone }))
}

fn check_enabled(state: &State, kind: Kind) -> Result<(), MfaError> {
    let config = &state.config.mfa;
    match kind {
        Kind::Totp if !config.totp.enroll => Err(MfaError::TotpEnrollDisabled),
        Kind::Phone if !config.phone.switches.enroll => Err(MfaError::PhoneEnrollDisabled),
        Kind::WebAuthn if !config.webauthn.enroll => Err(MfaError::WebAuthnEnrollDisabled),
        _ => Ok(()),
    }
}

/// The number in stored form. Refuses a number that another verified factor has.
fn number(holder: &Holder, text: &str) -> Result<String, AuthError> {
    if text.is_empty() {
        return Err(MfaError::PhoneRequired.into());
    }
    let phone = addresses::phone(text)?;
    let factors = &holder.user.factors;
    if factors.iter().any(|factor| factor.factor_type == "phone" && factor.phone == phone && factor.is_verified()) {
        return Err(MfaError::PhoneFactorExists.into());
    }
    Ok(phone)
}
