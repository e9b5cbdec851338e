//! `PUT /{bucket}/{key}` with `x-amz-copy-source`: CopyObject

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use chrono::{DateTime, Utc};

use super::answer;
use super::call::{Call, existing, precondition};
use crate::error::StorageError;
use crate::flows::copy::{self, Changes};
use crate::flows::upload::Target;
use crate::session::Requester;
use crate::store::objects::{self, Object};

/// Copies an object, in the place of an earlier one.
///
/// DEVIATION (more): the conditions of a copy (`x-amz-copy-source-if-*`) hold; upstream ignores them.
pub(super) async fn copy(call: &Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.object.copy");
    let from = call.copy_source()?;
    conditions(call, &find(call, &requester, &from).await?)?;
    let copy_metadata = call.header("x-amz-metadata-directive").is_none_or(|text| text != "REPLACE");
    let changes = Changes {
        upsert: call.may_replace()?,
        copy_metadata,
        cache_control: call.header(CACHE_CONTROL.as_str()).map(str::to_owned),
        mime_type: call.content_type().map(str::to_owned),
        user_metadata: Some(call.user_metadata()?),
    };
    let object =
        copy::copy(&call.state, &requester, &from, &call.resource.target(), &changes).await.map_err(existing)?;
    answer::xml("CopyObjectResult", |xml| {
        answer::optional(xml, "ETag", object.fact("eTag"))?;
        answer::optional(xml, "LastModified", object.fact("lastModified"))
    })
}

/// The object to copy, if the caller sees it.
///
/// # Errors
/// `NoSuchKey`.
pub(super) async fn find(call: &Call, requester: &Requester, from: &Target) -> Result<Object, StorageError> {
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    objects::find(&tx, &from.bucket, &from.key).await?.ok_or_else(StorageError::no_such_key)
}

/// `x-amz-copy-source-if-*`: a matching tag outweighs a time, as S3 documents.
fn conditions(call: &Call, object: &Object) -> Result<(), StorageError> {
    let header = |name: &str| call.header(&format!("x-amz-copy-source-if-{name}"));
    let time =
        |name: &str| header(name).and_then(|text| httpdate::parse_http_date(text).ok()).map(DateTime::<Utc>::from);
    let is = |text: &str| {
        text == "*" || Some(text.trim_matches('"')) == object.fact("eTag").map(|tag| tag.trim_matches('"'))
    };
    let modified = object.updated_at.unwrap_or_default().timestamp();
    let matches = header("match").map(is);
    let differs = header("none-match").map(|text| !is(text));
    let kept = time("unmodified-since").is_none_or(|at| modified <= at.timestamp());
    let changed = time("modified-since").is_none_or(|at| modified > at.timestamp());
    if matches.unwrap_or(kept) && differs.unwrap_or(changed) {
        return Ok(());
    }
    Err(precondition())
}
