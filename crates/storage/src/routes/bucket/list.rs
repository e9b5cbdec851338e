//! `GET /bucket`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets::{self, Page};
use crate::store::listing;

/// The buckets that the caller can see.
pub(crate) async fn list(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let one_of = |name: &str, values: &[&str]| match path::query(&request, name) {
        Some(value) if !values.contains(&value.as_str()) => {
            let message = format!("querystring/{name} must be equal to one of the allowed values");
            Err(StorageError::validation(message))
        }
        value => Ok(value),
    };
    let page = Page {
        limit: path::integer(&request, "limit", 1)?,
        offset: path::integer(&request, "offset", 0)?.unwrap_or_default(),
        column: one_of("sortColumn", &["id", "name", "created_at", "updated_at"])?,
        descending: one_of("sortOrder", &["asc", "desc"])?.is_some_and(|order| order == "desc"),
        search: path::query(&request, "search")
            .filter(|text| !text.is_empty())
            .map(|text| format!("%{}%", listing::like(&text))),
    };
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.bucket.list");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = buckets::list(&tx, &page).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    let list: Vec<Value> = found.iter().map(|bucket| bucket.json(true)).collect();
    Ok(HttpResponse::Ok().json(list))
}
