//! Exchanges a refresh token for the next one.
//!
//! Source: supabase/auth, `internal/tokens/service.go`. One statement reads everything, [`reuse`] decides, and one
//! statement writes. If the state has changed in between, the write affects nothing and all steps are repeated.
//! Concurrent refreshes of a session wait for each other in the write, and no transaction stays open between two round
//! trips.

use chrono::{DateTime, TimeDelta, Utc};
use gateway::events::Event;
use pg::pool::{Connection, Query};
use serde_json::Value;
use uuid::Uuid;

use super::reuse::{self, Decision};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthError};
use crate::flows::audit::{self, Action};
use crate::flows::tokens::{self, Issued, Making, TokenBody};
use crate::model::account::User;
use crate::model::requester::Requester;
use crate::model::session::{Aal, Session};
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::protocol::refresh_token::{self, Key, RefreshToken};
use crate::state::State;
use crate::store::refresh_tokens::{self, Found, Stored};
use crate::store::sessions;

/// Maximum number of attempts when others refresh concurrently. A second conflict is already unlikely.
const ATTEMPTS: usize = 10;

/// What is the same in every attempt.
#[derive(Clone, Copy)]
struct Request<'a> {
    state: &'a State,
    token: &'a RefreshToken,
    /// The OAuth client that makes the request, if any.
    client: Option<Uuid>,
    requester: &'a Requester,
    trace: &'a Trace,
}

/// Exchanges `token`, which must belong to `client` if it belongs to any.
///
/// # Errors
/// One of the `Refresh…` and `Session…` errors, or of the `Client…` ones of [`OAuthError`]; with
/// [`AuthError::RefreshTokenUsed`] the family is revoked.
pub(crate) async fn refresh(
    state: &State,
    token: &str,
    client: Option<Uuid>,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let token = RefreshToken::parse(token).ok_or(AuthError::RefreshTokenNotFound)?;
    let request = Request { state, token: &token, client, requester, trace };
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    for _ in 0..ATTEMPTS {
        if let Some(issued) = attempt(request, &mut connection).await? {
            drop(connection);
            return issued.complete(state, requester).await;
        }
    }
    Err(AuthError::RefreshConflict)
}

/// `None` if a concurrent request changed the session first.
async fn attempt(request: Request<'_>, db: &mut Connection) -> Result<Option<Issued>, AuthError> {
    let Request { state, requester, trace, .. } = request;
    let now = timestamp::now(&state.clock);
    let (stored, Found { user, session, key, counter }) = find(request, db).await?;
    let key = key.as_ref().zip(session.as_ref()).and_then(|(column, session)| open(state, session.id, column));
    trace.user(user.id);
    if user.is_banned(now) {
        return Err(AuthError::RefreshBanned);
    }
    let Some(session) = session else {
        if let Some(stored) = &stored {
            let failed = "Error deleting refresh token with missing session";
            refresh_tokens::delete(db, stored.id).await.or_fault(failed)?;
        }
        return Err(AuthError::RefreshWithoutSession);
    };
    trace.session(session.id);
    let token_updated_at = stored.as_ref().map(|stored| stored.updated_at);
    check(request, db, &user, &session, token_updated_at, now).await?;

    let decision = decide(request, stored.as_ref(), &session, counter, now)?;
    let plan = match (decision, request.token) {
        (Decision::Refuse, _) => return Err(end(request, db, &session, counter.is_some(), now).await?),
        (Decision::Foreign, _) => return Err(AuthError::RefreshTokenForeign),
        (Decision::Rotate, RefreshToken::Stored(old)) => {
            Plan::of_rotation(state, session.id, old, stored.as_ref(), key.clone(), counter)
        }
        (Decision::Rotate, RefreshToken::Signed(_)) => Plan::Count(counter.unwrap_or_default().saturating_add(1)),
        (Decision::Repeat(token), _) => Plan::Repeat(token),
        (Decision::Recount(causes), _) => {
            if !causes.is_empty() {
                trace.reuse_cause(&causes);
            }
            Plan::Recount
        }
    };
    let issued = plan.token(session.id, counter, key.as_ref())?;
    plan.trace(trace, counter, &issued);
    let actions = plan.actions();
    let audit = audit::entries(state, &user, actions);
    let seen = User { updated_at: if plan.is_rotation() { now } else { user.updated_at }, ..user.clone() };
    let making = Making { session: &session, refresh_token: issued.clone(), method: "token_refresh", now };
    let write = Write { request, session: session.id, user: user.id, counter, issued: &issued, now, audit };
    let issued = if state.config.hooks.custom_access_token.is_some() {
        // With a hook: if it refuses, nothing is written.
        let db = db.transaction().await.or_fault(UNEXPECTED)?;
        let done = plan.write(&db, write).await?;
        let issued = if done { Some(tokens::body(state, &db, requester, seen, making).await?) } else { None };
        db.commit().await.or_fault(UNEXPECTED)?;
        issued.map(Issued::of_old_session)
    } else {
        // Sign first: if that fails, nothing is written.
        let body = tokens::sign(state, seen, making)?;
        plan.write(db, write).await?.then(|| Issued::Done(Box::new(body)))
    };
    if issued.is_some() {
        actions.iter().for_each(|action| audit::announce(state, &user, *action));
    }
    Ok(issued)
}

