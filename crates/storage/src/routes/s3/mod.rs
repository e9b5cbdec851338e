//! `/s3`: the S3 protocol, path-style. One file per operation.
//!
//! The crate s3s checks signatures and decodes `aws-chunked` bodies; operations use the same flows as the other routes.
//!
//! Source: supabase/storage, `src/http/routes/s3` and `src/storage/protocols/s3`.

mod abort_multipart;
mod answer;
mod bucket_location;
mod bucket_versioning;
mod call;
mod checksum;
mod complete_multipart;
mod copy_object;
mod create_bucket;
mod create_multipart;
mod delete_bucket;
mod delete_object;
mod delete_objects;
mod get_object;
mod head_bucket;
mod head_object;
mod list_buckets;
mod list_multipart;
mod list_objects;
mod list_parts;
mod list_versions;
mod object_tagging;
mod post_form;
mod put_object;
pub(super) mod signature;
mod upload_part;
mod upload_part_copy;

use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::{Anyone, Refusal, Route};
use serde_json::json;

use crate::error::StorageError;
use crate::flows::receive::header;
use crate::refusal::refused;
use crate::state::State;
use call::{Call, Resource};

/// The routes; all operations of a method share one.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = Vec::new();
    for path in ["/s3", "/s3/{path:.*}"] {
        for method in [Method::GET, Method::HEAD, Method::PUT, Method::POST, Method::DELETE] {
            routes.push(Route::new(method, path, handle).named_check("an S3 signature"));
        }
    }
    routes
}

async fn handle(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    if !state.config.s3.enabled {
        return Err(refused(&request, Refusal::NotFound));
    }
    let answer = answer(state, &request, payload).await;
    Ok(answer.unwrap_or_else(|error| answer::error(&request, &error)))
}

async fn answer(
    state: web::Data<State>,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let resource = Resource::of(request)?;
    let is_form = header(request, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("multipart/form-data"));
    if is_form {
        let is_post = request.method() == Method::POST && resource.key.is_empty() && !resource.bucket.is_empty();
        if !is_post || resource.has("delete") {
            return Ok(HttpResponse::BadRequest().json(json!({ "message": "Multipart form data not supported" })));
        }
        return post_form::post(&state, request, &resource, payload.into_inner()).await;
    }
    let (signer, payload) = signature::verify(&state, request, payload.into_inner()).await?;
    let mut call = Call { state, request: request.clone(), resource, signer, payload };
    run(&mut call).await
}

/// An operation that S3 has and this service does not is answered with 404.
async fn run(call: &mut Call) -> Result<HttpResponse, StorageError> {
    let method = call.request.method().clone();
    let resource = &call.resource;
    let copies = call.header("x-amz-copy-source").is_some();
    let is_part = resource.has("uploadId") && resource.has("partNumber");
    if resource.bucket.is_empty() {
        return match method {
            Method::GET => list_buckets::list(call).await,
            _ => Ok(HttpResponse::NotFound().finish()),
        };
    }
    if resource.key.is_empty() {
        return match method {
            Method::GET if resource.has("location") => bucket_location::get(call),
            Method::GET if resource.has("versioning") => bucket_versioning::get(call).await,
            Method::GET if resource.has("uploads") => list_multipart::list(call).await,
            Method::GET if resource.has("versions") => list_versions::list(call).await,
            Method::GET => list_objects::list(call).await,
            Method::HEAD => head_bucket::head(call).await,
            Method::PUT => create_bucket::create(call).await,
            Method::POST if resource.has("delete") => delete_objects::delete(call).await,
            Method::DELETE => delete_bucket::delete(call).await,
            _ => Ok(HttpResponse::NotFound().finish()),
        };
    }
    match method {
        Method::GET if resource.has("tagging") => object_tagging::get(call).await,
        Method::GET if resource.has("uploadId") => list_parts::list(call).await,
        Method::GET => get_object::get(call).await,
        Method::HEAD => head_object::head(call).await,
        Method::PUT if is_part && copies => upload_part_copy::copy(call).await,
        Method::PUT if is_part => upload_part::upload(call).await,
        Method::PUT if copies => copy_object::copy(call).await,
        Method::PUT => put_object::put(call).await,
        Method::POST if resource.has("uploads") => create_multipart::create(call).await,
        Method::POST if resource.has("uploadId") => complete_multipart::complete(call).await,
        Method::DELETE if resource.has("uploadId") => abort_multipart::abort(call).await,
        Method::DELETE => delete_object::delete(call).await,
        _ => Ok(HttpResponse::NotFound().finish()),
    }
}
