//! `GET /websocket`: the socket.

use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::gate::Gone;
use gateway::{Anyone, PolicyCell};
use serde_json::json;
use url::form_urlencoded;

use super::headers;
use crate::config::MAX_FRAME;
use crate::flows::socket::Socket;
use crate::protocol::frame::Version;
use crate::protocol::token::Identity;
use crate::state::State;

/// Opens a socket. What is wrong is answered before the upgrade.
///
/// DEVIATION (words): a refused handshake is answered at once; upstream waits for two seconds first.
pub(super) async fn websocket(
    _: Anyone,
    request: HttpRequest,
    state: web::Data<State>,
    policy: web::Data<PolicyCell>,
    body: web::Payload,
) -> HttpResponse {
    let parameter = |name: &str| {
        let mut pairs = form_urlencoded::parse(request.query_string().as_bytes());
        pairs.find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
    };
    let Some(version) = Version::parse(parameter("vsn").as_deref()) else {
        return HttpResponse::Forbidden().finish();
    };
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let key = header("x-api-key").or_else(|| parameter("apikey")).or_else(|| header("apikey"));
    let Some(key) = key.filter(|key| !key.is_empty()) else { return refused(401, "API key is missing") };
    let identity = match Identity::of(&policy.get(), &key, state.clock.unix()) {
        Ok(identity) => identity,
        Err(fault) => {
            let (status, message) = fault.handshake();
            return refused(status, &message);
        }
    };
    state.hub.joins.add(1);
    if state.hub.joins.is_over(state.config.max_joins_per_second) {
        return refused(429, "Too many joins per second");
    }
    let headers = headers::of(&request, |name| name.starts_with("x-"));
    let state = State::clone(&state);
    let Some(socket) = Socket::open(state, policy, version, identity, headers, Gone::of(&request)) else {
        return refused(429, "Too many connected users");
    };
    match actix_ws::handle(&request, body) {
        Ok((response, _, messages)) => {
            let messages =
                messages.max_frame_size(MAX_FRAME).aggregate_continuations().max_continuation_size(MAX_FRAME);
            let outbox = Arc::clone(&socket.outbox);
            actix_web::rt::spawn(socket.run(messages));
            // The library's own queue counts messages, not bytes: 32 of them may be 160 MB.
            response.map_body(|_, body| BoxBody::new(outbox.writing(body)))
        }
        Err(error) => error.error_response(),
    }
}

fn refused(status: u16, message: &str) -> HttpResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    HttpResponse::build(status).json(json!({ "error": message }))
}
