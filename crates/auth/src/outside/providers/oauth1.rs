//! OAuth 1.0a (RFC 5849), which Twitter still uses: three requests, each signed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use gateway::HttpClient;
use gateway::http_client::Credentials;
use hmac::{Hmac, Mac};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use sha1::Sha1;
use url::{Url, form_urlencoded};
use uuid::Uuid;

use super::Failure;

/// All characters but the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The credentials that sign a request: the app's, and its token, if any.
#[derive(Clone, Copy)]
pub(super) struct Signer<'a> {
    pub(super) key: &'a str,
    pub(super) secret: &'a str,
    pub(super) token: &'a str,
    pub(super) token_secret: &'a str,
}

/// A token with its secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) token: String,
    pub(super) secret: String,
}

/// Requests a temporary token for the authorization; the user returns to `callback`.
///
/// # Errors
/// If the provider refuses.
pub(super) async fn request_token(
    http: &HttpClient,
    url: &str,
    signer: Signer<'_>,
    callback: &str,
    now: DateTime<Utc>,
) -> Result<Token, Failure> {
    token(&post(http, url, signer, &[("oauth_callback", callback)], now).await?)
}

/// Exchanges the authorized token; `verifier` came with the user's return.
///
/// # Errors
/// If the provider refuses.
pub(super) async fn access_token(
    http: &HttpClient,
    url: &str,
    signer: Signer<'_>,
    verifier: &str,
    now: DateTime<Utc>,
) -> Result<Token, Failure> {
    token(&post(http, url, signer, &[("oauth_verifier", verifier)], now).await?)
}

/// Sends a signed request to the API.
///
/// # Errors
/// If it refuses, or its answer is not JSON.
pub(super) async fn get(
    http: &HttpClient,
    url: &str,
    signer: Signer<'_>,
    query: &[(&str, &str)],
    now: DateTime<Utc>,
) -> Result<Value, Failure> {
    let header = header("GET", url, signer, &[], query, &nonce(), now.timestamp());
    let mut url = parse(url)?;
    url.query_pairs_mut().extend_pairs(query);
    let answer = http.get_with(&url, &[("authorization", &header)], super::MAX_ANSWER).await?;
    let body = good(answer.status, answer.body)?;
    serde_json::from_slice(&body).map_err(|_| Failure::Answer("is not JSON".to_owned()))
}

async fn post(
    http: &HttpClient,
    url: &str,
    signer: Signer<'_>,
    more: &[(&str, &str)],
    now: DateTime<Utc>,
) -> Result<Vec<u8>, Failure> {
    let header = header("POST", url, signer, more, &[], &nonce(), now.timestamp());
    let answer = http.post_form(&parse(url)?, &Credentials::Header(header), &[]).await?;
    good(answer.status, answer.body)
}

fn token(body: &[u8]) -> Result<Token, Failure> {
    let mut found = Token::default();
    for (name, value) in form_urlencoded::parse(body) {
        match &*name {
            "oauth_token" => found.token = value.into_owned(),
            "oauth_token_secret" => found.secret = value.into_owned(),
            _ => {}
        }
    }
    if found.token.is_empty() { Err(Failure::Answer("has no token".to_owned())) } else { Ok(found) }
}

fn good(status: u16, body: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if (200..300).contains(&status) { Ok(body) } else { Err(Failure::Status(status)) }
}

fn parse(url: &str) -> Result<Url, Failure> {
    Url::parse(url).map_err(|_| Failure::Answer("comes from an address that is none".to_owned()))
}

fn nonce() -> String {
    Uuid::new_v4().simple().to_string()
}

/// The `Authorization` header of section 3.5.1, signed as in section 3.4. `own` goes into the header, `query` is only
/// signed.
fn header(
    method: &str,
    url: &str,
    signer: Signer<'_>,
    own: &[(&str, &str)],
    query: &[(&str, &str)],
    nonce: &str,
    timestamp: i64,
) -> String {
    let timestamp = timestamp.to_string();
    let mut pairs = vec![
        ("oauth_consumer_key", signer.key),
        ("oauth_nonce", nonce),
        ("oauth_signature_method", "HMAC-SHA1"),
        ("oauth_timestamp", &timestamp),
        ("oauth_version", "1.0"),
    ];
    if !signer.token.is_empty() {
        pairs.push(("oauth_token", signer.token));
    }
    pairs.extend_from_slice(own);
    let mut signed: Vec<(String, String)> =
        pairs.iter().chain(query).map(|(name, value)| (encoded(name), encoded(value))).collect();
    signed.sort_unstable();
    let signed: Vec<String> = signed.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let base = format!("{method}&{}&{}", encoded(url), encoded(&signed.join("&")));
    let key = format!("{}&{}", encoded(signer.secret), encoded(signer.token_secret));
    let mut hmac = Hmac::<Sha1>::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
    hmac.update(base.as_bytes());
    let signature = BASE64_STANDARD.encode(hmac.finalize().into_bytes());
    pairs.push(("oauth_signature", &signature));
    let written: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}=\"{}\"", encoded(name), encoded(value))).collect();
    format!("OAuth {}", written.join(", "))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of Twitter's documentation ("Creating a signature").
    #[test]
    fn signatures_are_those_of_the_documentation() {
        let signer = Signer {
            key: "xvz1evFS4wEEPTGEFPHBog",
            secret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
            token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
            token_secret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
        };
        let status = "Hello Ladies + Gentlemen, a signed OAuth request!";
        let header = header(
            "POST",
            "https://api.twitter.com/1.1/statuses/update.json",
            signer,
            &[],
            &[("status", status), ("include_entities", "true")],
            "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
            1_318_622_958,
        );
        assert!(header.contains("oauth_signature=\"hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D\""), "{header}");
    }

    #[test]
    fn answers_are_forms() {
        let read = token(b"oauth_token=t&oauth_token_secret=s&oauth_callback_confirmed=true").unwrap();
        assert!(read == Token { token: "t".to_owned(), secret: "s".to_owned() });
        assert!(token(b"{}").is_err());
    }
}
