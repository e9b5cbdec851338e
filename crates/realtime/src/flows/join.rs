//! `phx_join`.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::DateTime;
use serde_json::{Map, Value, json};

use super::channel::{Channel, asker, sub_topic};
use super::socket::Socket;
use super::{authorize, changes};
use crate::changes::{Subscriber, Who, replayed};
use crate::config::{MAX_BINDINGS, MAX_JOIN, MAX_TOPIC};
use crate::hub::{Key, Member};
use crate::protocol::filter::Binding;
use crate::protocol::frame::Ref;
use crate::protocol::join::{Join, binding_id};
use crate::protocol::message::{Message, Status};
use crate::protocol::reason::JoinFault;
use crate::protocol::token::Identity;
use crate::store::messages::{self, Rights};

impl Socket {
    /// Joins a channel. A channel of the same topic that this socket has already is closed first.
    ///
    /// DEVIATION (stricter): a topic has at most 1024 bytes, the payload of a join 64 KiB, a channel 100 subscriptions to changes.
    ///
    /// DEVIATION (words): a refused join is answered at once; upstream waits for five seconds first.
    pub(super) async fn join(&mut self, refs: (&Ref, &Ref), topic: &str, payload: &Value) {
        if let Some(before) = self.remove(topic) {
            self.push_close(&before, topic, "phx_close");
        }
        let join = Join::parse(payload, sub_topic(topic));
        match Box::pin(self.admit(topic, &join)).await {
            Ok((identity, reads, replayed)) => self.admitted(refs, topic, join, (identity, reads), &replayed),
            Err(fault) => {
                self.reply(refs, topic, Status::Error, &json!({ "reason": fault.reason() }));
                if fault == JoinFault::TooManyJoins {
                    self.ending = Some((1000, ""));
                }
            }
        }
    }

    /// Who joins, and what it may read.
    async fn admit(&self, topic: &str, join: &Join) -> Result<(Identity, Rights, Vec<(String, Message)>), JoinFault> {
        let config = &self.state.config;
        if self.is_stopping() {
            return Err(JoinFault::Restarting);
        }
        if sub_topic(topic).is_empty() {
            return Err(JoinFault::NoTopic);
        }
        if topic.len() > MAX_TOPIC || join.size > MAX_JOIN || join.changes.len() > MAX_BINDINGS {
            return Err(JoinFault::TooLong);
        }
        if config.private_only && !join.private {
            return Err(JoinFault::PrivateOnly);
        }
        self.state.hub.joins.add(1);
        if self.state.hub.joins.is_over(config.max_joins_per_second) {
            return Err(JoinFault::TooManyJoins);
        }
        if config.max_channels_per_client > 0 && self.channels.len() >= config.max_channels_per_client {
            return Err(JoinFault::TooManyChannels);
        }
        let identity = self.identify(join.token.as_deref()).map_err(JoinFault::Token)?;
        let reads = if join.private {
            authorize::read(&self.state, asker(&identity, &self.headers), sub_topic(topic)).await?
        } else {
            Rights { broadcast: true, presence: true }
        };
        if !reads.broadcast && !reads.presence {
            return Err(JoinFault::Unauthorized(sub_topic(topic).to_owned()));
        }
        let replayed = self.replay(topic, join, reads).await?;
        Ok((identity, reads, replayed))
    }

    fn admitted(
        &mut self,
        refs: (&Ref, &Ref),
        topic: &str,
        join: Join,
        (identity, reads): (Identity, Rights),
        replayed: &[(String, Message)],
    ) {
        let key = Key { topic: topic.into(), private: join.private };
        let channel = Channel {
            id: self.state.hub.next_id(),
            key: key.clone(),
            join_ref: if refs.0.is_null() { refs.1.clone() } else { refs.0.clone() },
            identity,
            ack: join.ack,
            to_self: join.to_self,
            presence_key: join.presence_key,
            presence_enabled: join.presence_enabled,
            reads,
            writes: if join.private { None } else { Some(Rights { broadcast: true, presence: true }) },
            presence_calls: VecDeque::new(),
        };
        let member = Member {
            id: channel.id,
            outbox: Arc::clone(&self.outbox),
            reads_broadcasts: reads.broadcast,
            reads_presence: reads.presence,
            replayed: replayed.iter().map(|(id, _)| id.clone()).collect(),
        };
        let bindings: Vec<Value> = join.changes.iter().map(with_id).collect();
        let (who, presence_enabled) = (who(&channel.identity), join.presence_enabled);
        self.reply(refs, topic, Status::Ok, &json!({ "postgres_changes": bindings }));
        self.state.hub.join(&key, member);
        if presence_enabled && reads.presence {
            self.push_presence_state(&channel);
        }
        self.subscribe(&channel, &join.changes, join.is_legacy, who);
        for (_, message) in replayed {
            if let Some(frame) = message.frame(self.version, topic) {
                self.outbox.push(frame);
            }
        }
        if join.replication_ready {
            self.tell_when_ready(&channel);
        }
        self.channels.insert(topic.to_owned(), channel);
    }

