//! `GET /oauth/authorize`

use serde_json::json;

use super::{CHALLENGE, ON, pairs, query, refused};
use crate::kit::{Calls, Server};

#[tokio::test]
async fn errors_are_answered_or_redirected_to_the_client() {
    let s = Server::with(&ON).await;
    let client = super::client(&s, json!({})).await;
    for (name, value, code, message) in [
        ("client_id", "", "validation_failed", "client_id is required"),
        ("redirect_uri", "", "validation_failed", "redirect_uri is required"),
        ("client_id", "x", "oauth_client_not_found", "invalid client_id format"),
        ("client_id", "00000000-0000-4000-8000-000000000000", "oauth_client_not_found", "invalid client_id"),
        ("redirect_uri", "https://client.test/cb", "validation_failed", "invalid redirect_uri"),
        ("redirect_uri", "https://client.test/cb?tenant=1&x=1", "validation_failed", "invalid redirect_uri"),
        ("redirect_uri", "https://evil.test/cb", "validation_failed", "invalid redirect_uri"),
    ] {
        refused(&s.get(&query(&client, &[(name, value)])).await, 400, code, message);
    }
    let long = "x".repeat(4097);
    for (with, error, description) in [
        (vec![("response_type", "token")], "invalid_request", "only response_type=code is supported"),
        (vec![("scope", "email admin")], "invalid_request", "unsupported scope: admin"),
        (vec![("resource", "/x")], "invalid_request", "resource must be an absolute URI"),
        (
            vec![("code_challenge", "")],
            "invalid_request",
            "PKCE flow requires both code_challenge and code_challenge_method",
        ),
        (
            vec![("code_challenge_method", "")],
            "invalid_request",
            "PKCE flow requires both code_challenge and code_challenge_method",
        ),
        (vec![("code_challenge_method", "none")], "invalid_request", "code_challenge_method must be 'S256'"),
        (vec![("code_challenge_method", "plain")], "invalid_request", "code_challenge_method must be 'S256'"),
        (
            vec![("code_challenge", &CHALLENGE[1..])],
            "invalid_request",
            "code_challenge must be between 43 and 128 characters",
        ),
        (vec![("nonce", &long[..256])], "server_error", "error creating authorization"),
        (vec![("nonce", "a\0b")], "server_error", "error creating authorization"),
    ] {
        let answer = s.get(&query(&client, &with)).await.is(302);
        let (base, query) = answer.header("location").split_once('?').unwrap();
        let pairs = pairs(query);
        assert_eq!((base, pairs["error"].as_str()), ("https://client.test/cb", error), "{with:?}");
        assert_eq!(pairs["error_description"], description);
        assert_eq!((pairs["tenant"].as_str(), pairs["state"].as_str()), ("1", "s 1"));
    }
    // The page's address comes from the project's config.toml.
    let own = Server::with(&ON[..1]).await;
    let client = super::client(&own, json!({})).await;
    let answer = own.get(&query(&client, &[])).await.is(302);
    let location = answer.header("location");
    assert!(location.starts_with("http://127.0.0.1:54321/oauth/consent?authorization_id="), "{location}");
}
