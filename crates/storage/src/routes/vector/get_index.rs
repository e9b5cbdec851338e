//! `POST /vector/GetIndex`

use actix_web::HttpResponse;
use serde_json::json;

use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::IndexName;

/// Describes an index.
pub(super) async fn get(vectors: &Vectors<'_>, body: IndexName) -> Result<HttpResponse, StorageError> {
    let index = vectors.index(&body).await?;
    let described = json!({
        "indexName": index.name,
        "dataType": index.data_type,
        "dimension": index.dimension,
        "distanceMetric": index.distance_metric,
        "metadataConfiguration": index.metadata_configuration,
        "vectorBucketName": index.bucket,
        "creationTime": index.created_at.timestamp(),
    });
    Ok(HttpResponse::Ok().json(json!({ "index": described })))
}
