//! `POST /upload/resumable`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::describe;
use crate::caller::TokenHolder;
use crate::flows::resumable::{self, Sender};
use crate::protocol::tus::{Headers, Refusal};
use crate::state::State;

/// An upload that the caller's policies allow.
pub(crate) async fn token_holder(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.create";
    let sender = Sender { state: &state, request: &request, caller: Some(&caller.0), operation };
    create(&sender, payload, "").await
}

/// An upload that was allowed when its token was made.
pub(crate) async fn signed(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.create_signed";
    let sender = Sender { state: &state, request: &request, caller: None, operation };
    create(&sender, payload, "/sign").await
}

async fn create(sender: &Sender<'_>, payload: web::Payload, door: &str) -> Result<HttpResponse, Refusal> {
    let headers = Headers::of(sender.request.headers(), false)?;
    let piece = headers.piece;
    let (id, progress) = resumable::create(sender, headers, payload.into_inner()).await?;
    let mut response = HttpResponse::Created();
    describe(&mut response, &progress);
    let location = format!("{}/upload/resumable{door}/{}", sender.state.public_url(), id.encode());
    response.insert_header(("location", location));
    if piece {
        response.insert_header(("upload-offset", progress.offset.to_string()));
    }
    if progress.complete {
        response.insert_header(("tus-complete", "1"));
    }
    Ok(response.finish())
}
