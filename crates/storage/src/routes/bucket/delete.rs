//! `DELETE /bucket/{id}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::bucket;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;

/// Deletes an empty bucket.
pub(crate) async fn delete(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let id = path::part(&request, "id")?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.delete");
    bucket::delete(&state, &requester, &id).await?;
    Ok(HttpResponse::Ok().json(json!({ "message": "Successfully deleted" })))
}
