//! `POST /v1/projects/{ref}/functions/{name}/rollback[?version=N]`

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use gateway::guard::ServiceRole;
use serde::Deserialize;

use super::{Name, shown};
use crate::flows::DeployError;
use crate::state::State;

#[derive(Deserialize)]
pub(super) struct To {
    version: Option<u32>,
}

/// Serves an earlier version again: the one that is named, or the one before.
pub(super) async fn rollback(
    _: ServiceRole,
    state: Data<State>,
    path: Name,
    to: Query<To>,
) -> Result<HttpResponse, DeployError> {
    let version = state.roll_back(&path.name, to.version).await?;
    Ok(shown(&version))
}
