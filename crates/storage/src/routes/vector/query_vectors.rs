//! `POST /vector/QueryVectors`

use actix_web::HttpResponse;
use serde_json::{Value, json};

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::QueryVectors;

/// Finds the nearest neighbours of a vector.
pub(super) async fn query(vectors: &Vectors<'_>, body: QueryVectors) -> Result<HttpResponse, StorageError> {
    let (found, index) = vectors.query(&body).await?;
    let found: Vec<Value> = found.iter().map(super::shown).collect();
    Ok(HttpResponse::Ok().json(json!({ "vectors": found, "distanceMetric": index.distance_metric })))
}
