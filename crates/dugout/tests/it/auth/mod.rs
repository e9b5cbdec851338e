//! The auth API from outside. What is expected of it was compared with GoTrue itself (supabase/auth, August 2026): the same
//! requests to both, and both databases afterwards.

mod logout;
mod service;
mod signup;
mod token;
mod user;

use serde_json::{Value, json};

use crate::kit::Answer;

/// Asserts status, code and message in the oldest shape.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, message: &str) {
    assert_eq!((answer.status, answer.header("x-sb-error-code")), (status, code), "{}", answer.body);
    assert_eq!(answer.json(), json!({ "code": status, "error_code": code, "msg": message }));
}

/// The claims of a token, unverified.
fn claims(token: &str) -> Value {
    use base64::Engine;
    let payload = token.split('.').nth(1).expect("a payload");
    let bytes = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64url");
    serde_json::from_slice(&bytes).expect("claims")
}
