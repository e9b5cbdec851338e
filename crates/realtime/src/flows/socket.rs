//! A socket: its messages and its end.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use actix_web::web;
use actix_ws::{AggregatedMessage, AggregatedMessageStream};
use gateway::PolicyCell;
use gateway::gate::Gone;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::channel::{Channel, sub_topic};
use crate::hub::{Control, Outbox, Parcel};
use crate::meter::Meter;
use crate::protocol::frame::{self, Body, Incoming, Ref, Version};
use crate::protocol::join::Join;
use crate::protocol::message::{self, Frame, Status};
use crate::protocol::token::Identity;
use crate::state::State;

/// Tokens are checked this often at least: the clock may have been set.
const RECHECK: Duration = Duration::from_secs(300);

/// A socket that a client has opened.
pub(crate) struct Socket {
    pub(super) state: State,
    pub(super) policy: web::Data<PolicyCell>,
    pub(super) version: Version,
    /// Who opened it.
    pub(super) identity: Arc<Identity>,
    /// The headers of the handshake that policies can read, as JSON.
    pub(super) headers: String,
    pub(crate) outbox: Arc<Outbox>,
    /// By topic. A map has room for more than it holds, hence the boxes.
    pub(super) channels: HashMap<Arc<str>, Box<Channel>>,
    /// One permit: the subscriptions of its channels are checked one channel after the other.
    pub(super) checks: Arc<Semaphore>,
    /// How often the database was asked about a message and refused it.
    pub(super) refused: Meter,
    /// Counts joins that were refused because this socket has too many channels.
    pub(super) vain_joins: Meter,
    /// The socket closes after the message in hand, with this code.
    pub(super) ending: Option<(u16, &'static str)>,
    id: u64,
    heard: Instant,
}

impl Socket {
    /// Counts a new socket in; `None` if there are too many.
    pub(crate) fn open(
        state: State,
        policy: web::Data<PolicyCell>,
        version: Version,
        identity: Identity,
        headers: String,
        connection: Gone,
    ) -> Option<Self> {
        let outbox = Outbox::new(version, state.config.max_waiting, connection);
        let id = state.hub.next_id();
        if !state.hub.open(id, Arc::clone(&outbox), state.config.max_concurrent_users) {
            return None;
        }
        Some(Socket {
            state,
            policy,
            version,
            identity: Arc::new(identity),
            headers,
            outbox,
            channels: HashMap::new(),
            checks: Arc::new(Semaphore::new(1)),
            refused: Meter::default(),
            vain_joins: Meter::default(),
            ending: None,
            id,
            heard: Instant::now(),
        })
    }

    /// Serves the socket until it ends.
    pub(crate) async fn run(mut self, mut messages: AggregatedMessageStream) {
        while self.ending.is_none() {
            let deadline = self.deadline();
            tokio::select! {
                biased;
                told = self.outbox.told() => match told {
                    Some(told) => told.iter().for_each(|told| self.told(told)),
                    None => return,
                },
                message = messages.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await,
                    // What cannot be read as WebSocket ends it, and so does a connection that is lost.
                    Some(Err(_)) | None => return self.outbox.cut(),
                },
                () = tokio::time::sleep_until(deadline.into()) => self.check_time(),
            }
        }
        let (code, reason) = self.ending.unwrap_or((1000, ""));
        self.outbox.put(Parcel::Close(code, reason));
    }

    /// When to look at the time again.
    fn deadline(&self) -> Instant {
        let idle = self.heard + self.state.config.idle;
        let now = self.state.clock.unix();
        let expiries = self.channels.values().filter_map(|channel| channel.identity.expires);
        let left = expiries.min().map_or(RECHECK, |expires| {
            // A second more: expiry is known in whole seconds.
            Duration::from_secs(u64::try_from(expires - now).unwrap_or_default()).min(RECHECK)
        });
        // Never at once again, so that a token that cannot be dealt with does not spin.
        idle.min(Instant::now() + left.max(Duration::from_millis(100)))
    }

    fn check_time(&mut self) {
        if self.heard.elapsed() >= self.state.config.idle {
            self.ending = Some((1000, ""));
        }
        self.close_expired();
    }

    fn told(&mut self, told: &Control) {
        match told {
            Control::Restart => {
                let payload =
                    json!({ "extension": "system", "status": "ok", "message": "Server requested disconnect" });
                let topics: Vec<Arc<str>> = self.channels.keys().cloned().collect();
                for topic in topics {
                    let channel = &self.channels[&topic];
                    self.push(&channel.join_ref, &topic, "system", &payload);
                }
                self.ending = Some((1012, "Service Restart"));
            }
            Control::Shut { channel: (topic, id), why } => {
                if self.channels.get(&**topic).is_some_and(|channel| channel.id == *id) {
                    self.shut(topic, why);
                }
            }
            Control::Sessions(collected) => {
                for session in self.channels.values().filter_map(|channel| channel.identity.session) {
                    // The receiver may have stopped.
                    let _ = collected.send(session);
                }
            }
            Control::SessionEnded(session) => {
                let of_session = self.channels.iter().filter(|(_, channel)| channel.identity.session == Some(*session));
                let topics: Vec<Arc<str>> = of_session.map(|(topic, _)| Arc::clone(topic)).collect();
                for topic in topics {
                    self.shut(&topic, "The session of this token has ended");
                }
            }
        }
    }

