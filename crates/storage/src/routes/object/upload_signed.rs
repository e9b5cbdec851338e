//! `PUT /object/upload/sign/{bucket}/{key}?token=…`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;
use serde_json::json;

use crate::error::StorageError;
use crate::flows::sign::{self, Scope};
use crate::flows::upload;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;

/// An upload that was allowed when its token was issued.
pub(crate) async fn put(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/upload/sign")?;
    let token = path::required(&request, "token")?;
    let signed = sign::verify(&state, &token, &target, Scope::Upload)?;
    let requester = Requester::new(&state, &request, None, "storage.object.upload_signed").with_owner(signed.owner);
    upload::upload(&state, &requester, &target, signed.upsert, &request, payload.into_inner()).await?;
    Ok(HttpResponse::Ok().json(json!({ "Key": format!("{}/{}", target.bucket, target.key) })))
}
