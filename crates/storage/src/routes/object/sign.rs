//! `POST /object/sign/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use super::lookup;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::sign;
use crate::protocol::transform::Transform;
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;
use crate::wire;

/// A signed URL for an object that the caller can see.
///
/// DEVIATION (more): where transformations are off, `transform` is ignored; upstream checks it all the same.
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
    let life = sign::life(&state, life)?;
    let transformations = match body.object("transform")? {
        Some(fields) if state.config.pictures => {
            Transform::read("body/transform", |name| fields.get(name).cloned())?.to_sign()
        }
        _ => String::new(),
    };
    let asker = Asker::new(&state, &request, Some(&caller.0), "storage.object.sign");
    let object = lookup::visible(&state, asker, &target).await?;
    let token = sign::download(&state, &target, life, &transformations, object.signed_from())?;
    let door = if transformations.is_empty() { "object" } else { "render/image" };
    let url = format!("/{door}/sign/{}/{}?token={token}", target.bucket, target.key);
    Ok(HttpResponse::Ok().json(json!({ "signedURL": url })))
}
