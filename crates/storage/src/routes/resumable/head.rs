//! `HEAD /upload/resumable/{id}`

use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::describe;
use crate::caller::TokenHolder;
use crate::flows::resumable::{self, Sender};
use crate::protocol::tus::{Headers, Refusal, UploadId};
use crate::state::State;

/// Anyone with a token may look.
pub(crate) async fn token_holder(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.get";
    head(&Sender { state: &state, request: &request, caller: Some(&caller.0), operation }).await
}

/// `HEAD` with the upload's signed token: needs no other permission.
pub(crate) async fn signed(_: Anyone, state: web::Data<State>, request: HttpRequest) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.get_signed";
    head(&Sender { state: &state, request: &request, caller: None, operation }).await
}

async fn head(sender: &Sender<'_>) -> Result<HttpResponse, Refusal> {
    Headers::of(sender.request.headers(), false)?;
    let id = UploadId::decode(sender.request.match_info().query("id"))?;
    let (info, progress) = resumable::look(sender, &id).await?;
    let mut response = HttpResponse::Ok();
    describe(&mut response, &progress);
    response.insert_header((CACHE_CONTROL, "no-store"));
    response.insert_header(("upload-offset", progress.offset.to_string()));
    match info.length {
        Some(length) => response.insert_header(("upload-length", length.to_string())),
        None => response.insert_header(("upload-defer-length", "1")),
    };
    if let Ok(metadata) = HeaderValue::from_str(&info.metadata.encode()) {
        response.insert_header(("upload-metadata", metadata));
    }
    Ok(response.finish())
}
