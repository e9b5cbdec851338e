//! `DELETE /object/{bucket}`

use actix_web::{HttpRequest, HttpResponse, web};

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::remove;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::wire;

/// Deletes those of the named objects that exist and may be deleted; ignores the others.
pub(crate) async fn delete(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let bucket = path::part(&request, "bucket")?;
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let missing = || StorageError::validation("body must have required property 'prefixes'");
    let keys = body.texts("prefixes")?.ok_or_else(missing)?;
    if keys.is_empty() {
        return Err(StorageError::validation("body/prefixes must NOT have fewer than 1 items"));
    }
    names::bucket(&bucket)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.delete_many");
    let deleted = remove::many(&state, &requester, &bucket, &keys).await?;
    let rows: Vec<_> = deleted.iter().map(crate::store::objects::Object::json).collect();
    Ok(HttpResponse::Ok().json(rows))
}
