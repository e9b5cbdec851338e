//! `POST /vector/DeleteVectorBucket`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::BucketName;

/// Deletes a vector bucket without indexes.
pub(super) async fn delete(vectors: &Vectors<'_>, body: BucketName) -> Result<HttpResponse, StorageError> {
    vectors.delete_bucket(&body.vector_bucket_name).await?;
    Ok(HttpResponse::Ok().finish())
}
