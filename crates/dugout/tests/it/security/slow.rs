//! Check 22: clients that send and read slowly.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::kit::{Calls, DataApi, Server, Socket};

/// Additional time for a loaded machine.
const SLACK: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_request_head_must_arrive_within_five_seconds() {
    let s = DataApi::start("create table t (id int);", &[]).await;
    let request = "GET /t HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let early = async {
        // Like a browser, which connects first and sends a request later.
        let mut socket = Socket::open(&s.url).await;
        tokio::time::sleep(Duration::from_secs(7)).await;
        socket.send(request).await;
        let answer = socket.rest().await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    };
    let stalled = async |first: &str| {
        let mut socket = Socket::open(&s.url).await;
        socket.send(first).await;
        if first.ends_with("\r\n\r\n") {
            socket.until("[]").await;
            socket.send("GET /t HTTP/1.1\r\nho").await;
        }
        let begun = Instant::now();
        let dripping = async {
            // Each byte is new, but none extends the deadline.
            for _ in 0..40 {
                tokio::time::sleep(Duration::from_millis(200)).await;
                socket.send("a").await;
            }
            socket.rest().await
        };
        let answer = dripping.await;
        assert!(answer.starts_with("HTTP/1.1 408 Request Timeout"), "{answer}");
        assert!(answer.contains("\"message\":\"The request was sent too slowly\""), "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(8) + SLACK, "{:?}", begun.elapsed());
    };
    tokio::join!(early, stalled("GET /t HTTP/1.1\r\nx: "), stalled("GET /t HTTP/1.1\r\nhost: x\r\n\r\n"));
}

#[tokio::test]
async fn a_stalled_body_is_aborted() {
    let s = Server::start().await;
    let stalled = async |path: &str, sent: usize, statuses: &[&str], words: &str| {
        let mut socket = Socket::open(&s.url).await;
        let (key, length) = (&s.service_role_key, 60_000_000.min(sent * 2));
        let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\napikey: {key}\r\ncontent-length: {length}\r\n\r\n");
        socket.send(head).await;
        // The limit applies regardless of how much has arrived.
        socket.send(vec![b' '; sent]).await;
        let begun = Instant::now();
        let answer = socket.rest().await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(statuses.contains(&status) && answer.contains(words), "{path}: {answer}");
        let took = begun.elapsed();
        assert!((Duration::from_secs(9)..Duration::from_secs(10) + SLACK).contains(&took), "{path}: {took:?}");
    };
    let chunked = async {
        // On a route without a body the server responds without waiting for the rest.
        let mut socket = Socket::open(&s.url).await;
        socket.send("GET /health HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n").await;
        let begun = Instant::now();
        let answer = socket.rest().await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(15) + SLACK, "{:?}", begun.elapsed());
    };
    tokio::join!(
        stalled("/rest/v1/page_views", 20_000_000, &["408"], "\"code\":\"PGRST102\""),
        stalled("/rest/v1/page_views", 10, &["408"], "\"code\":\"PGRST102\""),
        // The timeout of auth requests (10 s, 504) and the idle limit of a body (408) expire together; either may come
        // first.
        stalled("/auth/v1/signup", 10, &["408", "504"], "\"error_code\":\"request_timeout\""),
        chunked,
    );
}

/// No route switches to another protocol, so an `Upgrade` header must not make a body endless.
#[tokio::test]
async fn upgrade_headers_are_ignored() {
    let s = Server::start().await;
    s.as_service(reqwest::Method::POST, "/storage/v1/bucket").json(&serde_json::json!({ "name": "pub" })).await.is(200);
    for kind in ["text/plain", "multipart/form-data; boundary=b"] {
        let mut socket = Socket::open(&s.url).await;
        let head = format!(
            "POST /storage/v1/object/pub/a HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nx-upsert: true\r\n\
             content-type: {kind}\r\nupgrade: websocket\r\nconnection: upgrade\r\n",
            s.service_role_key
        );
        socket.send(format!("{head}\r\n")).await;
        // There is no body, so the response is immediate.
        let answer = socket.until("}").await;
        let status = if kind == "text/plain" { "HTTP/1.1 200" } else { "HTTP/1.1 400" };
        assert!(answer.starts_with(status) && !answer.to_lowercase().contains("upgrade"), "{answer}");
        // The connection serves the next request, whose body must arrive at the minimum speed.
        let begun = Instant::now();
        socket.send(format!("{head}content-length: 60\r\n\r\n-")).await;
        let dripping = async {
            loop {
                socket.send("-").await;
                if let Ok(answer) = timeout(Duration::from_secs(1), socket.rest()).await {
                    break answer;
                }
            }
        };
        let ended = timeout(Duration::from_secs(15) + SLACK, dripping).await;
        assert!(ended.is_ok() && begun.elapsed() > Duration::from_secs(9), "{kind}: {ended:?}");
    }
}

