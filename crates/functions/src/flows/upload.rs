//! The body of a request, from the client to the function while it arrives.

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::proxy::{Incoming, empty};
use crate::outside::connections::{Body, BodyError};

/// Pieces that wait for the function: a client is not read faster than the function reads.
const WAITING: usize = 4;

/// A body, and what fills it.
pub(super) struct Upload {
    pub(super) body: Body,
    pub(super) pump: Option<Pump>,
}

/// The task that reads the client's body. It ends with the response.
#[derive(Debug)]
pub(super) struct Pump(JoinHandle<()>);

impl Drop for Pump {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes the body out of the request, if it has one.
pub(super) fn upload(incoming: &mut Incoming<'_>, is_upgrade: bool) -> Upload {
    let headers = incoming.request.headers();
    let is_chunked = headers.contains_key(TRANSFER_ENCODING);
    let length =
        headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<u64>().ok());
    if is_upgrade || (!is_chunked && length.unwrap_or_default() == 0) {
        return Upload { body: empty(), pump: None };
    }
    let mut payload = std::mem::replace(&mut incoming.payload, Payload::None);
    let (sender, mut receiver) = mpsc::channel::<Result<Bytes, BodyError>>(WAITING);
    // The payload belongs to this thread.
    let pump = actix_web::rt::spawn(async move {
        while let Some(piece) = payload.next().await {
            let piece = piece.map_err(|_| BodyError);
            let is_end = piece.is_err();
            if sender.send(piece).await.is_err() || is_end {
                return;
            }
        }
    });
    let pieces = stream::poll_fn(move |cx| receiver.poll_recv(cx)).map(|piece| piece.map(Frame::data));
    Upload { body: StreamBody::new(pieces).boxed_unsync(), pump: Some(Pump(pump)) }
}
