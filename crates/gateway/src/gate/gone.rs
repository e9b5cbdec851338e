//! Whether a client is still there.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::HttpRequest;
use tokio::sync::Notify;

/// Tells the handlers of a connection's requests that the client has closed its side. The HTTP server lets them go on, so that a
/// write is not lost: those whose work is for the response alone ask here. A handler can also end its connection.
#[derive(Clone, Debug, Default)]
pub struct Gone(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_gone: AtomicBool,
    is_cut: AtomicBool,
    told: Notify,
}

impl Gone {
    /// Of the connection of a request; where there is no gate, the client never goes.
    pub fn of(request: &HttpRequest) -> Self {
        request.conn_data::<Gone>().cloned().unwrap_or_default()
    }

    /// Waits until the client has gone.
    pub async fn wait(&self) {
        let told = self.0.told.notified();
        tokio::pin!(told);
        // From here on no news is missed.
        told.as_mut().enable();
        if !self.0.is_gone.load(Ordering::Acquire) {
            told.await;
        }
    }

    /// Ends the connection at its next read or write, and drops what waits to be written. The HTTP server itself would first
    /// write that, to a client that may never read it.
    pub fn cut(&self) {
        self.0.is_cut.store(true, Ordering::Release);
    }

    /// # Errors
    /// If the connection was cut.
    pub(super) fn check(&self) -> io::Result<()> {
        let is_cut = self.0.is_cut.load(Ordering::Acquire);
        if is_cut { Err(io::Error::new(io::ErrorKind::ConnectionAborted, "a handler has cut it")) } else { Ok(()) }
    }

    pub(super) fn tell(&self) {
        self.0.is_gone.store(true, Ordering::Release);
        self.0.told.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn who_waits_before_and_who_waits_after_learns_of_it() {
        let gone = Gone::default();
        let soon = Duration::from_millis(20);
        assert!(timeout(soon, gone.wait()).await.is_err());
        let waiting = tokio::spawn({
            let gone = gone.clone();
            async move { gone.wait().await }
        });
        tokio::task::yield_now().await;
        gone.tell();
        waiting.await.unwrap();
        timeout(soon, gone.wait()).await.unwrap();
    }
}
