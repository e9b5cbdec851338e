//! `GET /bucket/{id}`

use actix_web::{HttpRequest, HttpResponse, web};

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets;

/// A bucket that the caller can see.
pub(crate) async fn get(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let id = path::part(&request, "id")?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.get");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let bucket = buckets::find(&tx, &id).await?.ok_or_else(StorageError::no_such_bucket)?;
    tx.rollback().await.map_err(StorageError::database)?;
    Ok(HttpResponse::Ok().json(bucket.json(false)))
}
