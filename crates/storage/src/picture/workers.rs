//! The rendering threads: few, with low priority and a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::render::{Picture, invalid};
use crate::error::StorageError;

/// Maximum number of waiting jobs.
const QUEUE: usize = 64;
/// Maximum number of threads: each can hold a decoded image.
const MOST: usize = 4;
/// The threads' `nice` value: rendering uses the time that other work leaves.
const NICENESS: i32 = 10;
/// Maximum time for queueing and rendering.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

type Job = Box<dyn FnOnce() + Send>;

/// The threads. Clones share them. They start with the first job and end with the last clone.
#[derive(Clone, Default)]
pub(super) struct Workers(Arc<OnceLock<SyncSender<Job>>>);

impl Workers {
    /// Runs a rendering job.
    ///
    /// # Errors
    /// Errors of the job, 429 if the queue is full, 408 after [`PATIENCE`].
    pub(super) async fn run(
        &self,
        work: impl FnOnce() -> Result<Picture, StorageError> + Send + 'static,
    ) -> Result<Picture, StorageError> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move || {
            // The client is gone.
            if sender.is_closed() {
                return;
            }
            let made = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(invalid("the decoder gave up")));
            let _ = sender.send(made);
        });
        let queue = self.0.get_or_init(start);
        match queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                return Err(StorageError::new(429, "InvalidRequest", "InvalidRequest", "Too many requests"));
            }
            Err(TrySendError::Disconnected(_)) => return Err(StorageError::internal("no thread makes pictures")),
        }
        match tokio::time::timeout(PATIENCE, receiver).await {
            Ok(Ok(made)) => made,
            Ok(Err(_)) => Err(StorageError::internal("a picture was dropped")),
            Err(_) => Err(StorageError::new(408, "InvalidRequest", "InvalidRequest", "Image request timed out")),
        }
    }
}

fn start() -> SyncSender<Job> {
    let (sender, receiver) = sync_channel(QUEUE);
    let receiver = Arc::new(Mutex::new(receiver));
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2)).min(MOST);
    for _ in 0..threads {
        let receiver = receiver.clone();
        let spawned = std::thread::Builder::new().name("pictures".to_owned()).spawn(move || work(&receiver));
        if let Err(error) = spawned {
            tracing::error!(event = "picture_thread_failed", detail = %error);
        }
    }
    sender
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // Without the permission to lower its priority the thread keeps its own.
    let _ = rustix::process::setpriority_process(None, NICENESS);
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}
