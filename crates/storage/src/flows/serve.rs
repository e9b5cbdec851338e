//! The response with an object's bytes and headers.

use std::time::SystemTime;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    EXPIRES, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use chrono::{DateTime, Utc};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::receive::header;
use crate::backend::Bytes;
use crate::error::StorageError;
use crate::protocol::{content, range, robots};
use crate::state::State;
use crate::store::objects::Object;

/// The last second that a header can name: dates have years of four digits.
const LAST: i64 = 253_402_300_799;

/// The options of a download.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// `?download`, with the file name.
    pub(crate) download: Option<String>,
    /// When the signed URL expires, in seconds since 1970.
    pub(crate) expires: Option<i64>,
}

/// `GET`: the bytes, a range of them, or 304.
///
/// # Errors
/// `NoSuchKey` if the file is missing, 416.
pub(crate) async fn bytes(
    state: &State,
    request: &HttpRequest,
    object: &Object,
    wish: &Wish,
) -> Result<HttpResponse, StorageError> {
    if not_modified(request, object) {
        let mut response = HttpResponse::NotModified();
        describe(state, request, object, wish, "stale-while-revalidate=30", &mut response)?;
        return Ok(response.finish());
    }
    let (file, length) = state.files.open(object.place()).await?;
    let (status, first, last) = match header(request, RANGE.as_str()) {
        Some(asked) => {
            let (first, last) = range::parse(asked, length)?;
            (StatusCode::PARTIAL_CONTENT, first, last + 1)
        }
        None => (StatusCode::OK, 0, length),
    };
    let mut response = HttpResponse::build(status);
    describe(state, request, object, wish, "stale-while-revalidate=30", &mut response)?;
    if status == StatusCode::PARTIAL_CONTENT {
        response.insert_header((CONTENT_RANGE, format!("bytes {first}-{}/{length}", last - 1)));
    }
    Ok(response.body(Bytes::of(file, first, last - first).await?))
}

/// `HEAD`: from the row, without looking at the file.
///
/// # Errors
/// A value that is not allowed in a header.
pub(crate) fn head(state: &State, request: &HttpRequest, object: &Object) -> Result<HttpResponse, StorageError> {
    let mut response = HttpResponse::Ok();
    describe(state, request, object, &Wish::default(), "must-revalidate", &mut response)?;
    let length = object.metadata.as_ref().and_then(|metadata| metadata.get("contentLength")?.as_u64());
    Ok(response.body(Promised(length.unwrap_or_default())))
}

/// The headers of an object's bytes, or of what is made from them.
///
/// # Errors
/// A value that cannot be a header.
pub(crate) fn describe(
    state: &State,
    request: &HttpRequest,
    object: &Object,
    wish: &Wish,
    changed: &'static str,
    response: &mut HttpResponseBuilder,
) -> Result<(), StorageError> {
    let served = content::served(object.fact("mimetype"));
    response.insert_header((ACCEPT_RANGES, "bytes"));
    response.insert_header((CONTENT_TYPE, value(&served.content_type)?));
    response.insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
    let tag = object.fact("xRobotsTag").filter(|tag| robots::check(tag).is_ok()).unwrap_or("none");
    response.insert_header(("x-robots-tag", value(tag)?));
    if served.active {
        response.insert_header((CONTENT_SECURITY_POLICY, "sandbox"));
        response.insert_header((CONTENT_DISPOSITION, "attachment"));
    }
    if let Some(name) = &wish.download {
        response.insert_header((CONTENT_DISPOSITION, value(&content::disposition(name))?));
    }
    validators(object, response)?;
    if let Some(expires) = wish.expires {
        let at = DateTime::from_timestamp(expires.min(LAST), 0).unwrap_or_default();
        response.insert_header((EXPIRES, httpdate::fmt_http_date(SystemTime::from(at))));
        return Ok(());
    }
    let mut cache: Vec<String> =
        object.fact("cacheControl").filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
    if let Some(known) = header(request, IF_NONE_MATCH.as_str()) {
        if state.config.s_maxage > 0 {
            cache.push(format!("s-maxage={}", state.config.s_maxage));
        }
        if Some(known) != object.fact("eTag") {
            cache.push(changed.to_owned());
        }
    }
    if !cache.is_empty() {
        response.insert_header((CACHE_CONTROL, value(&cache.join(", "))?));
    }
    Ok(())
}

/// `Cache-Control` as it is stored, and [`validators`].
///
/// # Errors
/// A value that cannot be a header.
pub(crate) fn cached(object: &Object, response: &mut HttpResponseBuilder) -> Result<(), StorageError> {
    if let Some(cache) = object.fact("cacheControl").filter(|cache| !cache.is_empty()) {
        response.insert_header((CACHE_CONTROL, value(cache)?));
    }
    validators(object, response)
}

/// `ETag` and `Last-Modified`.
///
/// # Errors
/// A value that cannot be a header.
fn validators(object: &Object, response: &mut HttpResponseBuilder) -> Result<(), StorageError> {
    if let Some(etag) = object.fact("eTag") {
        response.insert_header((ETAG, value(etag)?));
    }
    if let Some(at) = modified(object) {
        response.insert_header((LAST_MODIFIED, httpdate::fmt_http_date(SystemTime::from(at))));
    }
    Ok(())
}

fn value(text: &str) -> Result<HeaderValue, StorageError> {
    let wrong = || StorageError::new(400, "invalid_header_char", "InvalidRequest", "Invalid character in header");
    HeaderValue::from_str(text).map_err(|_| wrong())
}

/// When the content of an object was written.
pub(crate) fn modified(object: &Object) -> Option<DateTime<Utc>> {
    let stated = object.fact("lastModified").and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    stated.map(|at| at.with_timezone(&Utc)).or(object.updated_at).filter(|at| (0..=LAST).contains(&at.timestamp()))
}

/// True if the client has the current version. Tags are compared as text.
pub(crate) fn not_modified(request: &HttpRequest, object: &Object) -> bool {
    if let Some(known) = header(request, IF_NONE_MATCH.as_str()) {
        return Some(known) == object.fact("eTag");
    }
    let since = header(request, IF_MODIFIED_SINCE.as_str()).and_then(|text| httpdate::parse_http_date(text).ok());
    let (Some(since), Some(at)) = (since, modified(object)) else { return false };
    DateTime::<Utc>::from(since).timestamp() >= at.timestamp()
}

/// The length of a body that is not sent.
struct Promised(u64);

impl MessageBody for Promised {
    type Error = StorageError;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<bytes::Bytes, StorageError>>> {
        Poll::Ready(None)
    }
}
