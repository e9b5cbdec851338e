//! `GET` and `HEAD /object/{bucket}/{key}` and `/object/authenticated/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Caller;

use super::lookup::{self, Reader};
use crate::caller::{TokenHolder, Visitor};
use crate::error::StorageError;
use crate::flows::serve::{self, Wish};
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

const GET: &str = "storage.object.get_authenticated";
const HEAD: &str = "object.head_authenticated_info";

/// With or without a token.
pub(crate) async fn visitor(
    caller: Visitor,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    bytes(&state, &request, caller.0.as_deref(), "/object").await
}

/// Requires a token.
pub(crate) async fn authenticated(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    bytes(&state, &request, Some(&caller.0), "/object/authenticated").await
}

/// `HEAD` with or without a token.
pub(crate) async fn head_visitor(
    caller: Visitor,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    head(&state, &request, caller.0.as_deref(), "/object").await
}

/// `HEAD`; requires a token.
pub(crate) async fn head_authenticated(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    head(&state, &request, Some(&caller.0), "/object/authenticated").await
}

async fn bytes(
    state: &State,
    request: &HttpRequest,
    caller: Option<&Caller>,
    words: &str,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(request, words)?;
    let asker = Asker::new(state, request, caller, GET);
    let wish = Wish { download: path::query(request, "download"), expires: None };
    lookup::bytes(state, request, asker, &target, reader(caller), &wish).await
}

async fn head(
    state: &State,
    request: &HttpRequest,
    caller: Option<&Caller>,
    words: &str,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(request, words)?;
    let asker = Asker::new(state, request, caller, HEAD);
    let object = lookup::row(state, asker, &target, reader(caller)).await?;
    serve::head(state, request, &object)
}

fn reader(caller: Option<&Caller>) -> Reader {
    if caller.is_some() { Reader::Caller } else { Reader::Stranger }
}
