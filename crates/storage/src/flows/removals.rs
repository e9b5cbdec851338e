//! Removes the files of objects whose rows SQL has deleted, such as those of a deleted account.
//!
//! DEVIATION (more): with the setting `storage.removals` the files of objects that SQL deletes are removed, too. The project
//! enters the objects in the table `private.removed_files` and notifies the channel `storage_removed_files`.

use std::time::Duration;

use pg::listen::{Event, Listener};

use super::remove;
use crate::error::StorageError;
use crate::session::Requester;
use crate::state::State;
use crate::store::{removals, sweep};

const CHANNEL: &str = "storage_removed_files";
/// Number of files removed in one transaction.
const BATCH: i64 = 100;
/// How long to wait after a failure.
const PAUSE: Duration = Duration::from_secs(30);

/// Removes what the table names now, and whatever is notified later.
pub(crate) async fn keep(state: State, listener: Listener) {
    let mut events = listener.subscribe(CHANNEL);
    loop {
        while let Event::Ended { .. } = events.next().await {}
        while let Err(error) = empty(&state).await {
            tracing::warn!(event = "storage_removals_failed", detail = %error);
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Removes all files that the table names.
async fn empty(state: &State) -> Result<(), StorageError> {
    while batch(state).await? > 0 {}
    Ok(())
}

/// The number of objects taken from the table. They leave it when their files are gone: after a crash they are removed again.
async fn batch(state: &State) -> Result<usize, StorageError> {
    let requester = Requester::own(state, "storage.object.delete_many");
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let places = removals::take(&tx, BATCH).await?;
    // A row that names the file again, from a restored backup for instance, keeps it.
    let unnamed = sweep::unnamed(&tx, &places).await?;
    for place in unnamed.into_iter().filter_map(|at| places.get(at)) {
        remove::try_file(state, place).await?;
    }
    tx.commit().await.map_err(StorageError::database)?;
    Ok(places.len())
}
