//! `storage.s3_multipart_uploads` and `storage.s3_multipart_uploads_parts`.

use chrono::{DateTime, Utc};
use pg::pool::{Json, Query, Row, Transaction};
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::error::StorageError;

/// A multipart upload.
#[derive(Clone, Debug)]
pub(crate) struct MultipartUpload {
    pub(crate) bucket: String,
    pub(crate) key: String,
    /// The version of the object to be.
    pub(crate) version: String,
    /// `mimetype` and `cacheControl`.
    pub(crate) metadata: Value,
    pub(crate) user_metadata: Option<Box<RawValue>>,
}

/// A part of it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) id: Uuid,
    pub(crate) number: i32,
    /// In bytes.
    pub(crate) size: i64,
    pub(crate) etag: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// An entry of a list of uploads: an upload, or a prefix of keys.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) key: String,
    pub(crate) id: String,
    pub(crate) created_at: Option<DateTime<Utc>>,
}

/// A page of the uploads of a bucket.
#[derive(Clone, Debug)]
pub(crate) struct Page<'a> {
    pub(crate) bucket: &'a str,
    pub(crate) prefix: &'a str,
    pub(crate) delimiter: &'a str,
    pub(crate) limit: i32,
    pub(crate) after_key: &'a str,
    pub(crate) after_upload: &'a str,
}

pub(crate) async fn insert(
    tx: &Transaction<'_>,
    id: Uuid,
    upload: &MultipartUpload,
    owner: Option<&str>,
) -> Result<(), StorageError> {
    // Only the service writes this table, so nobody can forge the progress that upstream signs.
    let inserted = tx
        .execute(
            "insert into storage.s3_multipart_uploads
           (id, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
         values ($1, '', $2, $3, $4, $5, $6, $7)",
            &[
                &id.to_string(),
                &upload.bucket,
                &upload.key,
                &upload.version,
                &owner,
                &upload.user_metadata.as_deref().map(Json),
                &upload.metadata,
            ],
        )
        .await;
    inserted.map(drop).map_err(StorageError::database)
}

pub(crate) async fn find(tx: &Transaction<'_>, id: Uuid) -> Result<Option<MultipartUpload>, StorageError> {
    let sql = "select bucket_id, key, version, metadata, user_metadata from storage.s3_multipart_uploads where id = $1";
    let row = tx.query_opt(sql, &[&id.to_string()]).await.map_err(StorageError::database)?;
    Ok(row.map(|row| MultipartUpload {
        bucket: row.get(0),
        key: row.get(1),
        version: row.get(2),
        metadata: row.get::<_, Option<Value>>(3).unwrap_or_default(),
        user_metadata: row.get::<_, Option<Json<_>>>(4).map(|Json(text)| text),
    }))
}

/// Locks an upload until the end of the transaction; false if it is gone.
pub(crate) async fn lock(tx: &Transaction<'_>, id: Uuid) -> Result<bool, StorageError> {
    let sql = "select from storage.s3_multipart_uploads where id = $1 for update";
    Ok(tx.query_opt(sql, &[&id.to_string()]).await.map_err(StorageError::database)?.is_some())
}

/// Deletes an upload with its parts; false if it is gone.
pub(crate) async fn delete(tx: &Transaction<'_>, id: Uuid) -> Result<bool, StorageError> {
    let deleted = tx.execute("delete from storage.s3_multipart_uploads where id = $1", &[&id.to_string()]).await;
    Ok(deleted.map_err(StorageError::database)? > 0)
}

/// At most `limit` parts after a number, in their order.
pub(crate) async fn parts(tx: &Transaction<'_>, id: Uuid, after: i32, limit: i64) -> Result<Vec<Part>, StorageError> {
    let rows = tx
        .query(
            "select distinct on (part_number) id, part_number, size, etag, created_at
         from storage.s3_multipart_uploads_parts
         where upload_id = $1 and part_number > $2
         order by part_number, created_at desc, id
         limit $3",
            &[&id.to_string(), &after, &limit],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(part).collect())
}

/// The bytes of all parts but one.
pub(crate) async fn size_without(tx: &Transaction<'_>, id: Uuid, number: i32) -> Result<i64, StorageError> {
    let sql = "select coalesce(sum(size), 0)::bigint from storage.s3_multipart_uploads_parts
       where upload_id = $1 and part_number <> $2";
    Ok(tx.query_one(sql, &[&id.to_string(), &number]).await.map_err(StorageError::database)?.get(0))
}

/// Puts a part in the place of earlier ones with its number, and returns their ids.
pub(crate) async fn replace_part(
    tx: &Transaction<'_>,
    id: Uuid,
    upload: &MultipartUpload,
    part: &Part,
    owner: Option<&str>,
) -> Result<Vec<Uuid>, StorageError> {
    let text = id.to_string();
    let sql = "delete from storage.s3_multipart_uploads_parts where upload_id = $1 and part_number = $2 returning id";
    let replaced = tx.query(sql, &[&text, &part.number]).await.map_err(StorageError::database)?;
    let inserted = tx
        .execute(
            "insert into storage.s3_multipart_uploads_parts
           (id, upload_id, size, part_number, bucket_id, key, etag, owner_id, version, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                &part.id,
                &text,
                &part.size,
                &part.number,
                &upload.bucket,
                &upload.key,
                &part.etag,
                &owner,
                &upload.version,
                &part.created_at,
            ],
        )
        .await;
    inserted.map_err(StorageError::database)?;
    let sql = "update storage.s3_multipart_uploads set in_progress_size =
         (select sum(size) from storage.s3_multipart_uploads_parts where upload_id = $1) where id = $1";
    tx.execute(sql, &[&text]).await.map_err(StorageError::database)?;
    Ok(replaced.iter().map(|row| row.get(0)).collect())
}

/// A page of the uploads that the caller sees.
pub(crate) async fn list(tx: &Transaction<'_>, page: &Page<'_>) -> Result<Vec<Listed>, StorageError> {
    let rows = if page.delimiter.is_empty() {
        tx.query(
            "select key, id, created_at from storage.s3_multipart_uploads
         where bucket_id = $1 and starts_with(key, $2)
           and ($3 = '' or key > $3 or key = $3 and $4 <> '' and id collate \"C\" > $4)
         order by key, id collate \"C\"
         limit $5",
            &[&page.bucket, &page.prefix, &page.after_key, &page.after_upload, &i64::from(page.limit)],
        )
        .await
    } else {
        tx.query(
            "select key, id, created_at
         from storage.list_multipart_uploads_with_delimiter($1, $2, $3, $4, $5, '')",
            &[&page.bucket, &page.prefix, &page.delimiter, &page.limit, &page.after_key],
        )
        .await
    };
    let listed = |row: &Row| Listed { key: row.get(0), id: row.get(1), created_at: row.get(2) };
    Ok(rows.map_err(StorageError::database)?.iter().map(listed).collect())
}

fn part(row: &Row) -> Part {
    Part { id: row.get(0), number: row.get(1), size: row.get(2), etag: row.get(3), created_at: row.get(4) }
}
