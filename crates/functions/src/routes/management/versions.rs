//! `GET /v1/projects/{ref}/functions/{name}/versions`

use actix_web::web::{Data, Json};
use gateway::guard::ServiceRole;
use serde_json::Value;

use super::Name;
use crate::flows::DeployError;
use crate::state::State;

/// The versions of a function that are kept, oldest first.
pub(super) async fn versions(_: ServiceRole, state: Data<State>, path: Name) -> Result<Json<Vec<Value>>, DeployError> {
    state.0.deployments.served(&path.name).ok_or(DeployError::NotFound)?;
    Ok(Json(state.0.deployments.versions(&path.name).iter().map(|version| version.shown()).collect()))
}
