//! `DELETE /v1/projects/{ref}/functions/{name}`

use actix_web::HttpResponse;
use actix_web::web::Data;
use gateway::guard::ServiceRole;

use super::Name;
use crate::flows::DeployError;
use crate::state::State;

/// Deletes a deployed function with all versions.
pub(super) async fn delete(_: ServiceRole, state: Data<State>, path: Name) -> Result<HttpResponse, DeployError> {
    state.undeploy(&path.name).await?;
    Ok(HttpResponse::Ok().finish())
}