#[tokio::test]
async fn bodies_share_a_budget_that_is_released() {
    let s = Server::with(&[("DUGOUT_BUFFER_MEMORY", "8000000")]).await;
    let large = async || {
        let body = format!("[{}]", " ".repeat(2_500_000));
        s.as_service(reqwest::Method::POST, "/rest/v1/page_views").body(body).try_send().await
    };
    large().await.unwrap().is(201);
    let stalled = async || {
        let mut socket = Socket::open(&s.url).await;
        let key = &s.service_role_key;
        let head =
            format!("POST /rest/v1/page_views HTTP/1.1\r\nhost: x\r\napikey: {key}\r\ncontent-length: 2500000\r\n\r\n");
        socket.send(head).await;
        socket.send(vec![b' '; 2_499_999]).await;
        socket
    };
    let mut held = vec![stalled().await, stalled().await, stalled().await];
    let begun = Instant::now();
    let refused = loop {
        match large().await {
            Ok(answer) if answer.status != 201 => break answer,
            other => assert!(begun.elapsed() < Duration::from_secs(9), "{other:?}"),
        }
        // `large` may have used budget that a stalled request needed, which was then refused: adds another stalled
        // request.
        held.push(stalled().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!((refused.status, refused.header("retry-after")), (503, "1"), "{}", refused.body);
    assert_eq!(refused.json()["code"], "53200");
    // Short requests always fit.
    s.get("/auth/v1/settings").await.is(200);
    drop(held);
    let begun = Instant::now();
    while !large().await.is_ok_and(|answer| answer.status == 201) {
        assert!(begun.elapsed() < SLACK, "the budget was not released");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn one_account_cannot_use_up_the_memory_budget() {
    let s = Server::with(&[("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let (mallory, ana) = (s.signed_up("mallory@x.test").await, s.signed_up("ana@x.test").await);
    let post = |from: &str, length: usize| {
        format!(
            "POST /rest/v1/page_views HTTP/1.1\r\nhost: x\r\napikey: {}\r\nauthorization: Bearer {}\r\n\
             x-forwarded-for: {from}\r\ncontent-length: {length}\r\n\r\n",
            s.anon_key, mallory.access_token
        )
    };
    let head = post("192.0.2.1", 50_000_000);
    // Five bodies that arrive slowly but steadily, until the server responds.
    let dripping = async || {
        let mut socket = Socket::open(&s.url).await;
        socket.send(&head).await;
        socket.send(vec![b' '; 49_000_000]).await;
        let begun = Instant::now();
        loop {
            socket.send(vec![b' '; 1024]).await;
            match timeout(Duration::from_millis(200), socket.rest()).await {
                Ok(answer) => break Some(answer),
                Err(_) if begun.elapsed() > Duration::from_secs(6) => break None,
                Err(_) => {}
            }
        }
    };
    let insert = async |from: &str, length: usize| {
        let body = format!("[{}]", " ".repeat(length - 2));
        let request = ana.request(reqwest::Method::POST, "/rest/v1/page_views").header("x-forwarded-for", from);
        request.body(body).await.is(201);
    };
    let attack = async { tokio::join!(dripping(), dripping(), dripping(), dripping(), dripping()) };
    let honest = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        insert("192.0.2.2", 20_000_000).await;
    };
    let (answers, ()) = tokio::join!(attack, honest);
    let answers = [answers.0, answers.1, answers.2, answers.3, answers.4];
    let refused: Vec<_> = answers.iter().flatten().collect();
    assert!((3..5).contains(&refused.len()), "{} of five are refused", refused.len());
    // A client that goes on sending may lose the response together with the connection.
    let is_busy = |answer: &str| answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after: 1");
    assert!(refused.iter().all(|answer| answer.is_empty() || is_busy(answer)), "{refused:?}");
    // A single body may have the largest length that the route allows.
    insert("192.0.2.2", 60_000_000).await;
}

#[tokio::test]
async fn anonymous_bodies_have_their_own_limit() {
    const LIMIT: usize = 1024 * 1024;
    let s = Server::start().await;
    let body = |length: usize| format!("[{}]", " ".repeat(length - 2));
    let said = s.request(reqwest::Method::POST, "/rest/v1/page_views").body(body(LIMIT)).await;
    assert_ne!(said.status, 413, "{}", said.body);
    let said = s.request(reqwest::Method::POST, "/rest/v1/page_views").body(body(LIMIT + 1)).await.is(413);
    assert_eq!(said.json()["message"], "The request body is larger than 1048576 bytes");
    let ana = s.signed_up("ana@x.test").await;
    let said = ana.request(reqwest::Method::POST, "/rest/v1/page_views").body(body(LIMIT + 1)).await;
    assert_ne!(said.status, 413, "{}", said.body);
    let s = Server::with(&[("DUGOUT_ANON_BODY_LIMIT", "100")]).await;
    s.request(reqwest::Method::POST, "/rest/v1/page_views").body(body(101)).await.is(413);
}
