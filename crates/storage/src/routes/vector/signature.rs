//! AWS Signature Version 4 for the service `s3vectors`, in the `Authorization` header. Unlike for S3, the whole body is read
//! before the signature is checked.
//!
//! Source: AWS, Signature Version 4; supabase/storage, `src/http/plugins/signature-v4.ts`.

use std::fmt::Write;

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::{HttpMessage, HttpRequest};
use chrono::NaiveDateTime;
use gateway::caller::Found;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::StorageError;
use crate::flows::receive::header;
use crate::routes::s3::signature;
use crate::s3_keys::{hex, signed};
use crate::state::State;

/// The service in the credential.
const SERVICE: &str = "s3vectors";
/// How far the time of a signature may be from the server's, in seconds, as in S3.
const SKEW: i64 = 15 * 60;
/// Stands for the body's hash if the client did not sign the body.
const UNSIGNED: &str = "UNSIGNED-PAYLOAD";

/// The parts of the `Authorization` header.
struct Stated<'a> {
    credential: &'a str,
    headers: &'a str,
    signature: &'a str,
}

/// A request whose signature is well-formed and names our key. The signature itself can be checked only with the body.
pub(super) struct Signed<'a> {
    stated: Stated<'a>,
    /// The signing key, derived for this day, region and service.
    secret: Vec<u8>,
    at: &'a str,
    scope: &'a str,
    with_token: bool,
}

/// Checks all of a signature that does not need the body, and that the signer is an administrator. After this call the body has
/// the size limit of administrators.
///
/// DEVIATION (missing): requests for vectors are signed in the header; upstream also accepts a signature in the query.
///
/// # Errors
/// `InvalidSignature`, `SignatureDoesNotMatch`, `AccessDenied`.
pub(super) async fn read<'a>(state: &State, request: &'a HttpRequest) -> Result<Signed<'a>, StorageError> {
    let stated = Stated::of(request).ok_or_else(|| StorageError::signature("Invalid signature format"))?;
    let (id, scope) = stated.credential.split_once('/').unwrap_or_default();
    let parts: Vec<&str> = scope.split('/').collect();
    let [date, region, service, end] = parts[..] else {
        return Err(StorageError::signature("Invalid credentials"));
    };
    signature::in_region(state, stated.credential)?;
    let at = header(request, "x-amz-date").unwrap_or_default();
    let time = NaiveDateTime::parse_from_str(at, "%Y%m%dT%H%M%SZ").map(|time| time.and_utc().timestamp());
    let time = time.map_err(|_| StorageError::signature("Invalid signature format"))?;
    if (time - state.clock.unix()).abs() > SKEW || !at.starts_with(date) {
        return Err(signature::skewed());
    }
    let token = header(request, "x-amz-security-token").filter(|token| !token.is_empty()).map(str::to_owned);
    let with_token = token.is_some();
    let key = signature::key(state, with_token)?;
    let is_ours = id == key.id && service == SERVICE && end == "aws4_request";
    if !is_ours || !stated.headers.split(';').any(|name| name == "host") {
        return Err(signature::mismatch(with_token));
    }
    signature::cover_all(request, true)?;
    if &*signature::signer(state, request, token).await?.caller.role != "service_role" {
        return Err(StorageError::access_denied("Access denied: Invalid role").with_http(403));
    }
    let mut secret = format!("AWS4{}", key.secret.reveal()).into_bytes();
    for step in [date, region, service, end] {
        secret = signed(&secret, step.as_bytes());
    }
    Ok(Signed { stated, secret, at, scope, with_token })
}

impl Signed<'_> {
    /// Checks the signature over the request and its body.
    ///
    /// # Errors
    /// `SignatureDoesNotMatch`, and upstream's error if the body does not have the hash that its header states.
    pub(super) fn covers(&self, state: &State, request: &HttpRequest, body: &[u8]) -> Result<(), StorageError> {
        let Signed { stated, secret, at, scope, with_token } = self;
        let canonical = canonical(&state.config.s3.prefix, request, stated.headers, &body_hash(request, body)?);
        let text = format!("AWS4-HMAC-SHA256\n{at}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
        let expected = hex(&signed(secret, text.as_bytes()));
        if bool::from(expected.as_bytes().ct_eq(stated.signature.as_bytes())) {
            return Ok(());
        }
        // The caller is not authenticated after all, so later code must not find it.
        request.extensions_mut().remove::<Found>();
        Err(signature::mismatch(*with_token))
    }
}

impl<'a> Stated<'a> {
    fn of(request: &'a HttpRequest) -> Option<Self> {
        let text = header(request, AUTHORIZATION.as_str())?.strip_prefix(signature::SCHEME)?;
        let part = |name: &str| {
            text.split(',').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('=')).map(str::trim)
        };
        Some(Stated { credential: part("Credential")?, headers: part("SignedHeaders")?, signature: part("Signature")? })
    }
}

/// The hash in the canonical request: that of the body, or `UNSIGNED-PAYLOAD` if the client says so.
fn body_hash(request: &HttpRequest, body: &[u8]) -> Result<String, StorageError> {
    let own = hex(&Sha256::digest(body));
    match header(request, "x-amz-content-sha256") {
        Some(UNSIGNED) => Ok(UNSIGNED.to_owned()),
        Some(stated) if stated != own => {
            let message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
            Err(StorageError::checksum(message))
        }
        _ => Ok(own),
    }
}

fn canonical(prefix: &str, request: &HttpRequest, names: &str, body: &str) -> String {
    let mut query: Vec<&str> = request.query_string().split('&').filter(|pair| !pair.is_empty()).collect();
    query.sort_unstable_by_key(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut text = format!("{}\n{}{}\n", request.method(), prefix.trim_end_matches('/'), request.uri().path());
    text.push_str(&query.join("&"));
    text.push('\n');
    for name in names.split(';') {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name}:{}", value(request.headers(), name));
    }
    let _ = write!(text, "\n{names}\n{body}");
    text
}

/// The values of a header, joined by commas, with runs of spaces collapsed.
fn value(headers: &HeaderMap, name: &str) -> String {
    let one = |value: &str| value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let values: Vec<String> = headers.get_all(name).filter_map(|value| value.to_str().ok()).map(one).collect();
    values.join(",")
}
