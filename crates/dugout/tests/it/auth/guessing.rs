//! Password guessing slows down the guesser, but neither the owner nor other users.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::refused;
use crate::kit::{AuthProcess, Calls, PASSWORD, Request, Server};

const PROXY: (&str, &str) = ("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32");

fn sign_in(s: &Server, email: &str, password: &str, from: &str) -> Request {
    let body = json!({ "email": email, "password": password });
    s.post("/auth/v1/token?grant_type=password", body).header("x-forwarded-for", from)
}

/// `times` wrong passwords, each from its own address.
async fn guess(s: &Server, email: &str, times: usize) {
    for number in 0..times {
        sign_in(s, email, "wrong password", &format!("203.0.113.{number}")).await.is(400);
    }
}

#[tokio::test]
async fn many_guessers_delay_only_themselves() {
    let s = Arc::new(Server::with(&[PROXY]).await);
    s.signed_up("ana@x.test").await;
    s.signed_up("bob@x.test").await;
    sign_in(&s, "ana@x.test", PASSWORD, "192.0.2.1").await.is(200);
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let guessers: Vec<_> = (0..40)
        .map(|guesser| {
            let (s, stop, answered) = (s.clone(), stop.clone(), answered.clone());
            tokio::spawn(async move {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    // Each guess is for another account, so that the waits of accounts have no effect here.
                    number += 1;
                    let email = format!("guess-{guesser}-{number}@x.test");
                    // On a busy machine some requests time out before their password is hashed.
                    let answer = sign_in(&s, &email, "wrong password", "203.0.113.1").await;
                    answered.fetch_add(usize::from(answer.status == 400), Ordering::Relaxed);
                }
            })
        })
        .collect();
    while answered.load(Ordering::Relaxed) < 5 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // In a queue without fairness each of these would wait for 40 guesses.
    for (email, from) in [("ana@x.test", "192.0.2.1"), ("bob@x.test", "192.0.2.2"), ("ana@x.test", "192.0.2.3")] {
        let before = answered.load(Ordering::Relaxed);
        sign_in(&s, email, PASSWORD, from).await.is(200);
        let passed = answered.load(Ordering::Relaxed) - before;
        assert!(passed <= 12, "{email} from {from} waited for {passed} guesses");
        eprintln!("{email} from {from} waited for {passed} guesses of 40 guessers");
    }
    stop.store(true, Ordering::Relaxed);
    for guesser in guessers {
        guesser.await.unwrap();
    }
}

#[tokio::test]
async fn after_ten_wrong_passwords_unknown_clients_wait_and_the_owner_does_not() {
    let (s, mails) = Server::with_mails(&[PROXY, ("GOTRUE_SMTP_MAX_FREQUENCY", "1ns")]).await;
    let s = Arc::new(s);
    let account = json!({ "email": "ana@x.test", "password": PASSWORD });
    s.post("/auth/v1/signup", account).await.is(200);
    s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    sign_in(&s, "ana@x.test", PASSWORD, "192.0.2.1").await.is(200);
    guess(&s, "ana@x.test", 12).await;
    let waiting = |email: &'static str, client: u8| {
        let s = s.clone();
        tokio::spawn(async move {
            let begun = Instant::now();
            let answer = sign_in(&s, email, "wrong password", &format!("198.51.100.{client}")).await;
            (answer, begun.elapsed())
        })
    };
    let strangers: Vec<_> = (0..4).map(|client| waiting("ana@x.test", client)).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    // From an address where she has signed in before, and with a link from anywhere.
    sign_in(&s, "ana@x.test", PASSWORD, "192.0.2.1").await.is(200);
    s.post("/auth/v1/otp", json!({ "email": "ana@x.test" })).await.is(200);
    let link = mails.to("ana@x.test").await.path();
    s.get(&link).header("x-forwarded-for", "192.0.2.77").await.is(303);
    let done = strangers.iter().filter(|stranger| stranger.is_finished()).count();
    assert!(done <= 2, "the owner waited for {done} unknown clients");
    let mut refusals = 0;
    for stranger in strangers {
        let (answer, took) = stranger.await.unwrap();
        assert!(took >= Duration::from_millis(500), "an unknown client waited for {took:?} only");
        if answer.status == 429 {
            refused(&answer, 429, "over_request_rate_limit", "Request rate limit reached");
            assert!((1..=8).contains(&answer.header("retry-after").parse::<i64>().unwrap()));
            refusals += 1;
        } else {
            // On a busy machine hashing may take the rest of the request's time.
            assert!([400, 504].contains(&answer.status), "{}", answer.body);
            refusals += usize::from(answer.status == 504);
        }
    }
    assert!(refusals >= 1, "the wait does not grow");
}

