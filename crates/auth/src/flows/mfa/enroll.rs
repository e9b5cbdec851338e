//! Enrolment of a factor, unverified at first.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::Holder;
use crate::config::MfaConfig;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::audit::{self, Action};
use crate::model::account::Factor;
use crate::model::factor::{Kind, NewFactor};
use crate::model::requester::Requester;
use crate::model::timestamp::after;
use crate::state::State;
use crate::store::{mfa_factors, users};

/// Stores a factor if its user may have one more. First deletes abandoned factors and unverified factors with the same
/// number.
///
/// # Errors
/// [`MfaError::NameConflict`], [`MfaError::TooManyFactors`], [`MfaError::EnrollNeedsAal2`].
pub(crate) async fn enroll(
    state: &State,
    holder: &Holder,
    new: &NewFactor<'_>,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let user = &holder.user;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Lock, so that two parallel enrolments cannot both take the last free slot.
    users::lock(&db, user.id).await.or_fault(UNEXPECTED)?;
    if let Some(phone) = new.phone {
        let deleted = mfa_factors::delete_unverified_of_phone(&db, user.id, phone).await;
        deleted.or_fault("Database error deleting unverified phone factors")?;
    }
    let longest = now - (after(now, state.config.mfa.factor_expiry) - now);
    mfa_factors::delete_abandoned(&db, longest).await.or_fault(UNEXPECTED)?;
    let factors = mfa_factors::of_user(&db, user.id).await.or_fault(UNEXPECTED)?;
    check(&state.config.mfa, &factors, new.friendly_name, holder.is_aal2())?;
    mfa_factors::insert(&db, user.id, new, now).await.or_fault(UNEXPECTED)?;
    let traits = match new.kind {
        Kind::Totp => json!({ "factor_id": new.id }),
        Kind::Phone | Kind::WebAuthn => json!({ "factor_id": new.id, "factor_type": new.kind.as_str() }),
    };
    audit::record_from(state, &db, Some(requester.ip), user, Action::FactorInProgress, traits).await?;
    db.commit().await.or_fault(UNEXPECTED)
}

/// Checks whether a user with these factors may enrol one more of this name. Two unnamed factors have the same name.
fn check(config: &MfaConfig, factors: &[Factor], name: &str, is_aal2: bool) -> Result<(), MfaError> {
    if factors.iter().any(|factor| factor.friendly_name == name) {
        return Err(MfaError::NameConflict(format!("{name:?}")));
    }
    let verified = factors.iter().filter(|factor| factor.is_verified()).count();
    if factors.len() >= config.max_enrolled_factors || verified >= config.max_verified_factors {
        return Err(MfaError::TooManyFactors);
    }
    if verified > 0 && !is_aal2 {
        return Err(MfaError::EnrollNeedsAal2);
    }
    Ok(())
}
