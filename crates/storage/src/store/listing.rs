//! Pages of `storage.objects`.

use chrono::{DateTime, SecondsFormat, Utc};
use pg::pool::{Query, Row, Transaction};
use serde_json::{Value, json};

use super::time;
use crate::error::StorageError;

/// An entry of a list: an object or a folder.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The name relative to the listed folder, if the list has relative names.
    pub(crate) key: Option<String>,
    pub(crate) name: String,
    id: Option<uuid::Uuid>,
    pub(crate) updated_at: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    last_accessed_at: Option<DateTime<Utc>>,
    metadata: Option<Value>,
}

/// The parameters of `POST /object/list`.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) bucket: String,
    pub(crate) prefix: String,
    pub(crate) search: String,
    pub(crate) limit: i32,
    pub(crate) offset: i32,
    pub(crate) column: String,
    pub(crate) order: String,
}

/// The parameters of `POST /object/list-v2`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) bucket: String,
    pub(crate) prefix: String,
    pub(crate) limit: i32,
    pub(crate) start_after: String,
    pub(crate) descending: bool,
    /// `name`, `created_at` or `updated_at`.
    pub(crate) column: String,
    /// The time in that column after which to start.
    pub(crate) column_after: String,
}

impl Entry {
    pub(crate) fn is_folder(&self) -> bool {
        self.id.is_none()
    }

    /// A value of the metadata.
    pub(crate) fn fact(&self, name: &str) -> Option<&Value> {
        self.metadata.as_ref()?.get(name)
    }

    /// The time in a column, in the cursor's format.
    pub(crate) fn column(&self, column: &str) -> Option<String> {
        let at = if column == "created_at" { self.created_at } else { self.updated_at };
        at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }

    /// An item of a list, without `name`.
    pub(crate) fn json(&self) -> Value {
        json!({
            "name": self.name,
            "id": self.id,
            "updated_at": time(self.updated_at),
            "created_at": time(self.created_at),
            "last_accessed_at": time(self.last_accessed_at),
            "metadata": self.metadata,
        })
    }

    fn of(row: &Row) -> Self {
        Entry {
            key: row.get(0),
            name: row.get::<_, Option<String>>(1).unwrap_or_default(),
            id: row.get(2),
            updated_at: row.get(3),
            created_at: row.get(4),
            last_accessed_at: row.get(5),
            metadata: row.get(6),
        }
    }
}

/// A page by offset; names are relative to the prefix.
pub(crate) async fn search(tx: &Transaction<'_>, search: &Search) -> Result<Vec<Entry>, StorageError> {
    // Sorted by a time, the SQL function expects LIKE patterns.
    let escaped = |text: &str| match search.column.as_str() {
        "name" => text.to_owned(),
        _ => like(text),
    };
    let levels = i32::try_from(search.prefix.matches('/').count() + search.search.matches('/').count() + 1);
    let rows = tx
        .query(
            "select null::text, name, id, updated_at, created_at, last_accessed_at, metadata
         from storage.search($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                &escaped(&search.prefix),
                &search.bucket,
                &search.limit,
                &levels.unwrap_or(i32::MAX),
                &search.offset,
                &escaped(&search.search),
                &search.column,
                &search.order,
            ],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(Entry::of).collect())
}

/// A page of one folder after a name or a time.
pub(crate) async fn folder(tx: &Transaction<'_>, listing: &Listing) -> Result<Vec<Entry>, StorageError> {
    let levels = i32::try_from(listing.prefix.split('/').count()).unwrap_or(i32::MAX);
    if listing.column == "name" && !listing.descending {
        let (bucket, prefix, after) = (&listing.bucket, &listing.prefix, &listing.start_after);
        let rows = tx.query(include_str!("folder.sql"), &[bucket, prefix, after, &listing.limit, &levels]).await;
        return Ok(rows.map_err(StorageError::database)?.iter().map(Entry::of).collect());
    }
    let order = if listing.descending { "desc" } else { "asc" };
    let rows = tx
        .query(
            "select key, name, id, updated_at, created_at, last_accessed_at, metadata
         from storage.search_v2($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                &listing.prefix,
                &listing.bucket,
                &listing.limit,
                &levels,
                &listing.start_after,
                &order,
                &listing.column,
                &listing.column_after,
            ],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(Entry::of).collect())
}

