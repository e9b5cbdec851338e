//! `POST /vector/CreateIndex`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::CreateIndex;

/// Creates an index in a vector bucket.
pub(super) async fn create(vectors: &Vectors<'_>, body: CreateIndex) -> Result<HttpResponse, StorageError> {
    vectors.create_index(&body).await?;
    Ok(HttpResponse::Ok().finish())
}
