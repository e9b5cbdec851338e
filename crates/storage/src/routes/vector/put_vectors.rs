//! `POST /vector/PutVectors`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::PutVectors;

/// Writes vectors.
pub(super) async fn put(vectors: &Vectors<'_>, body: PutVectors) -> Result<HttpResponse, StorageError> {
    vectors.put(&body).await?;
    Ok(HttpResponse::Ok().finish())
}
