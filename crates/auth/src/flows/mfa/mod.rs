//! Second factors: TOTP apps, codes by SMS, security keys.
//!
//! A factor is enrolled, challenged and verified. The first verification activates it: from then on the user's sessions
//! without it are `aal1` only, and changes to the account require `aal2`.
//!
//! Source: supabase/auth, `internal/api/mfa.go` and `internal/models/factor.go`.

mod challenge;
mod enroll;
mod owned;
mod phone;
mod proof;
mod security_key;
mod totp;
mod unenroll;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::fault_log;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::requester::Requester;
use crate::state::State;

pub(crate) use challenge::{ChallengeBody, challenged, pending};
pub(crate) use enroll::enroll;
pub(crate) use owned::{Holder, factor_of, holder};
pub(crate) use phone::{challenge as challenge_phone, is_right as is_right_code};
pub(crate) use proof::{Proven, accept};
pub(crate) use security_key::{
    Response, challenge as challenge_security_key, member as webauthn_member, verify as verify_security_key,
};
pub(crate) use totp::{Totp, right_step as right_totp_step};
pub(crate) use unenroll::{notify_of_removal, remove};

/// Sends notification mails. Failures are logged and undo nothing.
async fn tell(state: &State, requester: &Requester, mails: Dispatch) {
    if let Err(error) = try_to_tell(state, requester, mails).await {
        fault_log::log(state, &error, &requester.request_id);
    }
}

async fn try_to_tell(state: &State, requester: &Requester, mails: Dispatch) -> Result<(), AuthError> {
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let ready = mails.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(state).await.map(drop)
}
