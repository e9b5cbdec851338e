//! A refresh token is traded for the next one.
//!
//! Source: supabase/auth, `internal/tokens/service.go`, for tokens of the first form. A token that was traded already is
//! still good when its child is the one in use (the client never saw the answer), or within the reuse interval; else it
//! was stolen from somebody or by somebody, and the whole family is revoked.

use chrono::{DateTime, TimeDelta, Utc};
use gateway::events::Event;
use pg::pool::Transaction;
use serde_json::Value;
use uuid::Uuid;

use super::{Aal, Session};
use crate::State;
use crate::account::User;
use crate::audit::{self, Action};
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::oauth_error::OAuthError;
use crate::requester::Requester;
use crate::store::refresh_tokens::{self, Active, Found};
use crate::store::{sessions, users};
use crate::timestamp;
use crate::tokens::{self, Making, TokenBody};
use crate::wire::Trace;

/// What becomes of a token that comes to be traded.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// It gets a child.
    Rotate,
    /// It has a child, which it gets again.
    Repeat(String),
    /// It was used too long ago.
    Refuse,
}

/// Trades `token`, which must be that of `client` if of any.
///
/// # Errors
/// One of the `Refresh…` and `Session…` errors; with [`AuthError::RefreshTokenUsed`] the family is revoked.
pub(crate) async fn refresh(
    state: &State,
    token: &str,
    client: Option<Uuid>,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    match sessions::lock_by_token(&db, token).await {
        Err(error) if is_conflict(&error) => return Err(AuthError::RefreshConflict),
        locked => locked.or_fault(UNEXPECTED)?,
    }
    let found = refresh_tokens::find(&db, token).await.or_fault(UNEXPECTED)?;
    let Found { id, revoked, updated_at, user, session, active } = found.ok_or(AuthError::RefreshTokenNotFound)?;
    trace.user(user.id);
    if user.is_banned(now) {
        return Err(AuthError::RefreshBanned);
    }
    let Some(session) = session else {
        refresh_tokens::delete(&db, id).await.or_fault("Error deleting refresh token with missing session")?;
        db.commit().await.or_fault(UNEXPECTED)?;
        return Err(AuthError::RefreshWithoutSession);
    };
    trace.session(session.id);
    check(state, &db, &user, &session, client, updated_at, now).await?;

    let interval = TimeDelta::try_seconds(state.config.security.refresh_token_reuse_interval);
    let issued = match decide(token, revoked, active, now, updated_at + interval.unwrap_or_default()) {
        Decision::Refuse => {
            state.events.emit(Event::RefreshTokenReuse { session_id: &session.id.to_string() });
            if state.config.security.refresh_token_rotation_enabled {
                refresh_tokens::revoke_family(&db, session.id, now).await.or_fault(UNEXPECTED)?;
            }
            db.commit().await.or_fault(UNEXPECTED)?;
            return Err(AuthError::RefreshTokenUsed);
        }
        Decision::Repeat(active) => {
            audit::record(state, &db, &user, Action::TokenRefreshed, Value::Null).await?;
            active
        }
        Decision::Rotate => {
            audit::record(state, &db, &user, Action::TokenRefreshed, Value::Null).await?;
            audit::record(state, &db, &user, Action::TokenRevoked, Value::Null).await?;
            let new = tokens::new_refresh_token();
            refresh_tokens::rotate(&db, (id, token), &new, user.id, session.id, now).await.or_fault(UNEXPECTED)?;
            trace.not_reused();
            new
        }
    };
    trace.refresh_token(&issued);
    sessions::refreshed(&db, session.id, requester, now).await.or_fault("failed to update session information")?;
    let making = Making { session: &session, refresh_token: issued, method: "token_refresh", now };
    let body = tokens::body(state, &db, requester, User { updated_at: now, ..user }, making).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    Ok(body)
}

/// Whether the one who asks is the one the session was given to: an OAuth client, or nobody but the user.
fn check_client(session: &Session, client: Option<Uuid>) -> Result<(), AuthError> {
    let wrong = match (session.oauth_client_id.filter(|id| !id.is_nil()), client) {
        (None, None) => return Ok(()),
        (Some(owner), Some(client)) if owner == client => return Ok(()),
        (Some(_), Some(_)) => OAuthError::ClientMismatch,
        (Some(_), None) => OAuthError::ClientRequired,
        (None, Some(_)) => OAuthError::ClientUnexpected,
    };
    Err(AuthError::OAuth(wrong))
}

/// Whether the session may go on.
async fn check(
    state: &State,
    db: &Transaction<'_>,
    user: &User,
    session: &Session,
    client: Option<Uuid>,
    token_updated_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let config = &state.config.sessions;
    let highest = if user.has_mfa() { Aal::Two } else { Aal::One };
    session.check(config, now, Some(token_updated_at), highest)?;
    check_client(session, client)?;
    if !config.single_per_user {
        return Ok(());
    }
    // Two sessions of a user must not both find themselves the last one.
    users::lock(db, user.id).await.or_fault(UNEXPECTED)?;
    let others = sessions::others_of_user(db, user.id, session.id).await.or_fault(UNEXPECTED)?;
    let newer = |other: &Session| {
        other.check(config, now, None, highest).is_ok()
            && other.kind(config) == session.kind(config)
            && other.last_refreshed(None) > session.last_refreshed(Some(token_updated_at))
    };
    if others.iter().any(newer) { Err(AuthError::SessionSuperseded) } else { Ok(()) }
}

/// DEVIATION: a family that was revoked stays revoked; GoTrue trades its tokens once more within the reuse interval.
fn decide(
    token: &str,
    revoked: bool,
    active: Option<Active>,
    now: DateTime<Utc>,
    reuse_until: DateTime<Utc>,
) -> Decision {
    match active {
        _ if !revoked => Decision::Rotate,
        Some(active) if active.parent.as_deref() == Some(token) => Decision::Repeat(active.token),
        Some(_) if now <= reuse_until => Decision::Rotate,
        _ => Decision::Refuse,
    }
}

/// Whether somebody else kept the session locked for too long: lock or statement timeout, or a deadlock.
fn is_conflict(error: &pg::Error) -> bool {
    error.database().is_some_and(|error| matches!(error.code.as_str(), "55P03" | "57014" | "40P01"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_get_the_child_and_ancestors_only_a_moment() {
        let now = DateTime::from_timestamp(1000, 0).unwrap();
        let (open, closed) = (now, now - TimeDelta::milliseconds(1));
        let active = |parent: &str| Some(Active { token: "child".to_owned(), parent: Some(parent.to_owned()) });
        for (revoked, active, until, decision) in [
            (false, None, closed, Decision::Rotate),
            (false, active("other"), closed, Decision::Rotate),
            (true, active("token"), closed, Decision::Repeat("child".to_owned())),
            (true, active("token"), open, Decision::Repeat("child".to_owned())),
            (true, active("other"), open, Decision::Rotate),
            (true, active("other"), closed, Decision::Refuse),
            (true, None, open, Decision::Refuse),
            (true, None, closed, Decision::Refuse),
        ] {
            assert_eq!(decide("token", revoked, active, now, until), decision);
        }
    }
}
