//! `POST /object/move`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::copy;
use crate::flows::upload::Target;
use crate::session::Requester;
use crate::state::State;
use crate::wire::{self, Fields};

/// Renames an object, optionally into another bucket.
pub(crate) async fn rename(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let (from, to) = ends(&body)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.move");
    copy::rename(&state, &requester, &from, &to).await?;
    Ok(HttpResponse::Ok().json(json!({ "message": "Successfully moved" })))
}

/// Source and target of moving and copying.
pub(super) fn ends(body: &Fields) -> Result<(Target, Target), StorageError> {
    let bucket = body.required("bucketId")?;
    let from = Target { bucket: bucket.clone(), key: body.required("sourceKey")? };
    let other = body.text("destinationBucket")?.filter(|name| !name.is_empty());
    let to = Target { bucket: other.unwrap_or(bucket), key: body.required("destinationKey")? };
    Ok((from, to))
}
