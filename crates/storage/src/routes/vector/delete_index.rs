//! `POST /vector/DeleteIndex`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::IndexName;

/// Deletes an index with its vectors.
pub(super) async fn delete(vectors: &Vectors<'_>, body: IndexName) -> Result<HttpResponse, StorageError> {
    vectors.delete_index(&body).await?;
    Ok(HttpResponse::Ok().finish())
}
