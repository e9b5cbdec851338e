//! What is remembered of addresses without an account: when somebody last asked for a code.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use uuid::Uuid;

use crate::model::account::{Metadata, User, app_metadata};
use crate::model::address::Address;
use crate::store::one_time_tokens::Kind;

/// Addresses that are remembered at most.
const CAPACITY: u64 = 100_000;

/// When codes were last asked for on behalf of strangers. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Strangers {
    asked: Arc<Cache<(Kind, Address), DateTime<Utc>>>,
}

impl Strangers {
    /// Remembers for `memory`, the longest wait there is.
    pub(crate) fn new(memory: Duration) -> Self {
        Strangers { asked: Arc::new(Cache::builder().max_capacity(CAPACITY).time_to_live(memory).build()) }
    }

    /// A user who does not exist.
    pub(crate) fn user(&self, address: &Address, audience: &str, data: Metadata, now: DateTime<Utc>) -> User {
        let (email, phone) = match address {
            Address::Email(email) => (email.clone(), String::new()),
            Address::Phone(phone) => (String::new(), phone.clone()),
        };
        let asked = |kind| self.asked.get(&(kind, address.clone()));
        User {
            id: Uuid::new_v4(),
            aud: audience.to_owned(),
            email,
            phone,
            confirmation_sent_at: asked(Kind::Confirmation),
            recovery_sent_at: asked(Kind::Recovery),
            email_change_sent_at: asked(Kind::EmailChangeNew),
            phone_change_sent_at: asked(Kind::PhoneChange),
            app_metadata: app_metadata(address.provider()),
            user_metadata: data,
            created_at: now,
            updated_at: now,
            ..User::default()
        }
    }

    /// A code of this kind would have been sent.
    pub(crate) fn asked(&self, kind: Kind, address: &Address, now: DateTime<Utc>) {
        self.asked.insert((kind, address.clone()), now);
    }
}
