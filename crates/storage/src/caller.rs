//! Guards with Storage's rules.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{Error, FromRequest, HttpRequest};
use gateway::{Caller, Credential, Guard, Refusal, guard};

use crate::error::StorageError;
use crate::refusal;

/// A caller with a valid token or API key.
///
/// DEVIATION (words): without a token every route names the missing header; upstream calls it a bad token on a few.
#[derive(Clone, Debug)]
pub(crate) struct TokenHolder(pub(crate) Arc<Caller>);

/// Anyone; `None` without a valid token.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub(crate) Option<Arc<Caller>>);

/// The project's own servers.
#[derive(Clone, Debug)]
pub(crate) struct Administrator(pub(crate) Arc<Caller>);

/// The project's own servers, on the routes of vectors: refusals have the status of what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorAdministrator {
    /// Authenticated by a token.
    Holder,
    /// Authenticated by a signature, which is checked once the body is read.
    Signer,
}

fn token_holder(request: &HttpRequest) -> Result<Arc<Caller>, StorageError> {
    let missing = || StorageError::validation("headers must have required property 'authorization'");
    match guard::found(request) {
        Ok(caller) if caller.credential == Credential::None && request.headers().contains_key(AUTHORIZATION) => {
            Err(StorageError::access_denied("Invalid Compact JWS"))
        }
        Ok(caller) if caller.credential == Credential::None => Err(missing()),
        Ok(caller) => Ok(caller),
        Err(Refusal::NoCredential) => Err(missing()),
        Err(Refusal::Token(error)) => Err(StorageError::access_denied(refusal::token_error(&error))),
        Err(Refusal::SessionEnded) => Err(StorageError::access_denied(refusal::SESSION_ENDED)),
        Err(_) => Err(StorageError::access_denied("Invalid Compact JWS")),
    }
}

macro_rules! guard {
    ($guard:ty, $name:literal, $check:expr) => {
        impl Guard for $guard {
            const NAME: &'static str = $name;
        }
        impl FromRequest for $guard {
            type Error = Error;
            type Future = Ready<Result<Self, Error>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let check: fn(&HttpRequest) -> Result<Self, StorageError> = $check;
                ready(check(request).map_err(Error::from))
            }
        }
    };
}

guard!(TokenHolder, "TokenHolder", |request| token_holder(request).map(TokenHolder));

guard!(Visitor, "Visitor", |request| Ok(Visitor(token_holder(request).ok())));

guard!(Administrator, "Administrator", |request| {
    let caller = token_holder(request)?;
    if &*caller.role == "service_role" {
        return Ok(Administrator(caller));
    }
    Err(StorageError::access_denied("Access denied: Invalid role").with_http(403))
});

guard!(VectorAdministrator, "VectorAdministrator", |request| {
    let refused = |message: &'static str| StorageError::access_denied(message).with_http(403);
    let authorization = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if authorization.is_some_and(|text| text.starts_with("AWS4-HMAC-SHA256 ")) {
        return Ok(VectorAdministrator::Signer);
    }
    match guard::found(request) {
        Ok(caller) if &*caller.role == "service_role" => Ok(VectorAdministrator::Holder),
        Ok(caller) if caller.credential == Credential::None => Err(refused("Missing signature")),
        Ok(_) => Err(refused("Access denied: Invalid role")),
        Err(Refusal::Token(error)) => Err(refused(refusal::token_error(&error))),
        Err(_) => Err(refused("Missing signature")),
    }
});