/// Each of forty addresses guesses again one second after a refusal. The owner signs in from unknown addresses.
#[tokio::test]
async fn forty_guessers_do_not_lock_the_owner_out() {
    let s = Arc::new(Server::with(&[PROXY]).await);
    s.signed_up("ana@x.test").await;
    guess(&s, "ana@x.test", 14).await;
    let stop = Arc::new(AtomicBool::new(false));
    let answered: Arc<Vec<AtomicUsize>> = Arc::new((0..40).map(|_| AtomicUsize::new(0)).collect());
    let guessers: Vec<_> = (0..40)
        .map(|guesser: usize| {
            let (s, stop, answered) = (s.clone(), stop.clone(), answered.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let from = format!("198.51.100.{guesser}");
                    let answer = sign_in(&s, "ana@x.test", "wrong password", &from).await;
                    answered[guesser].fetch_add(1, Ordering::Relaxed);
                    if answer.status == 429 {
                        tokio::time::sleep(Duration::from_secs(1)).await;
                    }
                }
            })
        })
        .collect();
    while answered.iter().any(|answered| answered.load(Ordering::Relaxed) == 0) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for address in 0..3 {
        let from = format!("192.0.2.{address}");
        let begun = Instant::now();
        let mut answer = sign_in(&s, "ana@x.test", PASSWORD, &from).await;
        if answer.status == 504 {
            // On a busy machine hashing may take the rest of the request's time.
            answer = sign_in(&s, "ana@x.test", PASSWORD, &from).await;
        }
        assert_eq!(answer.status, 200, "from {from} after {:?}: {}", begun.elapsed(), answer.body);
    }
    stop.store(true, Ordering::Relaxed);
    for guesser in guessers {
        guesser.await.unwrap();
    }
}

#[tokio::test]
async fn the_wait_does_not_reveal_accounts_and_a_network_is_one_client() {
    let s = Arc::new(Server::with(&[PROXY]).await);
    s.signed_up("ana@x.test").await;
    for email in ["ana@x.test", "nobody@x.test"] {
        guess(&s, email, 12).await;
        let begun = Instant::now();
        sign_in(&s, email, "wrong password", "192.0.2.50").await.is(400);
        assert!(begun.elapsed() >= Duration::from_millis(500), "{email} did not wait");
        // At most two requests of one /64 wait at a time.
        let crowd: Vec<_> = (0..6)
            .map(|host| {
                let s = s.clone();
                tokio::spawn(async move {
                    sign_in(&s, email, "wrong password", &format!("2001:db8:1:2::{host}")).await.status
                })
            })
            .collect();
        let mut refused = 0;
        for answer in crowd {
            refused += usize::from(answer.await.unwrap() == 429);
        }
        assert!(refused >= 4, "{email}: {refused} of 6 refused");
    }
}

#[tokio::test]
async fn behind_an_undeclared_proxy_nobody_is_locked_out() {
    let limits = [("GOTRUE_RATE_LIMIT_OTP", "30"), ("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "30")];
    let s = AuthProcess::start(&limits).await;
    for client in 0..60 {
        let from = format!("198.51.100.{client}");
        s.post("/otp", json!({})).header("x-forwarded-for", &from).await.is(400);
        // The same without the header: a proxy may not send one.
        s.post("/otp", json!({})).await.is(400);
    }
    let warnings = s.log().lines().filter(|line| line.contains("undeclared_proxy")).count();
    assert_eq!(warnings, 1, "{}", s.log());
    // With the proxy declared, the limits apply to each client behind it.
    let declared = [&limits[..], &[PROXY]].concat();
    let s = AuthProcess::start(&declared).await;
    let from = |client: &str| s.post("/otp", json!({})).header("x-forwarded-for", client);
    for _ in 0..30 {
        from("198.51.100.1").await.is(400);
    }
    from("198.51.100.1").await.is(429);
    from("198.51.100.2").await.is(400);
    let log = s.log();
    let line = log.lines().find(|line| line.contains("rate_limited")).expect("a line in the log");
    assert!(line.contains("otp") && line.contains("198.51.100.1"), "{line}");
    assert!(!log.contains("undeclared_proxy"), "{log}");
}
