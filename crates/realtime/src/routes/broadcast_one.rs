//! `POST /api/broadcast/{topic}/events/{event}`: one message, whose payload is the body.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::caller::Credential;
use gateway::guard::Resolved;
use serde_json::json;
use serde_json::value::RawValue;

use super::broadcast::{asker, message, with_rate};
use super::headers;
use crate::flows::authorize;
use crate::hub::Key;
use crate::protocol::frame::Encoding;
use crate::protocol::message::Message;
use crate::protocol::reason::JoinFault;
use crate::state::State;
use crate::wire::Body;

/// Sends the body, JSON or bytes.
pub(super) async fn broadcast(
    caller: Resolved,
    request: HttpRequest,
    state: web::Data<State>,
    path: web::Path<(String, String)>,
    body: Body,
) -> HttpResponse {
    if caller.0.credential == Credential::None {
        return message(401, "Unauthorized");
    }
    let Some(encoding) = encoding(&request) else {
        let error = "Unsupported Media Type. Use application/json or application/octet-stream";
        return HttpResponse::UnsupportedMediaType().json(json!({ "error": error }));
    };
    if state.hub.events.is_over(state.config.max_events_per_second) {
        return with_rate(&state, message(429, "Too many requests"));
    }
    let payload = body.0.into_bytes();
    if payload.len() > state.config.max_payload {
        return unprocessable("Payload size exceeds tenant limit");
    }
    if encoding == Encoding::Json && serde_json::from_slice::<&RawValue>(&payload).is_err() {
        return unprocessable("can't be blank");
    }
    let (topic, event) = path.into_inner();
    let private = request.query_string().split('&').any(|pair| pair == "private=true");
    if private {
        let refused = state.hub.refused(&caller.0.role);
        if refused.is_over(state.config.max_events_per_second) {
            return with_rate(&state, message(429, "Too many requests"));
        }
        let headers = headers::of(&request, |_| true);
        let written = authorize::write(&state, asker(&caller.0, &headers), &topic).await;
        if !written.as_ref().is_ok_and(|rights| rights.broadcast) {
            refused.add(1);
        }
        match written {
            Ok(rights) if rights.broadcast => {}
            Ok(_) => return message(403, "Unauthorized"),
            Err(JoinFault::Pool) => return message(429, "Connection pool exhausted"),
            Err(JoinFault::Unauthorized(_)) => return message(422, "RLS policy error"),
            Err(JoinFault::Canceled(_)) => return message(422, "Query canceled"),
            Err(JoinFault::Partition) => return message(422, "Missing messages partition"),
            Err(JoinFault::Connections) => return message(422, "Tenant database has too many connections"),
            Err(_) => return message(422, "Tenant database unavailable"),
        }
    }
    state.hub.events.add(1);
    state.publish(&Key::of_sub_topic(&topic, private), &Message::User { event, meta: None, encoding, payload }, None);
    with_rate(&state, HttpResponse::Accepted().finish())
}

/// JSON without a type, as upstream has it.
fn encoding(request: &HttpRequest) -> Option<Encoding> {
    let Some(media) = request.headers().get(CONTENT_TYPE) else { return Some(Encoding::Json) };
    let media = media.to_str().ok()?.split(';').next()?.trim();
    match media.to_ascii_lowercase().as_str() {
        "application/json" => Some(Encoding::Json),
        "application/octet-stream" => Some(Encoding::Binary),
        _ => None,
    }
}

fn unprocessable(problem: &str) -> HttpResponse {
    HttpResponse::UnprocessableEntity().json(json!({ "errors": { "payload": [problem] } }))
}
