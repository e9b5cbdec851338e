//! `PATCH /upload/resumable/{id}`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::describe;
use crate::caller::TokenHolder;
use crate::flows::resumable::{self, Sender};
use crate::protocol::tus::{Headers, Refusal, UploadId};
use crate::state::State;

/// A piece that the caller's policies allow.
pub(crate) async fn token_holder(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.part";
    part(&Sender { state: &state, request: &request, caller: Some(&caller.0), operation }, payload).await
}

/// A piece of an upload that was allowed when its token was made.
pub(crate) async fn signed(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.part_signed";
    part(&Sender { state: &state, request: &request, caller: None, operation }, payload).await
}

async fn part(sender: &Sender<'_>, payload: web::Payload) -> Result<HttpResponse, Refusal> {
    let headers = Headers::of(sender.request.headers(), true)?;
    let id = UploadId::decode(sender.request.match_info().query("id"))?;
    let progress = resumable::part(sender, &id, headers, payload.into_inner()).await?;
    let mut response = HttpResponse::NoContent();
    describe(&mut response, &progress);
    response.insert_header(("upload-offset", progress.offset.to_string()));
    if progress.complete {
        response.insert_header(("tus-complete", "1"));
    }
    Ok(response.finish())
}
