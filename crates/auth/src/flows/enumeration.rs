//! Prevents account enumeration: unknown addresses take the same steps as known ones.
//!
//! Some endpoints must not reveal whether an address has an account. For an unknown address they run the same
//! statements, which then affect no row, and enforce the same wait before the next mail. The transaction is rolled back
//! at the end.
//!
//! DEVIATION (safer): too frequent requests for an address without an account are refused like those for one with an
//! account; GoTrue refuses only the latter, which reveals which addresses have accounts.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::limits::{self, Subject};
use crate::flows::one_time_tokens::{Dispatch, Ready};
use crate::model::address::Address;
use crate::model::requester::Requester;
use crate::model::standing::Standing;
use crate::state::State;
use crate::store::one_time_tokens::Kind;

/// Finishes a request. For a user it commits and sends the code. For an unknown address it rolls back and records the
/// request.
///
/// # Errors
/// If the database fails, and those of [`Dispatch::hand_over`] and [`Ready::send`].
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
        Standing::Unknown => {
            let ready = dispatch.held_back(state)?;
            db.rollback().await.or_fault(UNEXPECTED)?;
            remember(state, (kind, address), ready, now)
        }
    };
    limits::code_requested(state, &Subject::of(&state.config, address), requester.client, now);
    Ok(message)
}

/// Records the request of an unknown address instead of sending. Returns what sending would have returned.
pub(crate) fn remember(
    state: &State,
    (kind, address): (Kind, &Address),
    ready: Ready,
    now: DateTime<Utc>,
) -> Option<&'static str> {
    state.unknown_addresses.asked(kind, address, now);
    ready.unsent()
}
