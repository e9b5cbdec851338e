//! `GET /{bucket}/{key}`: GetObject

use actix_web::HttpResponse;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    EXPIRES, HeaderMap, HeaderName, HeaderValue,
};
use serde_json::{Map, Value};

use super::call::Call;
use crate::error::StorageError;
use crate::flows::serve::{self, Wish};
use crate::protocol::content;
use crate::store::objects::{self, Object};

/// The bytes of an object, a range of them, or 304.
pub(super) async fn get(call: &Call) -> Result<HttpResponse, StorageError> {
    let object = find(call, "storage.s3.object.get").await?;
    let mut response = serve::bytes(&call.state, &call.request, &object, &Wish::default()).await?;
    if response.status().is_success() {
        describe(&object, response.headers_mut());
        overridden(call, response.headers_mut());
    }
    Ok(response)
}

/// The object, if the caller sees it.
///
/// # Errors
/// `NoSuchKey`.
pub(super) async fn find(call: &Call, operation: &'static str) -> Result<Object, StorageError> {
    let requester = call.requester(operation);
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = objects::find(&tx, &call.resource.bucket, &call.resource.key).await?;
    found.ok_or_else(StorageError::no_such_key)
}

/// User metadata as headers. What no header can carry is counted.
///
/// DEVIATION (more): objects have `Accept-Ranges` and `X-Robots-Tag` in the S3 protocol, too.
pub(super) fn describe(object: &Object, headers: &mut HeaderMap) {
    let metadata = object.user_metadata.as_deref().and_then(|json| serde_json::from_str(json.get()).ok());
    let metadata: Map<String, Value> = metadata.unwrap_or_default();
    let mut missing = 0;
    for (name, value) in metadata {
        let header = HeaderName::try_from(format!("x-amz-meta-{}", name.to_ascii_lowercase()));
        let value = value.as_str().filter(|text| text.is_ascii()).and_then(|text| HeaderValue::from_str(text).ok());
        match (header, value) {
            (Ok(header), Some(value)) if !name.is_empty() => {
                headers.insert(header, value);
            }
            _ => missing += 1,
        }
    }
    if missing > 0 {
        headers.insert(HeaderName::from_static("x-amz-missing-meta"), HeaderValue::from(missing));
    }
}

/// The headers that the query asks for.
///
/// DEVIATION (safer): `response-content-type` cannot make a page of an object that its own type does not make one of.
fn overridden(call: &Call, headers: &mut HeaderMap) {
    for (parameter, header) in [
        ("response-content-disposition", CONTENT_DISPOSITION),
        ("response-cache-control", CACHE_CONTROL),
        ("response-content-encoding", CONTENT_ENCODING),
        ("response-content-language", CONTENT_LANGUAGE),
        ("response-expires", EXPIRES),
    ] {
        let Some(text) = call.resource.query(parameter) else { continue };
        // Active content stays an attachment.
        if header == CONTENT_DISPOSITION && headers.contains_key(CONTENT_SECURITY_POLICY) && !is_attachment(text) {
            continue;
        }
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(header, value);
        }
    }
    let Some(text) = call.resource.query("response-content-type") else { return };
    let served = content::served(Some(text));
    if let Ok(value) = HeaderValue::from_str(&served.content_type) {
        headers.insert(CONTENT_TYPE, value);
    }
    if served.active {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox"));
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    }
}

fn is_attachment(text: &str) -> bool {
    let kind = text.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("attachment")
}
