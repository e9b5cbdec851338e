//! `POST /vector/ListVectorBuckets`

use actix_web::HttpResponse;
use serde_json::json;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::ListBuckets;
use crate::store::vectors::Named;

/// Lists vector buckets.
pub(super) async fn list(vectors: &Vectors<'_>, body: ListBuckets) -> Result<HttpResponse, StorageError> {
    let (found, next) = vectors.buckets(super::page(&body.page)).await?;
    let item = |(name, at): &Named| json!({ "vectorBucketName": name, "creationTime": at.timestamp() });
    Ok(super::listed("vectorBuckets", found.iter().map(item).collect(), next))
}
