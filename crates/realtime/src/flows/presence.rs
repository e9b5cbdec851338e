//! Presence of clients.

use std::time::Instant;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::channel::Channel;
use super::socket::{Socket, parsed};
use crate::config::MAX_PRESENCE;
use crate::protocol::frame::Ref;
use crate::protocol::message::{Status, push};

impl Socket {
    /// `track` or `untrack`.
    ///
    /// DEVIATION (stricter): a presence message has at most 64 KiB; upstream takes as much as of a broadcast.
    pub(super) async fn presence(&mut self, refs: (&Ref, &Ref), topic: &str, payload: &RawValue) {
        if payload.get().len() > self.state.config.max_payload.min(MAX_PRESENCE) {
            return self.shut(topic, "Track message size exceeded");
        }
        let payload = &parsed(payload);
        let event = payload.get("event").and_then(Value::as_str).map(str::to_ascii_lowercase);
        let answer = match event.as_deref() {
            Some("track") => self.track(topic, payload).await,
            Some("untrack") => self.untrack(topic),
            None => Some(Ok(())),
            Some(_) => Some(Err(json!({}))),
        };
        match answer {
            Some(Ok(())) => self.reply(refs, topic, Status::Ok, &json!({})),
            Some(Err(reason)) => self.reply(refs, topic, Status::Error, &reason),
            // The channel is closed.
            None => {}
        }
    }

    async fn track(&mut self, topic: &str, payload: &Value) -> Option<Result<(), Value>> {
        if !self.count_presence(topic) {
            return None;
        }
        let meta = match payload.get("payload") {
            None => Map::new(),
            Some(Value::Object(meta)) => meta.clone(),
            Some(_) => return Some(Err(json!({ "reason": "Presence track payload must be a map" }))),
        };
        if let Err(fault) = self.ask_writes(topic).await {
            tracing::warn!(event = "realtime_presence", topic, detail = fault.reason());
            return Some(Err(json!({})));
        }
        let channel = self.channels.get_mut(topic)?;
        if !channel.writes.is_some_and(|writes| writes.presence) {
            return Some(Err(json!({})));
        }
        channel.presence_enabled = true;
        self.state.track(&channel.key, channel.id, &channel.presence_key, meta);
        Some(Ok(()))
    }

    fn untrack(&mut self, topic: &str) -> Option<Result<(), Value>> {
        if !self.count_presence(topic) {
            return None;
        }
        let channel = self.channels.get(topic)?;
        self.state.untrack(&channel.key, channel.id);
        Some(Ok(()))
    }

    /// Counts a call; closes the channel if there were too many.
    fn count_presence(&mut self, topic: &str) -> bool {
        let config = &self.state.config;
        let (calls, window) = (config.presence_calls, config.presence_window);
        let hub = &self.state.hub;
        hub.presences.add(1);
        if hub.presences.is_over(config.max_presence_events_per_second) {
            self.shut(topic, "Too many presence messages per second");
            return false;
        }
        let Some(channel) = self.channels.get_mut(topic) else { return false };
        while channel.presence_calls.front().is_some_and(|call| call.elapsed() >= window) {
            channel.presence_calls.pop_front();
        }
        channel.presence_calls.push_back(Instant::now());
        if calls > 0 && channel.presence_calls.len() > calls {
            self.shut(topic, "Client presence rate limit exceeded");
            return false;
        }
        true
    }

    /// Sends who is present.
    pub(super) fn push_presence_state(&self, channel: &Channel) {
        self.state.hub.with_presence(&channel.key, |state| {
            self.outbox.push(push(self.version, &channel.join_ref, &channel.key.topic, "presence_state", state));
        });
    }
}
