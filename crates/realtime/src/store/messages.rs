//! `realtime.messages`: its row policies say who may read and write on a private topic.

use chrono::NaiveDateTime;
use pg::Snippet;
use pg::error::Error;
use pg::pool::{Connection, Query, Transaction};
use uuid::Uuid;

/// SQLSTATE insufficient_privilege: a row policy or a missing grant.
const DENIED: &str = "42501";

/// What a caller may do on a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rights {
    pub(crate) broadcast: bool,
    pub(crate) presence: bool,
}

/// Which kinds of messages on `topic` the session can read: rows for that are made and rolled back.
///
/// # Errors
/// Those of PostgreSQL; a policy may raise.
pub(crate) async fn readable(connection: &mut Connection, session: &pg::Session, topic: &str) -> Result<Rights, Error> {
    let (broadcast, presence) = (Uuid::new_v4(), Uuid::new_v4());
    let transaction = connection.transaction().await?;
    transaction.execute(include_str!("probe.sql"), &[&broadcast, &presence, &topic]).await?;
    transaction.apply(session).await?;
    let rows = transaction.query(include_str!("visible_probes.sql"), &[&broadcast, &presence]).await?;
    let seen: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    transaction.rollback().await?;
    Ok(Rights { broadcast: seen.contains(&broadcast), presence: seen.contains(&presence) })
}

/// Which kinds of messages on `topic` the session can write: it tries, and everything is rolled back.
///
/// # Errors
/// Those of PostgreSQL but for a denial; a policy may raise.
pub(crate) async fn writable(connection: &mut Connection, session: &pg::Session, topic: &str) -> Result<Rights, Error> {
    let transaction = connection.transaction().await?;
    transaction.apply(session).await?;
    let broadcast = is_writable(&transaction, topic, "broadcast").await?;
    let presence = is_writable(&transaction, topic, "presence").await?;
    transaction.rollback().await?;
    Ok(Rights { broadcast, presence })
}

async fn is_writable(transaction: &Transaction<'_>, topic: &str, extension: &str) -> Result<bool, Error> {
    transaction.script(&Snippet::raw("savepoint probe")).await?;
    let written = transaction.execute(include_str!("write_probe.sql"), &[&topic, &extension]).await;
    transaction.script(&Snippet::raw("rollback to savepoint probe")).await?;
    match written {
        Ok(_) => Ok(true),
        Err(Error::Database(error)) if error.code == DENIED => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the partitions of the next days and drops those older than three days.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn keep_partitions(connection: &mut Connection) -> Result<(), Error> {
    let transaction = connection.transaction().await?;
    transaction.script(&Snippet::raw(include_str!("create_partitions.sql"))).await?;
    transaction.commit().await
}

/// A message that is kept.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) id: Uuid,
    pub(crate) event: String,
    /// JSON.
    pub(crate) payload: Option<String>,
    pub(crate) binary_payload: Option<Vec<u8>>,
}

/// The last private messages on a topic since a time, oldest first.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn since(
    connection: &Connection,
    topic: &str,
    since: NaiveDateTime,
    limit: i64,
) -> Result<Vec<Stored>, Error> {
    let rows = connection.query(include_str!("replay.sql"), &[&topic, &since, &limit]).await?;
    let stored = rows.iter().rev().map(|row| Stored {
        id: row.get("id"),
        event: row.get("event"),
        payload: row.get("payload"),
        binary_payload: row.get("binary_payload"),
    });
    Ok(stored.collect())
}

/// Where a page of missed messages begins: after this time and id.
pub(crate) type Mark = (NaiveDateTime, Uuid);

/// The ids of messages, public and private, that were stored between two times, both given as seconds ago.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn stored(connection: &Connection, from: f64, to: f64, limit: i64) -> Result<Vec<Uuid>, Error> {
    let rows = connection.query(include_str!("stored.sql"), &[&from, &to, &limit]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// A page of the messages on some topics, public and private, that were stored in the last seconds and are not `known`, oldest
/// first: the mark, the topic, whether it is private, and the message.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn missed(
    connection: &Connection,
    seconds: f64,
    topics: &[String],
    after: Mark,
    (known, limit): (&[Uuid], i64),
) -> Result<Vec<(Mark, String, bool, Stored)>, Error> {
    let sql = include_str!("missed.sql");
    let rows = connection.query(sql, &[&seconds, &topics, &after.0, &after.1, &limit, &known]).await?;
    let found = rows.iter().map(|row| {
        let id: Uuid = row.get("id");
        let stored = Stored {
            id,
            event: row.get("event"),
            payload: row.get("payload"),
            binary_payload: row.get("binary_payload"),
        };
        ((row.get("inserted_at"), id), row.get("topic"), row.get("private"), stored)
    });
    Ok(found.collect())
}
