//! Serving until a signal.

use server::standalone::Standalone;

use crate::exit::Failure;

/// Serves until SIGINT or SIGTERM, then lets requests in flight finish; a second signal stops at once.
pub(super) async fn until_signal(service: Standalone) -> Result<(), Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let unwatched = |error| Failure::new(format!("signals cannot be watched: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unwatched)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(unwatched)?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tokio::select! {
        () = service.stop() => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}
