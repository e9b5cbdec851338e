//! Keeps events that wait for a retry, one file for each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// A file younger than this may still be written.
const YOUNG: Duration = Duration::from_secs(60);

/// An event that has not been delivered yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Waiting {
    #[serde(skip)]
    id: Uuid,
    /// How often it was sent.
    pub(super) attempts: u32,
    pub(super) event: Value,
}

impl Waiting {
    pub(super) fn new(event: Value) -> Self {
        Waiting { id: Uuid::new_v4(), attempts: 0, event }
    }

    /// `ObjectCreated:Post`
    pub(super) fn kind(&self) -> &str {
        self.event.get("type").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The folder of these files. Clones name the same folder.
#[derive(Clone)]
pub(super) struct Outbox {
    folder: Arc<Path>,
}

impl Outbox {
    pub(super) fn new(folder: PathBuf) -> Self {
        Outbox { folder: folder.into() }
    }

    /// Writes an event with its number of attempts. If that fails (the disk is full, say), the event waits in memory only.
    pub(super) async fn keep(&self, event: &Waiting) {
        let (path, text) = (self.path(event.id), serde_json::to_vec(event).unwrap_or_default());
        let folder = self.folder.clone();
        let write = move || {
            fs::create_dir_all(&folder)?;
            let next = path.with_extension("next");
            fs::write(&next, text)?;
            fs::rename(next, path)
        };
        if let Err(error) = blocking(write).await {
            tracing::warn!(event = "storage_webhook_not_kept", detail = %error);
        }
    }

    /// Removes an event, if it has a file.
    pub(super) async fn forget(&self, event: &Waiting) {
        let (path, attempts) = (self.path(event.id), event.attempts);
        // A file is written only after the first failure.
        if attempts == 0 {
            return;
        }
        let _ = blocking(move || fs::remove_file(path)).await;
    }

    /// The events that an earlier run of the server has left. Removes files that are not events.
    pub(super) async fn left(&self) -> Vec<Waiting> {
        let folder = self.folder.clone();
        let read = move || {
            let mut events = Vec::new();
            for file in fs::read_dir(folder)?.flatten() {
                let path = file.path();
                // A young `.next` file may still be written.
                let is_young =
                    |data: fs::Metadata| data.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age < YOUNG));
                if path.extension().is_some_and(|end| end == "next") && file.metadata().is_ok_and(is_young) {
                    continue;
                }
                let id = path.file_name().and_then(|name| Uuid::try_parse(name.to_str()?).ok());
                let text = fs::read(&path).unwrap_or_default();
                match (id, serde_json::from_slice::<Waiting>(&text)) {
                    (Some(id), Ok(event)) => events.push(Waiting { id, ..event }),
                    // Not an event. A failure to remove it does not matter.
                    _ => drop(fs::remove_file(path)),
                }
            }
            Ok(events)
        };
        blocking(read).await.unwrap_or_default()
    }

    fn path(&self, id: Uuid) -> PathBuf {
        self.folder.join(id.to_string())
    }
}

/// A number between 0 and 1.
pub(super) fn chance() -> f64 {
    f64::from(Uuid::new_v4().as_fields().0) / f64::from(u32::MAX)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
