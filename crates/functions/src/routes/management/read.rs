//! `GET /v1/projects/{ref}/functions/{name}`

use actix_web::HttpResponse;
use actix_web::web::Data;
use gateway::guard::ServiceRole;

use super::{Name, shown};
use crate::flows::DeployError;
use crate::state::State;

/// A deployed function.
pub(super) async fn read(_: ServiceRole, state: Data<State>, path: Name) -> Result<HttpResponse, DeployError> {
    let version = state.0.deployments.served(&path.name).ok_or(DeployError::NotFound)?;
    Ok(shown(&version))
}
