//! pg_net: <https://github.com/supabase/pg_net>, README.

use super::Running;
use crate::kit::{Calls, free_port, long};

#[tokio::test]
async fn responses_arrive_later_and_only_from_allowed_addresses() {
    let Some(s) = Running::start().await else { return };
    s.run("create extension if not exists pg_net with schema extensions").await;
    let own = s.launch.url();
    let id = s.one(&format!("select net.http_get('{own}/health', '{{\"a\": \"ä b\"}}')")).await;
    assert_eq!(id, "1");
    s.until("exists (select from net._http_response where id = 1)").await;
    assert_eq!(s.one("select status_code from net._http_response where id = 1").await, "200");
    assert_eq!(s.one("select (net._http_collect_response(1)).status").await, "SUCCESS");
    assert_eq!(s.one("select count(*) from net.http_request_queue").await, "0");
    // The body arrives unchanged: auth's error names what is missing in it.
    s.run(&format!("select net.http_post('{own}/auth/v1/token?grant_type=password', '{{\"email\": 1}}')")).await;
    s.until("exists (select from net._http_response where id = 2 and status_code >= 400)").await;

    let port = free_port();
    for (url, said) in [
        (format!("http://127.0.0.1:{port}/"), "the address is not on the public internet"),
        (format!("http://localhost:{port}/"), "the address is not on the public internet"),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "the address is not on the public internet"),
        ("http://[::ffff:127.0.0.1]:5432/".to_owned(), "the address is not on the public internet"),
        ("file:///etc/passwd".to_owned(), "Protocol \"file\" not supported"),
    ] {
        let id = s.one(&format!("select net.http_get('{url}')")).await;
        s.until(&format!("exists (select from net._http_response where id = {id})")).await;
        assert_eq!(s.one(&format!("select error_msg from net._http_response where id = {id}")).await, said, "{url}");
    }
    let denied = s.refusal("set role anon; select * from net._http_response").await;
    assert_eq!(denied, "permission denied for table _http_response");
    s.run("reset role; set role anon; select net.http_get('http://127.0.0.1/'); reset role").await;
}

#[tokio::test]
async fn a_queue_survives_a_crash() {
    let Some(mut s) = Running::start().await else { return };
    s.run("create extension if not exists pg_net").await;
    let own = s.launch.url();
    s.run(&format!("select net.http_get('{own}/health') from generate_series(1, 300)")).await;
    s.crash().await;
    s.until("(select count(distinct id) from net._http_response) = 300").await;
    assert_eq!(s.one("select count(*) from net.http_request_queue").await, "0");
}

/// How many requests wait at once.
const QUEUED: u64 = 1_000;

#[tokio::test]
async fn every_request_of_a_long_queue_is_answered_once() {
    let Some(s) = Running::start().await else { return };
    s.run("create extension if not exists pg_net").await;
    let queued = long("DUGOUT_TEST_QUEUED", QUEUED);
    let own = s.launch.url();
    let begun = std::time::Instant::now();
    s.run(&format!("select net.http_get('{own}/health') from generate_series(1, {queued})")).await;
    let answered = format!("(select count(*) from net._http_response) >= {queued}");
    // A long queue takes longer than a test usually waits: as long as it gets shorter, it works.
    while s.one(&format!("select {answered}")).await != "t" {
        let before = s.one("select count(*) from net._http_response").await;
        s.until(&format!("(select count(*) from net._http_response) > {before} or {answered}")).await;
    }
    println!("{queued} requests in {} ms", begun.elapsed().as_millis());
    let once = format!(
        "select count(*) = {queued} and count(distinct id) = {queued} from net._http_response where status_code = 200"
    );
    assert_eq!(
        s.one(&once).await,
        "t",
        "{}",
        s.one("select json_agg(distinct (status_code, error_msg)) from net._http_response").await
    );
    assert_eq!(s.one("select count(*) from net.http_request_queue").await, "0");
    // The public side serves others meanwhile and afterwards.
    s.dugout.get("/health").await.is(200);
}
