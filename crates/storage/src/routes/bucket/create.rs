//! `POST /bucket`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use super::limits;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::protocol::names;
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets::{self, NewBucket};
use crate::wire;

/// Creates a bucket, if the policies of `storage.buckets` allow it.
pub(crate) async fn create(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let name = body.required("name")?;
    let id = body.text("id")?.filter(|id| !id.is_empty()).unwrap_or_else(|| name.clone());
    let public = body.flag("public")?.unwrap_or_default();
    match body.text("type")?.as_deref() {
        None | Some("STANDARD") => {}
        // DEVIATION (missing): analytics buckets cannot be created; upstream writes their rows even where Iceberg is off.
        Some("ANALYTICS") => {
            let message = "Iceberg buckets are not enabled for this tenant";
            return Err(StorageError::new(409, "FeatureNotEnabled", "FeatureNotEnabled", message));
        }
        Some(_) => {
            return Err(StorageError::validation("body/type must be equal to one of the allowed values"));
        }
    }
    names::new_bucket(&name)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.create");
    let bucket = NewBucket {
        id,
        name: name.clone(),
        public,
        file_size_limit: limits::file_size(&state.config, &body)?.flatten(),
        allowed_mime_types: limits::mime_types(&body)?.flatten(),
        owner: requester.owner.clone(),
    };
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    buckets::insert(&tx, &bucket).await?;
    tx.commit().await.map_err(StorageError::database)?;
    Ok(HttpResponse::Ok().json(json!({ "name": name })))
}
