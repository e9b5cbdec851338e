//! `phx_join`.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::authorize;
use super::channel::{Channel, asker, sub_topic};
use super::socket::Socket;
use crate::hub::{Key, Member};
use crate::protocol::frame::Ref;
use crate::protocol::join::{Join, binding_id};
use crate::protocol::message::Status;
use crate::protocol::reason::JoinFault;
use crate::protocol::token::Identity;
use crate::store::messages::Rights;

impl Socket {
    /// Joins a channel. A channel of the same topic that this socket has already is closed first.
    ///
    /// DEVIATION (words): a refused join is answered at once; upstream waits for five seconds first.
    pub(super) async fn join(&mut self, refs: (&Ref, &Ref), topic: &str, payload: &Value) {
        if let Some(before) = self.remove(topic) {
            self.push_close(&before, topic, "phx_close");
        }
        let join = Join::parse(payload, sub_topic(topic));
        match Box::pin(self.admit(topic, &join)).await {
            Ok((identity, reads)) => self.admitted(refs, topic, join, identity, reads),
            Err(fault) => {
                self.reply(refs, topic, Status::Error, &json!({ "reason": fault.reason() }));
                if fault == JoinFault::TooManyJoins {
                    self.ending = Some((1000, ""));
                }
            }
        }
    }

    /// Who joins, and what it may read.
    async fn admit(&self, topic: &str, join: &Join) -> Result<(Identity, Rights), JoinFault> {
        let config = &self.state.config;
        if self.is_stopping() {
            return Err(JoinFault::Restarting);
        }
        if sub_topic(topic).is_empty() {
            return Err(JoinFault::NoTopic);
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
        if !join.private {
            return Ok((identity, Rights { broadcast: true, presence: true }));
        }
        let topic = sub_topic(topic);
        let reads = authorize::read(&self.state, asker(&identity, &self.headers), topic).await?;
        if !reads.broadcast && !reads.presence {
            return Err(JoinFault::Unauthorized(topic.to_owned()));
        }
        Ok((identity, reads))
    }

    fn admitted(&mut self, refs: (&Ref, &Ref), topic: &str, join: Join, identity: Identity, reads: Rights) {
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
            outbox: std::sync::Arc::clone(&self.outbox),
            reads_broadcasts: reads.broadcast,
            reads_presence: reads.presence,
        };
        let bindings: Vec<Value> = join.changes.iter().map(with_id).collect();
        self.reply(refs, topic, Status::Ok, &json!({ "postgres_changes": bindings }));
        self.state.hub.join(&key, member);
        if !bindings.is_empty() {
            self.system(&channel.join_ref, topic, "error", "Changes of tables are not served");
        }
        if join.presence_enabled && reads.presence {
            self.push_presence_state(&channel);
        }
        self.channels.insert(topic.to_owned(), channel);
    }
}

/// A subscription as it is confirmed: with everything that the client sent.
fn with_id(binding: &Map<String, Value>) -> Value {
    let mut shown = binding.clone();
    shown.insert("id".to_owned(), binding_id(binding).into());
    Value::Object(shown)
}
