//! `phx_join`.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime};
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
    /// DEVIATION (stricter): a topic has at most 1024 bytes, a reference 2048, the payload of a join 64 KiB, a channel 100
    /// subscriptions to changes.
    ///
    /// DEVIATION (safer): the joins of a socket that has as many channels as it may have count for that socket alone, so that it
    /// does not use up the joins of all others.
    ///
    /// DEVIATION (words): a refused join is answered at once; upstream waits for five seconds first.
    pub(super) async fn join(&mut self, refs: (&Ref, &Ref), topic: &str, join: Join) {
        if let Some(before) = self.remove(topic) {
            self.push_close(&before, topic, "phx_close");
        }
        match Box::pin(self.admit(topic, &join)).await {
            Ok(admission) => Box::pin(self.enter(refs, topic, join, admission)).await,
            Err(fault) => self.refuse(refs, topic, &fault),
        }
    }

    fn refuse(&mut self, refs: (&Ref, &Ref), topic: &str, fault: &JoinFault) {
        self.reply(refs, topic, Status::Error, &json!({ "reason": fault.reason() }));
        if *fault == JoinFault::TooManyJoins {
            self.ending = Some((1000, ""));
        }
    }

    /// Who joins, what it may read, and what it wants to have again.
    async fn admit(&self, topic: &str, join: &Join) -> Result<Admission, JoinFault> {
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
        let has_all = config.max_channels_per_client > 0 && self.channels.len() >= config.max_channels_per_client;
        let joins = if has_all { &self.vain_joins } else { &self.state.hub.joins };
        joins.add(1);
        if joins.is_over(config.max_joins_per_second) {
            return Err(JoinFault::TooManyJoins);
        }
        if has_all {
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
        let replay = Replay::parse(join, reads, sub_topic(topic))?;
        Ok(Admission { identity, reads, replay })
    }

    async fn enter(&mut self, refs: (&Ref, &Ref), topic: &str, join: Join, admission: Admission) {
        let Admission { identity, reads, replay } = admission;
        let who = who(&identity);
        let channel = Channel {
            id: self.state.hub.next_id(),
            key: Key { topic: topic.into(), private: join.private },
            join_ref: if refs.0.is_null() { refs.1.clone() } else { refs.0.clone() },
            identity,
            ack: join.ack,
            to_self: join.to_self,
            presence_key: join.presence_key,
            presence_enabled: join.presence_enabled,
            reads,
            writes: if join.private { None } else { Some(Rights { broadcast: true, presence: true }) },
            write_fault: None,
            presence_calls: VecDeque::new(),
        };
        let (key, id) = (channel.key.clone(), channel.id);
        let member = Member {
            id,
            outbox: Arc::clone(&self.outbox),
            reads_broadcasts: reads.broadcast,
            reads_presence: reads.presence,
            replayed: Arc::default(),
            held: None,
        };
        // Forgotten with the socket, if that ends meanwhile.
        self.channels.insert(Arc::clone(&key.topic), Box::new(channel));
        let mut replayed = Vec::new();
        if let Some(replay) = &replay {
            // What is sent while the database is asked waits. Presence is told from the reply on.
            let waiting = Member { reads_presence: false, held: Some(Box::default()), ..member.clone() };
            self.state.hub.join(&key, waiting);
            match self.stored(topic, replay).await {
                Ok(stored) => replayed = stored,
                Err(fault) => {
                    self.remove(topic);
                    return self.refuse(refs, topic, &fault);
                }
            }
        }
        let bindings: Vec<Value> = join.changes.iter().map(with_id).collect();
        self.reply(refs, topic, Status::Ok, &json!({ "postgres_changes": bindings }));
        match &replay {
            Some(_) => self.state.hub.allow(&key, id, reads.broadcast, reads.presence),
            None => self.state.hub.join(&key, member),
        }
        let Some(channel) = self.channels.get(topic) else { return };
        if join.presence_enabled && reads.presence {
            self.push_presence_state(channel);
        }
        self.subscribe(channel, &join.changes, join.is_legacy, who);
        for (_, message) in &replayed {
            if let Some(frame) = message.frame(self.version, topic) {
                self.outbox.push(frame);
            }
        }
        self.state.hub.release(&key, id, replayed.into_iter().map(|(id, _)| id).collect());
        if join.replication_ready {
            self.tell_when_ready(channel);
        }
    }

    /// Subscribes to changes of tables, while the socket goes on.
    fn subscribe(&self, channel: &Channel, bindings: &[Map<String, Value>], is_legacy: bool, who: Who) {
        // An old client that names no table with its topic only broadcasts.
        if bindings.is_empty() {
            return;
        }
        let who = Arc::new(who);
        let subscriber = |bindings: Vec<Binding>| Subscriber {
            outbox: Arc::clone(&self.outbox),
            join_ref: channel.join_ref.clone(),
            topic: Arc::clone(&channel.key.topic),
            is_legacy,
            who: Arc::clone(&who),
            bindings: Arc::new(bindings),
        };
        let parsed: Result<Vec<_>, _> = bindings.iter().map(|own| Binding::parse(own, binding_id(own))).collect();
        match parsed {
            Ok(bindings) => {
                self.state.changes.expect(channel.id, Arc::clone(&who));
                let (state, id) = (self.state.clone(), channel.id);
                let own_turn = Arc::clone(&self.checks);
                actix_web::rt::spawn(changes::subscribe(state, id, subscriber(bindings), own_turn));
            }
            Err(text) => subscriber(Vec::new()).system("error", &text),
        }
    }

    fn tell_when_ready(&self, channel: &Channel) {
        let key = (Arc::clone(&channel.key.topic), channel.id);
        let (outbox, join_ref) = (Arc::clone(&self.outbox), channel.join_ref.clone());
        actix_web::rt::spawn(changes::tell_when_ready(self.state.clone(), key, join_ref, outbox));
    }

    /// What was broadcast from the database before, oldest first.
    async fn stored(&self, topic: &str, replay: &Replay) -> Result<Vec<(String, Message)>, JoinFault> {
        let stored = async {
            let connection = self.state.pool.get().await?;
            messages::since(&connection, sub_topic(topic), replay.since, replay.limit).await
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

/// A channel that may be joined.
struct Admission {
    identity: Arc<Identity>,
    reads: Rights,
    replay: Option<Replay>,
}

/// What a channel wants to have again.
struct Replay {
    since: NaiveDateTime,
    limit: i64,
}

impl Replay {
    fn parse(join: &Join, reads: Rights, sub_topic: &str) -> Result<Option<Self>, JoinFault> {
        let Some(replay) = &join.replay else { return Ok(None) };
        if !join.private {
            return Err(JoinFault::ReplayPublic);
        }
        let number = |name: &str| replay.get(name).map(|value| value.as_i64().ok_or(JoinFault::ReplayParameters));
        let since = number("since").ok_or(JoinFault::ReplayParameters)??;
        let since = DateTime::from_timestamp_millis(since).ok_or(JoinFault::ReplayParameters)?.naive_utc();
        let limit = number("limit").transpose()?.unwrap_or(MAX_REPLAY).clamp(1, MAX_REPLAY);
        if !reads.broadcast {
            return Err(JoinFault::Unauthorized(sub_topic.to_owned()));
        }
        Ok(Some(Replay { since, limit }))
    }
}

/// Messages that are replayed, at most.
const MAX_REPLAY: i64 = 25;

/// On whose behalf changes are looked at.
pub(super) fn who(identity: &Identity) -> Who {
    Who { role: identity.role.to_string(), claims: Arc::clone(&identity.claims), subject: identity.subject.to_string() }
}

/// A subscription as it is confirmed: with everything that the client sent.
fn with_id(binding: &Map<String, Value>) -> Value {
    let mut shown = binding.clone();
    shown.insert("id".to_owned(), binding_id(binding).into());
    Value::Object(shown)
}
