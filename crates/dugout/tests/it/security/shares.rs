//! What many clients together may use, and what remains for others: connections, and the contact form.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::kit::{Calls, Server};

#[tokio::test]
async fn slow_anonymous_requests_leave_connections_to_others() {
    const SLOW: usize = 12;
    let s = Server::start().await;
    let functions = "create function public.slow() returns void language sql as $$ select pg_sleep(.7) $$;
        create function public.quick() returns int language sql as $$ select 1 $$;
        grant execute on function public.slow(), public.quick() to anon, authenticated;
        notify pgrst, 'reload schema';";
    s.database.connect().await.batch_execute(functions).await.unwrap();
    let ana = s.signed_up("ana@x.test").await;
    let begun = Instant::now();
    while ana.post("/rest/v1/rpc/quick", json!({})).await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30), "the functions are not known");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let done = Arc::new(AtomicUsize::new(0));
    let floods: Vec<_> = (0..SLOW)
        .map(|_| {
            let (request, done) = (s.post("/rest/v1/rpc/slow", json!({})), Arc::clone(&done));
            tokio::spawn(async move {
                let answer = request.await;
                done.fetch_add(1, Ordering::SeqCst);
                answer.status
            })
        })
        .collect();
    // Wait until some of them run and the others queue.
    let client = s.database.connect().await;
    let running = "select count(*) from pg_stat_activity
        where usename = 'authenticator' and datname = current_database() and state = 'active' and query like '%slow%'";
    while client.query_one(running, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing runs");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for _ in 0..3 {
        let before = done.load(Ordering::SeqCst);
        ana.post("/rest/v1/rpc/quick", json!({})).await.is(200);
        let meanwhile = done.load(Ordering::SeqCst) - before;
        assert!(meanwhile <= 1, "{meanwhile} anonymous requests came before one of a user");
        let held: i64 = client.query_one(running, &[]).await.unwrap().get(0);
        assert!(held <= 1, "{held} of the two connections are held by anonymous requests");
    }
    for flood in floods {
        let status = flood.await.unwrap();
        assert!([200, 204, 504].contains(&status), "{status}");
    }
}

#[tokio::test]
async fn a_few_networks_cannot_block_the_contact_form() {
    const OF_A_NETWORK: usize = 30;
    let s = Server::with(&[("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let message = |writer: &str| json!({ "name": "Vi", "email": writer, "subject": "", "message": "Hi" });
    let visit = async |from: &str, writer: &str| {
        let request = s.post("/rest/v1/rpc/send_contact_message", message(writer));
        request.header("x-forwarded-for", from).await
    };
    for network in 1..=6 {
        for number in 0..=OF_A_NETWORK {
            // A customer's /48 has another /64 for each message.
            let said = visit(&format!("2001:db8:{network}:{number:x}::1"), &format!("s{number}@spam.test")).await;
            let wanted = if number < OF_A_NETWORK { 204 } else { 429 };
            assert_eq!(said.status, wanted, "message {number} of network {network}: {}", said.body);
        }
    }
    visit("203.0.113.9", "vi@x.test").await.is(204);
    let from_there = ana.post("/rest/v1/rpc/send_contact_message", message("ana@x.test"));
    from_there.header("x-forwarded-for", "2001:db8:1:1::1").await.is(204);
}
