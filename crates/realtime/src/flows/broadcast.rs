//! Broadcasts of clients.

use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::authorize;
use super::socket::Socket;
use crate::protocol::frame::{Body, Ref};
use crate::protocol::message::{Message, Status};
use crate::protocol::reason::JoinFault;

/// What a channel may write is asked again so long after a policy has raised.
const ASK_AGAIN: Duration = Duration::from_secs(2);

impl Socket {
    /// Sends a message to everybody on the channel's topic. Who may not write there gets no answer, as in upstream.
    pub(super) async fn broadcast(&mut self, refs: (&Ref, &Ref), topic: &str, body: Body) {
        let limit = self.state.config.max_events_per_second;
        let asks = self.channels.get(topic).is_some_and(|channel| channel.writes.is_none());
        if asks && self.refused.is_over(limit) {
            return self.shut(topic, "Too many messages per second");
        }
        let asked = self.ask_writes(topic).await;
        let may = self.channels.get(topic).and_then(|channel| channel.writes).is_some_and(|writes| writes.broadcast);
        if !may {
            // It takes nothing from what others may send, but the database was asked about it.
            self.refused.add(u64::from(asks));
            if let Err(fault) = asked {
                tracing::warn!(event = "realtime_broadcast", topic, detail = fault.reason());
            }
            return;
        }
        let events = &self.state.hub.events;
        events.add(1);
        if events.is_over(limit) {
            return self.shut(topic, "Too many messages per second");
        }
        let config = &self.state.config;
        let Some(channel) = self.channels.get(topic) else { return };
        if size(&body) > config.max_payload {
            if channel.ack {
                self.reply(refs, topic, Status::Error, &Value::from("payload_size_exceeded"));
            }
            return;
        }
        let except = (!channel.to_self).then_some(channel.id);
        self.state.publish(&channel.key, &message(body), except);
        if channel.ack {
            self.reply(refs, topic, Status::Ok, &json!({}));
        }
    }

    /// Asks the database what the channel may write, unless it is known or could not be found out a moment ago.
    pub(super) async fn ask_writes(&mut self, topic: &str) -> Result<(), JoinFault> {
        let Some(channel) = self.channels.get(topic).filter(|channel| channel.writes.is_none()) else { return Ok(()) };
        if let Some((at, fault)) = channel.write_fault.as_deref()
            && at.elapsed() < ASK_AGAIN
        {
            return Err(fault.clone());
        }
        let asker = channel.asker(&self.headers);
        let asked = authorize::write(&self.state, asker, channel.sub_topic()).await;
        let Some(channel) = self.channels.get_mut(topic) else { return Ok(()) };
        match asked {
            Ok(writes) => channel.writes = Some(writes),
            Err(fault) => {
                channel.write_fault = Some(Box::new((Instant::now(), fault.clone())));
                return Err(fault);
            }
        }
        Ok(())
    }
}

fn size(body: &Body) -> usize {
    match body {
        Body::Json(payload) => payload.get().len(),
        Body::Broadcast(broadcast) => broadcast.payload.len(),
    }
}

/// A text frame goes on as it came, a binary one as binary.
fn message(body: Body) -> Message {
    match body {
        Body::Json(payload) => {
            Message::Text { event: "broadcast", payload: <Box<RawValue> as Into<Box<str>>>::into(payload).into() }
        }
        Body::Broadcast(broadcast) => Message::User {
            event: broadcast.event,
            meta: None,
            encoding: broadcast.encoding,
            payload: broadcast.payload,
        },
    }
}
