//! Tokens of channels: replaced by their clients, and expired.

use std::sync::Arc;

use serde_json::Value;

use super::authorize;
use super::channel::asker;
use super::join::who;
use super::socket::Socket;
use crate::protocol::reason::{JoinFault, TokenFault};
use crate::protocol::token::Identity;

impl Socket {
    /// Who a channel acts as: whom its token stands for, or the connection's. Opaque API keys stand for the latter. Channels with
    /// one token share what is known of it.
    ///
    /// # Errors
    /// [`TokenFault`]; the connection's own token may have expired.
    pub(super) fn identify(&self, token: Option<&str>) -> Result<Arc<Identity>, TokenFault> {
        let now = self.state.clock.unix();
        match token.filter(|token| !token.starts_with("sb_")) {
            Some(token) => {
                let identity = Identity::of(&self.policy.get(), token, now)?;
                let mut known = self.channels.values().map(|channel| &channel.identity).chain([&self.identity]);
                let same = known.find(|known| known.token == identity.token).map(Arc::clone);
                Ok(same.unwrap_or_else(|| Arc::new(identity)))
            }
            None => match self.identity.expired(now) {
                Some(fault) => Err(fault),
                None => Ok(Arc::clone(&self.identity)),
            },
        }
    }

    /// `access_token`: the channel goes on with another token, if that may still read.
    pub(super) async fn new_token(&mut self, topic: &str, payload: &Value) {
        let token = payload.get("access_token").and_then(Value::as_str);
        let Some(token) = token.filter(|token| !token.is_empty() && !token.starts_with("sb_")) else { return };
        let Some(channel) = self.channels.get(topic).filter(|channel| *channel.identity.token != *token) else {
            return;
        };
        let identity = match self.identify(Some(token)) {
            Ok(identity) => identity,
            Err(fault) => return self.shut(topic, &fault.message()),
        };
        let (id, who) = (channel.id, who(&identity));
        if !channel.key.private {
            self.state.changes.reclaim(id, who);
            if let Some(channel) = self.channels.get_mut(topic) {
                channel.identity = identity;
            }
            return;
        }
        let (sub_topic, before, presence) = (channel.sub_topic(), channel.reads, channel.presence_enabled);
        let reads = match authorize::read(&self.state, asker(&identity, &self.headers), sub_topic).await {
            Ok(reads) if !reads.broadcast && !reads.presence => {
                Err(JoinFault::Unauthorized(sub_topic.to_owned()).closing())
            }
            // Upstream looks at the right to read presences only if the channel has to do with them.
            Ok(reads) if (before.broadcast && !reads.broadcast) || (presence && before.presence && !reads.presence) => {
                Err(format!("You no longer have permission to read from this Channel topic: {sub_topic}"))
            }
            Ok(reads) => Ok(reads),
            Err(fault) => Err(fault.closing()),
        };
        let reads = match reads {
            Ok(reads) => reads,
            Err(why) => return self.shut(topic, &why),
        };
        let Some(channel) = self.channels.get_mut(topic) else { return };
        (channel.identity, channel.reads) = (identity, reads);
        (channel.writes, channel.write_fault) = (None, None);
        self.state.changes.reclaim(id, who);
        self.state.hub.allow(&channel.key, channel.id, reads.broadcast, reads.presence);
    }

    /// Closes the channels whose token has expired.
    pub(super) fn close_expired(&mut self) {
        let now = self.state.clock.unix();
        let expired = self.channels.iter().filter_map(|(topic, channel)| {
            channel.identity.expired(now).map(|fault| (Arc::clone(topic), fault.message()))
        });
        let expired: Vec<(Arc<str>, String)> = expired.collect();
        for (topic, why) in expired {
            self.shut(&topic, &why);
        }
    }
}
