//! The workers of extensions: pg_cron's jobs and the mails of dugout_mail in the embedded cluster, and pg_net's requests everywhere.
//! They log in as `dugout_worker`, which has rights on their tables only, and sleep until a trigger of the extension notifies them.

mod cron;
mod mail;
mod net;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use gateway::PublicUrl;
use gateway::events::Events;
use gateway::mail::Post;
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
    tasks: Vec<AbortHandle>,
    pools: [Pool; 2],
}

impl Workers {
    /// Starts the workers. `target` logs in as [`ROLE`], `is_ours` to our own cluster, where each job can log in as its owner.
    /// Mails are sent by `post`, if a service offers it.
    pub(crate) fn start(
        (target, is_ours): (&Target, bool),
        listener: &Listener,
        (own, dev): (&PublicUrl, bool),
        (post, events): (Option<Arc<dyn Post>>, &Events),
    ) -> Result<Self, StartError> {
        let failed = |error: pg::Error| StartError::Bootstrap("workers", error.to_string());
        let pool = Pool::new(target, &PoolConfig { size: CONNECTIONS, acquire_timeout: PATIENCE }).map_err(failed)?;
        let turn = Pool::new(target, &PoolConfig { size: 1, acquire_timeout: PATIENCE }).map_err(failed)?;
        let wakes = Wakes::default();
        let Wakes { cron, mail, net } = wakes.clone();
        let sender = net::Sender::new(own, dev).map_err(StartError::Http)?;
        let mut tasks = vec![
            tokio::spawn(listen(listener.subscribe(CHANNEL), wakes)).abort_handle(),
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
        if let Some(post) = post {
            let (pool, events, own) = (pool.clone(), events.clone(), own.clone());
            let run = move |wake| mail::run(pool.clone(), Arc::clone(&post), events.clone(), own.clone(), wake);
            tasks.push(tokio::spawn(kept_running("mail", RESTART, mail, run)).abort_handle());
        }
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

/// Wakes each worker.
#[derive(Clone, Default)]
struct Wakes {
    cron: Arc<Notify>,
    mail: Arc<Notify>,
    net: Arc<Notify>,
}

async fn listen(mut events: Subscription, Wakes { cron, mail, net }: Wakes) {
    loop {
        match events.next().await {
            Event::Notification { payload } if payload == "cron" => cron.notify_one(),
            Event::Notification { payload } if payload == "mail" => mail.notify_one(),
            Event::Notification { payload } if payload == "net" => net.notify_one(),
            // Earlier notifications may have been missed.
            Event::Connected | Event::Reconnected => {
                for worker in [&cron, &mail, &net] {
                    worker.notify_one();
                }
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

/// Whether a queue is ours: that of the original pg_net belongs to another role, and so does any other table of the same name.
async fn is_ours(pool: &Pool, schema: &str, table: &str) -> Result<bool, pg::Error> {
    let sql = "select exists (
        select
        from pg_catalog.pg_class as class
        join pg_catalog.pg_namespace as schema on schema.oid = class.relnamespace
        where schema.nspname = $1
          and class.relname = $2
          and class.relowner = (select oid from pg_catalog.pg_roles where rolname = current_user))";
    pool.get().await?.query_one(sql, &[&schema, &table]).await.map(|row| row.get(0))
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
