//! Permission as a type: the first argument of every handler.
//!
//! A guard is a synchronous extractor of the result of [`crate::caller::resolve`]. actix polls a handler's extractors
//! together, so an asynchronous guard would lose to a body error.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest};
use uuid::Uuid;

use crate::caller::{Caller, Credential, Found};
use crate::wire::{Refusal, refuse};

/// What a handler requires of its caller. The snapshot of the route table shows the name.
pub trait Guard: FromRequest<Error = Error, Future = Ready<Result<Self, Error>>> {
    /// The name in the route table.
    const NAME: &'static str;
}

/// Anyone, even with an invalid or expired token, which is ignored: for routes that issue tokens.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

/// A caller with valid credentials, or an anonymous one: the data API's rule.
#[derive(Clone, Debug)]
pub struct Resolved(pub Arc<Caller>);

/// A signed-in user: a valid token with a user id.
#[derive(Clone, Debug)]
pub struct Authenticated {
    /// The user's id.
    pub user_id: Uuid,
    /// The caller.
    pub caller: Arc<Caller>,
}

/// The project's own servers: the role `service_role` (or `supabase_admin`, as in GoTrue's default list).
#[derive(Clone, Debug)]
pub struct ServiceRole(pub Arc<Caller>);

/// The result of [`crate::caller::resolve`]; refused if the middleware is not installed.
///
/// # Errors
/// The stored refusal.
pub fn found(request: &HttpRequest) -> Result<Arc<Caller>, Refusal> {
    let found = request.extensions().get::<Found>().cloned();
    found.map_or(Err(Refusal::NoCredential), |found| found.caller)
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
                let check: fn(&HttpRequest) -> Result<Self, Refusal> = $check;
                ready(check(request).map_err(|refusal| refuse(request, refusal)))
            }
        }
    };
}

guard!(Anyone, "Anyone", |_| Ok(Anyone));

guard!(Resolved, "Resolved", |request| found(request).map(Resolved));

impl Authenticated {
    /// The user of a request, for routes that are open to anyone and sometimes need a user.
    ///
    /// # Errors
    /// The refusal of the guard.
    pub fn of(request: &HttpRequest) -> Result<Self, Refusal> {
        let caller = found(request)?;
        if caller.credential != Credential::Token {
            return Err(Refusal::NoCredential);
        }
        let user_id = caller.claims.subject().ok_or(Refusal::Subject)?;
        Ok(Authenticated { user_id, caller })
    }
}

guard!(Authenticated, "Authenticated", Authenticated::of);

guard!(ServiceRole, "ServiceRole", |request| {
    let caller = found(request)?;
    match (&*caller.role, caller.credential) {
        ("service_role" | "supabase_admin", _) => Ok(ServiceRole(caller)),
        (_, Credential::None) => Err(Refusal::NoCredential),
        _ => Err(Refusal::Forbidden),
    }
});
