//! `OPTIONS /upload/resumable`: what the server can do. Preflights of browsers are answered before they come here.

use actix_web::{HttpResponse, web};
use gateway::Anyone;

use crate::protocol::tus::{EXTENSIONS, VERSION};
use crate::state::State;

/// The headers that pages of other origins may send.
const HEADERS: &str = "Authorization, Content-Type, Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, \
    Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, \
    X-Requested-With, X-Forwarded-Host, X-Forwarded-Proto, Forwarded, X-Upsert, Upload-Expires, ApiKey, x-signature";

/// Anyone may ask.
pub(crate) async fn options(_: Anyone, state: web::Data<State>) -> HttpResponse {
    let mut response = HttpResponse::NoContent();
    response
        .insert_header(("tus-resumable", VERSION))
        .insert_header(("tus-version", VERSION))
        .insert_header(("tus-extension", EXTENSIONS))
        .insert_header(("tus-max-size", state.config.resumable_limit(None).to_string()))
        .insert_header(("access-control-allow-origin", "*"))
        .insert_header(("access-control-allow-methods", "POST, HEAD, PATCH, OPTIONS, DELETE"))
        .insert_header(("access-control-allow-headers", HEADERS))
        .insert_header(("access-control-max-age", "86400"));
    response.finish()
}
