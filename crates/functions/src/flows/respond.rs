//! The response of a function, to the client while it arrives.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body::Body as _;
use hyper::body::Incoming;
use tokio::time::{Sleep, sleep};

use super::proxy::{is_hop_by_hop, left};
use super::upload::Pump;
use crate::outside::connections::Connection;
use crate::outside::worker::Ticket;
use crate::state::State;

/// What belongs to a response until it is complete.
pub(super) struct Answer<'s> {
    pub(super) state: &'s State,
    pub(super) ticket: Ticket,
    pub(super) connection: Connection,
    pub(super) pump: Option<Pump>,
    /// When it is cut.
    pub(super) end: Instant,
}

impl Answer<'_> {
    /// The response as actix sends it.
    pub(super) fn respond(self, response: http::Response<Incoming>, method: &Method) -> HttpResponse {
        let (head, body) = response.into_parts();
        let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
        let mut answer = HttpResponse::new(status);
        for (name, value) in &head.headers {
            // The length is that of the body, which is set with it.
            if is_hop_by_hop(name.as_str()) || name.as_str() == "content-length" {
                continue;
            }
            let name = HeaderName::from_bytes(name.as_str().as_bytes());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
                answer.headers_mut().append(name, value);
            }
        }
        let declared = head.headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok());
        let has_none =
            status == StatusCode::NO_CONTENT || status == StatusCode::NOT_MODIFIED || status.is_informational();
        let size = match declared.or(body.size_hint().exact()) {
            _ if has_none => BodySize::None,
            Some(length) => BodySize::Sized(length),
            None if *method == Method::HEAD => BodySize::None,
            None => BodySize::Stream,
        };
        let draining = {
            let mut draining = self.state.0.draining.subscribe();
            Box::pin(async move {
                let _ = draining.wait_for(|draining| *draining).await;
            })
        };
        let Answer { ticket, connection, pump, end, .. } = self;
        let held = Held { ticket, connection, _pump: pump };
        let body = Streamed { body, size, held: Some(held), end: Box::pin(sleep(left(end))), draining };
        answer.set_body(BoxBody::new(body))
    }
}

/// Given back when the body has ended.
struct Held {
    ticket: Ticket,
    connection: Connection,
    _pump: Option<Pump>,
}

/// The body of a function's response.
struct Streamed {
    body: Incoming,
    size: BodySize,
    held: Option<Held>,
    end: Pin<Box<Sleep>>,
    draining: BoxFuture<'static, ()>,
}

/// Why a body ends early: the client sees a cut connection.
#[derive(Debug, thiserror::Error)]
enum Cut {
    #[error("the function's response reached its time limit")]
    Late,
    #[error("the server is stopping")]
    Draining,
    #[error("the function ended during its response: {0}")]
    Ended(hyper::Error),
}

impl MessageBody for Streamed {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        loop {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    if let Some(held) = &self.held {
                        held.ticket.worker.note_progress();
                    }
                    // Trailers are not passed on.
                    let Ok(bytes) = frame.into_data() else { continue };
                    if bytes.is_empty() {
                        continue;
                    }
                    return Poll::Ready(Some(Ok(bytes)));
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(Box::new(Cut::Ended(error))))),
                Poll::Ready(None) => {
                    if let Some(Held { ticket, connection, .. }) = self.held.take() {
                        ticket.worker.connections.put_back(connection);
                    }
                    return Poll::Ready(None);
                }
                Poll::Pending => {}
            }
            if self.end.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Some(Err(Box::new(Cut::Late))));
            }
            // A response of known length is short: it is waited for.
            if self.size == BodySize::Stream && self.draining.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Some(Err(Box::new(Cut::Draining))));
            }
            return Poll::Pending;
        }
    }
}
