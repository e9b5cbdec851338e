//! The wording of the gateway's refusals, and bodies.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse};
use gateway::body::{self, Held};
use gateway::wire::refuse;
use gateway::{Refusal, Wire};
use serde_json::json;

/// Realtime's wire format.
pub(crate) struct RealtimeWire;

impl Wire for RealtimeWire {
    fn refuse(&self, _: &HttpRequest, refusal: Refusal) -> HttpResponse {
        let (status, message) = match &refusal {
            Refusal::NoCredential | Refusal::Token(_) | Refusal::SessionEnded | Refusal::ApiKey | Refusal::Subject => {
                (401, "Unauthorized")
            }
            Refusal::Forbidden => (403, "Unauthorized"),
            Refusal::BodyTooLarge(_) => (413, "Request Entity Too Large"),
            Refusal::BodyUnreadable | Refusal::BodyMalformed(_) => (400, "Bad Request"),
            Refusal::TooManyRequests { .. } => (429, "Too many requests"),
            Refusal::NotFound => (404, "not found"),
            Refusal::MethodNotAllowed(_) => (405, "Method not allowed"),
            Refusal::Request(fault) => (fault.status().as_u16(), fault.message()),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        HttpResponse::build(status).json(json!({ "message": message }))
    }
}

/// The body of a request.
pub(crate) struct Body(pub(crate) Held);

impl FromRequest for Body {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            body::read(&request, &mut payload).await.map(Body).map_err(|refusal| refuse(&request, refusal))
        })
    }
}
