//! `/vector`: vector buckets on pgvector, one file per operation. Unlike elsewhere, errors have the status of what happened.
//!
//! Source: supabase/storage, `src/http/routes/vector`.

mod create_bucket;
mod create_index;
mod delete_bucket;
mod delete_index;
mod delete_vectors;
mod get_bucket;
mod get_index;
mod get_vectors;
mod list_buckets;
mod list_indexes;
mod list_vectors;
mod put_vectors;
mod query_vectors;
mod signature;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::{Refusal, Route};
use serde_json::{Map, Value};

use crate::caller::VectorAdministrator;
use crate::error::StorageError;
use crate::flows::vectors::Vectors;
use crate::protocol::vectors::bodies::{Body, Page};
use crate::protocol::vectors::limits;
use crate::refusal::refused;
use crate::state::State;
use crate::store::vector_tables::Stored;
use crate::store::vectors;
use crate::wire;

/// The handler of an operation: with `$operation` as the value of `storage.operation()`, it reads the body and runs `$run`.
macro_rules! handler {
    ($run:path, $operation:literal) => {
        |who: VectorAdministrator, state: web::Data<State>, request: HttpRequest, payload: web::Payload| async move {
            let answered = async {
                let body = body(who, &state, &request, payload).await?;
                $run(&Vectors::new(&state, &request, $operation), body).await
            };
            answered.await.map_err(StorageError::plainly)
        }
    };
}

pub(super) fn routes() -> Vec<Route> {
    let post = Method::POST;
    vec![
        Route::new(
            post.clone(),
            "/vector/CreateVectorBucket",
            handler!(create_bucket::create, "storage.vector.bucket.create"),
        ),
        Route::new(
            post.clone(),
            "/vector/DeleteVectorBucket",
            handler!(delete_bucket::delete, "storage.vector.bucket.delete"),
        ),
        Route::new(post.clone(), "/vector/GetVectorBucket", handler!(get_bucket::get, "storage.vector.bucket.get")),
        Route::new(
            post.clone(),
            "/vector/ListVectorBuckets",
            handler!(list_buckets::list, "storage.vector.bucket.list"),
        ),
        Route::new(post.clone(), "/vector/CreateIndex", handler!(create_index::create, "storage.vector.index.create")),
        Route::new(post.clone(), "/vector/DeleteIndex", handler!(delete_index::delete, "storage.vector.index.delete")),
        Route::new(post.clone(), "/vector/GetIndex", handler!(get_index::get, "storage.vector.index.get")),
        Route::new(post.clone(), "/vector/ListIndexes", handler!(list_indexes::list, "storage.vector.index.list")),
        Route::new(post.clone(), "/vector/PutVectors", handler!(put_vectors::put, "storage.vector.vectors.put"))
            .body_limit(limits::BODY),
        Route::new(post.clone(), "/vector/GetVectors", handler!(get_vectors::get, "storage.vector.vectors.get")),
        Route::new(post.clone(), "/vector/ListVectors", handler!(list_vectors::list, "storage.vector.vectors.list")),
        Route::new(
            post.clone(),
            "/vector/DeleteVectors",
            handler!(delete_vectors::delete, "storage.vector.vectors.delete"),
        ),
        Route::new(post, "/vector/QueryVectors", handler!(query_vectors::query, "storage.vector.vectors.query")),
    ]
}

/// The body of an operation. Where vectors are switched off there is no such route.
async fn body<T: Body>(
    who: VectorAdministrator,
    state: &State,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<T, StorageError> {
    if !state.config.vectors.enabled {
        return Err(refused(request, Refusal::NotFound));
    }
    let signed = match who {
        VectorAdministrator::Signer => Some(signature::read(state, request).await?),
        _ => None,
    };
    let bytes = wire::bytes(request, &mut payload.into_inner()).await?;
    if let Some(signed) = signed {
        signed.covers(state, request, &bytes)?;
    }
    T::of(wire::value(request, &bytes)?)
}

fn page(page: &Page) -> vectors::Page<'_> {
    vectors::Page {
        limit: page.limit(),
        after: page.next_token.as_deref().filter(|text| !text.is_empty()),
        prefix: page.prefix.as_deref().filter(|text| !text.is_empty()),
    }
}

/// 200 with a list.
fn listed(name: &str, items: Vec<Value>, next: Option<String>) -> HttpResponse {
    let mut body = Map::from_iter([(name.to_owned(), Value::from(items))]);
    if let Some(next) = next {
        body.insert("nextToken".to_owned(), Value::from(next));
    }
    HttpResponse::Ok().json(body)
}

/// What was wanted of a vector.
fn shown(vector: &Stored) -> Value {
    let mut shown = Map::from_iter([("key".to_owned(), Value::from(vector.key.clone()))]);
    if let Some(data) = &vector.data {
        let numbers: Value = serde_json::from_str(data).unwrap_or_default();
        shown.insert("data".to_owned(), Map::from_iter([("float32".to_owned(), numbers)]).into());
    }
    if let Some(distance) = vector.distance {
        shown.insert("distance".to_owned(), Value::from(distance));
    }
    if let Some(metadata) = &vector.metadata {
        shown.insert("metadata".to_owned(), metadata.clone());
    }
    shown.into()
}
