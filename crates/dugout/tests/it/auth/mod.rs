//! The auth API over HTTP. Expectations were compared with GoTrue itself (supabase/auth, August 2026): the same requests to
//! both, and both databases afterwards.

mod admin_audit;
mod admin_factors;
mod admin_users;
mod bans;
mod broken_trigger;
mod captcha;
mod cleanup;
mod email_change;
mod email_validation;
mod external;
mod factors;
mod generate_link;
mod guessing;
mod hooks;
mod invite;
mod limits;
mod logout;
mod mail;
mod mailbox;
mod oauth;
mod otp;
mod passkeys;
mod phone_factors;
mod pkce;
mod pwned;
mod reauthenticate;
mod recorded;
mod recover;
mod refresh;
mod restore;
mod sameness;
mod scim;
mod security_keys;
mod service;
mod signing_keys;
mod signup;
mod sms;
mod sms_providers;
mod sso;
mod token;
mod user;
mod verify;
mod web3;

use serde_json::{Value, json};

use crate::kit::Answer;

/// Asserts status, code and message in the oldest shape.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, message: &str) {
    assert_eq!((answer.status, answer.header("x-sb-error-code")), (status, code), "{}", answer.body);
    assert_eq!(answer.json(), json!({ "code": status, "error_code": code, "msg": message }));
}

/// The pairs of a fragment or query.
fn pairs(text: &str) -> std::collections::BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// The pairs of the fragment that a redirect carries.
#[track_caller]
fn fragment(answer: &Answer) -> std::collections::BTreeMap<String, String> {
    let location = answer.header("location");
    let (_, fragment) = location.split_once('#').unwrap_or_else(|| panic!("no fragment: {location}"));
    pairs(fragment)
}

/// The claims of a token, unverified.
fn claims(token: &str) -> Value {
    use base64::Engine;
    let payload = token.split('.').nth(1).expect("a payload");
    let bytes = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64url");
    serde_json::from_slice(&bytes).expect("claims")
}
