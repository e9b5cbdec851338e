//! The worker of pg_cron: runs the jobs in `cron.job` on schedule.
//!
//! As in the original, a job never runs twice at the same time: a run that falls due meanwhile starts after the first has
//! ended. Runs that fell due while the server was down are skipped. After a pause of up to [`CATCH_UP`] minutes (a suspended
//! machine) the worker runs the jobs of every missed minute, after a longer one only those of the current minute.

mod run;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pg::pool::Query;
use pg::{Error, Pool, Target};
use tokio::sync::{Notify, Semaphore};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

use run::Runner;

/// The largest number of concurrent jobs; others wait.
const AT_ONCE: usize = 8;

/// The longest pause whose missed minutes are caught up, in minutes.
const CATCH_UP: i64 = 5;

/// Seconds in a minute.
const MINUTE: u64 = 60;

/// Delay after a database error.
const RETRY: Duration = Duration::from_secs(5);

/// When a job with an interval schedule (`30 seconds`) runs.
struct Interval {
    every: Duration,
    next: Instant,
}

struct Scheduler {
    pool: Pool,
    runner: Runner,
    /// Number of runs that are due or in progress, by job.
    waiting: HashMap<i64, u32>,
    intervals: HashMap<i64, Interval>,
    /// The runs in progress, which end with the scheduler.
    runs: JoinSet<()>,
    /// The job of each run.
    jobs: HashMap<task::Id, i64>,
}

/// Runs jobs until it is dropped.
pub(super) async fn run(pool: Pool, target: Target, wake: Arc<Notify>) {
    let runner = Runner { pool: pool.clone(), target, permits: Arc::new(Semaphore::new(AT_ONCE)) };
    let mut scheduler = Scheduler {
        pool,
        runner,
        waiting: HashMap::new(),
        intervals: HashMap::new(),
        runs: JoinSet::new(),
        jobs: HashMap::new(),
    };
    // The listener also notifies when it first connects.
    wake.notified().await;
    while let Err(error) = scheduler.begin().await {
        tracing::warn!(event = "cron_not_started", detail = %error);
        sleep(RETRY).await;
    }
    let mut minute = this_minute();
    loop {
        let next_minute = Instant::now() + until_next_minute();
        let next = scheduler
            .intervals
            .values()
            .map(|interval| interval.next)
            .min()
            .map_or(next_minute, |at| at.min(next_minute));
        tokio::select! {
            () = sleep_until(next) => {}
            () = wake.notified() => {}
            Some(run) = scheduler.runs.join_next_with_id() => {
                scheduler.ended(run);
                continue;
            }
        }
        if let Err(error) = scheduler.tick(&mut minute).await {
            tracing::warn!(event = "cron_tick_failed", detail = %error);
            sleep(RETRY).await;
        }
    }
}

impl Scheduler {
    /// Marks runs that a crash interrupted as failed, and starts the `@reboot` jobs.
    async fn begin(&mut self) -> Result<(), Error> {
        if !super::has_jobs(&self.pool).await? {
            return Ok(());
        }
        let connection = self.pool.get().await?;
        let sql = "update cron.job_run_details set status = 'failed', return_message = 'server restarted', end_time = now() \
            where status in ('starting', 'running')";
        connection.execute(sql, &[]).await?;
        let sql = "select jobid from cron.job where active and lower(btrim(schedule)) = '@reboot'";
        let jobs = connection.query(sql, &[]).await?;
        drop(connection);
        jobs.iter().for_each(|row| self.is_due(row.get(0)));
        Ok(())
    }

    /// Starts what has fallen due since `minute`, and moves `minute` to now.
    async fn tick(&mut self, minute: &mut i64) -> Result<(), Error> {
        let now = this_minute();
        let installed = super::has_jobs(&self.pool).await?;
        if !installed {
            self.intervals.clear();
            *minute = now;
            return Ok(());
        }
        self.read_intervals().await?;
        let passed = now - *minute;
        let first = if (1..=CATCH_UP).contains(&passed) { *minute + 1 } else { now.max(*minute + 1) };
        for due in first..=now {
            for job in self.due_in(due).await? {
                self.is_due(job);
            }
            // Minute by minute: after an error the next tick must not start these jobs again.
            *minute = due;
        }
        *minute = now.max(*minute);
        let moment = Instant::now();
        let due: Vec<i64> =
            self.intervals.iter().filter(|(_, interval)| interval.next <= moment).map(|(job, _)| *job).collect();
        for job in due {
            if let Some(interval) = self.intervals.get_mut(&job) {
                interval.next = moment + interval.every;
            }
            // An interval that ends while the job is still running is skipped.
            if !self.waiting.contains_key(&job) {
                self.is_due(job);
            }
        }
        Ok(())
    }

    async fn read_intervals(&mut self) -> Result<(), Error> {
        let sql =
            "select jobid, cron._seconds(schedule) from cron.job where active and cron._seconds(schedule) is not null";
        let rows = self.pool.get().await?.query(sql, &[]).await?;
        let mut found = HashMap::new();
        for row in &rows {
            let (job, seconds): (i64, i32) = (row.get(0), row.get(1));
            let every = Duration::from_secs(u64::try_from(seconds).unwrap_or(1));
            let known = self.intervals.remove(&job).filter(|interval| interval.every == every);
            let fresh = || Interval { every, next: Instant::now() + every };
            found.insert(job, known.unwrap_or_else(fresh));
        }
        self.intervals = found;
        Ok(())
    }

    async fn due_in(&self, minute: i64) -> Result<Vec<i64>, Error> {
        let sql = "select jobid from cron.job
            where active and case
              when cron._seconds(schedule) is not null or lower(btrim(schedule)) = '@reboot' then false
              else cron._matches(schedule, to_timestamp($1::bigint * 60))
            end order by jobid";
        let rows = self.pool.get().await?.query(sql, &[&minute]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn is_due(&mut self, job: i64) {
        let runs = self.waiting.entry(job).or_default();
        *runs += 1;
        if *runs == 1 {
            self.start(job);
        }
    }

    /// Starts the job of an ended run again if it fell due meanwhile.
    fn ended(&mut self, run: Result<(task::Id, ()), JoinError>) {
        let id = match run {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(event = "cron_run_panicked", detail = %error);
                error.id()
            }
        };
        let Some(job) = self.jobs.remove(&id) else { return };
        let runs = self.waiting.get(&job).copied().unwrap_or(1) - 1;
        if runs == 0 {
            self.waiting.remove(&job);
        } else {
            self.waiting.insert(job, runs);
            self.start(job);
        }
    }

    fn start(&mut self, job: i64) {
        let runner = self.runner.clone();
        let run = self.runs.spawn(async move { runner.run(job).await });
        self.jobs.insert(run.id(), job);
    }
}

/// Minutes since the Unix epoch.
fn this_minute() -> i64 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    i64::try_from(seconds / MINUTE).unwrap_or_default()
}

fn until_next_minute() -> Duration {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_secs((since.as_secs() / MINUTE + 1) * MINUTE).saturating_sub(since)
}
