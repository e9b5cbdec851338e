//! AWS Signature Version 4, in the header or the query.
//!
//! s3s verifies requests to an S3 service whose only route takes every request: it hands over the body, decoded and checked
//! while it is read.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{AUTHORIZATION, CONTENT_LENGTH, HeaderMap, HeaderValue, TRANSFER_ENCODING};
use actix_web::{HttpMessage, HttpRequest, web};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use gateway::caller::{Found, PolicyCell};
use gateway::{Caller, Claims, Credential, Refusal, Secret};
use http_body::Frame;
use http_body_util::StreamBody;
use s3s::auth::{S3Auth, SecretKey};
use s3s::route::S3Route;
use s3s::service::S3ServiceBuilder;
use s3s::validation::NameValidation;
use s3s::{Body, S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result, TrailingHeaders};
use serde_json::json;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use super::call::Signer;
use super::checksum;
use crate::config::S3 as Config;
use crate::error::StorageError;
use crate::flows::receive::{forwarded, header};
use crate::refusal;
use crate::state::State;

/// What begins a signature in the header.
pub(in crate::routes) const SCHEME: &str = "AWS4-HMAC-SHA256 ";
const MISMATCH: &str =
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.";
const MISMATCH_OF_TOKEN: &str = "The request signature we calculated does not match the signature you provided, Check your credentials. \
     The session token should be a valid JWT token";

/// The signer of a request, and its body. A signature over the body is checked while that is read.
///
/// DEVIATION (stricter): the path of an S3 request, with bucket and prefix, has at most 1,024 bytes.
/// DEVIATION (safer): the SHA-256 of a body is checked, and a signature is good for 15 minutes; upstream checks neither.
/// DEVIATION (safer): an `x-amz-*` header that the signature does not cover is refused, as S3 does; upstream obeys it.
///
/// # Errors
/// `AccessDenied`, `SignatureDoesNotMatch`, `ExpiredToken`, `InvalidSignature`.
pub(super) async fn verify(
    state: &State,
    request: &HttpRequest,
    payload: Payload,
) -> Result<(Signer, Payload), StorageError> {
    let in_header = header(request, AUTHORIZATION.as_str()).is_some_and(|text| text.starts_with(SCHEME));
    let token = header(request, "x-amz-security-token").filter(|token| !token.is_empty()).map(str::to_owned);
    let token = token.or_else(|| query(request, "X-Amz-Security-Token"));
    if !in_header && query(request, "X-Amz-Credential").is_none() {
        return Err(StorageError::access_denied("Missing signature"));
    }
    let credential = match in_header {
        true => header(request, AUTHORIZATION.as_str())
            .and_then(|text| text.split_once("Credential="))
            .map(|(_, rest)| rest.split(',').next().unwrap_or(rest).to_owned()),
        false => query(request, "X-Amz-Credential"),
    };
    in_region(state, credential.as_deref().unwrap_or_default())?;
    let key = key(state, token.is_some())?;
    let handed_over = Arc::new(Mutex::new(None));
    let mut service = S3ServiceBuilder::new(NoOperations);
    service.set_auth(key);
    service.set_validation(AnyName);
    service.set_route(HandOver(handed_over.clone()));
    let service = service.build();
    // s3s would write headers with tokens and signatures into the log.
    let checked = service.call(converted(state, request, payload, in_header)?).with_subscriber(NoSubscriber::new());
    let checked = checked.await;
    let checked = checked.map_err(|_| StorageError::invalid_request("The request could not be read"))?;
    let checked_request = handed_over.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some((body, trailers)) = checked_request else {
        let text = checked.body().bytes().unwrap_or_default();
        return Err(refused(&String::from_utf8_lossy(&text), request, token.is_some()));
    };
    cover_all(request, in_header)?;
    let body = body.map(|piece| piece.map_err(|error| failed(&error)));
    let body = Box::pin(body.chain(missing(request, trailers.clone())));
    let body: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> =
        Box::pin(checksum::compared(request, body, trailers)?);
    let payload = Payload::Stream { payload: body };
    Ok((signer(state, request, token).await?, payload))
}

