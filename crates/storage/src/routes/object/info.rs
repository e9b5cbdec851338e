//! `GET` and `HEAD /object/info/{bucket}/{key}`, `/object/info/authenticated/…`, `/object/info/public/…`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::{Anyone, Caller};
use serde_json::json;

use super::lookup::{self, Reader};
use crate::caller::{TokenHolder, Visitor};
use crate::error::StorageError;
use crate::flows::serve;
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;
use crate::store;

/// With or without a token.
pub(crate) async fn visitor(
    caller: Visitor,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    info(&state, &request, caller.0.as_deref(), "/object/info").await
}

/// Requires a token.
pub(crate) async fn authenticated(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    info(&state, &request, Some(&caller.0), "/object/info/authenticated").await
}

/// For an object in a public bucket.
///
/// DEVIATION (more): `HEAD` of `/object/info/public` describes the object; upstream answers 400.
pub(crate) async fn public(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    info(&state, &request, None, "/object/info/public").await
}

async fn info(
    state: &State,
    request: &HttpRequest,
    caller: Option<&Caller>,
    words: &str,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(request, words)?;
    let operation = if caller.is_some() { "object.get_authenticated_info" } else { "storage.object.info_public" };
    let asker = Asker::new(state, request, caller, operation);
    let reader = if caller.is_some() { Reader::Caller } else { Reader::Stranger };
    let object = lookup::row(state, asker, &target, reader).await?;
    let fact = |name: &str| object.metadata.as_ref().and_then(|facts| facts.get(name).cloned()).unwrap_or_default();
    let mut response = HttpResponse::Ok();
    serve::cached(&object, &mut response)?;
    Ok(response.json(json!({
        "id": object.id,
        "name": object.name,
        "version": object.version,
        "bucket_id": object.bucket_id,
        "size": fact("size"),
        "content_type": fact("mimetype"),
        "cache_control": fact("cacheControl"),
        "etag": fact("eTag"),
        "metadata": object.user_metadata,
        "last_modified": store::time(object.updated_at),
        "created_at": store::time(object.created_at),
    })))
}
