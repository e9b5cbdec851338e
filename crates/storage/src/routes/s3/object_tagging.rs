//! `GET /{bucket}/{key}?tagging`: GetObjectTagging

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use super::get_object::find;
use crate::error::StorageError;

/// No object has tags.
pub(super) async fn get(call: &Call) -> Result<HttpResponse, StorageError> {
    find(call, "storage.s3.object.get_tagging").await?;
    answer::xml("Tagging", |xml| xml.element("TagSet", |_| Ok(())))
}
