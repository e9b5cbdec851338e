//! WebSockets: after the handshake, bytes pass both ways unchanged.

use std::convert::Infallible;
use std::time::Instant;

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderName, HeaderValue, UPGRADE};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use super::proxy::is_hop_by_hop;
use crate::error::FunctionError;
use crate::outside::worker::Ticket;
use crate::state::State;

/// Bytes that are read from the function at once.
const PIECE: usize = 16 * 1024;
/// Pieces that wait for the client: a function is not read faster than the client reads.
const WAITING: usize = 4;

/// True if the client asks for a WebSocket.
pub(super) fn is_asked_for(request: &HttpRequest) -> bool {
    let upgrade = request.headers().get(UPGRADE).and_then(|value| value.to_str().ok());
    request.method() == Method::GET && upgrade.is_some_and(|upgrade| upgrade.trim().eq_ignore_ascii_case("websocket"))
}

/// Joins the client's connection with the function's, until one of them ends, or `end`.
///
/// # Errors
/// [`FunctionError::Internal`] when the function's connection cannot be taken over.
pub(super) async fn join(
    state: &State,
    mut response: http::Response<Incoming>,
    payload: Payload,
    ticket: Ticket,
    end: Instant,
) -> Result<HttpResponse, FunctionError> {
    let upgraded = hyper::upgrade::on(&mut response).await.map_err(FunctionError::internal)?;
    let (from_function, to_function) = tokio::io::split(TokioIo::new(upgraded));
    let (sender, mut receiver) = mpsc::channel::<Result<Bytes, Infallible>>(WAITING);
    let mut draining = state.0.draining.subscribe();
    // The payload belongs to this thread.
    actix_web::rt::spawn(async move {
        let _ticket = ticket;
        tokio::select! {
            () = up(payload, to_function) => {}
            () = down(from_function, sender) => {}
            _ = draining.wait_for(|draining| *draining) => {}
            () = sleep_until(end.into()) => {}
        }
    });
    let mut answer = HttpResponse::build(StatusCode::SWITCHING_PROTOCOLS);
    answer.upgrade("websocket");
    for (name, value) in response.headers().iter().filter(|(name, _)| !is_hop_by_hop(name.as_str())) {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
            answer.append_header((name, value));
        }
    }
    Ok(answer.streaming(stream::poll_fn(move |cx| receiver.poll_recv(cx))))
}

/// From the client to the function, until the client ends.
async fn up(mut payload: Payload, mut to_function: impl AsyncWrite + Unpin) {
    while let Some(Ok(piece)) = payload.next().await {
        if to_function.write_all(&piece).await.is_err() {
            return;
        }
    }
}

/// From the function to the client, until the function ends.
async fn down(mut from_function: impl AsyncRead + Unpin, sender: mpsc::Sender<Result<Bytes, Infallible>>) {
    loop {
        let mut piece = BytesMut::with_capacity(PIECE);
        match from_function.read_buf(&mut piece).await {
            Ok(read) if read > 0 && sender.send(Ok(piece.freeze())).await.is_ok() => {}
            _ => return,
        }
    }
}
