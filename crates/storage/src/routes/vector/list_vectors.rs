//! `POST /vector/ListVectors`

use actix_web::HttpResponse;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::ListVectors;

/// Lists the vectors of an index.
pub(super) async fn list(vectors: &Vectors<'_>, body: ListVectors) -> Result<HttpResponse, StorageError> {
    let (found, next) = vectors.list(&body).await?;
    Ok(super::listed("vectors", found.iter().map(super::shown).collect(), next))
}
