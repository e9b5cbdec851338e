//! `GET` and `HEAD /object/public/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::lookup::{self, Reader};
use crate::error::StorageError;
use crate::flows::serve::{self, Wish};
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

/// An object of a public bucket.
pub(crate) async fn get(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/public")?;
    let asker = Asker::new(&state, &request, None, "storage.object.get_public");
    let wish = Wish { download: path::query(&request, "download"), expires: None };
    lookup::bytes(&state, &request, asker, &target, Reader::Stranger, &wish).await
}

/// Its headers.
pub(crate) async fn head(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/public")?;
    let asker = Asker::new(&state, &request, None, "storage.object.info_public");
    let object = lookup::row(&state, asker, &target, Reader::Stranger).await?;
    serve::head(&state, &request, &object)
}
