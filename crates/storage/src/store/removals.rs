//! `private.removed_files`: objects whose rows SQL has deleted. The project makes the table and grants it to `service_role`.

use pg::pool::{Query, Transaction};

use crate::backend::Place;
use crate::error::StorageError;

/// Takes up to `limit` objects from the table; if the transaction is undone, they stay in it. Other instances take others.
pub(crate) async fn take(tx: &Transaction<'_>, limit: i64) -> Result<Vec<Place>, StorageError> {
    let sql = "delete from private.removed_files where id in (
          select id from private.removed_files order by id limit $1 for update skip locked)
        returning bucket_id, name, version";
    let rows = tx.query(sql, &[&limit]).await.map_err(StorageError::database)?;
    Ok(rows.iter().map(|row| Place { bucket: row.get(0), key: row.get(1), version: row.get(2) }).collect())
}
