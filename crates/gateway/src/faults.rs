//! Faults of a service while it handles a request: logged with the id that the client got in `X-Request-Id`, and counted.

use std::fmt::Display;
use std::sync::Arc;

use crate::events::{Event, Events};

tokio::task_local! {
    /// The request that the current task handles.
    static CURRENT: Current;
}

/// A request, as faults name it.
#[derive(Clone)]
struct Current {
    id: String,
    events: Option<Arc<Events>>,
}

/// Reports a fault of `service`. `location` says what failed, such as `its files`; `detail` is for the log alone. Outside of a
/// request, in work of the server's own for example, the fault has no id.
pub fn report(service: &'static str, location: &str, detail: impl Display) {
    let detail = detail.to_string();
    let current = CURRENT.try_with(Clone::clone).ok();
    match current {
        Some(Current { id, events: Some(events) }) => {
            events.emit(Event::Fault { error_id: &id, service, location, detail: &detail });
        }
        current => {
            let id = current.map(|current| current.id);
            tracing::error!(event = "fault", error.id = id, service, location, detail);
        }
    }
}

/// Runs `work` as the handling of a request.
pub(crate) async fn within<T>(id: &str, events: Option<Arc<Events>>, work: impl Future<Output = T>) -> T {
    CURRENT.scope(Current { id: id.to_owned(), events }, work).await
}
