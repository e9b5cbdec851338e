//! `POST /object/list-v2/{bucket}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Map, Value, json};

use super::list::sort;
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::protocol::cursor::Cursor;
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;
use crate::store::listing::{self, Entry, Listing};
use crate::wire;

/// Maximum page size.
const PAGE_LIMIT: i64 = 1000;

/// A page by cursor: of one folder with `with_delimiter`, otherwise of everything below the prefix. Names are complete.
pub(crate) async fn list(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, StorageError> {
    let bucket = path::part(&request, "bucket")?;
    let body = wire::json(&request, &mut payload.into_inner(), true).await?;
    let (column, order) = sort(&body, &["name", "updated_at", "created_at"])?;
    let limit = body.integer("limit", 1)?.unwrap_or(PAGE_LIMIT).min(PAGE_LIMIT);
    let with_folders = body.flag("with_delimiter")?.unwrap_or_default();
    let prefix = body.text("prefix")?.unwrap_or_default();
    let cursor = body.text("cursor")?.filter(|cursor| !cursor.is_empty());
    let cursor = cursor.map(|cursor| Cursor::decode(&cursor)).transpose()?;
    names::bucket(&bucket)?;
    // The cursor overrides the request.
    let begin = cursor.unwrap_or_default();
    let column = begin.column.or(column);
    let order = begin.order.or(order);
    let listing = Listing {
        bucket,
        prefix,
        // One row more than the page, to find out whether there is a next page.
        limit: i32::try_from(limit).unwrap_or(i32::MAX - 1) + 1,
        start_after: begin.start_after,
        descending: order.as_deref() == Some("desc"),
        column: column.clone().unwrap_or_else(|| "name".to_owned()),
        column_after: begin.column_after.unwrap_or_default(),
    };
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.list_v2");
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = if with_folders { listing::folder(&tx, &listing).await? } else { listing::flat(&tx, &listing).await? };
    tx.rollback().await.map_err(StorageError::database)?;
    let next = move |last: &Entry| Cursor {
        start_after: last.name.clone(),
        column_after: column.as_deref().filter(|column| *column != "name").and_then(|column| last.column(column)),
        order,
        column,
    };
    Ok(HttpResponse::Ok().json(page(&found, usize::try_from(limit).unwrap_or_default(), with_folders, next)))
}

fn page(found: &[Entry], limit: usize, with_folders: bool, next: impl FnOnce(&Entry) -> Cursor) -> Value {
    let shown = &found[..found.len().min(limit)];
    let line = |entry: &Entry| {
        let mut line = entry.json();
        if entry.is_folder() && !entry.name.ends_with('/') {
            line["name"] = Value::from(format!("{}/", entry.name));
        }
        if with_folders {
            line["key"] = json!(entry.key);
        }
        line
    };
    let (folders, objects): (Vec<&Entry>, Vec<&Entry>) = shown.iter().partition(|entry| entry.is_folder());
    let mut page = Map::new();
    let has_next = found.len() > limit;
    page.insert("hasNext".to_owned(), Value::from(has_next));
    if let Some(last) = shown.last().filter(|_| has_next) {
        page.insert("nextCursor".to_owned(), Value::from(next(last).encode()));
        page.insert("nextCursorKey".to_owned(), Value::from(last.name.clone()));
    }
    page.insert("folders".to_owned(), folders.into_iter().map(line).collect());
    page.insert("objects".to_owned(), objects.into_iter().map(line).collect());
    Value::Object(page)
}
