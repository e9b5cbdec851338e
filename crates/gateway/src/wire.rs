//! The gateway's refusals, and how each service words them.

use actix_web::http::{Method, header::RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse};

use crate::gate::{self, Fault};
use crate::keys::TokenError;

/// Why a request does not reach its handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A required credential is missing.
    NoCredential,
    /// The bearer token is not acceptable.
    Token(TokenError),
    /// The `apikey` is unknown.
    ApiKey,
    /// The session of the token has ended, by a sign-out for example.
    SessionEnded,
    /// The caller is known but not allowed.
    Forbidden,
    /// The token is valid, but its `sub` names no user: it is absent, as in an API key, or not a UUID.
    Subject,
    /// The body is longer than the route allows, in bytes.
    BodyTooLarge(usize),
    /// The body ended early or could not be read.
    BodyUnreadable,
    /// The body has the wrong format; holds the parser's message.
    BodyMalformed(String),
    /// No such path.
    NotFound,
    /// The client has asked too often.
    TooManyRequests {
        /// The limit.
        class: &'static str,
        /// The whole seconds to wait.
        seconds: i64,
    },
    /// The path exists, but not with this method.
    MethodNotAllowed(Vec<Method>),
    /// The request as a whole: its form, size or speed, or missing memory for it.
    Request(Fault),
}

/// A service's wording of refusals. [`crate::route::mount`] adds it to the scope as app data.
pub trait Wire: Send + Sync + 'static {
    /// The response in the service's shape, with the status and headers of the original.
    fn refuse(&self, request: &HttpRequest, refusal: Refusal) -> HttpResponse;
}

/// The wire of a scope, as app data.
#[derive(Clone)]
pub struct ScopeWire(pub std::sync::Arc<dyn Wire>);

/// A refusal as an actix error: the response is made here, where the scope's wire is known.
///
/// A request that [`crate::gate`] created as a stand-in for a refused one is answered with the gate's reason.
pub fn refuse(request: &HttpRequest, refusal: Refusal) -> actix_web::Error {
    let refusal = gate::reason(request.headers()).map_or(refusal, Refusal::Request);
    let response = match request.app_data::<ScopeWire>() {
        Some(wire) => wire.0.refuse(request, refusal),
        None => Plain.refuse(request, refusal),
    };
    actix_web::error::InternalError::from_response("refused", response).into()
}

/// The wire outside of any service: as answered by Supabase's own gateway.
pub struct Plain;

impl Wire for Plain {
    fn refuse(&self, _: &HttpRequest, refusal: Refusal) -> HttpResponse {
        use actix_web::http::StatusCode;
        let (status, message) = match &refusal {
            Refusal::NoCredential => (StatusCode::UNAUTHORIZED, "No API key found in request"),
            Refusal::ApiKey => (StatusCode::UNAUTHORIZED, "Invalid API key"),
            Refusal::Token(_) => (StatusCode::UNAUTHORIZED, "Invalid JWT"),
            Refusal::SessionEnded => (StatusCode::UNAUTHORIZED, "The session of this token has ended"),
            Refusal::Forbidden | Refusal::Subject => (StatusCode::FORBIDDEN, "Forbidden"),
            Refusal::BodyTooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "Request body too large"),
            Refusal::BodyUnreadable => (StatusCode::BAD_REQUEST, "The request body could not be read"),
            Refusal::BodyMalformed(_) => (StatusCode::BAD_REQUEST, "The request body could not be parsed"),
            Refusal::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "Too many requests"),
            Refusal::NotFound => (StatusCode::NOT_FOUND, "no Route matched with those values"),
            Refusal::MethodNotAllowed(_) => (StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"),
            Refusal::Request(fault) => (fault.status(), fault.message()),
        };
        let mut response = HttpResponse::build(status);
        if let Refusal::Request(Fault::Busy) = &refusal {
            response.insert_header((RETRY_AFTER, gate::RETRY_AFTER_SECONDS));
        }
        if let Refusal::TooManyRequests { seconds, .. } = &refusal {
            response.insert_header((RETRY_AFTER, *seconds));
        }
        if let Refusal::MethodNotAllowed(methods) = &refusal {
            let names: Vec<&str> = methods.iter().map(Method::as_str).collect();
            response.insert_header((actix_web::http::header::ALLOW, names.join(", ")));
        }
        response.json(serde_json::json!({ "message": message }))
    }
}