/// The decision of [`reuse`] about the token.
fn decide(
    request: Request<'_>,
    stored: Option<&Stored>,
    session: &Session,
    counter: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Decision, AuthError> {
    let security = &request.state.config.security;
    match (request.token, stored) {
        (RefreshToken::Stored(text), Some(stored)) => {
            let interval = TimeDelta::try_seconds(security.refresh_token_reuse_interval);
            let reuse_until = stored.updated_at + interval.unwrap_or_default();
            Ok(reuse::of_stored(text, stored, counter, now <= reuse_until))
        }
        (RefreshToken::Signed(signed), _) => {
            let since = now - session.last_refreshed(None);
            Ok(reuse::of_signed(signed.counter, counter.unwrap_or_default(), since, security))
        }
        // A stored token without a row.
        (RefreshToken::Stored(_), None) => Err(AuthError::RefreshTokenNotFound),
    }
}

/// The values that a plan writes.
struct Write<'a> {
    request: Request<'a>,
    session: Uuid,
    user: Uuid,
    counter: Option<i64>,
    issued: &'a str,
    now: DateTime<Utc>,
    audit: Value,
}

/// A decision with the values it needs.
enum Plan {
    /// A stored token is replaced by a stored token.
    Swap { id: i64, old: String },
    /// A stored token is replaced by a signed token.
    Upgrade { id: i64, key: Key, counter: i64 },
    /// A signed token is replaced by the next one.
    Count(i64),
    /// Repeats the stored token already given to another request.
    Repeat(String),
    /// Repeats the signed token already given to another request.
    Recount,
}

impl Plan {
    fn of_rotation(
        state: &State,
        session: Uuid,
        old: &str,
        stored: Option<&Stored>,
        key: Option<Key>,
        counter: Option<i64>,
    ) -> Self {
        let id = stored.map_or(0, |stored| stored.id);
        if !is_upgraded(state, session) {
            return Plan::Swap { id, old: old.to_owned() };
        }
        match (key, counter) {
            (Some(key), Some(counter)) => Plan::Upgrade { id, key, counter: counter.saturating_add(1) },
            _ => Plan::Upgrade { id, key: Key::generate(), counter: 0 },
        }
    }

    /// The token to return.
    fn token(&self, session: Uuid, counter: Option<i64>, key: Option<&Key>) -> Result<String, AuthError> {
        let no_key = || AuthError::internal(UNEXPECTED, "the session has no key for its refresh tokens");
        match self {
            Plan::Swap { .. } => Ok(refresh_token::new_stored()),
            Plan::Upgrade { key, counter, .. } => Ok(key.sign(session, *counter)),
            Plan::Count(next) => Ok(key.ok_or_else(no_key)?.sign(session, *next)),
            Plan::Recount => Ok(key.ok_or_else(no_key)?.sign(session, counter.unwrap_or_default())),
            Plan::Repeat(token) => Ok(token.clone()),
        }
    }

    /// Writes in one statement. Returns false if another request was faster.
    async fn write(&self, db: &impl Query, what: Write<'_>) -> Result<bool, AuthError> {
        let Write { request, session, user, counter, issued, now, audit } = what;
        let by = (request.requester, now);
        let count = async |next, audit| sessions::refreshed(db, session, (counter, next), by, audit).await;
        let written = match self {
            Plan::Swap { id, old } => refresh_tokens::rotate(db, (*id, old), issued, (user, session), by, audit).await,
            Plan::Upgrade { id, key, counter: next } => {
                let key = request.state.config.encryption.seal(session, &key.to_column());
                sessions::upgrade(db, (session, *id), (counter, *next), &key, by, audit).await
            }
            Plan::Count(next) => count(Some(*next), audit).await,
            Plan::Repeat(_) | Plan::Recount => count(counter, audit).await,
        };
        match written {
            Err(error) if is_conflict(&error) => Err(AuthError::RefreshConflict),
            written => written.or_fault(UNEXPECTED),
        }
    }

    fn is_rotation(&self) -> bool {
        matches!(self, Plan::Swap { .. } | Plan::Upgrade { .. })
    }

