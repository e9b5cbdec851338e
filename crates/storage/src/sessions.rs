//! Tokens of ended sessions, by a sign-out for example, open nothing from then on.
//!
//! DEVIATION (safer): a token is refused as soon as its session has ended; upstream accepts it until it expires.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use gateway::Refusal;
use gateway::caller::Found;
use lru::LruCache;
use pg::listen::Event;
use pg::{Listener, Pool};
use serde::Deserialize;
use uuid::Uuid;

use crate::error::StorageError;
use crate::state::State;
use crate::store::sessions;

/// What auth notifies when a session ends.
const CHANNEL: &str = "auth_session_ended";
/// Sessions that are remembered, some 100 bytes each. Of others the database is asked.
const REMEMBERED: usize = 16_384;
/// How long a session counts as open without being asked for again: the end of a session is notified, but a connection that died
/// unnoticed notifies nothing.
const FRESH: Duration = Duration::from_secs(60);

/// The sessions that callers' tokens named lately. Clones share them.
#[derive(Clone)]
pub(crate) struct Sessions(Arc<Inner>);

struct Inner {
    pool: Pool,
    known: Mutex<Known>,
}

/// What is known of sessions.
struct Known {
    sessions: LruCache<Uuid, Standing>,
    /// False where the database does not tell which sessions have ended, as one of another auth server.
    told: bool,
}

#[derive(Clone, Copy)]
enum Standing {
    Open { asked: Instant },
    Ended,
}

#[derive(Deserialize)]
struct Ended {
    session_id: Uuid,
}

/// Middleware: a token of an ended session is no credential. Guards word the refusal.
///
/// # Errors
/// If the database cannot be asked, and those of the inner service.
pub(crate) async fn refuse_ended<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let found = request.extensions().get::<Found>().and_then(|found| found.caller.as_ref().ok()?.claims.session_id());
    if let (Some(session), Some(state)) = (found, request.app_data::<web::Data<State>>().cloned())
        && state.sessions.has_ended(session).await?
        && let Some(found) = request.extensions_mut().get_mut::<Found>()
    {
        found.caller = Err(Refusal::SessionEnded);
    }
    next.call(request).await
}

impl Sessions {
    /// Asks over `pool`.
    pub(crate) fn new(pool: Pool) -> Self {
        let known = Known { sessions: LruCache::unbounded(), told: true };
        Sessions(Arc::new(Inner { pool, known: Mutex::new(known) }))
    }

    /// Whether a session has ended.
    ///
    /// # Errors
    /// If the database cannot be asked.
    pub(crate) async fn has_ended(&self, session: Uuid) -> Result<bool, StorageError> {
        if let Some(ended) = self.known().recall(session) {
            return Ok(ended);
        }
        match sessions::has_ended(&self.0.pool, session).await {
            Ok(ended) => Ok(self.known().learn(session, ended)),
            Err(pg::Error::Database(error)) if sessions::is_unknown(&error) => {
                tracing::warn!(event = "storage_sessions", detail = %error);
                self.known().told = false;
                Ok(false)
            }
            Err(error) => Err(StorageError::database(error)),
        }
    }

    /// Hears of sessions that end, for as long as it is polled. After a gap in listening everything is asked for again.
    pub(crate) async fn watch(self, listener: Listener) {
        let mut events = listener.subscribe(CHANNEL);
        loop {
            match events.next().await {
                Event::Notification { payload } => {
                    if let Ok(ended) = serde_json::from_str::<Ended>(&payload) {
                        self.known().put(ended.session_id, Standing::Ended);
                    }
                }
                Event::Connected | Event::Reconnected | Event::Ended { .. } => self.known().forget(),
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Whether a session has ended, if that is known.
    fn recall(&mut self, session: Uuid) -> Option<bool> {
        if !self.told {
            return Some(false);
        }
        match self.sessions.get(&session)? {
            Standing::Ended => Some(true),
            Standing::Open { asked } => (asked.elapsed() < FRESH).then_some(false),
        }
    }

    /// Remembers an answer. Returns true, too, if the session ended while the database was asked.
    fn learn(&mut self, session: Uuid, ended: bool) -> bool {
        let ended = ended || matches!(self.sessions.peek(&session), Some(Standing::Ended));
        self.put(session, if ended { Standing::Ended } else { Standing::Open { asked: Instant::now() } });
        ended
    }

    fn put(&mut self, session: Uuid, standing: Standing) {
        self.sessions.put(session, standing);
        if self.sessions.len() > REMEMBERED {
            self.sessions.pop_lru();
        }
    }

    fn forget(&mut self) {
        self.sessions.clear();
        self.told = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        Known { sessions: LruCache::unbounded(), told: true }
    }

    #[test]
    fn an_end_that_is_heard_while_the_database_is_asked_counts() {
        let (mut known, session) = (known(), Uuid::from_u128(1));
        assert_eq!(known.recall(session), None);
        known.put(session, Standing::Ended);
        assert!(known.learn(session, false), "the answer is older than the notification");
        assert_eq!(known.recall(session), Some(true));
    }

    #[test]
    fn sessions_are_asked_for_again_after_a_gap_or_a_while() {
        let (mut known, session) = (known(), Uuid::from_u128(1));
        assert!(!known.learn(session, false));
        assert_eq!(known.recall(session), Some(false));
        known.forget();
        assert_eq!(known.recall(session), None);
        let Some(asked) = Instant::now().checked_sub(FRESH) else { return };
        known.put(session, Standing::Open { asked });
        assert_eq!(known.recall(session), None);
    }

    #[test]
    fn a_limited_number_is_remembered() {
        let mut known = known();
        for number in 0..=REMEMBERED as u128 {
            known.learn(Uuid::from_u128(number), true);
        }
        assert_eq!(known.sessions.len(), REMEMBERED);
        assert_eq!(known.recall(Uuid::from_u128(0)), None);
        assert_eq!(known.recall(Uuid::from_u128(1)), Some(true));
    }
}
