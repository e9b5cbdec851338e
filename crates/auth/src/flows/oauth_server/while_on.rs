//! A guard for routes that exist only while the OAuth server is enabled. The switch is checked before the caller.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, HttpRequest, web};
use gateway::guard::Guard;

use crate::state::State;

/// Another guard, behind the switch.
pub(crate) struct WhileOn<G>(pub(crate) G);

impl<G: Guard> Guard for WhileOn<G> {
    const NAME: &'static str = G::NAME;
}

impl<G: Guard> FromRequest for WhileOn<G> {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<State>>();
        if let Some(Err(off)) = state.map(|state| state.config.oauth_server.require()) {
            return ready(Err(off.into()));
        }
        ready(G::from_request(request, payload).into_inner().map(WhileOn))
    }
}
