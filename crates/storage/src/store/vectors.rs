//! `storage.buckets_vectors` and `storage.vector_indexes`.

use chrono::{DateTime, Utc};
use pg::pool::{Query, Row, Transaction};
use serde_json::Value;

use crate::error::StorageError;

/// An index.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) bucket: String,
    pub(crate) name: String,
    pub(crate) data_type: String,
    pub(crate) dimension: i32,
    pub(crate) distance_metric: String,
    pub(crate) metadata_configuration: Option<Value>,
    pub(crate) created_at: DateTime<Utc>,
}

/// The fields of a new index.
#[derive(Clone, Debug)]
pub(crate) struct NewIndex<'a> {
    pub(crate) bucket: &'a str,
    pub(crate) name: &'a str,
    pub(crate) data_type: &'a str,
    pub(crate) dimension: i32,
    pub(crate) distance_metric: &'a str,
    pub(crate) metadata_configuration: Option<&'a Value>,
}

/// Part of a list in the order of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    pub(crate) limit: i64,
    /// The name before the first.
    pub(crate) after: Option<&'a str>,
    pub(crate) prefix: Option<&'a str>,
}

/// A name and when it was given.
pub(crate) type Named = (String, DateTime<Utc>);

/// Lets one transaction at a time change what is in a bucket, or without a name how many buckets there are.
pub(crate) async fn lock(tx: &Transaction<'_>, bucket: Option<&str>) -> Result<(), StorageError> {
    let lock = "select pg_advisory_xact_lock(hashtextextended('storage:vectors:' || coalesce('/' || $1, ''), 0))";
    tx.query(lock, &[&bucket]).await.map(drop).map_err(StorageError::database)
}

pub(crate) async fn count_buckets(tx: &Transaction<'_>) -> Result<i64, StorageError> {
    let row = tx.query_one("select count(*) from storage.buckets_vectors", &[]).await;
    Ok(row.map_err(StorageError::database)?.get(0))
}

/// When a bucket was created; `None` if there is no such bucket.
pub(crate) async fn bucket(tx: &Transaction<'_>, name: &str) -> Result<Option<DateTime<Utc>>, StorageError> {
    let row = tx.query_opt("select created_at from storage.buckets_vectors where id = $1", &[&name]).await;
    Ok(row.map_err(StorageError::database)?.map(|row| row.get(0)))
}

/// False if the bucket exists.
pub(crate) async fn insert_bucket(tx: &Transaction<'_>, name: &str) -> Result<bool, StorageError> {
    let inserted =
        tx.execute("insert into storage.buckets_vectors (id) values ($1) on conflict do nothing", &[&name]).await;
    Ok(inserted.map_err(StorageError::database)? > 0)
}

pub(crate) async fn delete_bucket(tx: &Transaction<'_>, name: &str) -> Result<(), StorageError> {
    let deleted = tx.execute("delete from storage.buckets_vectors where id = $1", &[&name]).await;
    deleted.map(drop).map_err(StorageError::database)
}

pub(crate) async fn buckets(tx: &Transaction<'_>, page: Page<'_>) -> Result<Vec<Named>, StorageError> {
    let sql = "select id, created_at from storage.buckets_vectors
        where ($1::text is null or id > $1) and ($2::text is null or starts_with(id, $2)) order by id limit $3";
    let rows = tx.query(sql, &[&page.after, &page.prefix, &page.limit]).await.map_err(StorageError::database)?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

pub(crate) async fn count_indexes(tx: &Transaction<'_>, bucket: &str) -> Result<i64, StorageError> {
    let row = tx.query_one("select count(*) from storage.vector_indexes where bucket_id = $1", &[&bucket]).await;
    Ok(row.map_err(StorageError::database)?.get(0))
}

pub(crate) async fn index(tx: &Transaction<'_>, bucket: &str, name: &str) -> Result<Option<Index>, StorageError> {
    let sql = "select bucket_id, name, data_type, dimension, distance_metric, metadata_configuration, created_at
        from storage.vector_indexes where bucket_id = $1 and name = $2";
    let row = tx.query_opt(sql, &[&bucket, &name]).await.map_err(StorageError::database)?;
    Ok(row.as_ref().map(Index::of))
}

/// False if the index exists.
pub(crate) async fn insert_index(tx: &Transaction<'_>, index: &NewIndex<'_>) -> Result<bool, StorageError> {
    let sql = "insert into storage.vector_indexes
          (bucket_id, name, data_type, dimension, distance_metric, metadata_configuration)
        values ($1, $2, $3, $4, $5, $6) on conflict do nothing";
    let NewIndex { bucket, name, data_type, dimension, distance_metric, metadata_configuration } = index;
    let inserted =
        tx.execute(sql, &[bucket, name, data_type, dimension, distance_metric, metadata_configuration]).await;
    Ok(inserted.map_err(StorageError::database)? > 0)
}

pub(crate) async fn delete_index(tx: &Transaction<'_>, bucket: &str, name: &str) -> Result<(), StorageError> {
    let sql = "delete from storage.vector_indexes where bucket_id = $1 and name = $2";
    tx.execute(sql, &[&bucket, &name]).await.map(drop).map_err(StorageError::database)
}

pub(crate) async fn indexes(tx: &Transaction<'_>, bucket: &str, page: Page<'_>) -> Result<Vec<Named>, StorageError> {
    let sql = "select name, created_at from storage.vector_indexes
        where bucket_id = $1 and ($2::text is null or name > $2) and ($3::text is null or starts_with(name, $3))
        order by name limit $4";
    let rows = tx.query(sql, &[&bucket, &page.after, &page.prefix, &page.limit]).await;
    Ok(rows.map_err(StorageError::database)?.iter().map(|row| (row.get(0), row.get(1))).collect())
}

impl Index {
    fn of(row: &Row) -> Self {
        Index {
            bucket: row.get(0),
            name: row.get(1),
            data_type: row.get(2),
            dimension: row.get(3),
            distance_metric: row.get(4),
            metadata_configuration: row.get(5),
            created_at: row.get(6),
        }
    }
}
