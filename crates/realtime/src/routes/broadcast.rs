//! `POST /api/broadcast`: several messages at once.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::body::Held;
use gateway::caller::{Caller, Credential};
use gateway::guard::Resolved;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::headers;
use crate::flows::authorize::{self, Asker};
use crate::hub::Key;
use crate::protocol::message::Message;
use crate::state::State;
use crate::wire::Body;

const RATE_ROLLING: HeaderName = HeaderName::from_static("x-rate-rolling");
const RATE_LIMIT: HeaderName = HeaderName::from_static("x-rate-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("x-rate-limit-remaining");

#[derive(Deserialize)]
struct Batch {
    #[serde(default)]
    messages: Vec<Map<String, Value>>,
}

/// A message of a batch, as it is to be sent.
struct Sendable {
    topic: String,
    event: String,
    payload: Box<RawValue>,
    private: bool,
    /// Its receivers find it as `meta.id`.
    id: Option<String>,
}

/// Sends the messages. One that the caller may not send is left out, and the answer is the same, as in upstream.
pub(super) async fn broadcast(
    caller: Resolved,
    request: HttpRequest,
    state: web::Data<State>,
    body: Body,
) -> HttpResponse {
    if caller.0.credential == Credential::None {
        return message(401, "Unauthorized");
    }
    let limit = state.config.max_events_per_second;
    if state.hub.events.is_over(limit) {
        return with_rate(&state, message(429, "Too many requests"));
    }
    let messages = match read(&body.0, state.config.max_payload) {
        Ok(messages) => messages,
        Err(errors) => return HttpResponse::UnprocessableEntity().json(json!({ "errors": errors })),
    };
    let number = messages.len() as u64;
    if limit > 0 && number.saturating_add(state.hub.events.average()) > limit {
        return with_rate(&state, message(429, "Too many messages to broadcast, please reduce the batch size"));
    }
    let refused = state.hub.refused(&caller.0.role);
    if messages.iter().any(|message| message.private) && refused.is_over(limit) {
        return with_rate(&state, message(429, "Too many requests"));
    }
    let headers = headers::of(&request, |_| true);
    // The rights on a topic are asked once for a batch.
    let mut rights = HashMap::new();
    for Sendable { topic, event, payload, private, id } in messages {
        if private {
            let may = match rights.get(&topic) {
                Some(may) => *may,
                None => {
                    let written = authorize::write(&state, asker(&caller.0, &headers), &topic).await;
                    let may = written.is_ok_and(|rights| rights.broadcast);
                    // They take nothing from what others may send, but the database was asked about them.
                    refused.add(u64::from(!may));
                    rights.insert(topic.clone(), may);
                    may
                }
            };
            if !may {
                continue;
            }
        }
        state.hub.events.add(1);
        let message = Message::broadcast(&event, payload.get(), id.as_deref());
        state.publish(&Key::of_sub_topic(&topic, private), &message, None);
    }
    with_rate(&state, HttpResponse::Accepted().finish())
}

/// On whose behalf a request writes.
pub(super) fn asker<'a>(caller: &'a Caller, headers: &'a str) -> Asker<'a> {
    Asker {
        role: &caller.role,
        claims: caller.claims.text(),
        subject: caller.claims.string("sub").unwrap_or_default(),
        headers,
    }
}

/// The messages of a body, or what is wrong with them.
fn read(body: &Held, max_payload: usize) -> Result<Vec<Sendable>, Value> {
    let batch: Batch = serde_json::from_slice(body).map_err(|_| json!({ "messages": ["is invalid"] }))?;
    if batch.messages.is_empty() {
        return Err(json!({ "messages": ["can't be blank"] }));
    }
    let mut errors = Vec::new();
    let mut messages = Vec::new();
    for message in &batch.messages {
        match one(message, max_payload) {
            Ok(message) => {
                messages.push(message);
                errors.push(json!({}));
            }
            Err(error) => errors.push(error),
        }
    }
    if messages.len() == batch.messages.len() { Ok(messages) } else { Err(json!({ "messages": errors })) }
}

fn one(message: &Map<String, Value>, max_payload: usize) -> Result<Sendable, Value> {
    let mut wrong = Map::new();
    let mut text = |name: &str| match message.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()) {
        Some(text) => text.to_owned(),
        None => {
            wrong.insert(name.to_owned(), json!(["can't be blank"]));
            String::new()
        }
    };
    let (topic, event) = (text("topic"), text("event"));
    let payload = message.get("payload").filter(|payload| payload.is_object());
    let payload = payload.and_then(|payload| RawValue::from_string(payload.to_string()).ok());
    match &payload {
        None => {
            wrong.insert("payload".to_owned(), json!(["can't be blank"]));
        }
        Some(payload) if payload.get().len() > max_payload => {
            wrong.insert("payload".to_owned(), json!(["Payload size exceeds tenant limit"]));
        }
        Some(_) => {}
    }
    let id = match message.get("id") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.clone()).filter(|id| !id.is_empty()),
        Some(_) => {
            wrong.insert("id".to_owned(), json!(["is invalid"]));
            None
        }
    };
    match payload {
        Some(payload) if wrong.is_empty() => {
            let private = message.get("private") == Some(&Value::Bool(true));
            Ok(Sendable { topic, event, payload, private, id })
        }
        _ => Err(Value::Object(wrong)),
    }
}

/// A message in upstream's shape.
pub(super) fn message(status: u16, text: &str) -> HttpResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    HttpResponse::build(status).json(json!({ "message": text }))
}

/// Adds the rate of messages.
pub(super) fn with_rate(state: &State, mut response: HttpResponse) -> HttpResponse {
    let (limit, rate) = (state.config.max_events_per_second, state.hub.events.average());
    let headers = response.headers_mut();
    for (name, value) in [(RATE_ROLLING, rate), (RATE_LIMIT, limit), (RATE_REMAINING, limit.saturating_sub(rate))] {
        headers.insert(name, HeaderValue::from(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_says_what_it_lacks() {
        let of = |message: Value| one(message.as_object().unwrap(), 10).map(|found| found.private);
        assert_eq!(of(json!({ "topic": "t", "event": "e", "payload": {} })), Ok(false));
        assert_eq!(
            of(json!({ "topic": "t", "event": "e", "payload": {}, "id": 1 })),
            Err(json!({ "id": ["is invalid"] }))
        );
        assert_eq!(
            of(json!({ "topic": "t", "event": "e", "payload": {"a": 12345}, "private": true })).unwrap_err()["payload"]
                [0],
            "Payload size exceeds tenant limit"
        );
        assert_eq!(of(json!({ "topic": "t", "event": "e" })), Err(json!({ "payload": ["can't be blank"] })));
        assert_eq!(
            of(json!({ "payload": {} })),
            Err(json!({ "topic": ["can't be blank"], "event": ["can't be blank"] }))
        );
    }
}
