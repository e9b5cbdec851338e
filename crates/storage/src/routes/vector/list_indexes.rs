//! `POST /vector/ListIndexes`

use actix_web::HttpResponse;
use serde_json::json;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::ListIndexes;
use crate::store::vectors::Named;

/// Lists the indexes of a vector bucket.
pub(super) async fn list(vectors: &Vectors<'_>, body: ListIndexes) -> Result<HttpResponse, StorageError> {
    let bucket = &body.vector_bucket_name;
    let (found, next) = vectors.indexes(bucket, super::page(&body.page)).await?;
    let item =
        |(name, at): &Named| json!({ "indexName": name, "vectorBucketName": bucket, "creationTime": at.timestamp() });
    Ok(super::listed("indexes", found.iter().map(item).collect(), next))
}
