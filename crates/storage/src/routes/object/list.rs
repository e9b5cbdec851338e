//! `POST /object/list/{bucket}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::listing::{self, Entry, Search};
use crate::wire::{self, Fields};

/// A page of a folder by offset; names are relative to it.
pub(crate) async fn list(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let bucket = path::part(&request, "bucket")?;
    let body = wire::json(&request, &mut payload.into_inner(), false).await?;
    let mut prefix = body.required("prefix")?;
    if !prefix.is_empty() && !prefix.ends_with('/') {
        prefix.push('/');
    }
    let columns = ["name", "updated_at", "created_at", "last_accessed_at"];
    let (column, order) = sort(&body, &columns)?;
    let number = |name: &str, least: i64, default: i32| -> Result<i32, StorageError> {
        Ok(body.integer(name, least)?.map_or(default, |number| i32::try_from(number).unwrap_or(i32::MAX)))
    };
    let search = Search {
        bucket,
        prefix,
        search: body.text("search")?.unwrap_or_default(),
        limit: number("limit", 1, 100)?,
        offset: number("offset", 0, 0)?,
        column: column.unwrap_or_else(|| "name".to_owned()),
        order: order.unwrap_or_else(|| "asc".to_owned()),
    };
    names::bucket(&search.bucket)?;
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.list");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = listing::search(&tx, &search).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    Ok(HttpResponse::Ok().json(found.iter().map(Entry::json).collect::<Vec<Value>>()))
}

/// `sortBy`: column and order.
pub(super) fn sort(body: &Fields, columns: &[&str]) -> Result<(Option<String>, Option<String>), StorageError> {
    let Some(sort) = body.object("sortBy")? else { return Ok((None, None)) };
    let wrong =
        |name: &str| StorageError::validation(format!("body/sortBy/{name} must be equal to one of the allowed values"));
    let missing = || StorageError::validation("body/sortBy must have required property 'column'");
    let column = sort.text("column")?.ok_or_else(missing)?;
    if !columns.contains(&column.as_str()) {
        return Err(wrong("column"));
    }
    let order = sort.text("order")?;
    if order.as_deref().is_some_and(|order| !["asc", "desc"].contains(&order)) {
        return Err(wrong("order"));
    }
    Ok((Some(column), order))
}
