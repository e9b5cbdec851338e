//! `POST /bucket/{id}/empty`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::caller::Administrator;
use crate::error::StorageError;
use crate::flows::remove;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::{buckets, objects};

/// Number of names per batch.
const BATCH: i64 = 1000;

/// Deletes all objects that are in the bucket now. They are deleted when the response is sent.
pub(crate) async fn empty(
    caller: Administrator,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let id = path::part(&request, "id")?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.empty");
    let before = state.clock.now();
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    buckets::find(&tx, &id).await?.ok_or_else(StorageError::no_such_bucket)?;
    let most = state.config.empty_bucket_max;
    if objects::count(&tx, &id, most + 1).await? > most {
        let message = "Unable to empty the bucket because it contains too many objects";
        return Err(StorageError::new(409, "InvalidRequest", "InvalidRequest", message));
    }
    tx.rollback().await.map_err(StorageError::database)?;
    drop(connection);
    loop {
        let mut connection = state.connection().await?;
        let tx = requester.as_user(&mut connection).await?;
        let names = objects::names_before(&tx, &id, before, BATCH).await?;
        tx.rollback().await.map_err(StorageError::database)?;
        // Use one connection at a time, however small the pool is.
        drop(connection);
        if names.is_empty() || remove::many(&state, &requester, &id, &names).await?.is_empty() {
            break;
        }
    }
    let message = "Empty bucket has been queued. Completion may take up to an hour.";
    Ok(HttpResponse::Ok().json(json!({ "message": message })))
}
