//! Responses of `/render/image`.

use actix_web::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use actix_web::{HttpRequest, HttpResponse};

use super::receive::header;
use super::serve::{self, Wish};
use crate::error::StorageError;
use crate::picture::Output;
use crate::protocol::transform::{Format, Transform};
use crate::state::State;
use crate::store::objects::Object;

/// The rendered image, or 304. `ETag` and `Cache-Control` are those of the object.
///
/// # Errors
/// 400 for an object that is no supported image, or a too large one; `NoSuchKey` if the file is gone.
pub(crate) async fn picture(
    state: &State,
    request: &HttpRequest,
    object: &Object,
    transform: Transform,
    wish: &Wish,
) -> Result<HttpResponse, StorageError> {
    if serve::not_modified(request, object) {
        return Ok(HttpResponse::NotModified().finish());
    }
    let output = output(transform, header(request, ACCEPT.as_str()).unwrap_or_default());
    let picture = state.renditions.get(&state.files, object.place(), transform, output).await?;
    let mut response = HttpResponse::Ok();
    serve::describe(state, request, object, wish, "stale-while-revalidate=30", &mut response)?;
    response.insert_header((CONTENT_TYPE, picture.kind));
    if transform.format.is_none() {
        response.insert_header((VARY, "Accept"));
    }
    let described = transform.describe();
    if !described.is_empty() {
        response.insert_header(("x-transformations", described));
    }
    Ok(response.body(picture.bytes))
}

/// The output format; without `format` the `Accept` header decides.
///
/// DEVIATION (missing): `format=avif` gives WebP.
fn output(transform: Transform, accept: &str) -> Output {
    match transform.format {
        Some(Format::Webp | Format::Avif) => Output::Webp,
        Some(Format::Origin) => Output::Origin,
        None if accept.contains("image/webp") => Output::Webp,
        None => Output::Origin,
    }
}