/// The caller behind a checked signature: the service, or the user of a session token. The token must be the one that
/// [`key`] was chosen by. Guards and budgets see the caller as well.
///
/// # Errors
/// If the token is not valid or its session has ended, and those of the database.
pub(in crate::routes) async fn signer(
    state: &State,
    request: &HttpRequest,
    token: Option<String>,
) -> Result<Signer, StorageError> {
    let caller = if let Some(token) = &token {
        let policy = request.app_data::<web::Data<PolicyCell>>();
        let policy = policy.ok_or_else(|| StorageError::internal("no policy"))?.get();
        let value = HeaderValue::from_str(&format!("Bearer {token}"));
        let value = value.map_err(|_| refusal::refused(request, Refusal::ApiKey))?;
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value);
        let caller = policy.caller(&headers, "").map_err(|refused| refusal::refused(request, refused))?;
        if let Some(session) = caller.claims.session_id()
            && state.sessions.has_ended(session).await?
        {
            return Err(refusal::refused(request, Refusal::SessionEnded));
        }
        caller
    } else {
        let role = "service_role";
        let claims = json!({ "role": role }).as_object().cloned().unwrap_or_default();
        Caller { role: role.into(), claims: Claims::from_map(claims), credential: Credential::ApiKey }
    };
    let caller = Arc::new(caller);
    request.extensions_mut().insert(Found { caller: Ok(caller.clone()), took: Duration::ZERO });
    Ok(Signer { caller, token: token.unwrap_or_default() })
}

/// Refuses `x-amz-*` headers that the signature does not cover: such a header could turn the upload of a presigned URL into a
/// copy of any object.
pub(in crate::routes) fn cover_all(request: &HttpRequest, in_header: bool) -> Result<(), StorageError> {
    let signed = if in_header {
        let parts = header(request, AUTHORIZATION.as_str()).unwrap_or_default().trim_start_matches(SCHEME).split(',');
        parts.filter_map(|part| part.trim().strip_prefix("SignedHeaders=")).next().map(str::to_owned)
    } else {
        query(request, "X-Amz-SignedHeaders")
    };
    let signed = signed.unwrap_or_default();
    let is_covered = |name: &str| signed.split(';').any(|signed| signed.eq_ignore_ascii_case(name));
    // The hash of the body is part of every signature. CloudFront adds its id of the request, which nothing here obeys.
    let needs_cover =
        |name: &str| name.starts_with("x-amz-") && !matches!(name, "x-amz-content-sha256" | "x-amz-cf-id");
    match request.headers().keys().find(|name| needs_cover(name.as_str()) && !is_covered(name.as_str())) {
        Some(name) => {
            let message = format!("There were headers present in the request which were not signed: {name}");
            Err(StorageError::access_denied(message))
        }
        None => Ok(()),
    }
}

/// The id and the secret that a request must be signed with.
///
/// # Errors
/// If the server has none.
pub(in crate::routes) fn key(state: &State, with_token: bool) -> Result<Key, StorageError> {
    let Config { keys, anon_key, .. } = &state.config.s3;
    if with_token {
        if anon_key.reveal().is_empty() {
            return Err(StorageError::access_denied("Missing tenant anon key"));
        }
        return Ok(Key { id: state.config.tenant.clone(), secret: anon_key.clone() });
    }
    let missing = "Missing S3 Protocol Access Key ID or Secret Key Environment variables";
    let keys = keys.as_ref().ok_or_else(|| StorageError::access_denied(missing))?;
    Ok(Key { id: keys.id.clone(), secret: keys.secret.clone() })
}

/// Refuses a credential for another region, where the settings say so.
///
/// # Errors
/// `AccessDenied`.
pub(in crate::routes) fn in_region(state: &State, credential: &str) -> Result<(), StorageError> {
    let Config { enforce_region, region, .. } = &state.config.s3;
    let named = credential.split('/').nth(2);
    if *enforce_region && named != Some(region) {
        return Err(StorageError::access_denied("Invalid Region"));
    }
    Ok(())
}

/// The error for a signature that is not the expected one.
pub(in crate::routes) fn mismatch(with_token: bool) -> StorageError {
    StorageError::signature_mismatch(if with_token { MISMATCH_OF_TOKEN } else { MISMATCH })
}

/// The error for a signature whose time differs too much from the server's.
pub(in crate::routes) fn skewed() -> StorageError {
    let message = "The difference between the request time and the current time is too large.";
    StorageError::new(403, "RequestTimeTooSkewed", "RequestTimeTooSkewed", message)
}

/// An access key.
pub(in crate::routes) struct Key {
    pub(in crate::routes) id: String,
    pub(in crate::routes) secret: Secret<String>,
}

#[async_trait::async_trait]
impl S3Auth for Key {
    async fn get_secret_key(&self, access_key: &str) -> S3Result<SecretKey> {
        if access_key != self.id {
            return Err(S3Error::new(S3ErrorCode::InvalidAccessKeyId));
        }
        Ok(SecretKey::from(self.secret.reveal().clone()))
    }
}

/// The requests never get to an operation.
struct NoOperations;

