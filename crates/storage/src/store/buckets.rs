//! `storage.buckets`.

use chrono::{DateTime, Utc};
use pg::pool::{Query, Row, Transaction};
use serde_json::{Value, json};

use super::time;
use crate::error::StorageError;

/// A bucket.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub(crate) id: String,
    pub(crate) public: bool,
    pub(crate) file_size_limit: Option<i64>,
    pub(crate) allowed_mime_types: Option<Vec<String>>,
    name: String,
    owner: Option<uuid::Uuid>,
    pub(crate) created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    kind: String,
}

/// The fields of a new bucket.
#[derive(Clone, Debug)]
pub(crate) struct NewBucket {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) public: bool,
    pub(crate) file_size_limit: Option<i64>,
    pub(crate) allowed_mime_types: Option<Vec<String>>,
    pub(crate) owner: Option<String>,
}

/// A change; `None` keeps a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    pub(crate) public: Option<bool>,
    pub(crate) file_size_limit: Option<Option<i64>>,
    pub(crate) allowed_mime_types: Option<Option<Vec<String>>>,
}

/// Filter and order of a list of buckets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) limit: Option<i64>,
    pub(crate) offset: i64,
    /// `id`, `name`, `created_at` or `updated_at`.
    pub(crate) column: Option<String>,
    pub(crate) descending: bool,
    /// A LIKE pattern.
    pub(crate) search: Option<String>,
}

impl Bucket {
    /// The body of `GET /bucket/{id}`, and with `type` an item of the list.
    pub(crate) fn json(&self, with_type: bool) -> Value {
        let mut json = json!({
            "id": self.id,
            "name": self.name,
            "owner": self.owner.map(|owner| owner.to_string()).unwrap_or_default(),
            "public": self.public,
            "file_size_limit": self.file_size_limit,
            "allowed_mime_types": self.allowed_mime_types,
            "created_at": time(self.created_at),
            "updated_at": time(self.updated_at),
        });
        if with_type {
            json["type"] = Value::from(self.kind.clone());
        }
        json
    }

    fn of(row: &Row) -> Self {
        Bucket {
            id: row.get(0),
            name: row.get(1),
            owner: row.get(2),
            public: row.get::<_, Option<bool>>(3).unwrap_or_default(),
            file_size_limit: row.get(4),
            allowed_mime_types: row.get(5),
            created_at: row.get(6),
            updated_at: row.get(7),
            kind: row.get(8),
        }
    }
}

/// The bucket with this id, if it is visible.
pub(crate) async fn find(tx: &Transaction<'_>, id: &str) -> Result<Option<Bucket>, StorageError> {
    let row = tx
        .query_opt(
            "select id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at, type::text
         from storage.buckets where id = $1",
            &[&id],
        )
        .await;
    Ok(row.map_err(StorageError::database)?.as_ref().map(Bucket::of))
}

/// Locks a bucket until the end of the transaction.
pub(crate) async fn lock(tx: &Transaction<'_>, id: &str) -> Result<bool, StorageError> {
    let row = tx.query_opt("select from storage.buckets where id = $1 for update", &[&id]).await;
    Ok(row.map_err(StorageError::database)?.is_some())
}

pub(crate) async fn list(tx: &Transaction<'_>, page: &Page) -> Result<Vec<Bucket>, StorageError> {
    let rows = tx
        .query(
            "select id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at, type::text
         from storage.buckets
         where $1::text is null or name ilike $1
         order by
           case when $2 = 'id' and not $3 then id end, case when $2 = 'id' and $3 then id end desc,
           case when $2 = 'name' and not $3 then name end, case when $2 = 'name' and $3 then name end desc,
           case when $2 = 'created_at' and not $3 then created_at end,
           case when $2 = 'created_at' and $3 then created_at end desc,
           case when $2 = 'updated_at' and not $3 then updated_at end,
           case when $2 = 'updated_at' and $3 then updated_at end desc
         limit $4 offset $5",
            &[&page.search, &page.column, &page.descending, &page.limit, &page.offset],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(Bucket::of).collect())
}

pub(crate) async fn insert(tx: &Transaction<'_>, bucket: &NewBucket) -> Result<(), StorageError> {
    let owner = bucket.owner.as_deref().and_then(|owner| uuid::Uuid::parse_str(owner).ok());
    let inserted = tx
        .execute(
            "insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
         values ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &bucket.id,
                &bucket.name,
                &owner,
                &bucket.owner,
                &bucket.public,
                &bucket.file_size_limit,
                &bucket.allowed_mime_types,
            ],
        )
        .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(pg::Error::Database(error)) if error.code == "23505" => Err(StorageError::bucket_exists()),
        Err(error) => Err(StorageError::database(error)),
    }
}

/// Returns false if there is no such bucket.
pub(crate) async fn update(tx: &Transaction<'_>, id: &str, change: &Change) -> Result<bool, StorageError> {
    let updated = tx
        .execute(
            "update storage.buckets set
           public = coalesce($2, public),
           file_size_limit = case when $3 then $4 else file_size_limit end,
           allowed_mime_types = case when $5 then $6 else allowed_mime_types end
         where id = $1",
            &[
                &id,
                &change.public,
                &change.file_size_limit.is_some(),
                &change.file_size_limit.flatten(),
                &change.allowed_mime_types.is_some(),
                &change.allowed_mime_types.clone().flatten(),
            ],
        )
        .await;
    Ok(updated.map_err(StorageError::database)? > 0)
}

/// Returns false if there is no such bucket.
pub(crate) async fn delete(tx: &Transaction<'_>, id: &str) -> Result<bool, StorageError> {
    let deleted = tx.execute("delete from storage.buckets where id = $1", &[&id]).await;
    Ok(deleted.map_err(StorageError::database)? > 0)
}
