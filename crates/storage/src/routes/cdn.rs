//! `DELETE /cdn`, `/cdn/{bucket}` and `/cdn/{bucket}/{key}`

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Route;
use serde_json::json;

use crate::caller::Administrator;
use crate::error::StorageError;
use crate::outside::cdn::Place;
use crate::routes::path;
use crate::state::State;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::DELETE, "/cdn", purge_all).body_limit(0),
        Route::new(Method::DELETE, "/cdn/", purge_all).body_limit(0),
        Route::new(Method::DELETE, "/cdn/{bucket}", purge_bucket).body_limit(0),
        Route::new(Method::DELETE, "/cdn/{bucket}/{path:.*}", purge_object).body_limit(0),
    ]
}

async fn purge_all(
    _: Administrator,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    purge(&state, &request, &Place::Tenant).await
}

async fn purge_bucket(
    _: Administrator,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    purge(&state, &request, &Place::Bucket(path::part(&request, "bucket")?)).await
}

async fn purge_object(
    _: Administrator,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/cdn")?;
    purge(&state, &request, &Place::Object(target.bucket, target.key)).await
}

/// Purges a place, or with `?transformations=true` what was made of its images.
async fn purge(state: &State, request: &HttpRequest, place: &Place) -> Result<HttpResponse, StorageError> {
    let transforms = path::flag(request, "transformations")?.unwrap_or_default();
    state.cdn.purge(place, transforms).await?;
    Ok(HttpResponse::Ok().json(json!({ "message": "success" })))
}
