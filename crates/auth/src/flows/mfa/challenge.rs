//! Challenges of second factors.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use pg::pool::Query;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::audit::{self, Action};
use crate::model::account::{Factor, User};
use crate::model::factor::{Challenge, Kind, Pending};
use crate::model::timestamp::after;
use crate::state::State;
use crate::store::mfa_challenges;

/// A challenge as the client sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeBody {
    id: Uuid,
    /// `totp`, `phone` or `webauthn`.
    r#type: String,
    /// Seconds since 1970.
    expires_at: i64,
    /// For a security key: `create` or `request`, and the options for the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    webauthn: Option<Value>,
}

impl ChallengeBody {
    pub(crate) fn of(challenge: &Challenge, state: &State, factor: &Factor, webauthn: Option<Value>) -> Self {
        let expires_at = after(challenge.created_at, state.config.mfa.challenge_expiry).timestamp();
        ChallengeBody { id: challenge.id, r#type: factor.factor_type.clone(), expires_at, webauthn }
    }
}

/// Stores a challenge and records it in the audit log.
///
/// # Errors
/// If the database fails.
pub(crate) async fn challenged(
    state: &State,
    db: &impl Query,
    user: &User,
    factor: &Factor,
    challenge: &Challenge,
) -> Result<(), AuthError> {
    mfa_challenges::insert(db, challenge).await.or_fault(UNEXPECTED)?;
    let traits = json!({ "factor_id": factor.id, "factor_status": factor.status });
    audit::record_from(state, db, Some(challenge.ip), user, Action::ChallengeCreated, traits).await
}

/// The factor's challenge with this id, if it can be answered from `ip` now. An expired one is deleted.
///
/// # Errors
/// [`MfaError::ChallengeNotFound`]; [`MfaError::ChallengeElsewhere`], also for an answered challenge;
/// [`MfaError::ChallengeExpired`].
pub(crate) async fn pending(
    state: &State,
    factor: &Factor,
    id: Uuid,
    ip: IpAddr,
    now: DateTime<Utc>,
) -> Result<Pending, AuthError> {
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = mfa_challenges::find(&db, factor.id, id).await.or_fault("Database error finding Challenge")?;
    let pending = found.ok_or(MfaError::ChallengeNotFound)?;
    let same_place = pending.ip.parse::<IpAddr>().is_ok_and(|asked| asked.to_canonical() == ip.to_canonical());
    if pending.verified_at.is_some() || !same_place {
        let is_phone = Kind::named(&factor.factor_type) == Some(Kind::Phone);
        return Err(if is_phone { MfaError::PhoneChallengeElsewhere } else { MfaError::ChallengeElsewhere }.into());
    }
    if now > after(pending.created_at, state.config.mfa.challenge_expiry) {
        mfa_challenges::delete(&db, id).await.or_fault("Database error deleting challenge")?;
        return Err(MfaError::ChallengeExpired(id).into());
    }
    Ok(pending)
}
