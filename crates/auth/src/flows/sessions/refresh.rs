//! A refresh token is traded for the next one.
//!
//! Source: supabase/auth, `internal/tokens/service.go`. One statement reads everything, [`reuse`] decides, and one
//! statement does it, unless what was read is no more so: then all of it is done anew. Whoever refreshes a session waits
//! in that statement for whoever refreshes it already, and no transaction stays open between two trips to the database.

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

/// How often somebody else may be faster. After the first time there is hardly anything left to be faster at.
const ATTEMPTS: usize = 10;

/// What is the same in every attempt.
#[derive(Clone, Copy)]
struct Request<'a> {
    state: &'a State,
    token: &'a RefreshToken,
    /// The client of our OAuth server that asks, if it is one.
    client: Option<Uuid>,
    requester: &'a Requester,
    trace: &'a Trace,
}

/// Trades `token`, which must be that of `client` if of any.
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

/// `None` when somebody else was faster.
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
        // What the project says of the token decides whether anything is done.
        let db = db.transaction().await.or_fault(UNEXPECTED)?;
        let done = plan.write(&db, write).await?;
        let issued = if done { Some(tokens::body(state, &db, requester, seen, making).await?) } else { None };
        db.commit().await.or_fault(UNEXPECTED)?;
        issued.map(Issued::of_old_session)
    } else {
        // Nothing is done for a token that could not be made.
        let body = tokens::sign(state, seen, making)?;
        plan.write(db, write).await?.then(|| Issued::Done(Box::new(body)))
    };
    if issued.is_some() {
        actions.iter().for_each(|action| audit::announce(state, &user, *action));
    }
    Ok(issued)
}

/// What [`reuse`] says of the token.
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
        // A stored token was found as a row, or not at all.
        (RefreshToken::Stored(_), None) => Err(AuthError::RefreshTokenNotFound),
    }
}

/// What a plan is carried out with.
struct Write<'a> {
    request: Request<'a>,
    session: Uuid,
    user: Uuid,
    counter: Option<i64>,
    issued: &'a str,
    now: DateTime<Utc>,
    audit: Value,
}

/// A decision with what it takes to carry it out.
enum Plan {
    /// A stored token gets a stored child.
    Swap { id: i64, old: String },
    /// A stored token gets a signed child.
    Upgrade { id: i64, key: Key, counter: i64 },
    /// A signed token gets the next one.
    Count(i64),
    /// The stored token that others have already got.
    Repeat(String),
    /// The signed token that others have already got.
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

    /// The token that is handed out.
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

    /// Does it, in one statement; gives whether nobody was faster.
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

/// Whether the session is one of those whose stored tokens are traded for signed ones.
fn is_upgraded(state: &State, session: Uuid) -> bool {
    let security = &state.config.security;
    // Session ids are random: their first half sorts them evenly.
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

/// The key of a session's signed tokens, as the database has it.
pub(super) fn open(state: &State, session: Uuid, column: &str) -> Option<Key> {
    let opened = state.config.encryption.open(session, column).ok()?;
    Key::from_column(opened.value.reveal())
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
    // Of all sessions the one refreshed last is always another's loss, so that nobody needs to be kept waiting.
    let others = sessions::others_of_user(db, user.id, session.id).await.or_fault(UNEXPECTED)?;
    let newer = |other: &Session| {
        other.check(config, now, None, highest).is_ok()
            && other.kind(config) == session.kind(config)
            && other.last_refreshed(None) > session.last_refreshed(token_updated_at)
    };
    if others.iter().any(newer) { Err(AuthError::SessionSuperseded) } else { Ok(()) }
}

/// A token was used by two. Gives what the client is told.
///
/// DEVIATION: a stored token that comes back after its session has got signed ones ends the session; GoTrue ends nothing.
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
        // Whoever makes a child at this moment is waited for: it belongs to the family.
        sessions::lock(&db, session.id).await.or_fault(UNEXPECTED)?;
        refresh_tokens::revoke_family(&db, session.id, now).await.or_fault(UNEXPECTED)?;
        db.commit().await.or_fault(UNEXPECTED)?;
    }
    Ok(AuthError::RefreshTokenUsed)
}

/// Whether somebody else kept the session locked for too long: lock or statement timeout, or a deadlock.
fn is_conflict(error: &pg::Error) -> bool {
    error.database().is_some_and(|error| matches!(error.code.as_str(), "55P03" | "57014" | "40P01"))
}
