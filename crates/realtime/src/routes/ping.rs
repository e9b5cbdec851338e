//! `GET /api/ping`: whether the service answers.

use actix_web::{HttpResponse, web};
use gateway::Anyone;
use serde_json::json;

use super::broadcast::with_rate;
use crate::state::State;

/// Answers, with the rate of messages in headers.
pub(super) async fn ping(_: Anyone, state: web::Data<State>) -> HttpResponse {
    with_rate(&state, HttpResponse::Ok().json(json!({ "message": "Success" })))
}
