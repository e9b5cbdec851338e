//! Reads the [`Requester`] from a request.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{REFERER, USER_AGENT};
use actix_web::{Error, FromRequest, HttpRequest, web};
use gateway::RequestContext;

use crate::flows::administrator;
use crate::model::client::Client;
use crate::model::requester::Requester;
use crate::state::State;

/// The header that names an audience.
const AUDIENCE: &str = "x-jwt-aud";

impl FromRequest for Requester {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let header = |name: &str| {
            let value = request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
            value.filter(|value| !value.is_empty()).map(|value| value.into_owned())
        };
        let context = RequestContext::of(request);
        let client = match request.app_data::<web::Data<State>>() {
            Some(state) => Client::of(request, &state.config.rate_limits),
            None => Client::at(context.client_ip),
        };
        ready(Ok(Requester {
            ip: context.client_ip,
            is_admin: administrator::check_role(request).is_ok(),
            client,
            request_id: context.id,
            user_agent: header(USER_AGENT.as_str()),
            audience: header(AUDIENCE),
            path: request.path().to_owned(),
            query: request.query_string().to_owned(),
            redirect_to: header("redirect_to"),
            referer: header(REFERER.as_str()),
        }))
    }
}
