//! The workers of extensions in the embedded cluster: pg_cron's jobs and pg_net's requests. Both log in as `dugout_worker`,
//! which has rights on their tables only, and sleep until a trigger of the extension notifies them.

mod cron;
mod net;

use std::sync::Arc;
use std::time::Duration;

use gateway::PublicUrl;
use pg::listen::{Event, Subscription};
use pg::pool::Query;
use pg::{Listener, Pool, PoolConfig, Target};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use crate::error::StartError;

/// Login role of the workers.
pub(crate) const ROLE: &str = "dugout_worker";

/// The channel that the extensions' triggers notify. The payload names the worker.
const CHANNEL: &str = "dugout_workers";

/// Connections that the workers share.
const CONNECTIONS: usize = 2;

/// How long a worker waits for a connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running workers.
pub(crate) struct Workers {
    tasks: [AbortHandle; 3],
    pool: Pool,
}

impl Workers {
    /// Starts the workers. `target` logs in to our own cluster as [`ROLE`].
    pub(crate) fn start(target: &Target, listener: &Listener, own: &PublicUrl, dev: bool) -> Result<Self, StartError> {
        let failed = |error: pg::Error| StartError::Bootstrap("workers", error.to_string());
        let pool = Pool::new(target, &PoolConfig { size: CONNECTIONS, acquire_timeout: PATIENCE }).map_err(failed)?;
        let (cron, net) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let sender = net::Sender::new(own, dev).map_err(StartError::Http)?;
        let tasks = [
            tokio::spawn(listen(listener.subscribe(CHANNEL), Arc::clone(&cron), Arc::clone(&net))).abort_handle(),
            tokio::spawn(cron::run(pool.clone(), target.clone(), cron)).abort_handle(),
            tokio::spawn(net::run(pool.clone(), sender, net)).abort_handle(),
        ];
        Ok(Workers { tasks, pool })
    }

    /// Stops the workers. Requests whose responses are not recorded are sent again after the next start. Jobs that are running
    /// end with PostgreSQL.
    pub(crate) fn stop(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.pool.close();
    }
}

async fn listen(mut events: Subscription, cron: Arc<Notify>, net: Arc<Notify>) {
    loop {
        match events.next().await {
            Event::Notification { payload } if payload == "cron" => cron.notify_one(),
            Event::Notification { payload } if payload == "net" => net.notify_one(),
            // Earlier notifications may have been missed.
            Event::Connected | Event::Reconnected => {
                cron.notify_one();
                net.notify_one();
            }
            _ => {}
        }
    }
}

/// Whether the table belongs to the extension. Anyone can create a schema of the same name, with jobs for any role.
async fn is_installed(pool: &Pool, extension: &str, table: &str) -> Result<bool, pg::Error> {
    let sql = "select exists (
        select
        from pg_catalog.pg_depend as dependency
        join pg_catalog.pg_extension as extension on extension.oid = dependency.refobjid
        where dependency.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
          and dependency.objid = pg_catalog.to_regclass($2)
          and dependency.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
          and dependency.deptype = 'e'
          and extension.extname = $1)";
    pool.get().await?.query_one(sql, &[&extension, &table]).await.map(|row| row.get(0))
}
