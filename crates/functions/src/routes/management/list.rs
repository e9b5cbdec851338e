//! `GET /v1/projects/{ref}/functions`

use actix_web::web::{Data, Json};
use gateway::guard::ServiceRole;
use serde_json::Value;

use crate::state::State;

/// The deployed functions.
pub(super) async fn list(_: ServiceRole, state: Data<State>) -> Json<Vec<Value>> {
    Json(state.0.deployments.all().iter().map(|version| version.shown()).collect())
}
