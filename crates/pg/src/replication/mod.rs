//! The stream of changes: logical replication by `pgoutput` over a temporary slot, which ends with its connection.
//!
//! <https://www.postgresql.org/docs/current/protocol-logical-replication.html>

mod bridge;
mod decode;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use pgwire_replication::client::{ReplicationClient, ReplicationEvent};
use pgwire_replication::{Lsn, PgWireError, ReplicationConfig};

use crate::error::Error;
use crate::target::Target;
use crate::tls::TlsMode;

use bridge::Bridge;
pub use decode::{Column, Identity, Relation};

/// How often the server is told how far the stream was read, at most.
const STATUS: Duration = Duration::from_secs(1);

/// Maximum size of one change, in bytes: larger ones end the stream.
const MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// Changes that the client reads ahead, at most.
const READ_AHEAD: usize = 64;

/// Text output that does not depend on the settings of the server or the role.
const OPTIONS: &str = "-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1";

/// Changes of the tables of some publications, in the order in which their transactions were committed. What was committed
/// before it was opened is not in it.
pub struct ChangeStream {
    client: ReplicationClient,
    relations: HashMap<u32, Arc<Relation>>,
    /// Between two transactions: what was read is done.
    is_between: bool,
    /// Dropped after the client.
    _bridge: Option<Bridge>,
}

/// An element of the stream.
#[derive(Clone, Debug)]
pub enum Event {
    /// A transaction begins.
    Begin {
        /// When it was committed.
        committed: DateTime<Utc>,
        /// The low half of its number. It becomes visible to others a moment after it is in the log.
        xid: u32,
    },
    /// A change of a row.
    Change(Change),
    /// The transaction is complete.
    Commit,
}

/// A change of a row.
#[derive(Clone, Debug)]
pub struct Change {
    /// The table.
    pub relation: Arc<Relation>,
    /// What happened.
    pub kind: Kind,
    /// The columns that identify the old row, or all of them under `REPLICA IDENTITY FULL`; empty if the server did not send any.
    pub old: Vec<Datum>,
    /// The new row; empty for a deletion.
    pub new: Vec<Datum>,
}

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A new one.
    Insert,
    /// A changed one.
    Update,
    /// A deleted one.
    Delete,
}

/// The value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// NULL. Of an old row also a column that does not identify it.
    Null,
    /// A large value that was not changed, and was not sent.
    Unchanged,
    /// As PostgreSQL writes it.
    Text(Bytes),
}

impl Datum {
    /// The text, if there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Datum::Text(bytes) => std::str::from_utf8(bytes).ok(),
            Datum::Null | Datum::Unchanged => None,
        }
    }
}

impl Change {
    /// The bytes of its values.
    pub fn size(&self) -> usize {
        let of = |datum: &Datum| if let Datum::Text(bytes) = datum { bytes.len() } else { 0 };
        self.old.iter().chain(&self.new).map(of).sum()
    }
}

impl ChangeStream {
    /// Opens a stream. The name of the slot consists of lower-case letters, digits and underscores. The role needs REPLICATION,
    /// the server `wal_level = logical`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] with the reason.
    pub async fn open(target: &Target, slot: &str, publications: &[String]) -> Result<Self, Error> {
        let unavailable = |error: PgWireError| Error::Unavailable(error.to_string());
        let is_bridged = target.is_tcp() && target.tls() != TlsMode::Disable;
        let bridge = if is_bridged { Some(Bridge::open(target).await?) } else { None };
        let config = config(target, bridge.as_ref(), slot, publications)?;
        let mut client = ReplicationClient::connect_gated(config).await.map_err(unavailable)?;
        // A name of a slot needs no quotes; nothing else can be written here.
        let create = format!("CREATE_REPLICATION_SLOT {slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')");
        client.simple_query(&create).await.map_err(unavailable)?;
        client.start().await.map_err(unavailable)?;
        client.wait_started().await.map_err(unavailable)?;
        Ok(ChangeStream { client, relations: HashMap::new(), is_between: true, _bridge: bridge })
    }

    /// The next element.
    ///
    /// # Errors
    /// [`Error::Lost`] when the stream ends. What was committed from then on is known only to the tables.
    pub async fn next(&mut self) -> Result<Event, Error> {
        loop {
            let event = self.client.recv().await.map_err(|error| Error::Lost(error.to_string()))?;
            match event.ok_or_else(|| Error::Lost("the server ended the stream".to_owned()))? {
                ReplicationEvent::Begin { commit_time_micros, xid, .. } => {
                    self.is_between = false;
                    return Ok(Event::Begin { committed: time(commit_time_micros), xid });
                }
                ReplicationEvent::Commit { end_lsn, .. } => {
                    self.is_between = true;
                    self.client.update_applied_lsn(end_lsn);
                    return Ok(Event::Commit);
                }
                ReplicationEvent::KeepAlive { wal_end, .. } if self.is_between => {
                    self.client.update_applied_lsn(wal_end)
                }
                ReplicationEvent::XLogData { data, .. } => {
                    let decoded = decode::message(&data, &mut self.relations);
                    if let Some(change) = decoded.map_err(|what| Error::Protocol(what.to_owned()))? {
                        return Ok(Event::Change(change));
                    }
                }
                _ => {}
            }
        }
    }

    /// Ends the stream and waits until the server has dropped the slot's connection.
    pub async fn close(mut self) {
        // The connection may be gone already.
        let _ = tokio::time::timeout(Duration::from_secs(2), self.client.shutdown()).await;
        self.client.abort();
    }
}

/// Where the stream's client connects: to a unix socket, a server without TLS, or a bridge to one with TLS.
///
/// DEVIATION (missing): the stream of changes has no channel binding, so that it is not opened with `channel_binding=require`.
fn config(
    target: &Target,
    bridge: Option<&Bridge>,
    slot: &str,
    publications: &[String],
) -> Result<ReplicationConfig, Error> {
    use tokio_postgres::config::{ChannelBinding, Host};
    let driver = target.driver_config();
    if driver.get_channel_binding() == ChannelBinding::Require {
        return Err(Error::Unavailable("the stream of changes cannot be read with channel_binding=require".to_owned()));
    }
    let (user, password) = (target.user().unwrap_or_default(), target.password().unwrap_or_default());
    let database = target.database().unwrap_or_default();
    let (host, port) = match (bridge, driver.get_hosts().first()) {
        (Some(bridge), _) => (bridge.folder().to_string_lossy().into_owned(), bridge::PORT),
        (None, host) => {
            let host = match host {
                Some(Host::Unix(folder)) => folder.to_string_lossy().into_owned(),
                Some(Host::Tcp(host)) => host.clone(),
                None => "127.0.0.1".to_owned(),
            };
            (host, driver.get_ports().first().copied().unwrap_or(5432))
        }
    };
    Ok(ReplicationConfig::new(host, user, password, database, slot, publications.to_vec())
        .with_port(port)
        .with_start_lsn(Lsn::from_u64(0))
        .with_status_interval(STATUS)
        .with_options(OPTIONS)
        .with_application_name("dugout realtime")
        .with_max_message_size(MAX_MESSAGE)
        .with_buffer_size(READ_AHEAD))
}

/// Microseconds since 2000.
fn time(micros: i64) -> DateTime<Utc> {
    const EPOCH: i64 = 946_684_800;
    DateTime::from_timestamp(EPOCH, 0).unwrap_or_default() + TimeDelta::microseconds(micros)
}
