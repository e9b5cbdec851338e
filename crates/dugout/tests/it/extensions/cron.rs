//! pg_cron: <https://github.com/citusdata/pg_cron>, README.

use super::Running;

#[tokio::test]
async fn schedules_are_validated_and_stored_like_the_original() {
    let Some(s) = Running::start().await else { return };
    s.run("create extension if not exists pg_cron with schema extensions").await;
    // The app has a job of its own.
    let nightly = s.one("select cron.schedule('nightly', '30 3 * * 6', 'vacuum')").await;
    let again = s.one("select cron.schedule('nightly', '0 10 $ * *', 'vacuum')").await;
    assert_eq!(again, nightly, "the same name changes it");
    assert_eq!(s.one("select schedule from cron.job where jobname = 'nightly'").await, "0 10 $ * *");
    for schedule in ["@daily", "*/5 1-5,7 * jan-mar MON", "59 seconds", " 0 0 1 1 0 "] {
        s.run(&format!("select cron.schedule('{schedule}', 'select 1')")).await;
    }
    for schedule in ["60 * * * *", "* * * *", "* * * * * *", "0 seconds", "60 seconds", "", "5-1 * * * *", "x * * * *"]
    {
        let said = s.refusal(&format!("select cron.schedule('{schedule}', 'select 1')")).await;
        assert_eq!(said, format!("invalid schedule: {schedule}"));
    }
    assert_eq!(s.one("select cron.unschedule('nightly')").await, "t");
    assert_eq!(s.refusal("select cron.unschedule('nightly')").await, "could not find valid entry for job 'nightly'");
    let matches = |schedule: &str, at: &str| format!("select cron._matches('{schedule}', '{at}+00')");
    for (schedule, at, expected) in [
        ("0 10 $ * *", "2024-02-29 10:00", "t"),
        ("0 10 $ * *", "2024-02-28 10:00", "f"),
        ("*/15 * * * *", "2024-01-01 00:45", "t"),
        ("*/15 * * * *", "2024-01-01 00:46", "f"),
        // If both fields of days are restricted either may match; if one begins with a star, both must.
        ("0 0 13 * fri", "2024-09-13 00:00", "t"),
        ("0 0 13 * fri", "2024-09-06 00:00", "t"),
        ("0 0 13 * fri", "2024-09-12 00:00", "f"),
        ("0 0 */2 * fri", "2024-09-06 00:00", "f"),
        ("0 0 * * 7", "2024-09-08 00:00", "t"),
        ("@hourly", "2024-09-08 05:00", "t"),
        // A step may be longer than the range.
        ("0 0 */100 * *", "2024-09-01 00:00", "t"),
        ("0 0 */100 * *", "2024-09-02 00:00", "f"),
    ] {
        assert_eq!(s.one(&matches(schedule, at)).await, expected, "{schedule} at {at}");
    }
}

#[tokio::test]
async fn jobs_run_as_their_owner_one_at_a_time_and_are_recorded() {
    let Some(mut s) = Running::start().await else { return };
    s.run(
        "create extension if not exists pg_cron;
         create table public.runs (at timestamptz default clock_timestamp(), who text default session_user);
         select cron.schedule('good', '1 second', 'insert into public.runs default values');
         select cron.schedule('bad', '1 second', 'select 1 / 0');
         select cron.schedule('long', '1 second', 'select pg_sleep(2.5)');
         select cron.schedule('greedy', '1 second',
           'reset session authorization; reset role; create role upstart superuser login');",
    )
    .await;
    s.until("(select count(*) from public.runs) >= 3").await;
    assert_eq!(s.one("select distinct who from public.runs").await, "postgres");
    let of = |name: &str| format!("cron.job_run_details join cron.job using (jobid) where jobname = '{name}'");
    s.until(&format!(
        "exists (select from {} and status = 'failed' and return_message like '%division by zero%')",
        of("bad")
    ))
    .await;
    s.until(&format!("exists (select from {} and status = 'failed')", of("greedy"))).await;
    assert_eq!(s.one("select count(*) from pg_roles where rolname = 'upstart'").await, "0");
    s.until(&format!(
        "(select count(*) from {} and status = 'succeeded' and return_message = '1 row') >= 2",
        of("long")
    ))
    .await;
    let overlaps = format!(
        "select count(*) from (select start_time < lag(end_time) over (order by runid) as early from {}) as runs where early",
        of("long")
    );
    assert_eq!(s.one(&overlaps).await, "0", "two runs of one job at the same time");

    s.until(&format!("exists (select from {} and status = 'running')", of("long"))).await;
    s.crash().await;
    s.until("exists (select from cron.job_run_details where return_message = 'server restarted')").await;
    s.run("truncate public.runs").await;
    s.until("(select count(*) from public.runs) >= 2").await;
    s.run("select cron.unschedule(jobid) from cron.job").await;
}

#[tokio::test]
async fn jobs_cannot_be_scheduled_for_foreign_roles() {
    let Some(s) = Running::start().await else { return };
    s.run("create extension if not exists pg_cron").await;
    let mine = s.one("select cron.schedule('mine', '0 0 1 1 *', 'select 1')").await;
    for (role, said) in [
        ("supabase_admin", "a job cannot belong to the superuser \"supabase_admin\""),
        ("supabase_auth_admin", "permission denied to schedule a job as \"supabase_auth_admin\""),
        ("dugout_worker", "permission denied to schedule a job as \"dugout_worker\""),
    ] {
        for sql in [
            format!("update cron.job set username = '{role}'"),
            format!("set session_replication_role = replica; update cron.job set username = '{role}'"),
            format!("select cron.alter_job({mine}, username => '{role}')"),
            format!("select cron.schedule_in_database('x', '* * * * *', 'select 1', 'postgres', '{role}')"),
        ] {
            assert_eq!(s.refusal(&sql).await, said, "{sql}");
        }
    }
    assert_eq!(s.refusal("alter table cron.job disable trigger all").await, "must be owner of table job");
    assert_eq!(s.refusal("set role anon; select * from cron.job").await, "permission denied for schema cron");
}
