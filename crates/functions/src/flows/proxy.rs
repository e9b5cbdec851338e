//! One request through a function's process.

use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse};
use gateway::RequestContext;
use gateway::gate::Gone;
use tokio::time::timeout_at;

use super::upload::{Upload, upload};
use super::{preflight, respond, upgrade};
use crate::error::FunctionError;
use crate::outside::connections::{Body, Connection};
use crate::outside::worker::{Ending, Ticket};
use crate::state::State;

/// Headers that belong to a connection, not to the request (RFC 9110 section 7.6.1).
const HOP_BY_HOP: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What came in.
pub(crate) struct Incoming<'r> {
    pub(crate) request: &'r HttpRequest,
    pub(crate) payload: Payload,
    /// The path that the function sees, with the query.
    pub(crate) target: String,
    /// In the place of the client's header.
    pub(crate) authorization: Option<HeaderValue>,
}

/// Headers about the client that the server sets: what a client says of itself is not believed.
const OF_CLIENT: [&str; 4] = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"];

/// True for headers that are not passed on.
pub(super) fn is_hop_by_hop(name: &str) -> bool {
    HOP_BY_HOP.contains(&name)
}

/// Passes a request to the function `name`, and its response back.
///
/// # Errors
/// Those of [`State::enter`]; [`FunctionError::Worker`], [`FunctionError::Limit`] and [`FunctionError::Late`].
pub(crate) async fn proxy(
    state: &State,
    name: &str,
    mut incoming: Incoming<'_>,
) -> Result<HttpResponse, FunctionError> {
    let (ticket, mut connection) = connect(state, name).await?;
    let limits = state.0.config.limits;
    let began = Instant::now();
    let is_upgrade = upgrade::is_asked_for(incoming.request);
    let method = incoming.request.method().clone();
    let head = head(state, &incoming, is_upgrade)?;
    let Upload { body, pump } = upload(&mut incoming, is_upgrade);
    let request = head.body(body).map_err(FunctionError::internal)?;
    let until = began + limits.response.min(limits.wall_clock);
    let gone = Gone::of(incoming.request);
    let sent = tokio::select! {
        sent = timeout_at(until.into(), connection.send(request)) => sent,
        // The connection ends with this, and so the function learns of it.
        () = gone.wait() => return Err(FunctionError::Refused(gateway::Refusal::BodyUnreadable)),
    };
    let response = match sent {
        Err(_) => return Err(FunctionError::Late(limits.response)),
        Ok(Err(error)) => return Err(failed(&ticket, &error).await),
        Ok(Ok(response)) => response,
    };
    ticket.worker.note_progress();
    let end = began + limits.wall_clock;
    if response.status() == http::StatusCode::SWITCHING_PROTOCOLS {
        return upgrade::join(state, response, incoming.payload, ticket, end).await;
    }
    let asked = preflight::asked_headers(incoming.request);
    let mut answer = respond::Answer { state, ticket, connection, pump, end }.respond(response, &method);
    if let Some(asked) = &asked {
        preflight::allow(answer.headers_mut(), asked);
    }
    if is_upgrade {
        // What follows such a request is no request.
        answer.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
    }
    Ok(answer)
}

/// A process, and a connection to it. A process that has ended since its last request is replaced.
async fn connect(state: &State, name: &str) -> Result<(Ticket, Connection), FunctionError> {
    let mut is_retried = false;
    loop {
        let ticket = state.enter(name).await?;
        match ticket.worker.connections.get().await {
            Ok(connection) => return Ok((ticket, connection)),
            Err(_) if !is_retried && ticket.worker.ending().await.is_some() => is_retried = true,
            Err(error) => {
                tracing::warn!(event = "function_connection", function = name, detail = %error);
                return Err(FunctionError::Worker);
            }
        }
    }
}

/// Method, path and headers for the function.
fn head(state: &State, incoming: &Incoming<'_>, is_upgrade: bool) -> Result<http::request::Builder, FunctionError> {
    let request = incoming.request;
    let mut head = http::Request::builder().method(request.method().as_str()).uri(incoming.target.as_str());
    for (name, value) in request.headers() {
        let name = name.as_str();
        let is_replaced = name == "authorization" && incoming.authorization.is_some();
        if is_hop_by_hop(name) || is_replaced || OF_CLIENT.contains(&name) {
            continue;
        }
        head = head.header(name, value.as_bytes());
    }
    if let Some(authorization) = &incoming.authorization {
        head = head.header("authorization", authorization.as_bytes());
    }
    head = head.header("x-forwarded-for", RequestContext::of(request).client_ip.to_string());
    head = head.header("x-forwarded-proto", state.0.scheme);
    if let Some(host) = request.headers().get("host") {
        head = head.header("x-forwarded-host", host.as_bytes());
    }
    if is_upgrade {
        head = head.header("connection", "upgrade").header("upgrade", "websocket");
    }
    if head.headers_ref().is_some_and(|headers| !headers.contains_key("host")) {
        head = head.header("host", request.connection_info().host());
    }
    Ok(head)
}

/// Why there was no response.
async fn failed(ticket: &Ticket, error: &hyper::Error) -> FunctionError {
    match ticket.worker.ending().await {
        Some(Ending::Limit) => FunctionError::Limit,
        Some(Ending::Failed) => FunctionError::Worker,
        None if error.is_user() => FunctionError::Refused(gateway::Refusal::BodyUnreadable),
        None => FunctionError::Worker,
    }
}

/// How long until `end`; never negative.
pub(super) fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

/// A type for bodies without bytes.
pub(super) fn empty() -> Body {
    use http_body_util::BodyExt;
    http_body_util::Empty::new().map_err(crate::outside::connections::BodyError::from).boxed_unsync()
}
