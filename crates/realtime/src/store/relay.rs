//! Notifications to other instances, and the table for those that are too long.

use pg::error::Error;
use pg::pool::{Connection, Query};
use uuid::Uuid;

/// Notifies all payloads on a channel.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn notify(connection: &Connection, channel: &str, payloads: &[String]) -> Result<(), Error> {
    connection.query(include_str!("notify.sql"), &[&channel, &payloads]).await.map(drop)
}

/// Keeps a payload for those who are notified of its id.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn keep(connection: &Connection, id: Uuid, payload: &str) -> Result<(), Error> {
    let sql = "insert into realtime.relayed (id, payload) values ($1, $2)";
    connection.execute(sql, &[&id, &payload]).await.map(drop)
}

/// A payload that is kept.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn stored(connection: &Connection, id: Uuid) -> Result<Option<String>, Error> {
    let row = connection.query_opt("select payload from realtime.relayed where id = $1", &[&id]).await?;
    Ok(row.map(|row| row.get(0)))
}

/// Deletes payloads that everybody has read.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn clean(connection: &Connection) -> Result<(), Error> {
    let sql = "delete from realtime.relayed where inserted_at < now() - interval '1 minute'";
    connection.execute(sql, &[]).await.map(drop)
}

/// A name that is unique to this database, in letters and digits: the system identifier of its cluster and its OID.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn database(connection: &Connection) -> Result<String, Error> {
    let sql = "select pg_catalog.concat(system.system_identifier, '-', database.oid) \
               from pg_catalog.pg_control_system() as system, pg_catalog.pg_database as database \
               where database.datname = pg_catalog.current_database()";
    let row = connection.query_opt(sql, &[]).await?;
    row.map(|row| row.get(0)).ok_or_else(|| Error::Unavailable("the identity of the database is unknown".to_owned()))
}
