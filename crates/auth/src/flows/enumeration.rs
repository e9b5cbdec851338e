//! People without an account, who are not to be told from people with one.
//!
//! Where the API does not say whether an address has an account, a stranger takes the same steps as a user: the same
//! statements, which touch no row, and the same wait before the next mail. Then everything is rolled back.
//!
//! DEVIATION: who asks too often for an address without an account is told to wait, as for one with an account; GoTrue tells
//! only the latter, and so tells which is which.

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
            let ready = dispatch.held_back(state)?;
            db.rollback().await.or_fault(UNEXPECTED)?;
            remember(state, (kind, address), ready, now)
        }
    };
    limits::code_requested(state, &Subject::of(&state.config, address), requester.client, now);
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
