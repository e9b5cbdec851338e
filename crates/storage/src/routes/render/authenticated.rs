//! `GET /render/image/authenticated/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};

use super::{enabled, transform};
use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::render;
use crate::flows::serve::Wish;
use crate::routes::object::lookup;
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

/// A picture that the caller's policies show, also of a public bucket.
pub(crate) async fn get(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    enabled(&state, &request)?;
    let (target, transform) = (path::target(&request, "/render/image/authenticated")?, transform(&request)?);
    let asker = Asker::new(&state, &request, Some(&caller.0), "storage.render.image_authenticated");
    let object = lookup::visible(&state, asker, &target).await?;
    let wish = Wish { download: path::query(&request, "download"), expires: None };
    render::picture(&state, &request, &object, transform, &wish).await
}
