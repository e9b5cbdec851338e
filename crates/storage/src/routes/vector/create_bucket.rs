//! `POST /vector/CreateVectorBucket`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::BucketName;

/// Creates a vector bucket.
pub(super) async fn create(vectors: &Vectors<'_>, body: BucketName) -> Result<HttpResponse, StorageError> {
    vectors.create_bucket(&body.vector_bucket_name).await?;
    Ok(HttpResponse::Ok().finish())
}
