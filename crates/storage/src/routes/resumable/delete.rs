//! `DELETE /upload/resumable/{id}`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use crate::caller::TokenHolder;
use crate::flows::resumable::{self, Sender};
use crate::protocol::tus::{Headers, Refusal, UploadId, VERSION};
use crate::state::State;

/// An upload that the caller's policies allow to be made.
pub(crate) async fn token_holder(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.delete";
    delete(&Sender { state: &state, request: &request, caller: Some(&caller.0), operation }).await
}

/// An upload whose token the caller has.
pub(crate) async fn signed(_: Anyone, state: web::Data<State>, request: HttpRequest) -> Result<HttpResponse, Refusal> {
    let operation = "storage.tus.upload.delete_signed";
    delete(&Sender { state: &state, request: &request, caller: None, operation }).await
}

async fn delete(sender: &Sender<'_>) -> Result<HttpResponse, Refusal> {
    Headers::of(sender.request.headers(), false)?;
    let id = UploadId::decode(sender.request.match_info().query("id"))?;
    resumable::terminate(sender, &id).await?;
    Ok(HttpResponse::NoContent().insert_header(("tus-resumable", VERSION)).finish())
}
