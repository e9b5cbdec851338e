//! Looks up objects for reading, each in one round trip on a shared connection.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use pg::lane::Row;
use pg::{Access, BoundSql, Cost, Lane, Session, Work};

use super::objects::Object;

static TRUSTED: LazyLock<Arc<str>> = LazyLock::new(|| include_str!("trusted.sql").into());
static VISIBLE: LazyLock<Arc<str>> = LazyLock::new(|| include_str!("visible.sql").into());

/// A bucket, with an object that may be read without asking the row policies.
#[derive(Clone, Debug)]
pub(crate) struct Trusted {
    pub(crate) is_public: bool,
    /// `None` also if the bucket is private and the reader has no signed URL.
    pub(crate) object: Option<Object>,
}

/// The bucket, with the object if the bucket is public or the reader has a signed URL: no row policy is asked then. `key` is
/// `None` if it is not a valid key.
///
/// # Errors
/// Those of the database.
pub(crate) async fn trusted(
    lane: &Lane,
    service: Session,
    bucket: &str,
    key: Option<&str>,
    is_signed: bool,
) -> Result<Option<Trusted>, pg::Error> {
    let text = |text: &str| Some(Bytes::copy_from_slice(text.as_bytes()));
    let signed = Some(Bytes::from_static(if is_signed { b"t" } else { b"f" }));
    let query = BoundSql { text: TRUSTED.clone(), values: vec![text(bucket), key.and_then(text), signed] };
    let rows = lane.read(&reading(service, query, Cost::ByKey)).await?;
    Ok(rows.rows.first().map(of_row))
}

/// The bucket and the object of a row.
pub(super) fn of_row(row: &Row) -> Trusted {
    Trusted { is_public: row.text(0) == Some("t"), object: object(row) }
}

/// An object, if the row policies show it to the session's role. Policies can be slow, so the cost of the read is unknown.
///
/// # Errors
/// Those of the database; SQLSTATE 25006 if a policy writes.
pub(crate) async fn visible(lane: &Lane, user: Session, bucket: &str, key: &str) -> Result<Option<Object>, pg::Error> {
    let values = [bucket, key].map(|text| Some(Bytes::copy_from_slice(text.as_bytes()))).to_vec();
    let query = BoundSql { text: VISIBLE.clone(), values };
    let rows = lane.read(&reading(user, query, Cost::Unknown)).await?;
    Ok(rows.rows.first().and_then(object))
}

/// A read-only statement in a transaction of its own.
pub(super) fn reading(session: Session, query: BoundSql, cost: Cost) -> Work {
    Work { access: Access::ReadOnly, cost, ..Work::new(session, query) }
}

/// The object of a row; `None` where the row has none.
fn object(row: &Row) -> Option<Object> {
    let text = |index: usize| row.text(index).map(str::to_owned);
    let time = |index: usize| {
        let at = DateTime::parse_from_rfc3339(row.text(index)?.trim_matches('"')).ok()?;
        Some(at.with_timezone(&Utc))
    };
    Some(Object {
        id: row.text(1)?.parse().ok()?,
        bucket_id: text(2).unwrap_or_default(),
        name: text(3).unwrap_or_default(),
        owner: row.text(4).and_then(|owner| owner.parse().ok()),
        owner_id: text(5),
        version: text(6),
        metadata: row.text(7).and_then(|json| serde_json::from_str(json).ok()),
        user_metadata: row.text(8).and_then(|json| serde_json::from_str(json).ok()),
        created_at: time(9),
        updated_at: time(10),
        last_accessed_at: time(11),
    })
}
