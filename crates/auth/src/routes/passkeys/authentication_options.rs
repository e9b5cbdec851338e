//! `POST /passkeys/authentication/options`
//!
//! Source: supabase/auth, `internal/api/passkey_authentication.go`.

use actix_web::web::{self, Json};
use gateway::Anyone;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::passkeys::{self, OptionsBody};
use crate::model::requester::Requester;
use crate::model::timestamp::{self, after};
use crate::outside::captcha;
use crate::protocol::body::Body;
use crate::protocol::webauthn::Use;
use crate::state::State;
use crate::store::webauthn_challenges::{self, Purpose};

/// Options for a sign-in with any passkey of this project; the user is not known yet. The body is read only for a
/// captcha.
#[utoipa::path(post, path = "/passkeys/authentication/options", tag = "passkeys",
    responses((status = 200, body = OptionsBody), (status = 400), (status = 404), (status = 413), (status = 429)))]
pub(crate) async fn authentication_options(
    _: Anyone,
    state: web::Data<State>,
    requester: Requester,
    body: Body,
) -> Result<Json<OptionsBody>, AuthError> {
    passkeys::check_enabled(&state)?;
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let asked = passkeys::relying_party(&state)?.ask_to_assert(None, Use::Passkey);
    let (options, data) =
        asked.map_err(|error| AuthError::internal("Failed to generate WebAuthn authentication options", error))?;
    let now = timestamp::now(&state.clock);
    let expires_at = after(now, state.config.webauthn.challenge_expiry);
    let id = Uuid::new_v4();
    let db = state.pool.get().await.or_fault("Database error storing challenge")?;
    webauthn_challenges::insert(&db, id, None, Purpose::Authentication, &data.stored(), now, expires_at)
        .await
        .or_fault("Database error storing challenge")?;
    Ok(Json(OptionsBody { challenge_id: id, options, expires_at: expires_at.timestamp() }))
}
