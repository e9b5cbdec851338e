//! `POST /vector/GetVectors`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::GetVectors;

/// Returns vectors by their keys.
pub(super) async fn get(vectors: &Vectors<'_>, body: GetVectors) -> Result<HttpResponse, StorageError> {
    let found = vectors.get(&body).await?;
    Ok(super::listed("vectors", found.iter().map(super::shown).collect(), None))
}
