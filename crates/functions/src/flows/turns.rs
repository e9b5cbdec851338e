//! Turns of the callers of native functions. They share few connections, so that nobody has more than one of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use gateway::Caller;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a caller waits for the end of the caller's own earlier call.
const PATIENCE: Duration = Duration::from_secs(20);

/// Callers that are kept before those who have gone are forgotten.
const KEPT: usize = 1024;

/// The callers who have a connection, or wait for one.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Turns {
    /// Waits until no other call of this user is under way; callers without an account share one turn by role. `None` if that
    /// takes too long.
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
