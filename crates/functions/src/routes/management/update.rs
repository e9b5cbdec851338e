//! `PUT /v1/projects/{ref}/functions`

use actix_web::web::{Data, Json, Payload};
use actix_web::{HttpRequest, error::Error};
use gateway::guard::ServiceRole;
use gateway::{body, wire};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::flows::DeployError;
use crate::state::State;

/// Functions in one request.
const MOST: usize = 1000;

/// What was deployed with `bundleOnly`. The rest is known.
#[derive(Deserialize)]
struct Update {
    slug: String,
    version: u32,
}

/// Serves versions that were deployed with `bundleOnly`, one function after the other.
pub(super) async fn update(
    _: ServiceRole,
    request: HttpRequest,
    state: Data<State>,
    payload: Payload,
) -> Result<Json<Value>, Error> {
    let body = body::read(&request, &mut payload.into_inner()).await;
    let body = body.map_err(|refusal| wire::refuse(&request, refusal))?;
    let updates: Vec<Update> = serde_json::from_slice(&body)
        .map_err(|error| DeployError::Form(format!("The body cannot be used: {error}")))?;
    if updates.len() > MOST {
        return Err(DeployError::Form(format!("At most {MOST} functions are updated at once")).into());
    }
    let mut functions = Vec::new();
    for Update { slug, version } in updates {
        functions.push(state.serve(&slug, version).await?.shown());
    }
    Ok(Json(json!({ "functions": functions })))
}
