//! Remembers when codes were last requested for addresses without an account.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use uuid::Uuid;

use crate::model::account::{Metadata, User, app_metadata};
use crate::model::address::Address;
use crate::store::one_time_tokens::Kind;

/// Maximum number of remembered addresses.
const CAPACITY: u64 = 100_000;

/// When codes were last requested for unknown addresses. Clones share the state.
#[derive(Clone)]
pub(crate) struct UnknownAddresses {
    asked: Arc<Cache<(Kind, Address), DateTime<Utc>>>,
}

impl UnknownAddresses {
    /// Remembers requests for `memory`, the longest wait between two codes.
    pub(crate) fn new(memory: Duration) -> Self {
        UnknownAddresses { asked: Arc::new(Cache::builder().max_capacity(CAPACITY).time_to_live(memory).build()) }
    }

    /// A placeholder user for an address without an account.
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

    /// Records that a code of this kind would have been sent.
    pub(crate) fn asked(&self, kind: Kind, address: &Address, now: DateTime<Utc>) {
        self.asked.insert((kind, address.clone()), now);
    }
}
