//! Hashing on a few threads of low priority, at most half the cores, with a bounded queue: hashing never holds up a
//! request that hashes nothing.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use gateway::events::{Event, Events};
use tokio::sync::oneshot;

use crate::error::AuthError;
use crate::error::fault::UNEXPECTED;
use crate::protocol::password_hash;

/// bcrypt's cost, as GoTrue's: 2^10 rounds.
const COST: u32 = 10;
/// Waiting jobs at most: about ten seconds of work for one thread.
const QUEUE: usize = 200;
/// How far below everything else the threads run (`nice`).
const NICENESS: i32 = 10;
/// A hash that no password has, of the same cost as the real ones.
const NOBODY: &str = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z3z8Zl4Z2xTgYyXo9n1b0a1K";

type Job = Box<dyn FnOnce() + Send>;

/// The hashing threads. Cloning shares them; they end with the last clone.
#[derive(Clone)]
pub(crate) struct Hasher {
    queue: SyncSender<Job>,
    events: Events,
}

impl Hasher {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub(crate) fn start(events: Events) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with((cores / 2).max(1), QUEUE, events)
    }

    fn with(threads: usize, queue: usize, events: Events) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel::<Job>(queue);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = jobs.clone();
            std::thread::Builder::new().name("password-hashing".to_owned()).spawn(move || work(&jobs))?;
        }
        Ok(Hasher { queue, events })
    }

    /// Hashes a new password.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] when the queue is full.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, AuthError> {
        let password = password.to_owned();
        let hashed = self.run(move || bcrypt::hash_with_result(password, COST)).await?;
        // The identifier $2a$ is the one Go writes and reads; the bytes are the same as for $2b$.
        hashed
            .map(|parts| parts.format_for_version(bcrypt::Version::TwoA))
            .map_err(|error| AuthError::internal(UNEXPECTED, error))
    }

    /// Whether `password` is the one of `hash`. Without a hash the same work is done for nothing.
    ///
    /// DEVIATION: signing in with an unknown address, or as a user without a password, takes as long as with a wrong
    /// password; GoTrue answers at once.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] when the queue is full.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, AuthError> {
        let password = password.to_owned();
        let known = hash.is_some();
        let hash = hash.unwrap_or(NOBODY).to_owned();
        let same = self.run(move || password_hash::matches(&password, &hash)).await?;
        Ok(same && known)
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, AuthError> {
        let (done, result) = oneshot::channel();
        let job: Job = Box::new(move || {
            // A client that has gone away needs no hash.
            if !done.is_closed() {
                let _ = done.send(job());
            }
        });
        match self.queue.try_send(job) {
            Ok(()) => self.events.emit(Event::PasswordHashed),
            Err(TrySendError::Full(_)) => return Err(AuthError::TooBusy),
            Err(TrySendError::Disconnected(_)) => {
                return Err(AuthError::internal(UNEXPECTED, "the hashing threads are gone"));
            }
        }
        result.await.map_err(|_| AuthError::internal(UNEXPECTED, "a hashing thread gave no answer"))
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // Without the right to lower its priority a thread works on as it is.
    let _ = rustix::process::setpriority_process(None, NICENESS);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn hashes_are_as_gos_and_nobody_has_no_password() {
        let hasher = Hasher::start(Events::default()).unwrap();
        let hash = hasher.hash("secret12").await.unwrap();
        assert!(hash.starts_with("$2a$10$") && hash.len() == 60, "{hash}");
        assert!(hasher.verify("secret12", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("secret13", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("secret12", None).await.unwrap());
        assert!(!hasher.verify("secret12", Some("$argon2id$…")).await.unwrap());
    }

    #[actix_web::test]
    async fn past_the_queue_nobody_waits() {
        let hasher = Hasher::with(1, 2, Events::default()).unwrap();
        let (go, wait) = sync_channel::<()>(0);
        let (begun, begins) = sync_channel::<()>(0);
        let busy = hasher.run(move || begun.send(()).is_ok() && wait.recv().is_ok());
        let work = async {
            // The thread is at work, two jobs wait, and the next one is refused at once.
            begins.recv().unwrap();
            let (first, second) = (hasher.run(|| true), hasher.run(|| true));
            let refused = async {
                let refused = hasher.run(|| true).await;
                go.send(()).unwrap();
                refused
            };
            tokio::join!(first, second, refused)
        };
        let (busy, (first, second, refused)) = tokio::join!(busy, work);
        assert!(busy.unwrap() && first.unwrap() && second.unwrap());
        assert!(matches!(refused, Err(AuthError::TooBusy)));
    }

    #[test]
    fn the_hash_of_nobody_costs_as_much_as_a_real_one() {
        assert!(matches!(bcrypt::verify("x", NOBODY), Ok(false)), "the work must be done, not refused");
    }
}
