//! Runs a job once and records it in `cron.job_run_details`.

use std::sync::Arc;

use pg::pool::Query;
use pg::{Error, Job, Pool, Target};
use tokio::sync::Semaphore;

/// Runs jobs. Clones share the permits.
#[derive(Clone)]
pub(super) struct Runner {
    pub(super) pool: Pool,
    /// The cluster, in which each job logs in as its owner.
    pub(super) target: Target,
    pub(super) permits: Arc<Semaphore>,
}

impl Runner {
    /// Runs the job once if it still exists. Errors are recorded in its row or, if that fails, logged.
    pub(super) async fn run(&self, job: i64) {
        let Ok(_permit) = self.permits.acquire().await else { return };
        if let Err(error) = self.recorded(job).await {
            tracing::warn!(event = "cron_run_not_recorded", job, detail = %error);
        }
    }

    async fn recorded(&self, job: i64) -> Result<(), Error> {
        // Creating jobs for superusers is refused, but a role may have become one since.
        let sql = "with job as (
              select job.* from cron.job as job
              join pg_catalog.pg_roles as role on role.rolname = job.username and not role.rolsuper
              where job.jobid = $1 and job.active and job.database = current_database()
            )
            insert into cron.job_run_details (jobid, database, username, command, status)
            select jobid, database, username, command, 'starting' from job
            returning runid, username, command";
        let row = self.pool.get().await?.query_opt(sql, &[&job]).await?;
        let Some(row) = row else { return Ok(()) };
        let (run, username, command): (i64, String, String) = (row.get(0), row.get(1), row.get(2));
        let target = self.target.with_user(&username, None).with_application_name("pg_cron");
        let outcome = self.outcome(run, &target, &command).await;
        let (status, message) = match outcome {
            Ok(message) => ("succeeded", message),
            Err(message) => ("failed", message),
        };
        let sql = "update cron.job_run_details set status = $2, return_message = $3, end_time = clock_timestamp() \
            where runid = $1";
        self.pool.get().await?.execute(sql, &[&run, &status, &message]).await.map(drop)
    }

    /// The command's tag, or what went wrong.
    async fn outcome(&self, run: i64, target: &Target, command: &str) -> Result<String, String> {
        let connection = Job::connect(target).await.map_err(|error| format!("connection failed: {error}"))?;
        self.is_running(run, connection.pid).await.map_err(|error| format!("not started: {error}"))?;
        connection.run(command).await.map_err(|error| format!("ERROR:  {error}"))
    }

    async fn is_running(&self, run: i64, pid: i32) -> Result<(), Error> {
        let sql = "update cron.job_run_details set status = 'running', job_pid = $2, start_time = clock_timestamp() \
            where runid = $1";
        self.pool.get().await?.execute(sql, &[&run, &pid]).await.map(drop)
    }
}
