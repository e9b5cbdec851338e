//! `Prefer: count=`. Source: src/library/PostgREST/MainTx.hs.

use crate::kit::{Calls, DataApi};

#[tokio::test]
async fn a_planned_count_is_made_in_the_same_transaction() {
    let s = DataApi::start(
        "create table letters as select chr(i) as letter from generate_series(97, 122) i;
         analyze letters;
         create function before() returns void language plpgsql as $$
         begin perform pg_stat_force_next_flush(); end $$;
         do $$ begin execute format('alter database %I set track_functions = ''all''', current_database()); end $$",
        &[("PGRST_DB_PRE_REQUEST", "api.before")],
    )
    .await;
    let client = s.database.connect().await;
    for (kind, calls) in [("planned", 1), ("exact", 2), ("estimated", 3)] {
        let letters = s.get("/letters?limit=2").header("prefer", &format!("count={kind}")).await.is(206);
        assert_eq!(letters.header("content-range"), "0-1/26", "{kind}");
        let called = client.query_one("select pg_stat_get_function_calls('api.before'::regproc)", &[]).await.unwrap();
        assert_eq!(called.get::<_, i64>(0), calls, "{kind}");
    }
}
