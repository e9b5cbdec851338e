//! `GET /render/image/sign/{bucket}/{key}?token=…`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::enabled;
use crate::error::StorageError;
use crate::flows::render;
use crate::flows::serve::Wish;
use crate::flows::sign::{self, Scope};
use crate::protocol::transform::Transform;
use crate::routes::object::lookup::{self, Reader};
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

/// A picture as the token says; the query changes nothing about it.
pub(crate) async fn get(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    enabled(&state, &request)?;
    let target = path::target(&request, "/render/image/sign")?;
    let token = path::required(&request, "token")?;
    let signed = sign::verify(&state, &token, &target, Scope::Download)?;
    let asker = Asker::new(&state, &request, None, "storage.render.image_sign");
    let object = lookup::row(&state, asker, &target, Reader::Signed(signed.issued)).await?;
    let wish = Wish { download: path::query(&request, "download"), expires: Some(signed.expires) };
    render::picture(&state, &request, &object, Transform::signed(&signed.transformations), &wish).await
}
