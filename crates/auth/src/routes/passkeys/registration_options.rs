//! `POST /passkeys/registration/options`
//!
//! Source: supabase/auth, `internal/api/passkey_registration.go`.

use actix_web::web::{self, Json};
use serde_json::Value;
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::flows::first_party::FirstParty;
use crate::flows::mfa;
use crate::flows::passkeys::{self, OptionsBody};
use crate::model::account::User;
use crate::model::timestamp::{self, after};
use crate::protocol::webauthn::{Descriptor, Person, Use};
use crate::state::State;
use crate::store::webauthn_challenges::{self, Purpose};
use crate::store::webauthn_credentials;

/// Options for creating a passkey of the signed-in user. The body is not read.
///
/// As in GoTrue, the age of the session does not matter, even under `UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: the
/// request has no field for a nonce. If the user has a verified second factor, the session must be `aal2`.
#[utoipa::path(post, path = "/passkeys/registration/options", tag = "passkeys", security(("user" = [])),
    responses((status = 200, body = OptionsBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 422)))]
pub(crate) async fn registration_options(
    who: FirstParty,
    state: web::Data<State>,
) -> Result<Json<OptionsBody>, AuthError> {
    passkeys::check_enabled(&state)?;
    let holder = mfa::holder(&state, &who).await?;
    passkeys::check_may_register(&holder)?;
    let user = &holder.user;
    let db = state.pool.get().await.or_fault("Database error loading passkeys")?;
    let existing = webauthn_credentials::of_user(&db, user.id).await.or_fault("Database error loading passkeys")?;
    if existing.len() >= state.config.passkey.max_per_user {
        return Err(PasskeyError::TooMany.into());
    }
    let exclude: Vec<Descriptor> =
        existing.into_iter().map(|passkey| Descriptor { id: passkey.credential.id, transports: Vec::new() }).collect();
    let asked = passkeys::relying_party(&state)?.ask_to_register(&person(user), Use::Passkey, &exclude);
    let (options, data) =
        asked.map_err(|error| AuthError::internal("Failed to generate WebAuthn registration options", error))?;
    let now = timestamp::now(&state.clock);
    let expires_at = after(now, state.config.webauthn.challenge_expiry);
    let id = Uuid::new_v4();
    webauthn_challenges::insert(&db, id, Some(user.id), Purpose::Registration, &data.stored(), now, expires_at)
        .await
        .or_fault("Database error storing challenge")?;
    Ok(Json(OptionsBody { challenge_id: id, options, expires_at: expires_at.timestamp() }))
}

fn person(user: &User) -> Person<'_> {
    let name = if user.email.is_empty() { &user.phone } else { &user.email };
    let own = user.user_metadata.get("name").and_then(Value::as_str).filter(|own| !own.is_empty());
    Person { id: user.id, name, display_name: own.unwrap_or(name) }
}