#[async_trait::async_trait]
impl S3 for NoOperations {}

/// Names are checked later: s3s takes the beginning of the mount path for the bucket.
struct AnyName;

impl NameValidation for AnyName {
    fn validate_bucket_name(&self, _: &str) -> bool {
        true
    }
}

/// Takes the body out of a checked request.
struct HandOver(Arc<Mutex<Option<Checked>>>);

/// The body of a checked request, and its trailers once it is read.
type Checked = (Body, Option<TrailingHeaders>);

#[async_trait::async_trait]
impl S3Route for HandOver {
    fn is_match(&self, _: &http::Method, _: &http::Uri, _: &http::HeaderMap, _: &mut http::Extensions) -> bool {
        true
    }

    async fn call(&self, request: S3Request<Body>) -> S3Result<S3Response<Body>> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((request.input, request.trailing_headers));
        Ok(S3Response::new(Body::empty()))
    }
}

/// The request in s3s's types. A header `Authorization` that is no signature belongs to something before this server.
fn converted(
    state: &State,
    request: &HttpRequest,
    payload: Payload,
    in_header: bool,
) -> Result<http::Request<Body>, StorageError> {
    let wrong = |error: http::Error| StorageError::invalid_request(error.to_string());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let uri = format!("{}{path}", state.config.s3.prefix.trim_end_matches('/'));
    let mut converted = http::Request::builder().method(request.method().as_str()).uri(uri);
    for (name, value) in request.headers() {
        if in_header || *name != AUTHORIZATION {
            converted = converted.header(name.as_str(), value.as_bytes());
        }
    }
    let headers = request.headers();
    let has_body = headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING);
    let body = if has_body {
        Body::http_body_unsync(StreamBody::new(forwarded(payload).map(|piece| piece.map(Frame::data))))
    } else {
        Body::empty()
    };
    converted.body(body).map_err(wrong)
}

/// A refusal of s3s, in upstream's words.
fn refused(text: &str, request: &HttpRequest, with_token: bool) -> StorageError {
    let element = |name: &str| {
        let rest = text.split_once(&format!("<{name}>"))?.1;
        Some(rest.split_once(&format!("</{name}>"))?.0)
    };
    let message = element("Message").unwrap_or_default();
    match element("Code").unwrap_or_default() {
        "SignatureDoesNotMatch" | "InvalidAccessKeyId" => mismatch(with_token),
        "AccessDenied" if message.contains("expired") => StorageError::expired(),
        "AccessDenied" => StorageError::access_denied("Missing signature"),
        "MissingContentLength" => StorageError::content_length(),
        "KeyTooLongError" | "InvalidURI" => StorageError::key(super::call::path(request)),
        "RequestTimeTooSkewed" => skewed(),
        _ if message.contains("presigned") || message.contains("authorization") => {
            StorageError::signature("Invalid signature format")
        }
        _ => StorageError::invalid_request(message.to_owned()),
    }
}

/// An error after the last byte, if a trailer that the headers announce did not come: s3s takes such a body.
fn missing(
    request: &HttpRequest,
    trailers: Option<TrailingHeaders>,
) -> impl Stream<Item = Result<Bytes, PayloadError>> + use<> {
    let announced = header(request, "x-amz-trailer").unwrap_or_default();
    let announced: Vec<String> =
        announced.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    futures_util::stream::iter([()]).filter_map(move |()| {
        let came = announced.is_empty()
            || trailers.as_ref().is_none_or(|trailers| {
                let has = |headers: &http::HeaderMap| announced.iter().all(|name| headers.contains_key(name.as_str()));
                trailers.read(has).unwrap_or_default()
            });
        let refused = || StorageError::invalid_request("The request body lacks the trailer that its headers announce");
        std::future::ready((!came).then(|| Err(PayloadError::Io(io::Error::other(refused())))))
    })
}

/// What s3s says about a body, carried through actix's type of error.
fn failed(error: &s3s::StdError) -> PayloadError {
    let text = error.to_string();
    let refused = if text.contains("SignatureMismatch") {
        mismatch(false)
    } else if text.contains("Sha256Mismatch") {
        StorageError::checksum("The provided 'x-amz-content-sha256' header does not match what was computed.")
    } else {
        tracing::debug!(event = "s3_body_refused", detail = text);
        StorageError::invalid_request("The request body is not what its headers announce")
    };
    PayloadError::Io(io::Error::other(refused))
}

fn query(request: &HttpRequest, name: &str) -> Option<String> {
    crate::routes::path::query(request, name).filter(|text| !text.is_empty())
}
