//! Completes the verification of a factor: raises the session to `aal2` and ends the user's `aal1` sessions.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::json;

use super::{Holder, tell};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::audit::{self, Action};
use crate::flows::notifications;
use crate::flows::sessions::strengthen;
use crate::flows::tokens::TokenBody;
use crate::model::account::Factor;
use crate::model::email_kind::EmailKind;
use crate::model::factor::{Answer, Kind, Pending};
use crate::model::requester::Requester;
use crate::model::session::Session;
use crate::state::State;
use crate::store::{mfa_challenges, mfa_factors};

/// Prefix of the code column in an answered TOTP challenge; the used time step follows. The schema is upstream's and
/// has no column for time steps. Challenges are kept for a day, far longer than a code is valid.
const SPENT_STEP: &str = "totp:";

/// A verified factor and the challenge it answered.
pub(crate) struct Proven<'a> {
    pub(crate) factor: &'a Factor,
    pub(crate) kind: Kind,
    pub(crate) pending: &'a Pending,
    /// The time step of a TOTP code (RFC 6238 section 4).
    pub(crate) step: Option<u64>,
    /// What to store of a security key's answer.
    pub(crate) answer: Option<Answer>,
}

/// Uses up the challenge, verifies the factor, and raises the session to `aal2` with new tokens. The user's `aal1`
/// sessions end, and unverified factors of the same kind are deleted.
///
/// DEVIATION (words): the answer to a verified factor no longer lists the unverified factors deleted with it; GoTrue
/// still lists them.
///
/// # Errors
/// [`MfaError::ChallengeElsewhere`] and its like if the challenge was used up meanwhile; [`MfaError::TotpWrong`] if the
/// code was.
pub(crate) async fn accept(
    state: &State,
    holder: &Holder,
    session: &Session,
    proven: Proven<'_>,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<TokenBody, AuthError> {
    let (user, factor) = (&holder.user, proven.factor);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Lock the factors first, so that two verifications of one user run one after the other: each ends the other's
    // session, and the second must see which code the first used. Then lock the session, in the same order as a
    // refresh.
    mfa_factors::lock(&db, user.id).await.or_fault(UNEXPECTED)?;
    let found = strengthen::lock(&db, session.id).await?;
    use_up(&db, &proven, now).await?;
    let traits =
        json!({ "challenge_id": proven.pending.id, "factor_id": factor.id, "factor_type": proven.kind.as_str() });
    audit::record_from(state, &db, Some(requester.ip), user, Action::VerificationAttempted, traits).await?;
    mfa_factors::verify(&db, factor.id, now).await.or_fault(UNEXPECTED)?;
    if let Some(answer) = &proven.answer {
        mfa_factors::set_credential(&db, factor.id, answer, now).await.or_fault(UNEXPECTED)?;
    }
    let removed = mfa_factors::delete_unverified(&db, user.id, proven.kind).await;
    removed.or_fault("Error removing unverified factors.")?;
    let by = (proven.kind.method(), factor.id);
    let body = strengthen::strengthen(state, &db, found, session.id, by, requester, now).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    if !factor.is_verified() {
        let mails = [(EmailKind::MfaFactorEnrolled, user.email.as_str())];
        let mails = notifications::about(state, mails, user, |mail| mail.with("FactorType", proven.kind.as_str()));
        tell(state, requester, mails).await;
    }
    Ok(body)
}

/// Uses up the challenge, and the time step of a TOTP code. Of several parallel answers only one succeeds.
///
/// DEVIATION (safer): the TOTP code of a time step is accepted once (RFC 6238 section 5.2), for any challenge, and
/// codes of earlier steps are refused afterwards; in GoTrue an observed code can be reused for up to 90 seconds.
async fn use_up(db: &Transaction<'_>, proven: &Proven<'_>, now: DateTime<Utc>) -> Result<(), AuthError> {
    let id = proven.pending.id;
    let (was_first, spent) = match (proven.kind, proven.step) {
        (Kind::WebAuthn, _) => {
            let deleted = mfa_challenges::delete(db, id).await;
            (deleted.or_fault("Database error deleting challenge")?, MfaError::ChallengeNotFound)
        }
        (Kind::Phone, _) => {
            let verified = mfa_challenges::verify(db, id, None, now).await;
            (verified.or_fault(UNEXPECTED)?, MfaError::PhoneChallengeElsewhere)
        }
        (Kind::Totp, step) => {
            let number = step.and_then(|step| i64::try_from(step).ok()).ok_or(MfaError::TotpWrong)?;
            if mfa_challenges::is_spent(db, proven.factor.id, SPENT_STEP, number).await.or_fault(UNEXPECTED)? {
                return Err(MfaError::TotpWrong.into());
            }
            let step = Some(format!("{SPENT_STEP}{number}"));
            let verified = mfa_challenges::verify(db, id, step.as_deref(), now).await;
            (verified.or_fault(UNEXPECTED)?, MfaError::ChallengeElsewhere)
        }
    };
    if was_first { Ok(()) } else { Err(spent.into()) }
}