/// A page of one folder after a name, with any character between folders. Folders have no delimiter at their end.
pub(crate) async fn delimited(
    tx: &Transaction<'_>,
    listing: &Listing,
    delimiter: &str,
) -> Result<Vec<Entry>, StorageError> {
    let rows = tx
        .query(
            "select null::text, name, id, updated_at, created_at, last_accessed_at, metadata
         from storage.list_objects_with_delimiter($1, $2, $3, $4, $5)",
            &[&listing.bucket, &listing.prefix, &delimiter, &listing.limit, &listing.start_after],
        )
        .await;
    Ok(rows.map_err(StorageError::database)?.iter().map(Entry::of).collect())
}

/// A page of everything below a prefix after a name or a time.
pub(crate) async fn flat(tx: &Transaction<'_>, listing: &Listing) -> Result<Vec<Entry>, StorageError> {
    let sql = match (listing.column.as_str(), listing.descending) {
        ("created_at", false) => BY_CREATED_AT,
        ("created_at", true) => BY_CREATED_AT_DESC,
        ("updated_at", false) => BY_UPDATED_AT,
        ("updated_at", true) => BY_UPDATED_AT_DESC,
        (_, false) => BY_NAME,
        (_, true) => BY_NAME_DESC,
    };
    let pattern = like(&listing.prefix) + "%";
    let limit = i64::from(listing.limit);
    let rows = match listing.column.as_str() {
        "created_at" | "updated_at" => {
            let after = &listing.column_after;
            tx.query(sql, &[&listing.bucket, &pattern, &listing.start_after, &limit, after]).await
        }
        _ => tx.query(sql, &[&listing.bucket, &pattern, &listing.start_after, &limit]).await,
    };
    Ok(rows.map_err(StorageError::database)?.iter().map(Entry::of).collect())
}

/// Escapes a text for LIKE.
pub(crate) fn like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

macro_rules! page {
    ($condition:literal, $order:literal) => {
        concat!(
            "select null::text, name, id, updated_at, created_at, last_accessed_at, metadata
             from storage.objects
             where bucket_id = $1 and name collate \"C\" like $2 and ($3 = '' or ",
            $condition,
            ") order by ",
            $order,
            " limit $4"
        )
    };
}

const BY_NAME: &str = page!("name collate \"C\" > $3", "name collate \"C\"");
const BY_NAME_DESC: &str = page!("name collate \"C\" < $3", "name collate \"C\" desc");
const BY_CREATED_AT: &str = page!(
    "(date_trunc('milliseconds', created_at), name collate \"C\")
       > (coalesce(nullif($5, '')::timestamptz, 'epoch'), $3)",
    "date_trunc('milliseconds', created_at), name collate \"C\""
);
const BY_CREATED_AT_DESC: &str = page!(
    "(date_trunc('milliseconds', created_at), name collate \"C\")
       < (coalesce(nullif($5, '')::timestamptz, 'epoch'), $3)",
    "date_trunc('milliseconds', created_at) desc, name collate \"C\" desc"
);
const BY_UPDATED_AT: &str = page!(
    "(date_trunc('milliseconds', updated_at), name collate \"C\")
       > (coalesce(nullif($5, '')::timestamptz, 'epoch'), $3)",
    "date_trunc('milliseconds', updated_at), name collate \"C\""
);
const BY_UPDATED_AT_DESC: &str = page!(
    "(date_trunc('milliseconds', updated_at), name collate \"C\")
       < (coalesce(nullif($5, '')::timestamptz, 'epoch'), $3)",
    "date_trunc('milliseconds', updated_at) desc, name collate \"C\" desc"
);
