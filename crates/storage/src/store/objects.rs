//! `storage.objects`, a row at a time.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use pg::pool::{Json, Query, Row, Transaction};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::time;
use crate::backend::Place;
use crate::error::StorageError;

/// An object's row.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) id: Uuid,
    pub(crate) bucket_id: String,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) metadata: Option<Value>,
    /// JSON as text: as a tree it can take 36 times as much memory.
    pub(crate) user_metadata: Option<Box<RawValue>>,
    pub(crate) created_at: Option<DateTime<Utc>>,
    pub(crate) updated_at: Option<DateTime<Utc>>,
    pub(super) owner: Option<Uuid>,
    pub(super) owner_id: Option<String>,
    pub(super) last_accessed_at: Option<DateTime<Utc>>,
}

/// The fields of an object to write.
#[derive(Clone, Debug)]
pub(crate) struct NewObject<'a> {
    pub(crate) bucket_id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) owner: Option<&'a str>,
    pub(crate) metadata: &'a Value,
    pub(crate) user_metadata: Option<&'a RawValue>,
}

impl NewObject<'_> {
    fn owner_uuid(&self) -> Option<Uuid> {
        self.owner.and_then(|owner| Uuid::parse_str(owner).ok())
    }
}

impl Object {
    /// All columns that clients see.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::from);
        // For an object without an owner, upstream writes an empty text.
        let owner = self.owner.map(|owner| owner.to_string()).unwrap_or_default();
        Map::from_iter([
            ("name".to_owned(), Value::from(self.name.clone())),
            ("bucket_id".to_owned(), Value::from(self.bucket_id.clone())),
            ("owner".to_owned(), Value::from(owner)),
            ("owner_id".to_owned(), Value::from(self.owner_id.clone().unwrap_or_default())),
            ("version".to_owned(), text(&self.version)),
            ("id".to_owned(), Value::from(self.id.to_string())),
            ("updated_at".to_owned(), time(self.updated_at)),
            ("created_at".to_owned(), time(self.created_at)),
            ("last_accessed_at".to_owned(), time(self.last_accessed_at)),
            ("metadata".to_owned(), self.metadata.clone().unwrap_or_default()),
            ("user_metadata".to_owned(), serde_json::to_value(&self.user_metadata).unwrap_or_default()),
        ])
    }

    /// A string of the metadata.
    pub(crate) fn fact(&self, name: &str) -> Option<&str> {
        self.metadata.as_ref()?.get(name)?.as_str()
    }

    /// URLs that were signed before this time are no longer good, in seconds since 1970.
    pub(crate) fn signed_from(&self) -> i64 {
        self.metadata.as_ref().and_then(|metadata| metadata.get("signedUrlsFrom")?.as_i64()).unwrap_or_default()
    }

    /// The place of its file.
    pub(crate) fn place(&self) -> Place {
        Place { bucket: self.bucket_id.clone(), key: self.name.clone(), version: self.version.clone() }
    }

    fn of(row: &Row) -> Self {
        Object {
            id: row.get(0),
            bucket_id: row.get::<_, Option<String>>(1).unwrap_or_default(),
            name: row.get::<_, Option<String>>(2).unwrap_or_default(),
            owner: row.get(3),
            owner_id: row.get(4),
            version: row.get(5),
            metadata: row.get(6),
            user_metadata: row.get::<_, Option<Json<_>>>(7).map(|Json(text)| text),
            created_at: row.get(8),
            updated_at: row.get(9),
            last_accessed_at: row.get(10),
        }
    }
}

/// An object, if it is visible.
pub(crate) async fn find(tx: &Transaction<'_>, bucket: &str, name: &str) -> Result<Option<Object>, StorageError> {
    let row = tx
        .query_opt(
            "select id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, created_at, updated_at,
           last_accessed_at
         from storage.objects where bucket_id = $1 and name = $2",
            &[&bucket, &name],
        )
        .await;
    Ok(row.map_err(StorageError::database)?.as_ref().map(Object::of))
}

/// An object, locked until the end of the transaction.
pub(crate) async fn find_locked(
    tx: &Transaction<'_>,
    bucket: &str,
    name: &str,
) -> Result<Option<Object>, StorageError> {
    let row = tx
        .query_opt(
            "select id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, created_at, updated_at,
           last_accessed_at
         from storage.objects where bucket_id = $1 and name = $2 for update",
            &[&bucket, &name],
        )
        .await;
    Ok(row.map_err(StorageError::database)?.as_ref().map(Object::of))
}

/// Those of the names that exist and are visible, with their [`Object::signed_from`].
pub(crate) async fn existing(
    tx: &Transaction<'_>,
    bucket: &str,
    names: &[String],
) -> Result<HashMap<String, i64>, StorageError> {
    let sql = "select name, metadata -> 'signedUrlsFrom' from storage.objects where bucket_id = $1 and name = any ($2)";
    let rows = tx.query(sql, &[&bucket, &names]).await.map_err(StorageError::database)?;
    let from = |row: &Row| row.get::<_, Option<Value>>(1).and_then(|from| from.as_i64()).unwrap_or_default();
    Ok(rows.iter().map(|row| (row.get(0), from(row))).collect())
}

