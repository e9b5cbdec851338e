//! Transactions: settings, verdicts, errors and limits.

use pg::{Access, Error, Isolation, Lane, LaneConfig, LaneFailure, Session, Snippet, Verdict, Work};

use crate::database::{Database, commit, ended, reading, refused, texts, work};

const WHO: &str = "select current_user::text, current_setting('request.method', true), \
    current_setting('transaction_read_only'), current_setting('transaction_isolation')";

#[tokio::test]
async fn role_and_settings_apply_to_one_transaction() {
    let db = Database::create().await;
    let role = db.role("anon").await;
    let lane = db.lane(1);
    let mut session = Session::new(&role);
    session.set("request.method", "GET");
    let ours = Work { isolation: Isolation::RepeatableRead, session, ..reading(WHO) };
    assert_eq!(texts(&lane.read(&ours).await.unwrap()), [[role.as_str(), "GET", "on", "repeatable read"]]);
    assert_eq!(texts(&commit(&lane, &ours).await.unwrap()), [[role.as_str(), "GET", "on", "repeatable read"]]);

    let rows = commit(&lane, &work(WHO)).await.unwrap();
    assert_eq!(texts(&rows)[0][1..], ["", "off", "read committed"]);
    assert_ne!(rows.rows[0].text(0), Some(role.as_str()));
    assert_eq!(lane.status(), (1, 1, 0), "one connection served all");
}

#[tokio::test]
async fn a_transaction_that_commits_at_once_begins_with_begin_only_if_the_defaults_are_unusual() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let begins = work("select count(*)::text from pg_prepared_statements where statement like 'begin %'");
    let insert = work("insert into t values (1)");
    let lane = db.lane(1);
    lane.read(&insert).await.unwrap();
    assert_eq!(texts(&lane.read(&begins).await.unwrap()), [["0"]]);
    commit(&lane, &insert).await.unwrap();
    assert_eq!(texts(&lane.read(&begins).await.unwrap()), [["1"]]);

    // The defaults of a session that a function has changed, and those of a database.
    let changed = db.lane(1);
    let change = "select set_config('default_transaction_isolation', 'serializable', false), \
                  set_config('default_transaction_read_only', 'on', false)";
    changed.read(&work(change)).await.unwrap();
    db.sql(&format!("alter database {} set default_transaction_isolation = 'serializable'", db.name)).await;
    for lane in [changed, db.lane(1)] {
        for _ in 0..2 {
            assert_eq!(texts(&lane.read(&work(WHO)).await.unwrap())[0][2..], ["off", "read committed"]);
            assert_eq!(texts(&lane.read(&reading(WHO)).await.unwrap())[0][2..], ["on", "read committed"]);
            lane.read(&insert).await.unwrap();
        }
        assert_eq!(texts(&lane.read(&begins).await.unwrap()), [["2"]], "one for each access mode");
        assert_eq!(lane.status(), (1, 1, 0));
    }
    assert_eq!(db.number("select count(*) from t").await, 6);
}

