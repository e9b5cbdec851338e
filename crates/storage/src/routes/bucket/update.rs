//! `PUT /bucket/{id}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use super::limits;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets::{self, Change};
use crate::wire;

/// Changes the given fields; null removes a limit.
pub(crate) async fn update(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let id = path::part(&request, "id")?;
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    if ["public", "file_size_limit", "allowed_mime_types"].iter().all(|name| body.get(name).is_none()) {
        let message = "body must have required property 'public', body must have required property 'file_size_limit', \
            body must have required property 'allowed_mime_types', body must match a schema in anyOf";
        return Err(StorageError::validation(message));
    }
    let change = Change {
        public: body.flag("public")?,
        file_size_limit: limits::file_size(&state.config, &body)?,
        allowed_mime_types: limits::mime_types(&body)?,
    };
    names::bucket(&id)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.update");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let hides = change.public == Some(false) && buckets::find(&tx, &id).await?.is_some_and(|bucket| bucket.public);
    if !buckets::update(&tx, &id, &change).await? {
        return Err(StorageError::no_such_bucket());
    }
    tx.commit().await.map_err(StorageError::database)?;
    drop(connection);
    if hides {
        state.cdn.bucket_changed(&id).await;
    }
    Ok(HttpResponse::Ok().json(json!({ "message": "Successfully updated" })))
}
