//! Limits each caller of native functions to one database connection at a time, because there are few.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use gateway::Caller;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a caller waits for the end of the caller's own earlier call.
const PATIENCE: Duration = Duration::from_secs(20);

/// When this many callers are known, those without a running or waiting call are removed.
const KEPT: usize = 1024;

/// The callers who have a connection, or wait for one.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Turns {
    /// Waits until no other call of this user is running; `None` after [`PATIENCE`]. Tokens without `sub` share one turn per
    /// role.
    pub(super) async fn take(&self, caller: &Caller) -> Option<OwnedSemaphorePermit> {
        self.of(caller.claims.string("sub").unwrap_or(&caller.role)).await
    }

    async fn of(&self, name: &str) -> Option<OwnedSemaphorePermit> {
        let own = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if turns.len() >= KEPT {
                turns.retain(|_, own| own.strong_count() > 0);
            }
            let known = turns.get(name).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let own = Arc::new(Semaphore::new(1));
                turns.insert(name.to_owned(), Arc::downgrade(&own));
                own
            })
        };
        timeout(PATIENCE, own.acquire_owned()).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_caller_waits_for_the_own_call_and_nobody_else_does() {
        let turns = Turns::default();
        let first = turns.of("ana").await;
        assert!(first.is_some() && turns.of("bea").await.is_some());
        let soon = Duration::from_millis(50);
        assert!(timeout(soon, turns.of("ana")).await.is_err(), "the first goes on");
        drop(first);
        assert!(turns.of("ana").await.is_some());
    }

    #[tokio::test]
    async fn who_has_gone_is_forgotten() {
        let turns = Turns::default();
        let held = turns.of("ana").await;
        for number in 0..2 * KEPT {
            turns.of(&number.to_string()).await;
        }
        let kept = turns.0.lock().unwrap();
        assert!(kept.len() <= KEPT && kept.contains_key("ana"), "{}", kept.len());
        drop(held);
    }
}
