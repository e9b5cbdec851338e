//! `/render/image`

pub(crate) mod authenticated;
pub(crate) mod public;
pub(crate) mod signed;

use actix_web::HttpRequest;
use actix_web::http::Method;
use gateway::{Refusal, Route};
use serde_json::Value;

use super::path;
use crate::error::StorageError;
use crate::protocol::transform::Transform;
use crate::refusal::refused;
use crate::state::State;

pub(super) fn routes() -> Vec<Route> {
    [Method::GET, Method::HEAD]
        .into_iter()
        .flat_map(|method| {
            [
                Route::new(method.clone(), "/render/image/public/{path:.*}", public::get),
                Route::new(method.clone(), "/render/image/authenticated/{path:.*}", authenticated::get),
                Route::new(method, "/render/image/sign/{path:.*}", signed::get),
            ]
        })
        .collect()
}

/// Where pictures are switched off there is no such route.
fn enabled(state: &State, request: &HttpRequest) -> Result<(), StorageError> {
    if state.config.pictures { Ok(()) } else { Err(refused(request, Refusal::NotFound)) }
}

fn transform(request: &HttpRequest) -> Result<Transform, StorageError> {
    Transform::read("querystring", |name| path::query(request, name).map(Value::from))
}
