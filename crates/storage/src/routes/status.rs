//! `GET /status`, `/version`, `/health`.

use actix_web::{HttpResponse, web};
use gateway::Anyone;
use pg::pool::Query;
use serde_json::json;

use crate::caller::TokenHolder;
use crate::state::State;

/// `GET /status`: the service is running.
pub(crate) async fn status(_: Anyone) -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// `GET /version`
pub(crate) async fn version(_: Anyone) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(env!("CARGO_PKG_VERSION"))
}

/// `GET /health`: whether the database answers.
pub(crate) async fn health(_: TokenHolder, state: web::Data<State>) -> HttpResponse {
    let healthy = match state.connection().await {
        Ok(connection) => connection.query_one("select 1", &[]).await.is_ok(),
        Err(_) => false,
    };
    HttpResponse::Ok().json(json!({ "healthy": healthy }))
}
