//! `GET /render/image/public/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::{enabled, transform};
use crate::error::StorageError;
use crate::flows::render;
use crate::flows::serve::Wish;
use crate::routes::object::lookup::{self, Reader};
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

/// A picture of a public bucket.
pub(crate) async fn get(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    enabled(&state, &request)?;
    let (target, transform) = (path::target(&request, "/render/image/public")?, transform(&request)?);
    let asker = Asker::new(&state, &request, None, "storage.render.image_public");
    let object = lookup::row(&state, asker, &target, Reader::Stranger).await?;
    let wish = Wish { download: path::query(&request, "download"), expires: None };
    render::picture(&state, &request, &object, transform, &wish).await
}
