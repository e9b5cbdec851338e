//! `GET /{bucket}?location`: GetBucketLocation

use actix_web::HttpResponse;
use s3s::xml::SerializeContent;

use super::answer;
use super::call::Call;
use crate::error::StorageError;

/// The same region for all buckets, even for those that do not exist, as upstream.
pub(super) fn get(call: &Call) -> Result<HttpResponse, StorageError> {
    answer::xml("LocationConstraint", |xml| call.state.config.s3.region.serialize_content(xml))
}
