//! Raises a session to `aal2`.
//!
//! Source: supabase/auth, `updateMFASessionAndClaims` in `internal/api/token.go`.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::Value;
use uuid::Uuid;

use super::refresh;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::tokens::{self, Making, TokenBody};
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::protocol::refresh_token;
use crate::state::State;
use crate::store::refresh_tokens::{self, Found};
use crate::store::sessions::{self, Strength};

/// Gap in the counter between the last `aal1` token and the first `aal2` token, so that the former cannot be exchanged
/// for the latter.
const SKIPPED: i64 = 2;

/// Locks the session for this transaction; returns it with its user.
///
/// # Errors
/// [`AuthError::SessionNotFound`] if it has ended meanwhile.
pub(crate) async fn lock(db: &Transaction<'_>, session: Uuid) -> Result<Found, AuthError> {
    sessions::lock(db, session).await.or_fault(UNEXPECTED)?;
    refresh_tokens::find_signed(db, session).await.or_fault(UNEXPECTED)?.ok_or(AuthError::SessionNotFound)
}

/// Raises the locked session to `aal2`, gives it new tokens, and ends the user's `aal1` sessions. Revokes the previous
/// tokens, because their holder may not have verified the factor.
///
/// # Errors
/// If the database fails or no key can sign, and the hook's refusal.
pub(crate) async fn strengthen(
    state: &State,
    db: &Transaction<'_>,
    Found { user, key, counter, .. }: Found,
    session: Uuid,
    (method, factor): (AuthenticationMethod, Uuid),
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<TokenBody, AuthError> {
    let signing = key.as_deref().and_then(|column| refresh::open(state, session, column)).zip(counter);
    let (refresh_token, counter) = match signing {
        Some((key, counter)) => {
            let next = counter.saturating_add(SKIPPED);
            (key.sign(session, next), Some(next))
        }
        None => (refresh_token::new_stored(), None),
    };
    if counter.is_none() {
        audit::record(state, db, &user, Action::TokenRevoked, Value::Null).await?;
    }
    // Lock sessions before the user, in the same order as a refresh.
    sessions::delete_weaker(db, user.id, session).await.or_fault("Failed to update sessions.")?;
    let stored = counter.is_none().then_some(refresh_token.as_str());
    let strength = Strength { method, factor, refresh_token: stored, counter };
    sessions::strengthen(db, (session, user.id), strength, now).await.or_fault(UNEXPECTED)?;
    let found = refresh_tokens::find_signed(db, session).await.or_fault(UNEXPECTED)?;
    let Some(Found { user, session: Some(session), .. }) = found else { return Err(AuthError::SessionNotFound) };
    let making = Making { session: &session, refresh_token, method: method.as_str(), now };
    tokens::body(state, db, requester, user, making).await?.complete_in(state, db, requester).await
}