/// Allows one writer per name; the lock ends with the transaction.
pub(crate) async fn lock_name(
    tx: &Transaction<'_>,
    bucket: &str,
    name: &str,
    timeout: &'static str,
) -> Result<(), StorageError> {
    let lock = "with patience as materialized (select set_config('lock_timeout', $3, true) as set)
         select pg_advisory_xact_lock(hashtextextended('storage:' || $1 || '/' || $2, 0)) from patience where set is not null";
    match tx.query(lock, &[&bucket, &name, &timeout]).await {
        Ok(_) => Ok(()),
        Err(pg::Error::Database(error)) if error.code == "55P03" => Err(StorageError::locked()),
        Err(error) => Err(StorageError::database(error)),
    }
}

pub(crate) async fn insert(tx: &Transaction<'_>, object: &NewObject<'_>) -> Result<(), StorageError> {
    let inserted = tx
        .execute(
            "insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
         values ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &object.bucket_id,
                &object.name,
                &object.owner_uuid(),
                &object.owner,
                &object.version,
                &object.metadata,
                &object.user_metadata.map(Json),
            ],
        )
        .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(pg::Error::Database(error)) if error.code == "23505" => Err(StorageError::key_exists()),
        Err(error) => Err(StorageError::database(error)),
    }
}

/// Inserts or updates the row. An absent owner or absent user metadata keep their values, and URLs that SQL has ended stay ended.
pub(crate) async fn upsert(tx: &Transaction<'_>, object: &NewObject<'_>) -> Result<Object, StorageError> {
    let row = tx
        .query_one(
            "insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (name, bucket_id) do update set
           version = excluded.version,
           metadata = case when objects.metadata -> 'signedUrlsFrom' is null then excluded.metadata
             else excluded.metadata || jsonb_build_object('signedUrlsFrom', objects.metadata -> 'signedUrlsFrom') end,
           user_metadata = coalesce(excluded.user_metadata, objects.user_metadata),
           owner = coalesce(excluded.owner, objects.owner),
           owner_id = coalesce(excluded.owner_id, objects.owner_id)
         returning id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, created_at, updated_at,
           last_accessed_at",
            &[
                &object.bucket_id,
                &object.name,
                &object.owner_uuid(),
                &object.owner,
                &object.version,
                &object.metadata,
                &object.user_metadata.map(Json),
            ],
        )
        .await;
    Ok(Object::of(&row.map_err(StorageError::database)?))
}

/// Moves an object; false if it does not exist or may not be changed. Without metadata the current one is kept.
pub(crate) async fn rename(tx: &Transaction<'_>, from: (&str, &str), to: &NewObject<'_>) -> Result<bool, StorageError> {
    let metadata = Some(to.metadata).filter(|metadata| !metadata.is_null());
    let updated = tx
        .execute(
            "update storage.objects set
           bucket_id = $3, name = $4, version = $5, owner = coalesce($6, owner), owner_id = coalesce($7, owner_id),
           metadata = coalesce($8, metadata)
         where bucket_id = $1 and name = $2",
            &[&from.0, &from.1, &to.bucket_id, &to.name, &to.version, &to.owner_uuid(), &to.owner, &metadata],
        )
        .await;
    Ok(updated.map_err(StorageError::database)? > 0)
}

/// Deletes those of the names that exist and may be deleted, and returns them.
pub(crate) async fn delete(tx: &Transaction<'_>, bucket: &str, names: &[String]) -> Result<Vec<Object>, StorageError> {
    let rows = tx
        .query(
            "delete from storage.objects where bucket_id = $1 and name = any ($2)
         returning id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, created_at, updated_at,
           last_accessed_at",
            &[&bucket, &names],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(Object::of).collect())
}

/// The number of objects in a bucket, counted up to `most`.
pub(crate) async fn count(tx: &Transaction<'_>, bucket: &str, most: i64) -> Result<i64, StorageError> {
    let sql = "select count(*) from (select from storage.objects where bucket_id = $1 limit $2) as objects";
    let row = tx.query_one(sql, &[&bucket, &most]).await;
    Ok(row.map_err(StorageError::database)?.get(0))
}

/// The names of at most `limit` objects of a bucket that are older than `before`.
pub(crate) async fn names_before(
    tx: &Transaction<'_>,
    bucket: &str,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<String>, StorageError> {
    let sql = "select name from storage.objects where bucket_id = $1 and created_at <= $2 limit $3";
    let rows = tx.query(sql, &[&bucket, &before, &limit]).await;
    Ok(rows.map_err(StorageError::database)?.iter().map(|row| row.get(0)).collect())
}
