//! The workers of extensions: pg_cron's jobs in the embedded cluster, and pg_net's requests everywhere. Both log in as
//! `dugout_worker`, which has rights on their tables only, and sleep until a trigger of the extension notifies them.

mod cron;
mod net;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
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

/// Delay before a worker that panicked starts again.
const RESTART: Duration = Duration::from_secs(5);

/// The running workers.
pub(crate) struct Workers {
    tasks: [AbortHandle; 3],
    pools: [Pool; 2],
}

impl Workers {
    /// Starts the workers. `target` logs in as [`ROLE`], `is_ours` to our own cluster, where each job can log in as its owner.
    pub(crate) fn start(
        (target, is_ours): (&Target, bool),
        listener: &Listener,
        own: &PublicUrl,
        dev: bool,
    ) -> Result<Self, StartError> {
        let failed = |error: pg::Error| StartError::Bootstrap("workers", error.to_string());
        let pool = Pool::new(target, &PoolConfig { size: CONNECTIONS, acquire_timeout: PATIENCE }).map_err(failed)?;
        let turn = Pool::new(target, &PoolConfig { size: 1, acquire_timeout: PATIENCE }).map_err(failed)?;
        let (cron, net) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let sender = net::Sender::new(own, dev).map_err(StartError::Http)?;
        let tasks = [
            tokio::spawn(listen(listener.subscribe(CHANNEL), Arc::clone(&cron), Arc::clone(&net))).abort_handle(),
            tokio::spawn(kept_running("cron", RESTART, cron, {
                let (pool, target) = (pool.clone(), target.clone());
                move |wake| {
                    let run = is_ours.then(|| cron::run(pool.clone(), target.clone(), wake));
                    async move {
                        if let Some(run) = run {
                            run.await;
                        }
                    }
                }
            }))
            .abort_handle(),
            tokio::spawn(kept_running("net", RESTART, net, {
                let (pool, turn) = (pool.clone(), turn.clone());
                move |wake| net::run(pool.clone(), turn.clone(), sender.clone(), wake)
            }))
            .abort_handle(),
        ];
        Ok(Workers { tasks, pools: [pool, turn] })
    }

    /// Stops the workers. Requests whose responses are not recorded are sent again after the next start. The connections of
    /// running jobs are closed.
    pub(crate) fn stop(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.pools.iter().for_each(Pool::close);
    }
}

/// Runs a worker, and starts it again after a panic: one bad job or response must not end the extension. The worker that
/// starts again is woken, because it may wait for a notification that the one before has received.
async fn kept_running<F: Future<Output = ()>>(
    name: &'static str,
    delay: Duration,
    wake: Arc<Notify>,
    worker: impl Fn(Arc<Notify>) -> F,
) {
    while AssertUnwindSafe(worker(Arc::clone(&wake))).catch_unwind().await.is_err() {
        tracing::error!(event = "worker_panicked", worker = name);
        tokio::time::sleep(delay).await;
        wake.notify_one();
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

/// Whether the table belongs to pg_cron. Anyone can create a schema of the same name, with jobs for any role.
async fn has_jobs(pool: &Pool) -> Result<bool, pg::Error> {
    let sql = "select exists (
        select
        from pg_catalog.pg_depend as dependency
        join pg_catalog.pg_extension as extension on extension.oid = dependency.refobjid
        where dependency.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
          and dependency.objid = pg_catalog.to_regclass('cron.job')
          and dependency.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
          and dependency.deptype = 'e'
          and extension.extname = 'pg_cron')";
    pool.get().await?.query_one(sql, &[]).await.map(|row| row.get(0))
}

/// Whether the queue of requests is ours: the original's belongs to another role, and so does one of the same name.
async fn has_queue(pool: &Pool) -> Result<bool, pg::Error> {
    let sql = "select exists (
        select
        from pg_catalog.pg_class as class
        join pg_catalog.pg_namespace as schema on schema.oid = class.relnamespace
        where schema.nspname = 'net'
          and class.relname = 'http_request_queue'
          and class.relowner = (select oid from pg_catalog.pg_roles where rolname = current_user))";
    pool.get().await?.query_one(sql, &[]).await.map(|row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_panicked_worker_starts_again_and_is_woken() {
        let (starts, wake) = (AtomicU32::new(0), Arc::new(Notify::new()));
        wake.notify_one();
        let worker = |wake: Arc<Notify>| {
            let starts = &starts;
            async move {
                wake.notified().await;
                assert!(starts.fetch_add(1, Ordering::Relaxed) > 0, "the first start fails");
            }
        };
        kept_running("test", Duration::from_millis(1), wake, worker).await;
        assert_eq!(starts.load(Ordering::Relaxed), 2);
    }
}
