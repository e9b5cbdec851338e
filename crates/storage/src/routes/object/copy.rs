//! `POST /object/copy`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use super::rename::ends;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::copy::{self, Changes};
use crate::flows::receive::{decoded, header};
use crate::session::Requester;
use crate::state::State;
use crate::wire;

/// Copies an object, optionally to another bucket.
pub(crate) async fn copy(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    // Upstream names this one first.
    body.required("sourceKey")?;
    let (from, to) = ends(&body)?;
    let metadata = body.object("metadata")?.unwrap_or_default();
    let changes = Changes {
        upsert: header(&request, "x-upsert") == Some("true"),
        copy_metadata: body.flag("copyMetadata")?.unwrap_or(true),
        cache_control: metadata.text("cacheControl")?,
        mime_type: metadata.text("mimetype")?,
        user_metadata: header(&request, "x-metadata").and_then(decoded),
    };
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.copy");
    let object = copy::copy(&state, &requester, &from, &to, &changes).await?;
    let mut answer = object.json();
    answer.insert("Id".to_owned(), Value::from(object.id.to_string()));
    answer.insert("Key".to_owned(), Value::from(format!("{}/{}", to.bucket, to.key)));
    Ok(HttpResponse::Ok().json(answer))
}
