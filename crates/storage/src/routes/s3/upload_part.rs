//! `PUT /{bucket}/{key}?uploadId&partNumber`: UploadPart

use actix_web::HttpResponse;
use actix_web::dev::Payload;
use actix_web::http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, ETAG};

use super::call::{Call, Resource};
use super::put_object::UNTYPED;
use crate::error::StorageError;
use crate::flows::multipart::{Multipart, PART_LIMIT, Source};
use crate::flows::receive::{Body, Incoming, Properties, Rules};

/// Stores a part.
///
/// DEVIATION (words): the tag of a part is quoted, as in S3; upstream's file backend omits the quotes.
pub(super) async fn upload(call: &mut Call) -> Result<HttpResponse, StorageError> {
    let (id, number) = (call.resource.upload()?, number(&call.resource)?);
    let length = call.length().ok_or_else(StorageError::content_length)?;
    let requester = call.requester("storage.s3.upload.part");
    let target = call.resource.target();
    let multipart = Multipart { state: &call.state, requester: &requester, target: &target, id };
    let upload = multipart.expect(number, length).await?;
    let properties = Properties {
        mime_type: UNTYPED.to_owned(),
        cache_control: String::new(),
        user_metadata: None,
        declared: Some(length),
        least: length,
    };
    let payload = std::mem::replace(&mut call.payload, Payload::None);
    let incoming = Incoming::plain(properties, Body::Raw(payload), &Rules { key: "", limit: length, types: &[] })?;
    let part = multipart.part(&upload, number, Source::Body(incoming)).await?;
    let exposed = (ACCESS_CONTROL_EXPOSE_HEADERS, "etag");
    Ok(HttpResponse::Ok().insert_header((ETAG, part.etag)).insert_header(exposed).finish())
}

/// The number of a part.
///
/// # Errors
/// If it is none from 1 to 10,000.
pub(super) fn number(resource: &Resource) -> Result<i32, StorageError> {
    let number = resource.integer("partNumber", 1, i64::from(PART_LIMIT))?.unwrap_or_default();
    i32::try_from(number).map_err(StorageError::internal)
}
