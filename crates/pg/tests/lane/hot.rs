//! The hot lane: many requests share few connections without affecting each other.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use pg::{Access, Cost, Isolation, Lane, LaneConfig, Lanes, Session, Snippet, Work};
use tokio::task::JoinSet;

use crate::database::{Database, reading, refused, texts, work};

/// A lane whose reads share one connection, unless `lanes` says otherwise.
fn hot_lane(db: &Database, lanes: Lanes) -> Lane {
    let config =
        LaneConfig { size: 2, hot: 1, lanes, acquire_timeout: Duration::from_secs(5), ..LaneConfig::default() };
    Lane::new(&db.target, &config).unwrap()
}

fn sharing(work: Work) -> Work {
    Work { cost: Cost::Unknown, ..work }
}

/// A read as `role` with `claims`.
fn reading_as(role: &str, claims: &str, query: &'static str) -> Work {
    let mut session = Session::new(role);
    session.set("request.jwt.claims", claims).set("search_path", "public");
    sharing(Work { access: Access::ReadOnly, ..Work::new(session, Snippet::raw(query)) })
}

const PID: &str = "select pg_backend_pid()";

async fn pid(lane: &Lane) -> String {
    lane.read(&sharing(reading(PID))).await.unwrap().rows[0].text(0).unwrap().to_owned()
}

fn by_key(query: &'static str) -> Work {
    Work { cost: Cost::ByKey, ..reading(query) }
}