    fn actions(&self) -> &'static [Action] {
        if self.is_rotation() { &[Action::TokenRefreshed, Action::TokenRevoked] } else { &[Action::TokenRefreshed] }
    }

    fn trace(&self, trace: &Trace, counter: Option<i64>, issued: &str) {
        if !matches!(self, Plan::Repeat(_) | Plan::Recount) {
            trace.not_reused();
        }
        match self {
            Plan::Swap { .. } | Plan::Repeat(_) => trace.refresh_token(issued),
            Plan::Upgrade { counter, .. } | Plan::Count(counter) => trace.refresh_counter(*counter),
            Plan::Recount => trace.refresh_counter(counter.unwrap_or_default()),
        }
    }
}

/// True if the session is among the percentage whose stored tokens are replaced by signed ones.
fn is_upgraded(state: &State, session: Uuid) -> bool {
    let security = &state.config.security;
    // Session ids are random, so their first half is evenly distributed.
    let place = u32::try_from(session.as_u64_pair().0 % 100).unwrap_or(0);
    security.refresh_tokens_are_signed() && place < security.refresh_token_upgrade_percentage
}

async fn find(request: Request<'_>, db: &impl Query) -> Result<(Option<Stored>, Found), AuthError> {
    match request.token {
        RefreshToken::Stored(text) => {
            let found = refresh_tokens::find(db, text).await.or_fault(UNEXPECTED)?;
            found.map(|(stored, found)| (Some(stored), found))
        }
        RefreshToken::Signed(signed) => {
            let found = refresh_tokens::find_signed(db, signed.session).await.or_fault(UNEXPECTED)?;
            let is_ours = |found: &Found| {
                let key = found.key.as_deref().and_then(|column| open(request.state, signed.session, column));
                found.counter.is_some() && key.is_some_and(|key| key.made(signed))
            };
            found.filter(is_ours).map(|found| (None, found))
        }
    }
    .ok_or(AuthError::RefreshTokenNotFound)
}

/// The key of a session's signed tokens, read from its column.
pub(super) fn open(state: &State, session: Uuid, column: &str) -> Option<Key> {
    let opened = state.config.encryption.open(session, column).ok()?;
    Key::from_column(opened.value.reveal())
}

/// Checks that the request comes from the holder of the session: its OAuth client, or the app if it has none.
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

/// Checks that the session is still valid.
async fn check(
    request: Request<'_>,
    db: &Connection,
    user: &User,
    session: &Session,
    token_updated_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let config = &request.state.config.sessions;
    let highest = if user.has_mfa() { Aal::Two } else { Aal::One };
    session.check(config, now, token_updated_at, highest)?;
    check_client(session, request.client)?;
    if !config.single_per_user {
        return Ok(());
    }
    // No lock is needed: the session refreshed last always wins, whatever the order.
    let others = sessions::others_of_user(db, user.id, session.id).await.or_fault(UNEXPECTED)?;
    let newer = |other: &Session| {
        other.check(config, now, None, highest).is_ok()
            && other.kind(config) == session.kind(config)
            && other.last_refreshed(None) > session.last_refreshed(token_updated_at)
    };
    if others.iter().any(newer) { Err(AuthError::SessionSuperseded) } else { Ok(()) }
}

/// Handles the reuse of a token. Returns the error for the client.
///
/// DEVIATION (safer): reuse of a stored refresh token after its session has switched to signed ones ends the session;
/// GoTrue does not end it.
async fn end(
    request: Request<'_>,
    db: &mut Connection,
    session: &Session,
    has_signed_tokens: bool,
    now: DateTime<Utc>,
) -> Result<AuthError, AuthError> {
    let Request { state, trace, .. } = request;
    state.events.emit(Event::RefreshTokenReuse { session_id: &session.id.to_string() });
    if !state.config.security.refresh_token_rotation_enabled {
        return Ok(AuthError::RefreshTokenUsed);
    }
    if has_signed_tokens {
        sessions::delete(db, session.id).await.or_fault(UNEXPECTED)?;
        trace.ended_by_reuse();
    } else {
        let db = db.transaction().await.or_fault(UNEXPECTED)?;
        // Lock first: a child that is being created at this moment belongs to the family, too.
        sessions::lock(&db, session.id).await.or_fault(UNEXPECTED)?;
        refresh_tokens::revoke_family(&db, session.id, now).await.or_fault(UNEXPECTED)?;
        db.commit().await.or_fault(UNEXPECTED)?;
    }
    Ok(AuthError::RefreshTokenUsed)
}

/// True if another transaction kept the session locked for too long: lock timeout, statement timeout or deadlock.
fn is_conflict(error: &pg::Error) -> bool {
    error.database().is_some_and(|error| matches!(error.code.as_str(), "55P03" | "57014" | "40P01"))
}
