//! `/realtime/v1` from outside.

mod broadcast;
mod changes;
mod fairness;
mod floods;
mod from_database;
mod handshake;
mod instances;
mod limits;
mod nats;
mod policies;
mod presence;
mod private;
mod protocol;
mod subscriptions;
mod tokens;

use serde_json::{Value, json};

use crate::kit::Server;

/// A token that the server accepts, with these claims; `exp` is in an hour unless they say otherwise.
pub fn token(server: &Server, claims: Value) -> String {
    let mut all = json!({ "role": "authenticated", "exp": server.clock.unix() + 3600 });
    all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
    let key = jsonwebtoken::EncodingKey::from_secret(server.jwt_secret.as_bytes());
    jsonwebtoken::encode(&jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256), &all, &key).unwrap()
}

/// A channel for broadcasts.
pub fn plain() -> Value {
    json!({ "broadcast": { "ack": false, "self": false } })
}

/// A private one.
pub fn private() -> Value {
    json!({ "private": true })
}
