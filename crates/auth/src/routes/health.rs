//! `GET /health`

use actix_web::web::Json;
use gateway::Anyone;
use serde::Serialize;
use utoipa::ToSchema;

/// The service's name and version.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthBody {
    version: &'static str,
    /// Always `GoTrue`, because clients look for it.
    name: &'static str,
    description: &'static str,
}

/// Reports that the service is running. Does not query the database.
#[utoipa::path(get, path = "/health", tag = "service", responses((status = 200, body = HealthBody)))]
pub(crate) async fn health(_: Anyone) -> Json<HealthBody> {
    Json(HealthBody {
        version: concat!("dugout-", env!("CARGO_PKG_VERSION")),
        name: "GoTrue",
        description: "GoTrue is a user registration and authentication API",
    })
}
