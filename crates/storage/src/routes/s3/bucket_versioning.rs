//! `GET /{bucket}?versioning`: GetBucketVersioning

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use super::head_bucket::visible;
use crate::error::StorageError;

/// Only the current version of an object can be read.
pub(super) async fn get(call: &Call) -> Result<HttpResponse, StorageError> {
    visible(call, "storage.s3.bucket.get_versioning").await?;
    answer::xml("VersioningConfiguration", |xml| {
        xml.content("Status", "Suspended")?;
        xml.content("MfaDelete", "Disabled")
    })
}
