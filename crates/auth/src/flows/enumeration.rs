//! People without an account, who are not to be told from people with one.
//!
//! Where the API does not say whether an address has an account, a stranger takes the same steps as a user: the same
//! statements, which touch no row, and the same wait before the next mail. Then everything is rolled back.
//!
//! DEVIATION: who asks too often for an address without an account is told to wait, as for one with an account; GoTrue tells
//! only the latter, and so tells which is which.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use pg::pool::Transaction;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::limits::{self, Subject};
use crate::flows::new_user::{self, Address};
use crate::flows::one_time_tokens::{Dispatch, Ready};
use crate::model::account::{Metadata, User};
use crate::model::requester::Requester;
use crate::state::State;
use crate::store::one_time_tokens::Kind;

/// Addresses that are remembered at most.
const CAPACITY: u64 = 100_000;

/// When codes were last asked for on behalf of strangers. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Strangers {
    asked: Arc<Cache<(Kind, Address), DateTime<Utc>>>,
}

/// Whom a request turned out to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    User,
    Stranger,
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
            app_metadata: new_user::app_metadata(address.provider()),
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

/// Ends what a request began: for a user it is committed and the code sent, for a stranger undone and remembered.
///
/// # Errors
/// When the database fails, and those of [`Dispatch::hand_over`] and [`Ready::send`].
pub(crate) async fn conclude(
    state: &State,
    db: Transaction<'_>,
    standing: Standing,
    (kind, address): (Kind, &Address),
    dispatch: Dispatch,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<Option<&'static str>, AuthError> {
    let message = match standing {
        Standing::User => {
            let ready = dispatch.hand_over(state, &db, requester).await?;
            db.commit().await.or_fault(UNEXPECTED)?;
            ready.send(state).await?
        }
        Standing::Stranger => {
            db.rollback().await.or_fault(UNEXPECTED)?;
            remember(state, (kind, address), dispatch.held_back(), now)
        }
    };
    limits::code_requested(state, &Subject::of(state, address), requester.client, now);
    Ok(message)
}

/// Instead of sending a stranger what is due, remembers that they asked for it; gives what sending would have answered.
pub(crate) fn remember(
    state: &State,
    (kind, address): (Kind, &Address),
    ready: Ready,
    now: DateTime<Utc>,
) -> Option<&'static str> {
    state.strangers.asked(kind, address, now);
    ready.unsent()
}