#[tokio::test]
async fn the_verdict_decides_about_commit_and_rollback() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let insert = work("insert into t select generate_series(1, 3) returning id");

    let rows = commit(&lane, &insert).await.unwrap();
    assert_eq!((rows.affected, texts(&rows)), (3, vec![vec!["1"], vec!["2"], vec!["3"]]));
    let rows = ended(&lane, &insert, Verdict::Rollback).await.unwrap();
    assert_eq!(rows.affected, 3);
    let judged = lane.run(&insert, |rows| if rows.affected == 3 { Err("too many") } else { Ok(Verdict::Commit) });
    assert!(matches!(judged.await, Err(LaneFailure::Judged("too many"))));
    assert_eq!(db.number("select count(*) from t").await, 3);

    assert_eq!(lane.read(&insert).await.unwrap().affected, 3);
    assert_eq!(db.number("select count(*) from t").await, 6);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn deferred_constraints_are_checked_at_commit_and_rollback() {
    let db = Database::create().await;
    db.sql(
        "create table a (id int primary key);
         create table b (a int constraint b_a references a deferrable initially deferred)",
    )
    .await;
    let lane = db.lane(1);
    let orphan = work("insert into b values (1)");
    for verdict in [Verdict::Commit, Verdict::Rollback] {
        let error = refused(ended(&lane, &orphan, verdict).await);
        assert_eq!((error.code.as_str(), error.constraint.as_deref()), ("23503", Some("b_a")), "{verdict:?}");
    }
    assert_eq!(refused(lane.read(&orphan).await).code, "23503");
    assert_eq!(db.number("select count(*) from b").await, 0);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn an_error_rolls_back_and_keeps_all_its_fields() {
    let db = Database::create().await;
    db.sql(
        "create table t (id int constraint positive check (id > 0));
         create function stop() returns void language plpgsql as $$
         begin raise exception 'stop' using errcode = 'PT418', detail = 'd', hint = 'h'; end $$",
    )
    .await;
    let lane = db.lane(1);
    let stopped = Work {
        before: vec![Snippet::raw("insert into t values (1)"), Snippet::raw("select stop()")],
        ..work("insert into t values (2)")
    };
    let error = refused(commit(&lane, &stopped).await);
    assert_eq!((error.severity.as_str(), error.code.as_str(), error.message.as_str()), ("ERROR", "PT418", "stop"));
    assert_eq!((error.detail.as_deref(), error.hint.as_deref()), (Some("d"), Some("h")));
    assert!(error.context.unwrap().starts_with("PL/pgSQL function stop()"));

    let error = refused(commit(&lane, &work("insert into t values (0)")).await);
    let place = [&error.schema, &error.table, &error.constraint].map(|name| name.as_deref().unwrap());
    assert_eq!(place, ["public", "t", "positive"]);

    assert_eq!(refused(commit(&lane, &reading("insert into t values (3)")).await).code, "25006");
    let stranger = Work::new(Session::new("nobody\"s"), Snippet::raw("select 1"));
    assert_eq!(refused(commit(&lane, &stranger).await).code, "22023");
    assert_eq!(db.number("select count(*) from t").await, 0);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn rows_ahead_of_the_query_are_in_the_same_transaction() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let two = Work {
        before: vec![Snippet::raw("insert into t values (1)")],
        ahead: Some(Snippet::raw("select txid_current(), count(*) from t")),
        ..work("select txid_current() as id from t")
    };
    for count in ["1", "2"] {
        let rows = commit(&lane, &two).await.unwrap();
        assert_eq!(rows.ahead[0].text(1), Some(count));
        assert_eq!(rows.ahead[0].text(0), rows.rows[0].text(0));
        assert_eq!((rows.ahead.len(), rows.columns.len(), rows.columns[0].name.as_str()), (1, 1, "id"));
    }
}

#[tokio::test]
async fn values_and_results_are_text() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let mut query = Snippet::raw("select ");
    query.param("41").push("::int + 1 as n, ").param_or_null(None::<&'static str>).push("::text, ");
    query.param("").push("::text, ").param("⚾ '\\").push("::text");
    let rows = lane.read(&Work { access: Access::ReadOnly, ..Work::new(Session::default(), query) }).await.unwrap();
    assert_eq!(texts(&rows), [["42", "∅", "", "⚾ '\\"]]);
    assert_eq!((rows.columns[0].name.as_str(), rows.columns[0].type_oid, rows.columns.len()), ("n", 23, 4));
    assert_eq!(rows.rows[0].get(1), None);

    let nothing = commit(&lane, &work("")).await.unwrap();
    assert_eq!((nothing.rows.len(), nothing.columns.len()), (0, 0));
    let mut select = Snippet::raw("select ");
    select.append(Snippet::value("a\0b"));
    assert_eq!(refused(commit(&lane, &Work { query: select.into(), ..work("") }).await).code, "22021");
}

#[tokio::test]
async fn megabytes_pass_in_both_directions_up_to_the_limit() {
    let db = Database::create().await;
    let limited = |max_answer| Lane::new(&db.target, &LaneConfig { max_answer, ..LaneConfig::default() }).unwrap();
    let large = "⚾".repeat(3_000_000);
    let mut query = Snippet::raw("select ");
    query.param(large.clone()).push("::text || 'x'");
    let echo = Work::new(Session::default(), query);
    let rows = commit(&limited(16 << 20), &echo).await.unwrap();
    assert_eq!(rows.rows[0].get(0).unwrap().len(), large.len() + 1);

    let lane = limited(8 << 20);
    assert!(matches!(commit(&lane, &echo).await, Err(Error::TooLarge(_))));
    assert_eq!(texts(&commit(&lane, &work("select 1")).await.unwrap()), [["1"]]);

    let mut many = Snippet::raw("select ");
    many.append(Snippet::join((0..65_536).map(|_| Snippet::value("1")), "+"));
    assert!(matches!(commit(&lane, &Work { query: many.into(), ..work("") }).await, Err(Error::Protocol(_))));
    assert_eq!(texts(&commit(&lane, &work("select 1")).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn a_statement_timeout_fails_one_transaction_only() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let mut session = Session::of_connection();
    session.set("statement_timeout", "50");
    let slow = Work { session, ..work("select pg_sleep(5)") };
    assert_eq!(refused(commit(&lane, &slow).await).code, "57014");
    assert_eq!(texts(&commit(&lane, &work("show statement_timeout")).await.unwrap()), [["0"]]);
    assert_eq!(lane.status(), (1, 1, 0));
}
