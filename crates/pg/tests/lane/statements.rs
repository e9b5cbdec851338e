//! The cache of prepared statements.

use pg::{Lane, LaneConfig, Session, Snippet, Work};

use crate::database::{Database, commit, reading, refused, texts, work};

const PREPARED: &str = "select count(*), count(*) filter (where statement like '%from t%') from pg_prepared_statements";

#[tokio::test]
async fn the_second_use_is_not_parsed_again() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    for _ in 0..3 {
        commit(&lane, &work("select * from t")).await.unwrap();
    }
    // `begin`, the select and this query.
    assert_eq!(texts(&commit(&lane, &work(PREPARED)).await.unwrap()), [["3", "2"]]);
    assert_eq!(texts(&commit(&lane, &work(PREPARED)).await.unwrap()), [["3", "2"]]);
}

#[tokio::test]
async fn each_role_has_its_own_statements() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let roles = [db.role("anon").await, db.role("authenticated").await];
    for role in roles.iter().chain(&roles) {
        db.sql(&format!("grant select on t to {role}")).await;
        let query = Snippet::raw("select current_user::text, count(*) from t");
        let rows = commit(&lane, &Work::new(Session::new(role), query)).await.unwrap();
        assert_eq!(texts(&rows), [[role.as_str(), "0"]]);
    }
    // `begin`, the settings, the select twice, and this query.
    assert_eq!(texts(&commit(&lane, &work(PREPARED)).await.unwrap()), [["5", "3"]]);
}

#[tokio::test]
async fn a_changed_table_is_read_with_its_new_columns() {
    let db = Database::create().await;
    db.sql("create table t (id int); insert into t values (1)").await;
    let lane = db.lane(1);
    let star = work("select * from t");
    assert_eq!(texts(&commit(&lane, &star).await.unwrap()), [["1"]]);
    db.sql("alter table t add name text default 'ana'").await;
    let rows = commit(&lane, &star).await.unwrap();
    assert_eq!((texts(&rows), rows.columns[1].name.as_str()), (vec![vec!["1", "ana"]], "name"));
    db.sql("alter table t alter id type text using 'no ' || id").await;
    let rows = lane.read(&star).await.unwrap();
    assert_eq!((texts(&rows), rows.columns[0].type_oid), (vec![vec!["no 1", "ana"]], 25));

    // The attempt with the outdated statement was rolled back, so its effects happened once.
    let counted =
        Work { before: vec![Snippet::raw("insert into t values ('2')")], ..work("select * from t order by id") };
    commit(&lane, &counted).await.unwrap();
    db.sql("alter table t drop name").await;
    assert_eq!(texts(&commit(&lane, &counted).await.unwrap()), [["2"], ["2"], ["no 1"]]);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn deallocated_statements_are_prepared_again() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let one = reading("select 1");
    let deallocating = Work { before: vec![Snippet::raw("deallocate all")], ..one.clone() };
    for work in [&one, &deallocating, &one, &deallocating, &deallocating, &one] {
        assert_eq!(texts(&lane.read(work).await.unwrap()), [["1"]]);
    }
}

#[tokio::test]
async fn statements_with_errors_are_not_cached() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let query = work("select count(*) from t");
    assert_eq!(refused(commit(&lane, &query).await).code, "42P01");
    db.sql("create table t ()").await;
    assert_eq!(texts(&commit(&lane, &query).await.unwrap()), [["0"]]);
    let feature = work("select count(*) over () from t for update");
    for _ in 0..2 {
        assert_eq!(refused(commit(&lane, &feature).await).code, "0A000", "not every 0A000 is a stale statement");
    }
}

/// Prepares a statement under the name that the only connection of `lane` would use next.
async fn take_the_next_name(lane: &Lane) {
    let last = "select name from pg_prepared_statements order by length(name) desc, name desc limit 1";
    // The second time, the latest prepared statement is this query itself.
    commit(lane, &work(last)).await.unwrap();
    let rows = commit(lane, &work(last)).await.unwrap();
    let (prefix, number) = rows.rows[0].text(0).unwrap().rsplit_once('_').unwrap();
    // This statement itself also uses up a name.
    let next = format!("{prefix}_{}", number.parse::<u64>().unwrap() + 2);
    let mut taking = Snippet::raw("prepare ");
    taking.ident(&pg::Ident::new(&next)).push(" as select 'not ours'");
    commit(lane, &Work::new(Session::of_connection(), taking)).await.unwrap();
}

#[tokio::test]
async fn a_name_conflict_disables_the_cache() {
    let db = Database::create().await;
    let lane = db.lane(1);
    take_the_next_name(&lane).await;
    let prepared = |rows: &pg::Rows| rows.rows[0].text(0).unwrap().to_owned();
    let count = work("select count(*) from pg_prepared_statements where name <> ''");
    let before = prepared(&commit(&lane, &count).await.unwrap());
    for number in 0..3 {
        let mut query = Snippet::raw("select ");
        query.integer(number);
        let rows = commit(&lane, &Work::new(Session::of_connection(), query)).await.unwrap();
        assert_eq!(rows.rows[0].text(0), Some(number.to_string().as_str()));
    }
    assert_eq!(prepared(&commit(&lane, &count).await.unwrap()), before);
    assert_eq!(lane.status(), (1, 1, 0), "all on the one connection");
}

#[tokio::test]
async fn long_statements_are_not_cached() {
    let db = Database::create().await;
    let lane = db.lane(1);
    for words in [10, 2000] {
        let mut query = Snippet::raw("select 'long'");
        for _ in 0..words {
            query.push(" || repeat('x', 0)");
        }
        for _ in 0..2 {
            let work = Work::new(Session::of_connection(), query.clone());
            assert_eq!(texts(&commit(&lane, &work).await.unwrap()), [["long"]]);
        }
    }
    let longest =
        work("select max(length(statement)) < 1000, count(*) filter (where name = '') from pg_prepared_statements");
    assert_eq!(texts(&commit(&lane, &longest).await.unwrap())[0][0], "t");
}

#[tokio::test]
async fn the_cache_has_a_size() {
    let db = Database::create().await;
    for (statement_cache, prepared) in [(8, "8"), (0, "0")] {
        let lane = Lane::new(&db.target, &LaneConfig { size: 1, statement_cache, ..LaneConfig::default() }).unwrap();
        for number in 0..40 {
            let mut query = Snippet::raw("select ");
            query.integer(number % 20);
            let rows = commit(&lane, &Work::new(Session::default(), query)).await.unwrap();
            assert_eq!(rows.rows[0].text(0), Some((number % 20).to_string().as_str()));
        }
        let count = || reading("select count(*) from pg_prepared_statements where name <> ''");
        commit(&lane, &count()).await.unwrap();
        assert_eq!(texts(&commit(&lane, &count()).await.unwrap()), [[prepared]]);
    }
}
