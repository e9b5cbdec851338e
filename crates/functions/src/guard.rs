//! `verify_jwt`: who may call a function.
//!
//! Source: the function server of the Supabase CLI (`functions/serve/templates/main.ts`) and the gateway before it, which puts a
//! token in the place of an opaque API key.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HeaderValue};
use actix_web::web::Data;
use actix_web::{Error, FromRequest, HttpRequest};
use gateway::{Guard, gate};

use crate::error::FunctionError;
use crate::state::State;

/// A caller whom the function's settings admit.
#[derive(Clone, Debug)]
pub(crate) struct Invoker {
    /// The header that the function gets in the place of the client's.
    pub(crate) authorization: Option<HeaderValue>,
}

impl Guard for Invoker {
    const NAME: &'static str = "verify_jwt";
}

impl FromRequest for Invoker {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(invoker(request).map_err(Error::from))
    }
}

fn invoker(request: &HttpRequest) -> Result<Invoker, FunctionError> {
    if let Some(fault) = gate::reason(request.headers()) {
        return Err(FunctionError::Refused(gateway::Refusal::Request(fault)));
    }
    let state = request.app_data::<Data<State>>().ok_or_else(|| FunctionError::internal("the service has no state"))?;
    let name = request.match_info().get("name").unwrap_or_default();
    let verify_jwt = state.verify_jwt(name).ok_or(FunctionError::NotFound)?;
    let authorization = replaced(state, request);
    if verify_jwt && request.method() != Method::OPTIONS {
        let given = request.headers().get(AUTHORIZATION);
        verify(state, authorization.as_ref().or(given))?;
    }
    Ok(Invoker { authorization })
}

/// The token for an opaque API key, where the request has no other: in `apikey`, or as the bearer token.
fn replaced(state: &State, request: &HttpRequest) -> Option<HeaderValue> {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let key = match text("authorization") {
        Some(authorization) => authorization.strip_prefix("Bearer ")?,
        None => text("apikey")?,
    };
    let is_legacy = !gateway::keys::ApiKeys::is_opaque(key);
    if is_legacy {
        // A client that sends an API key of the old kind as `apikey` only means it as its token.
        let alone = !request.headers().contains_key(AUTHORIZATION);
        return HeaderValue::from_str(&format!("Bearer {key}")).ok().filter(|_| alone);
    }
    HeaderValue::from_str(&format!("Bearer {}", state.token_of(key)?.reveal())).ok()
}

fn verify(state: &State, authorization: Option<&HeaderValue>) -> Result<(), FunctionError> {
    let value = authorization.ok_or(FunctionError::NoAuthorization)?;
    let value = value.to_str().map_err(|_| FunctionError::NotBearer)?;
    let mut parts = value.split(' ');
    let (Some("Bearer"), Some(token)) = (parts.next(), parts.next()) else { return Err(FunctionError::NotBearer) };
    state.0.keys.verify(token).map(drop).map_err(|_| FunctionError::InvalidToken)
}
