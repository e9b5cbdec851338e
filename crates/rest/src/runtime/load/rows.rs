//! Reads the rows of the system catalogs from which a catalog is built.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use pg::pool::{Connection, Query, Row, Transaction};
use pg::{Access, Isolation, Session};

use super::node_tree::target_list;
use super::views::View;
use crate::config::Config;
use crate::observation::Timings;

/// How many stored queries of views are in memory at a time: one can have a hundred kilobytes.
const VIEWS_AT_A_TIME: usize = 100;

/// How many relations are checked for possible commands at a time: each is locked for reading meanwhile.
const RELATIONS_AT_A_TIME: usize = 200;

/// The longest wait for a relation that is being changed. It is shorter than PostgreSQL's `deadlock_timeout`, so that
/// in a deadlock the catalog gives up first.
const LOCK_TIMEOUT: &str = "100ms";

/// The rows read in one transaction; each field is named after its query.
pub(crate) struct Rows {
    pub(crate) relations: Vec<Row>,
    pub(crate) columns: Vec<Row>,
    pub(crate) descriptions: Vec<Row>,
    pub(crate) data_types: Vec<Row>,
    pub(crate) keys: Vec<Row>,
    pub(crate) views: Vec<View>,
    pub(crate) computed: Vec<Row>,
    pub(crate) nonvolatile: Vec<Row>,
    pub(crate) routines: Vec<Row>,
    pub(crate) representations: Vec<Row>,
    pub(crate) handlers: Vec<Row>,
    pub(crate) timings: Timings,
}

impl Rows {
    /// Reads everything for the schemas of the configuration. The search path of the transaction must be empty, so
    /// that PostgreSQL prints types of other schemas with their schema.
    pub(crate) async fn read(transaction: &Transaction<'_>, config: &Config) -> Result<Self, pg::Error> {
        let schemas = &config.db_schemas;
        let mut clock = Clock::start();
        let columns = transaction.query(include_str!("queries/columns.sql"), &[schemas]).await?;
        let types: BTreeSet<u32> = columns.iter().map(|row| row.get("type")).collect();
        let types: Vec<u32> = types.into_iter().collect();
        let relations = transaction.query(include_str!("queries/relations.sql"), &[schemas]).await?;
        let descriptions = transaction.query(include_str!("queries/descriptions.sql"), &[]).await?;
        let data_types = transaction.query(include_str!("queries/data_types.sql"), &[&types]).await?;
        let tables = clock.lap("tables");
        let views = views(transaction, config).await?;
        let keydeps = clock.lap("keydeps");
        let keys = transaction.query(include_str!("queries/keys.sql"), &[]).await?;
        let rels = clock.lap("rels");
        let hoisted = &config.db_hoisted_tx_settings;
        let routines = transaction.query(include_str!("queries/routines.sql"), &[schemas, hoisted]).await?;
        let funcs = clock.lap("funcs");
        let computed = transaction.query(include_str!("queries/computed.sql"), &[]).await?;
        let nonvolatile = transaction.query(include_str!("queries/nonvolatile.sql"), &[]).await?;
        let comprels = clock.lap("comprels");
        let representations = transaction.query(include_str!("queries/representations.sql"), &[]).await?;
        let dreps = clock.lap("dreps");
        let handlers = transaction.query(include_str!("queries/handlers.sql"), &[schemas]).await?;
        let timings = [tables, keydeps, rels, funcs, comprels, dreps, clock.lap("mhandlers")];
        Ok(Rows {
            relations,
            columns,
            descriptions,
            data_types,
            keys,
            views,
            computed,
            nonvolatile,
            routines,
            representations,
            handlers,
            timings,
        })
    }
}

/// Returns the time since its last call.
struct Clock(Instant);

impl Clock {
    fn start() -> Self {
        Clock(Instant::now())
    }

    fn lap(&mut self, name: &'static str) -> (&'static str, Duration) {
        let now = Instant::now();
        (name, now - std::mem::replace(&mut self.0, now))
    }
}

/// Views, and the columns that their target lists show.
async fn views(transaction: &Transaction<'_>, config: &Config) -> Result<Vec<View>, pg::Error> {
    let sql = include_str!("queries/views.sql");
    let rows = transaction.query(sql, &[&config.db_schemas, &config.db_extra_search_path]).await?;
    let exposed: BTreeMap<u32, bool> = rows.iter().map(|row| (row.get("oid"), row.get("is_exposed"))).collect();
    let oids: Vec<u32> = exposed.keys().copied().collect();
    let mut views = Vec::with_capacity(oids.len());
    for some in oids.chunks(VIEWS_AT_A_TIME) {
        for row in transaction.query(include_str!("queries/view_definitions.sql"), &[&some]).await? {
            let oid: u32 = row.get(0);
            let is_exposed = exposed.get(&oid).copied().unwrap_or_default();
            views.push(View { oid, is_exposed, origins: target_list(row.get(1)) });
        }
    }
    Ok(views)
}

/// The possible commands on views and foreign tables: the bits of `pg_relation_is_updatable` by OID, without relations
/// that are locked by a concurrent change.
///
/// Each batch has its own transaction, because locks are held until the end of a transaction and their number is
/// limited.
pub(crate) async fn updatable(connection: &mut Connection, relations: &[u32]) -> Result<HashMap<u32, i32>, pg::Error> {
    let mut session = Session::of_connection();
    session.set("lock_timeout", LOCK_TIMEOUT);
    let mut events = HashMap::with_capacity(relations.len());
    for some in relations.chunks(RELATIONS_AT_A_TIME) {
        let transaction = connection.begin(&session, Isolation::ReadCommitted, Access::ReadOnly).await?;
        match transaction.query(include_str!("queries/updatable.sql"), &[&some]).await {
            Ok(rows) => events.extend(rows.into_iter().map(|row| (row.get::<_, u32>(0), row.get::<_, i32>(1)))),
            Err(error) if is_locked(&error) => {}
            Err(error) => return Err(error),
        }
        transaction.rollback().await?;
    }
    Ok(events)
}

/// `lock_not_available`, or `deadlock_detected` if PostgreSQL detects the deadlock first.
fn is_locked(error: &pg::Error) -> bool {
    error.database().is_some_and(|error| matches!(error.code.as_str(), "55P03" | "40P01"))
}
