//! `PUT /{bucket}/{key}`: PutObject

use actix_web::HttpResponse;
use actix_web::dev::Payload;
use actix_web::http::header::{CACHE_CONTROL, ETAG};

use super::call::Call;
use crate::error::StorageError;
use crate::flows::receive::{Body, Incoming, Properties, Rules};
use crate::flows::upload;
use crate::store::objects::Object;

/// The media type if the client gives none.
pub(super) const UNTYPED: &str = "application/octet-stream";
/// What stands for an empty folder.
const PLACEHOLDER: &str = ".emptyFolderPlaceholder";

/// Stores an object, in the place of an earlier one. An empty object whose key ends with a slash is an empty folder.
pub(super) async fn put(call: &mut Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.upload");
    let mut target = call.resource.target();
    if target.key.ends_with('/') && call.length() == Some(0) {
        target.key.push_str(PLACEHOLDER);
    }
    let bucket = upload::bucket(&call.state, &requester, &target.bucket).await?;
    let properties = Properties {
        mime_type: call.content_type().unwrap_or(UNTYPED).to_owned(),
        cache_control: call.header(CACHE_CONTROL.as_str()).unwrap_or("no-cache").to_owned(),
        user_metadata: Some(call.user_metadata()?),
        declared: call.length(),
        least: 0,
    };
    let limit = call.state.config.standard_limit(bucket.file_size_limit);
    let types = bucket.allowed_mime_types.unwrap_or_default();
    let payload = std::mem::replace(&mut call.payload, Payload::None);
    let incoming = Incoming::plain(properties, Body::Raw(payload), &Rules { key: &target.key, limit, types: &types })?;
    let object = upload::store(&call.state, &requester, &target, true, incoming).await?;
    Ok(stored(&object))
}

/// 200 with the tag of the new object.
pub(super) fn stored(object: &Object) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(etag) = object.fact("eTag") {
        response.insert_header((ETAG, etag));
    }
    response.finish()
}
