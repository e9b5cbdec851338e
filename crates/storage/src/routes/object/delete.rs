//! `DELETE /object/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::remove;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;

/// Deletes an object.
pub(crate) async fn delete(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object")?;
    names::bucket(&target.bucket)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.delete");
    remove::one(&state, &requester, &target.bucket, &target.key).await?;
    Ok(HttpResponse::Ok().json(json!({ "message": "Successfully deleted" })))
}
