//! The state of the catalog, for the admin server and the start-up.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

/// The state of the catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The first load has not ended.
    #[default]
    Initial,
    /// The last load failed.
    Pending,
    /// The catalog is loaded.
    Loaded,
}

/// The current [`Status`], and whether the listener is connected.
#[derive(Debug)]
pub(crate) struct Progress {
    status: watch::Sender<Status>,
    listening: AtomicBool,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { status: watch::Sender::new(Status::Initial), listening: AtomicBool::new(false) }
    }
}

impl Progress {
    pub(crate) fn set(&self, status: Status) {
        self.status.send_replace(status);
    }

    pub(crate) fn set_listening(&self, listening: bool) {
        self.listening.store(listening, Ordering::Relaxed);
    }

    pub(crate) fn is_listening(&self) -> bool {
        self.listening.load(Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> Status {
        *self.status.borrow()
    }

    pub(crate) async fn until(&self, wanted: impl FnMut(&Status) -> bool) {
        // Fails only if the sender is gone, and `self` owns it.
        let _ = self.status.subscribe().wait_for(wanted).await;
    }
}
