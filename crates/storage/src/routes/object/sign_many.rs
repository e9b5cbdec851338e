//! `POST /object/sign/{bucket}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::sign;
use crate::flows::upload::Target;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::objects;
use crate::wire;

/// Maximum number of objects per request.
const PATHS_LIMIT: usize = 1000;

/// Signed URLs for those of the objects that the caller can see.
pub(crate) async fn sign(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let bucket = path::part(&request, "bucket")?;
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let missing = |name: &str| StorageError::validation(format!("body must have required property '{name}'"));
    let life = body.integer("expiresIn", 1)?.ok_or_else(|| missing("expiresIn"))?;
    let paths = body.texts("paths")?.ok_or_else(|| missing("paths"))?;
    if paths.is_empty() {
        return Err(StorageError::validation("body/paths must NOT have fewer than 1 items"));
    }
    if paths.len() > PATHS_LIMIT {
        let message = format!("body/paths must NOT have more than {PATHS_LIMIT} items");
        return Err(StorageError::validation(message));
    }
    let life = sign::life(&state, life)?;
    names::bucket(&bucket)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.sign_many");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = objects::existing(&tx, &bucket, &paths).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    let signed = paths.into_iter().map(|key| {
        let Some(from) = found.get(&key) else {
            let error = "Either the object does not exist or you do not have access to it";
            return Ok(json!({ "error": error, "path": key, "signedURL": null }));
        };
        let target = Target { bucket: bucket.clone(), key: key.clone() };
        let token = sign::download(&state, &target, life, "", *from)?;
        let url = format!("/object/sign/{bucket}/{key}?token={token}");
        Ok(json!({ "error": null, "path": key, "signedURL": url }))
    });
    Ok(HttpResponse::Ok().json(signed.collect::<Result<Vec<Value>, StorageError>>()?))
}
