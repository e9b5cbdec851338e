//! Storage's wording of the gateway's refusals.

use actix_web::HttpRequest;
use gateway::{Refusal, TokenError};

use crate::error::StorageError;
use crate::state::mount_of;

/// The error for a request that does not reach its handler.
pub(crate) fn refused(request: &HttpRequest, refusal: Refusal) -> StorageError {
    match refusal {
        // A path that exists with other methods only counts as unknown, too.
        // DEVIATION (words): an unknown path is answered with four keys everywhere; upstream has three outside of its routes.
        Refusal::NotFound | Refusal::MethodNotAllowed(_) => {
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
            let own = path.strip_prefix(mount_of(request)).filter(|own| own.starts_with('/')).unwrap_or(path);
            let message = format!("Route {}:{own} not found", request.method());
            StorageError::new(404, "Not Found", "InvalidRequest", message).with_http(404)
        }
        Refusal::BodyTooLarge(_) => {
            StorageError::new(413, "FastifyError", "EntityTooLarge", "Request body is too large").with_http(413)
        }
        Refusal::Token(error) => StorageError::access_denied(token_error(&error)),
        Refusal::SessionEnded => StorageError::access_denied(SESSION_ENDED),
        Refusal::NoCredential => StorageError::validation("headers must have required property 'authorization'"),
        Refusal::ApiKey | Refusal::Subject => StorageError::access_denied("Invalid Compact JWS"),
        Refusal::Forbidden => StorageError::access_denied("Access denied: Invalid role").with_http(403),
        Refusal::BodyUnreadable => StorageError::invalid_request("The request body could not be read"),
        Refusal::BodyMalformed(message) => StorageError::invalid_request(message),
        Refusal::TooManyRequests { .. } => {
            StorageError::new(429, "SlowDown", "SlowDown", "Too many requests").with_http(429)
        }
        Refusal::Request(fault) => {
            let status = fault.status().as_u16();
            StorageError::new(status, "FastifyError", "InvalidRequest", fault.message()).with_http(status)
        }
    }
}

/// What a token of an ended session is told.
pub(crate) const SESSION_ENDED: &str = "The session of this token has ended";

/// The messages of upstream's JWT library.
pub(crate) fn token_error(error: &TokenError) -> &'static str {
    match error {
        TokenError::Signature | TokenError::NoKey => "signature verification failed",
        TokenError::Algorithm => "\"alg\" (Algorithm) Header Parameter value not allowed",
        TokenError::Expired => "\"exp\" claim timestamp check failed",
        TokenError::NotYetValid => "\"nbf\" claim timestamp check failed",
        TokenError::Audience => "unexpected \"aud\" claim value",
        TokenError::Claims | TokenError::ClaimType { .. } => "JWT Claims Set must be a top-level JSON object",
        _ => "Invalid Compact JWS",
    }
}
