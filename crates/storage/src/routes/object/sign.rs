//! `POST /object/sign/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use super::lookup;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::sign;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::wire;

/// A signed URL for an object that the caller can see.
pub(crate) async fn sign(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/sign")?;
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let life = body.integer("expiresIn", 1)?;
    let life = life.ok_or_else(|| StorageError::validation("body must have required property 'expiresIn'"))?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.sign");
    lookup::visible(&state, &requester, &target).await?;
    let token = sign::download(&state, &target, life)?;
    let url = format!("/object/sign/{}/{}?token={token}", target.bucket, target.key);
    Ok(HttpResponse::Ok().json(json!({ "signedURL": url })))
}
