//! The guard of all endpoints that manage an account.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, HttpRequest};
use gateway::Guard;

use super::wire;
use crate::flows::first_party::FirstParty;

impl Guard for FirstParty {
    const NAME: &'static str = "FirstParty";
}

impl FromRequest for FirstParty {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(wire::authenticated(request).and_then(FirstParty::check).map_err(Error::from))
    }
}
