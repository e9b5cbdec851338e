//! `POST` and `PUT /object/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::receive::header;
use crate::flows::upload;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;

/// Uploads a new object, or with `x-upsert: true` a new version.
pub(crate) async fn create(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let upsert = header(&request, "x-upsert") == Some("true");
    take(&caller, &state, &request, payload, upsert, "storage.object.upload").await
}

/// Uploads a new version, or a new object.
pub(crate) async fn update(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    take(&caller, &state, &request, payload, true, "storage.object.upload_update").await
}

async fn take(
    caller: &TokenHolder,
    state: &State,
    request: &HttpRequest,
    payload: web::Payload,
    upsert: bool,
    operation: &'static str,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(request, "/object")?;
    let requester = Requester::new(state, request, Some(&caller.0), operation);
    let object = upload::upload(state, &requester, &target, upsert, request, payload.into_inner()).await?;
    let key = format!("{}/{}", target.bucket, target.key);
    Ok(HttpResponse::Ok().json(json!({ "Id": object.id, "Key": key })))
}
