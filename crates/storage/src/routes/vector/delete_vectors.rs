//! `POST /vector/DeleteVectors`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::DeleteVectors;

/// Deletes vectors.
pub(super) async fn delete(vectors: &Vectors<'_>, body: DeleteVectors) -> Result<HttpResponse, StorageError> {
    vectors.delete(&body).await?;
    Ok(HttpResponse::Ok().finish())
}