    async fn hear(&mut self, message: AggregatedMessage) {
        self.heard = Instant::now();
        let incoming = match message {
            AggregatedMessage::Text(text) => frame::text(self.version, &text),
            AggregatedMessage::Binary(bytes) if self.version == Version::Two => frame::binary(&bytes),
            AggregatedMessage::Binary(_) => None,
            AggregatedMessage::Ping(bytes) => return self.outbox.put(Parcel::Pong(bytes)),
            AggregatedMessage::Pong(_) => return,
            AggregatedMessage::Close(_) => {
                self.ending = Some((1000, ""));
                return;
            }
        };
        match incoming {
            Some(incoming) => self.take(incoming).await,
            None => tracing::debug!(event = "realtime_frame", detail = "MalformedWebSocketMessage"),
        }
    }

    async fn take(&mut self, incoming: Incoming) {
        let Incoming { join_ref, reference, topic, event, body } = incoming;
        let refs = (&join_ref, &reference);
        if topic == "phoenix" {
            if event == "heartbeat" {
                self.reply(refs, &topic, Status::Ok, &json!({}));
            }
            return;
        }
        match (event.as_str(), body) {
            ("phx_join", Body::Json(payload)) if topic.starts_with("realtime:") => {
                let join = Join::parse(&parsed(&payload), sub_topic(&topic));
                Box::pin(self.join(refs, &topic, join)).await;
            }
            ("phx_leave", _) => {
                let close = self.remove(&topic);
                self.reply(refs, &topic, Status::Ok, &json!({}));
                if let Some(join_ref) = close {
                    self.push_close(&join_ref, &topic, "phx_close");
                }
            }
            _ if !self.channels.contains_key(topic.as_str()) => {
                self.reply(refs, &topic, Status::Error, &json!({ "reason": "unmatched topic" }));
            }
            ("access_token", Body::Json(payload)) => Box::pin(self.new_token(&topic, &parsed(&payload))).await,
            ("broadcast", body) => Box::pin(self.broadcast(refs, &topic, body)).await,
            ("presence", Body::Json(payload)) => Box::pin(self.presence(refs, &topic, &payload)).await,
            (event, _) => tracing::debug!(event = "realtime_event", name = event),
        }
    }

    /// Sends a message on one channel.
    pub(super) fn push(&self, join_ref: &Ref, topic: &str, event: &str, payload: &Value) {
        self.outbox.push(message::push(self.version, join_ref, topic, event, &payload.to_string()));
    }

    /// The message that ends a channel carries the reference of its join.
    pub(super) fn push_close(&self, join_ref: &Ref, topic: &str, event: &str) {
        self.outbox.push(message::closing(self.version, join_ref, topic, event));
    }

    pub(super) fn reply(&self, refs: (&Ref, &Ref), topic: &str, status: Status, response: &Value) {
        let frame: Frame = message::reply(self.version, refs, topic, status, &response.to_string());
        self.outbox.push(frame);
    }

    /// A message of the system on a channel.
    pub(super) fn system(&self, join_ref: &Ref, topic: &str, status: &str, text: &str) {
        let channel = sub_topic(topic);
        let payload = json!({ "extension": "system", "status": status, "message": text, "channel": channel });
        self.push(join_ref, topic, "system", &payload);
    }

    /// Ends a channel and says why.
    pub(super) fn shut(&mut self, topic: &str, why: &str) {
        if let Some(join_ref) = self.remove(topic) {
            self.system(&join_ref, topic, "error", why);
            self.push_close(&join_ref, topic, "phx_close");
        }
    }

    /// Forgets a channel; gives the reference of its join.
    pub(super) fn remove(&mut self, topic: &str) -> Option<Ref> {
        let channel = self.channels.remove(topic)?;
        self.state.leave(&channel.key, channel.id);
        Some(channel.join_ref)
    }

    fn leave_all(&mut self) {
        for (_, channel) in self.channels.drain() {
            self.state.leave(&channel.key, channel.id);
        }
    }

    /// Whether channels can still be joined.
    pub(super) fn is_stopping(&self) -> bool {
        self.state.stopping.load(Ordering::Relaxed)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.leave_all();
        self.state.hub.closed(self.id);
    }
}

/// A payload as a tree, which takes many times the memory of its text: nothing that a client sends is kept as one.
pub(super) fn parsed(payload: &RawValue) -> Value {
    serde_json::from_str(payload.get()).unwrap_or_default()
}
