//! Password hashing on low-priority threads, one per core, with a bounded queue.
//!
//! The kernel gives low-priority threads the time that others leave. So hashing uses the whole machine while it is
//! idle, and yields to requests that hash nothing. [`Turns`] decides whose password is next.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use gateway::events::{Event, Events};
use tokio::sync::oneshot;

use super::turns::{Turn, Turns};
use crate::error::AuthError;
use crate::error::fault::UNEXPECTED;
use crate::protocol::password_hash;

/// bcrypt's cost, as in GoTrue: 2^10 rounds.
const COST: u32 = 10;
/// Maximum number of waiting jobs: about ten seconds of work for one thread.
const QUEUE: usize = 200;
/// The threads' `nice` value. Not higher: on a machine with all cores busy a job would then not finish within the time
/// limit of a request.
const NICENESS: i32 = 10;
/// A hash that matches no password, with the same cost as real ones.
const NOBODY: &str = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z3z8Zl4Z2xTgYyXo9n1b0a1K";

type Job = Box<dyn FnOnce() + Send>;

/// The hashing threads. Clones share them; they end with the last clone.
#[derive(Clone)]
pub(crate) struct Hasher {
    queue: Arc<Handle>,
    events: Events,
}

/// Ends the threads when the last clone of the hasher is dropped.
struct Handle(Arc<Queue>);

struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    turns: Turns<Job>,
    ended: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job; `None` once the hasher has ended.
    fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if let Some(job) = state.turns.pop() {
                return Some(job);
            }
            if state.ended {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.state().ended = true;
        self.0.changed.notify_all();
    }
}

impl Hasher {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the operating system cannot start a thread.
    pub(crate) fn start(events: Events) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with(cores, QUEUE, events)
    }

    fn with(threads: usize, capacity: usize, events: Events) -> std::io::Result<Self> {
        let state = Mutex::new(QueueState { turns: Turns::new(capacity), ended: false });
        let queue = Arc::new(Queue { state, changed: Condvar::new() });
        for _ in 0..threads {
            let queue = queue.clone();
            std::thread::Builder::new().name("password-hashing".to_owned()).spawn(move || work(&queue))?;
        }
        Ok(Hasher { queue: Arc::new(Handle(queue)), events })
    }

    /// Hashes a new password.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] if the queue is full.
    pub(crate) async fn hash(&self, password: &str, turn: Turn) -> Result<String, AuthError> {
        let password = password.to_owned();
        let hashed = self.run(turn, move || bcrypt::hash_with_result(password, COST)).await?;
        // Go writes and reads the identifier $2a$; the bytes are the same as for $2b$.
        hashed
            .map(|parts| parts.format_for_version(bcrypt::Version::TwoA))
            .map_err(|error| AuthError::internal(UNEXPECTED, error))
    }

    /// True if `password` matches `hash`. Without a hash it does the same work and returns false.
    ///
    /// DEVIATION (safer): signing in with an unknown address, or as a user without a password, takes as long as with a
    /// wrong password; GoTrue answers at once.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] if the queue is full.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>, turn: Turn) -> Result<bool, AuthError> {
        let password = password.to_owned();
        let known = hash.is_some();
        let hash = hash.unwrap_or(NOBODY).to_owned();
        let same = self.run(turn, move || password_hash::matches(&password, &hash)).await?;
        Ok(same && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AuthError> {
        let (done, result) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Skip the job if its client has disconnected.
            if !done.is_closed() {
                let _ = done.send(catch_unwind(AssertUnwindSafe(job)).map_err(|_| ()));
            }
        });
        let displaced = self.queue.0.state().turns.push(turn, job);
        self.queue.0.changed.notify_one();
        // Dropping a job notifies the request that waits for it.
        drop(displaced);
        let result = result.await.map_err(|_| AuthError::TooBusy)?;
        self.events.emit(Event::PasswordHashed);
        result.map_err(|()| AuthError::internal(UNEXPECTED, "hashing a password panicked"))
    }
}

fn work(queue: &Queue) {
    // Without the permission to lower its priority the thread keeps its own.
    let _ = rustix::process::setpriority_process(None, NICENESS);
    while let Some(job) = queue.next() {
        job();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;
    use crate::model::client::Client;

    fn turn(client: &str) -> Turn {
        Turn { client: Client::called(client), account: [0; 16], known: false }
    }

    #[actix_web::test]
    async fn hashes_are_as_gos_and_nobody_has_no_password() {
        let hasher = Hasher::start(Events::default()).unwrap();
        let hash = hasher.hash("secret12", turn("a")).await.unwrap();
        assert!(hash.starts_with("$2a$10$") && hash.len() == 60, "{hash}");
        assert!(hasher.verify("secret12", Some(&hash), turn("a")).await.unwrap());
        assert!(!hasher.verify("secret13", Some(&hash), turn("a")).await.unwrap());
        assert!(!hasher.verify("secret12", None, turn("a")).await.unwrap());
        assert!(!hasher.verify("secret12", Some("$argon2id$…"), turn("a")).await.unwrap());
    }

    #[actix_web::test]
    async fn past_the_queue_nobody_waits_and_no_client_takes_all_of_it() {
        let hasher = Hasher::with(1, 2, Events::default()).unwrap();
        let (go, wait) = sync_channel::<()>(0);
        let (begun, begins) = sync_channel::<()>(0);
        let busy = hasher.run(turn("a"), move || begun.send(()).is_ok() && wait.recv().is_ok());
        let work = async {
            // The thread is busy, two jobs of one client wait, and its next job is refused at once.
            begins.recv().unwrap();
            let (first, second) = (hasher.run(turn("a"), || true), hasher.run(turn("a"), || true));
            let later = async {
                let refused = hasher.run(turn("a"), || true).await;
                // Another client's job displaces the newest.
                let other = hasher.run(turn("b"), || true);
                let release = async { go.send(()).unwrap() };
                (refused, tokio::join!(other, release).0)
            };
            tokio::join!(first, second, later)
        };
        let (busy, (first, second, (refused, other))) = tokio::join!(busy, work);
        assert!(busy.unwrap() && first.unwrap() && other.unwrap());
        assert!(matches!(second, Err(AuthError::TooBusy)));
        assert!(matches!(refused, Err(AuthError::TooBusy)));
    }

    #[actix_web::test]
    async fn a_panic_ends_neither_the_thread_nor_the_request() {
        let hasher = Hasher::with(1, 2, Events::default()).unwrap();
        #[allow(clippy::panic)]
        let broken = hasher.run(turn("a"), || -> bool { panic!("on purpose, by a test") }).await;
        assert!(matches!(broken, Err(AuthError::Internal(_))));
        assert!(hasher.run(turn("a"), || true).await.unwrap());
    }

    #[test]
    fn the_hash_of_nobody_costs_as_much_as_a_real_one() {
        assert!(matches!(bcrypt::verify("x", NOBODY), Ok(false)), "the work must be done, not refused");
    }
}
