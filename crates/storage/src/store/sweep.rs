//! Queries over all of `storage.objects`, for `fsck`.

use pg::pool::{Query, Transaction};

use crate::backend::Place;
use crate::error::StorageError;

/// Up to `limit` rows after a bucket and name.
pub(crate) async fn after(
    tx: &Transaction<'_>,
    bucket: &str,
    name: &str,
    limit: i64,
) -> Result<Vec<Place>, StorageError> {
    let sql = r#"select bucket_id, name, version from storage.objects
        where (bucket_id collate "C", name collate "C") > ($1, $2)
        order by bucket_id collate "C", name collate "C" limit $3"#;
    let rows = tx.query(sql, &[&bucket, &name, &limit]).await.map_err(StorageError::database)?;
    Ok(rows.iter().map(|row| Place { bucket: row.get(0), key: row.get(1), version: row.get(2) }).collect())
}

/// The indexes of the places that no row names.
pub(crate) async fn unnamed(tx: &Transaction<'_>, places: &[Place]) -> Result<Vec<usize>, StorageError> {
    let column = |of: fn(&Place) -> Option<&str>| places.iter().map(of).collect::<Vec<_>>();
    let sql = "select place.at from unnest($1::text[], $2::text[], $3::text[]) with ordinality
          as place (bucket, key, version, at)
        where not exists (select from storage.objects where bucket_id = place.bucket and name = place.key
          and version is not distinct from place.version) order by at";
    let (buckets, keys) = (column(|place| Some(&place.bucket)), column(|place| Some(&place.key)));
    let rows = tx.query(sql, &[&buckets, &keys, &column(|place| place.version.as_deref())]).await;
    let numbers = rows.map_err(StorageError::database)?;
    Ok(numbers.iter().filter_map(|row| usize::try_from(row.get::<_, i64>(0) - 1).ok()).collect())
}

/// Deletes a row if it still has this version; returns whether it did.
pub(crate) async fn delete(tx: &Transaction<'_>, place: &Place) -> Result<bool, StorageError> {
    let sql = "delete from storage.objects where bucket_id = $1 and name = $2 and version is not distinct from $3";
    let deleted = tx.execute(sql, &[&place.bucket, &place.key, &place.version]).await;
    Ok(deleted.map_err(StorageError::database)? > 0)
}
