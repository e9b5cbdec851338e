//! The errors of the service.
//!
//! Source: supabase/edge-runtime, the function server of the Supabase CLI (`functions/serve/templates/main.ts`).

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, HeaderName, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use gateway::Refusal;
use gateway::faults::report;
use gateway::gate::RETRY_AFTER_SECONDS;
use serde_json::json;

/// Tells functions-js that the failure is the gateway's, not the function's.
const RELAY_ERROR: HeaderName = HeaderName::from_static("x-relay-error");

/// Why a request has no response of a function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FunctionError {
    /// There is no function with this name.
    ///
    /// DEVIATION (words): an unknown function is answered as by the hosted service; the CLI's server answers in plain text.
    #[error("Requested function was not found")]
    NotFound,
    /// The function requires a token (`verify_jwt`), and the request has none.
    #[error("Error: Missing authorization header")]
    NoAuthorization,
    /// The header holds something else than a bearer token.
    #[error("Error: Auth header is not 'Bearer {{token}}'")]
    NotBearer,
    /// The token is not one of this project, or has expired.
    #[error("Invalid JWT")]
    InvalidToken,
    /// The process ended before it served, or did not serve in time. The reason is in the function's log.
    #[error("Worker failed to boot (please check logs)")]
    Boot,
    /// No function can be started; says what is missing.
    #[error("{0}")]
    NoDeno(String),
    /// All processes that may run are busy.
    #[error("Too many functions are running, try again later")]
    Busy,
    /// The process ended during the request.
    #[error("Function exited due to an error (please check logs)")]
    Worker,
    /// The process was stopped because it used too much.
    #[error("Worker failed to respond due to a resource limit (please check logs)")]
    Limit,
    /// There was no response in time.
    #[error("Request idle timeout limit ({}s) reached", .0.as_secs())]
    Late(Duration),
    /// The server is stopping.
    #[error("The server is stopping")]
    Stopping,
    /// A failure of our own; the details are in the log.
    #[error("Request failed due to an internal server error")]
    Internal,
    /// The gateway refuses the request.
    #[error("refused")]
    Refused(Refusal),
}

impl FunctionError {
    /// A failure of our own.
    pub(crate) fn internal(detail: impl std::fmt::Display) -> Self {
        report("functions", "the gateway of functions", detail);
        FunctionError::Internal
    }

    /// The member `code` of the body.
    fn code(&self) -> &'static str {
        match self {
            FunctionError::NotFound => "NOT_FOUND",
            FunctionError::Boot | FunctionError::NoDeno(_) | FunctionError::Busy | FunctionError::Stopping => {
                "BOOT_ERROR"
            }
            FunctionError::Worker => "WORKER_ERROR",
            FunctionError::Limit => "WORKER_LIMIT",
            FunctionError::Late(_) => "IDLE_TIMEOUT",
            _ => "Internal Server Error",
        }
    }

    fn is_of_gateway(&self) -> bool {
        use FunctionError::{Busy, Internal, NoDeno, Refused, Stopping};
        matches!(self, NoDeno(_) | Busy | Stopping | Internal | Refused(_))
    }
}

impl ResponseError for FunctionError {
    fn status_code(&self) -> StatusCode {
        let status = match self {
            FunctionError::NotFound => 404,
            FunctionError::NoAuthorization | FunctionError::NotBearer | FunctionError::InvalidToken => 401,
            FunctionError::Boot | FunctionError::NoDeno(_) | FunctionError::Busy | FunctionError::Stopping => 503,
            FunctionError::Worker | FunctionError::Internal => 500,
            FunctionError::Limit => 546,
            FunctionError::Late(_) => 504,
            FunctionError::Refused(refusal) => return refusal_status(refusal).0,
        };
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
        if self.is_of_gateway() {
            response.insert_header((RELAY_ERROR, "true"));
            response.insert_header((ACCESS_CONTROL_EXPOSE_HEADERS, "x-relay-error"));
        }
        if matches!(self, FunctionError::Busy | FunctionError::Stopping) {
            response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS));
        }
        match self {
            FunctionError::NoAuthorization | FunctionError::NotBearer | FunctionError::InvalidToken => {
                response.json(json!({ "msg": self.to_string() }))
            }
            FunctionError::Refused(refusal) => {
                let (_, message) = refusal_status(refusal);
                response.json(json!({ "code": "REQUEST_REFUSED", "message": message }))
            }
            _ => response.json(json!({ "code": self.code(), "message": self.to_string() })),
        }
    }
}

fn refusal_status(refusal: &Refusal) -> (StatusCode, &'static str) {
    match refusal {
        Refusal::NoCredential | Refusal::ApiKey | Refusal::Token(_) | Refusal::SessionEnded => {
            (StatusCode::UNAUTHORIZED, "Invalid JWT")
        }
        Refusal::Forbidden | Refusal::Subject => (StatusCode::FORBIDDEN, "Forbidden"),
        Refusal::BodyTooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "Request body too large"),
        Refusal::BodyUnreadable | Refusal::BodyMalformed(_) => {
            (StatusCode::BAD_REQUEST, "The request body could not be read")
        }
        Refusal::NotFound => (StatusCode::NOT_FOUND, "Requested function was not found"),
        Refusal::MethodNotAllowed(_) => (StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"),
        Refusal::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "Too many requests"),
        Refusal::Request(fault) => (fault.status(), fault.message()),
    }
}
