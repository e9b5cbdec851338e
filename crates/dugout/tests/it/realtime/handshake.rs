//! `GET /websocket`: who gets a socket.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::token;
use crate::kit::{Calls, Live, Request, Server};

#[tokio::test]
async fn a_bad_handshake_is_answered_before_the_upgrade() {
    let server = Server::start().await;
    let now = server.clock.unix();
    let (anon, forged) = (&server.anon_key, format!("{}x", token(&server, json!({}))));
    let expired = token(&server, json!({ "exp": now - 5 }));
    let of = |claims| token(&server, claims);
    let nobody = token(&server, json!({ "role": null }));
    for (query, status, message) in [
        (String::new(), 401, "API key is missing"),
        ("?vsn=2.0.0&apikey=".to_owned(), 401, "API key is missing"),
        (format!("?vsn=2.1.0&apikey={anon}"), 403, ""),
        (format!("?apikey={expired}"), 401, "Token has expired"),
        (format!("?apikey={nobody}"), 401, "Fields `role` and `exp` are required in JWT"),
        ("?apikey=nonsense".to_owned(), 401, "The token provided is not a valid JWT"),
        ("?apikey=sb_secret_wrong".to_owned(), 401, "The token provided is not a valid JWT"),
        (format!("?apikey={forged}"), 401, "Failed to validate JWT signature"),
        (
            format!("?apikey={}", unsigned(json!({ "alg": "RS256", "kid": "nobody" }), json!({ "role": "anon" }))),
            401,
            "Failed to generate JWT signer for key ID (kid) \"nobody\", check your JWT secret or JWKS configuration",
        ),
        (
            format!("?apikey={}", unsigned(json!({ "alg": "none", "kid": "nobody" }), json!({ "role": "anon" }))),
            401,
            "Failed to generate JWT signer, check your JWT secret or JWKS configuration",
        ),
        (format!("?apikey={}", unsigned(json!({ "alg": "HS256" }), json!([1]))), 500, "Error connecting to Realtime"),
        (format!("?apikey={}", of(json!({ "exp": now as f64 - 9.5 }))), 500, "Error connecting to Realtime"),
        (format!("?apikey={}", of(json!({ "exp": "tomorrow" }))), 500, "Error connecting to Realtime"),
        (format!("?apikey={}", of(json!({ "iat": "yesterday" }))), 500, "Error connecting to Realtime"),
    ] {
        let Err((found, body)) = Live::with(&server.url, &query).await else { panic!("{query} was accepted") };
        assert_eq!(found, status, "{query}: {body}");
        if !message.is_empty() {
            assert_eq!(body, json!({ "error": message }).to_string(), "{query}");
        }
    }
    let decimal = of(json!({ "exp": now as f64 + 99.5, "iat": now as f64 - 0.5 }));
    assert!(Live::with(&server.url, &format!("?apikey={decimal}")).await.is_ok(), "times may be decimal");
    assert!(Live::with(&server.url, &format!("?apikey={anon}")).await.is_ok(), "without a version it is 1.0.0");
    assert!(Live::with(&server.url, &format!("?apikey={anon}&vsn=2.0.3&log_level=info")).await.is_ok());
}

#[tokio::test]
async fn the_header_wins_over_the_query() {
    let server = Server::start().await;
    let good = server.anon_key.clone();
    let path = |key: &str| format!("{}/realtime/v1/websocket?apikey={key}", server.url);
    let refused = Request::to_get(&path(&good)).header("x-api-key", "nonsense").try_send().await.unwrap().is(401);
    assert_eq!(refused.json(), json!({ "error": "The token provided is not a valid JWT" }));
    // The key is accepted; what is missing is the upgrade.
    Request::to_get(&path("nonsense")).header("x-api-key", &good).try_send().await.unwrap().is(400);
}

/// A token whose signature is none.
fn unsigned(header: Value, claims: Value) -> String {
    let part = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{}", part(header), part(claims), part(json!("signature")))
}

#[tokio::test]
async fn sockets_and_joins_are_limited() {
    let settings = [("TENANT_MAX_CONCURRENT_USERS", "2"), ("TENANT_MAX_CHANNELS_PER_CLIENT", "3")];
    let server = Server::with(&settings).await;
    let mut one = Live::open(&server.url, &server.anon_key).await;
    let two = Live::open(&server.url, &server.anon_key).await;
    let query = format!("?apikey={}&vsn=2.0.0", server.anon_key);
    let refused = Live::with(&server.url, &query).await.err().unwrap();
    assert_eq!(refused, (429, json!({ "error": "Too many connected users" }).to_string()));
    drop(two);
    for number in 0..3 {
        one.joined(&format!("realtime:{number}"), json!({})).await;
    }
    let reply = one.join("realtime:more", json!({ "config": {} })).await;
    assert_eq!(
        reply,
        json!({ "status": "error", "response": { "reason": "ChannelRateLimitReached: Too many channels" } })
    );
    // A socket that is gone makes room.
    while Live::with(&server.url, &query).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn more_joins_than_allowed_end_the_socket() {
    let server = Server::with(&[("TENANT_MAX_JOINS_PER_SECOND", "1")]).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    // The socket itself counts, too: 60 in a minute.
    for number in 0..59 {
        socket.joined(&format!("realtime:{number}"), json!({})).await;
    }
    let reply = socket.join("realtime:more", json!({ "config": {} })).await;
    assert_eq!(reply["response"]["reason"], "ClientJoinRateLimitReached: Too many joins per second");
    socket.close_code().await;
    let refused = Live::with(&server.url, &format!("?apikey={}", server.anon_key)).await.err().unwrap();
    assert_eq!(refused.0, 429, "{}", refused.1);
}

#[tokio::test]
async fn ping_answers_with_the_rate() {
    let server = Server::start().await;
    let answer = server.get("/realtime/v1/api/ping").await.is(200);
    assert_eq!(answer.json(), json!({ "message": "Success" }));
    assert_eq!((answer.header("x-rate-limit"), answer.header("x-rate-rolling")), ("100", "0"));
    server.get("/realtime/v1/nothing").await.is(404);
}

#[tokio::test]
async fn without_realtime_there_is_nothing() {
    let server = Server::with(&[("SUPABASE_REALTIME_ENABLED", "false")]).await;
    server.get("/realtime/v1/api/ping").await.is(404);
    let refused = Live::with(&server.url, &format!("?apikey={}", server.anon_key)).await.err().unwrap();
    assert_eq!(refused.0, 404);
}
