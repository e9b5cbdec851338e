//! `POST /vector/GetVectorBucket`

use actix_web::HttpResponse;
use serde_json::json;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::BucketName;

/// Says when a vector bucket was created.
pub(super) async fn get(vectors: &Vectors<'_>, body: BucketName) -> Result<HttpResponse, StorageError> {
    let created = vectors.bucket(&body.vector_bucket_name).await?;
    let bucket = json!({ "vectorBucketName": body.vector_bucket_name, "creationTime": created.timestamp() });
    Ok(HttpResponse::Ok().json(json!({ "vectorBucket": bucket })))
}