/// The backend of the exclusive lane's connection, and that of the shared one as soon as it is open.
async fn pids(lane: &Lane) -> (String, String) {
    let ran_on = async || lane.read(&by_key(PID)).await.unwrap().rows[0].text(0).unwrap().to_owned();
    // This lane does not wait for a shared connection.
    let alone = ran_on().await;
    for _ in 0..1000 {
        let shared = ran_on().await;
        if shared != alone {
            return (alone, shared);
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("no shared connection was made");
}

#[tokio::test]
async fn requests_share_only_a_connection() {
    let db = Database::create().await;
    let lane = hot_lane(&db, Lanes::Hot);
    let roles = [db.role("anon").await, db.role("authenticated").await];
    db.sql(&format!(
        "create function who() returns text language sql stable
           as $$ select current_user || current_setting('request.jwt.claims') $$;
         create table secrets (owner text);
         insert into secrets select who from unnest(array['{0}', '{1}']) who;
         alter table secrets enable row level security;
         create policy own on secrets using (owner = current_user);
         grant select on secrets to {0}, {1}",
        roles[0], roles[1]
    ))
    .await;
    let shared = pid(&lane).await;
    let mut asked = Vec::new();
    for number in 0..200 {
        let (lane, role) = (lane.clone(), roles[number % 2].clone());
        let claims = format!("{{\"n\":{number}}}");
        asked.push(tokio::spawn(async move {
            // Every third request fails, each at another stage: in the settings, while parsing, while producing rows.
            let query = match number % 9 {
                2 => "select nothing from nowhere",
                5 => "select 1 / (3 - generate_series(1, 5))",
                _ => "select who(), pg_backend_pid()::text, (select string_agg(owner, ',') from secrets)",
            };
            let nobody = number % 9 == 8;
            let name = if nobody { "no_such_role" } else { role.as_str() };
            let rows = lane.read(&reading_as(name, &claims, query)).await;
            match number % 9 {
                2 => assert_eq!(refused(rows).code, "42P01"),
                5 => assert_eq!(refused(rows).code, "22012"),
                8 => assert_eq!(refused(rows).code, "22023"),
                _ => {
                    let rows = rows.unwrap();
                    assert_eq!(rows.rows[0].text(0).unwrap(), format!("{role}{claims}"));
                    assert_eq!(rows.rows[0].text(2).unwrap(), role);
                    return rows.rows[0].text(1).map(str::to_owned);
                }
            }
            None
        }));
    }
    let mut shared_by = 0;
    for answer in asked {
        shared_by += usize::from(answer.await.unwrap().is_some_and(|pid| pid == shared));
    }
    assert!(shared_by > 20, "{shared_by} of 134 were on the shared connection");

    // The settings of other requests are gone: this one has the connection's own role and no claims.
    let left =
        sharing(reading("select current_user = session_user, nullif(current_setting('request.jwt.claims', true), '')"));
    assert_eq!(texts(&lane.read(&left).await.unwrap()), [["t", "∅"]]);
    assert_eq!(pid(&lane).await, shared);
}

#[tokio::test]
async fn responses_still_match_after_clients_disconnect() {
    let db = Database::create().await;
    let lane = hot_lane(&db, Lanes::Hot);
    let shared = pid(&lane).await;
    for round in 0..30 {
        let mut query = Snippet::raw("select ");
        query.integer(round).push(", pg_sleep(0.002)::text, pg_backend_pid()::text");
        let numbered = sharing(Work { access: Access::ReadOnly, ..Work::new(Session::of_connection(), query) });
        // Disconnects at different stages: before it is sent, before the response, during the response.
        let patience = Duration::from_micros(100 * u64::try_from(round).unwrap());
        let _ = tokio::time::timeout(patience, lane.read(&numbered)).await;
        let rows = lane.read(&numbered).await.unwrap();
        assert_eq!(rows.rows[0].text(0).unwrap(), round.to_string());
        assert_eq!(rows.rows[0].text(2).unwrap(), shared);
    }
}

#[tokio::test]
async fn a_read_cannot_write_or_enable_writing() {
    let db = Database::create().await;
    db.sql(
        "create table t (id int);
         create function writes() returns int language sql as 'insert into t values (1) returning id';
         create function turns_off() returns text language sql
           as $$ select set_config('transaction_read_only', 'off', true) $$",
    )
    .await;
    let lane = hot_lane(&db, Lanes::Hot);
    let shared = pid(&lane).await;
    for (query, code) in
        [("select writes()", "25006"), ("select turns_off(), writes()", "25001"), ("insert into t values (2)", "25006")]
    {
        assert_eq!(refused(lane.read(&sharing(reading(query))).await).code, code, "{query}");
    }
    assert_eq!(db.number("select count(*) from t").await, 0);
    let settings = "select current_setting('transaction_read_only'), current_setting('transaction_isolation')";
    assert_eq!(texts(&lane.read(&sharing(reading(settings))).await.unwrap()), [["on", "read committed"]]);
    assert_eq!(pid(&lane).await, shared, "refusals do not close the connection");
}

#[tokio::test]
async fn writes_other_isolations_and_expensive_reads_are_exclusive() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = hot_lane(&db, Lanes::Hot);
    let shared = pid(&lane).await;
    let alone = [
        reading(PID),
        sharing(work(PID)),
        sharing(Work { isolation: Isolation::RepeatableRead, ..reading(PID) }),
        sharing(Work { before: vec![Snippet::raw("select 1")], ..reading(PID) }),
    ];
    for work in alone {
        assert_ne!(lane.read(&work).await.unwrap().rows[0].text(0), Some(shared.as_str()), "{work:?}");
    }
    assert_eq!(lane.read(&sharing(work("insert into t values (1)"))).await.unwrap().affected, 1);

    // With other defaults for transactions in the database, only an explicit BEGIN is right.
    let name = &db.name;
    db.sql(&format!("alter database {name} set default_transaction_isolation = 'serializable'")).await;
    let lane = hot_lane(&db, Lanes::Hot);
    let isolation = sharing(reading("select current_setting('transaction_isolation')"));
    assert_eq!(texts(&lane.read(&isolation).await.unwrap()), [["read committed"]]);
}

#[tokio::test]
async fn reads_survive_a_killed_connection() {
    let db = Database::create().await;
    let lane = hot_lane(&db, Lanes::Hot);
    let shared = pid(&lane).await;
    let slow: Vec<_> = (0..5)
        .map(|_| {
            let lane = lane.clone();
            let work = sharing(reading("select 'read', pg_sleep(0.05)::text"));
            tokio::spawn(async move { lane.read(&work).await.map(|rows| rows.rows.len()) })
        })
        .collect();
    db.await_activity("state = 'active'", 1).await;
    assert_eq!(db.kill_backends().await, 1);
    for read in slow {
        assert_eq!(read.await.unwrap().unwrap(), 1);
    }
    // A new connection was opened.
    assert_ne!(pid(&lane).await, shared);
    assert_eq!(pid(&lane).await, pid(&lane).await);
}

#[tokio::test]
async fn a_slow_read_moves_to_the_exclusive_lane_and_stays() {
    let db = Database::create().await;
    let lane = hot_lane(&db, Lanes::Auto);
    let (_, shared) = pids(&lane).await;
    let slow = by_key("select pg_backend_pid()::text from pg_sleep(0.3)");
    for _ in 0..2 {
        let begun = std::time::Instant::now();
        let rows = lane.read(&slow).await.unwrap();
        assert_ne!(rows.rows[0].text(0), Some(shared.as_str()));
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    // The second time it did not try the shared connection.
    let calls = "select sum(generic_plans + custom_plans) from pg_prepared_statements \
         where statement like 'select pg_backend_pid()::text from pg_sleep%'";
    assert_eq!(texts(&lane.read(&by_key(calls)).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn a_statement_of_unknown_cost_joins_when_fast_and_leaves_after_a_large_response() {
    let db = Database::create().await;
    db.sql("create table size (bytes int); insert into size values (1)").await;
    let lane = hot_lane(&db, Lanes::Auto);
    let read = sharing(reading("select pg_backend_pid()::text, repeat('x', bytes) from size"));
    let (alone, shared) = pids(&lane).await;
    let ran_on = async || lane.read(&read).await.unwrap().rows[0].text(0).unwrap().to_owned();
    assert_eq!(ran_on().await, alone);
    let mut runs = 1;
    while ran_on().await == alone {
        runs += 1;
        assert!(runs < 1000, "never fast enough");
    }
    assert!(runs >= 4, "{runs}");
    db.sql("update size set bytes = 100000").await;
    assert_eq!(ran_on().await, shared);
    assert_eq!(ran_on().await, alone);
}

#[tokio::test]
async fn changed_tables_and_deallocated_statements_are_prepared_again() {
    let db = Database::create().await;
    db.sql("create table t (id int); insert into t values (1)").await;
    let lane = hot_lane(&db, Lanes::Hot);
    let shared = pid(&lane).await;
    let star = sharing(reading("select * from t"));
    assert_eq!(texts(&lane.read(&star).await.unwrap()), [["1"]]);
    db.sql("alter table t add name text default 'ana'").await;
    for _ in 0..2 {
        assert_eq!(texts(&lane.read(&star).await.unwrap()), [["1", "ana"]]);
    }
    db.sql("create function forgets() returns text language plpgsql as $$ begin deallocate all; return 'x'; end $$")
        .await;
    for _ in 0..3 {
        assert_eq!(texts(&lane.read(&sharing(reading("select forgets()"))).await.unwrap()), [["x"]]);
        assert_eq!(texts(&lane.read(&star).await.unwrap()), [["1", "ana"]]);
    }
    assert_eq!(pid(&lane).await, shared);
}

#[tokio::test]
async fn surplus_requests_go_elsewhere_and_close_waits_for_responses() {
    let db = Database::create().await;
    let lane = hot_lane(&db, Lanes::Auto);
    let (_, shared) = pids(&lane).await;
    let many: Vec<_> = (0..40)
        .map(|_| {
            let (lane, work) = (lane.clone(), by_key("select pg_backend_pid()::text, pg_sleep(0.001)::text"));
            tokio::spawn(async move { lane.read(&work).await.map(|rows| rows.rows[0].text(0).unwrap().to_owned()) })
        })
        .collect();
    tokio::task::yield_now().await;
    let mut on_shared = 0;
    for answer in many {
        on_shared += usize::from(answer.await.unwrap().unwrap() == shared);
    }
    assert!((1..=32).contains(&on_shared), "{on_shared}");
    let last = {
        let (lane, work) = (lane.clone(), by_key("select 'last', pg_sleep(0.03)::text"));
        tokio::spawn(async move { lane.read(&work).await.map(|rows| rows.rows.len()) })
    };
    db.await_activity("state = 'active'", 1).await;
    lane.close();
    assert_eq!(last.await.unwrap().unwrap(), 1);
    assert!(lane.read(&by_key(PID)).await.is_err());
    db.await_activity("true", 0).await;
}

#[tokio::test]
async fn guests_leave_a_shared_connection_to_others() {
    let db = Database::create().await;
    let config = LaneConfig { size: 4, hot: 2, hot_guests: 1, lanes: Lanes::Hot, ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    // The shared connections that ten concurrent reads used.
    let run = async |is_guest: bool| -> BTreeSet<String> {
        let mut reads = JoinSet::new();
        for _ in 0..10 {
            let query = "select pg_backend_pid()::text, current_setting('statement_timeout')";
            let (lane, work) = (lane.clone(), Work { is_guest, ..sharing(reading(query)) });
            reads.spawn(async move { lane.read(&work).await.unwrap() });
        }
        let rows = reads.join_all().await;
        let shared = rows.iter().map(|rows| &rows.rows[0]).filter(|row| row.text(1) == Some("100ms"));
        shared.map(|row| row.text(0).unwrap().to_owned()).collect()
    };
    let begun = Instant::now();
    while run(true).await.len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(30), "guests have only one connection although they are alone");
    }
    // Another request arrives. From then on it has a connection without guests.
    let ours = async || {
        let work = sharing(reading("select pg_backend_pid()::text"));
        lane.read(&work).await.unwrap().rows[0].text(0).unwrap().to_owned()
    };
    ours().await;
    for round in 0..20 {
        let (theirs, ours) = tokio::join!(run(true), ours());
        assert!(theirs.len() <= 1 && !theirs.contains(&ours), "round {round}: {ours} among guests on {theirs:?}");
    }
}