    /// Subscribes to changes of tables, while the socket goes on.
    fn subscribe(&self, channel: &Channel, bindings: &[Map<String, Value>], is_legacy: bool, who: Who) {
        // An old client that names no table with its topic only broadcasts.
        if bindings.is_empty() {
            return;
        }
        let subscriber = |bindings: Vec<Binding>| Subscriber {
            outbox: Arc::clone(&self.outbox),
            join_ref: channel.join_ref.clone(),
            topic: Arc::clone(&channel.key.topic),
            is_legacy,
            who: Arc::new(who),
            bindings: Arc::new(bindings),
        };
        let parsed: Result<Vec<_>, _> = bindings.iter().map(|own| Binding::parse(own, binding_id(own))).collect();
        match parsed {
            Ok(bindings) => {
                self.state.changes.expect(channel.id);
                let (state, id) = (self.state.clone(), channel.id);
                actix_web::rt::spawn(changes::subscribe(state, id, subscriber(bindings)));
            }
            Err(text) => subscriber(Vec::new()).system("error", &text),
        }
    }

    fn tell_when_ready(&self, channel: &Channel) {
        let key = (Arc::clone(&channel.key.topic), channel.id);
        let (outbox, control) = (Arc::clone(&self.outbox), self.control.clone());
        let join_ref = channel.join_ref.clone();
        actix_web::rt::spawn(changes::tell_when_ready(self.state.clone(), key, join_ref, outbox, control));
    }

    /// What was broadcast from the database before, oldest first.
    async fn replay(&self, topic: &str, join: &Join, reads: Rights) -> Result<Vec<(String, Message)>, JoinFault> {
        let Some(replay) = &join.replay else { return Ok(Vec::new()) };
        if !join.private {
            return Err(JoinFault::ReplayPublic);
        }
        let number = |name: &str| replay.get(name).map(|value| value.as_i64().ok_or(JoinFault::ReplayParameters));
        let since = number("since").ok_or(JoinFault::ReplayParameters)??;
        let since = DateTime::from_timestamp_millis(since).ok_or(JoinFault::ReplayParameters)?.naive_utc();
        let limit = number("limit").transpose()?.unwrap_or(MAX_REPLAY).clamp(1, MAX_REPLAY);
        let topic = sub_topic(topic);
        if !reads.broadcast {
            return Err(JoinFault::Unauthorized(topic.to_owned()));
        }
        let stored = async {
            let connection = self.state.pool.get().await?;
            messages::since(&connection, topic, since, limit).await
        };
        let stored = stored.await.map_err(|error| {
            tracing::warn!(event = "realtime_replay", detail = %error);
            JoinFault::Replay
        })?;
        let message = |own: messages::Stored| {
            let id = own.id.to_string();
            let message = replayed(&id, &own.event, own.payload.as_deref(), own.binary_payload)?;
            Some((id, message))
        };
        Ok(stored.into_iter().filter_map(message).collect())
    }
}

/// Messages that are replayed, at most.
const MAX_REPLAY: i64 = 25;

/// On whose behalf changes are looked at.
pub(super) fn who(identity: &Identity) -> Who {
    Who {
        role: identity.role.clone(),
        claims: identity.claims.text().to_owned(),
        subject: identity.claims.string("sub").unwrap_or_default().to_owned(),
    }
}

/// A subscription as it is confirmed: with everything that the client sent.
fn with_id(binding: &Map<String, Value>) -> Value {
    let mut shown = binding.clone();
    shown.insert("id".to_owned(), binding_id(binding).into());
    Value::Object(shown)
}
