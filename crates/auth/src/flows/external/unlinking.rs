//! Unlinking an identity.
//!
//! Source: supabase/auth, `internal/api/identity.go` and `internal/models/user.go`.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, ExternalError};
use crate::flows::audit::{self, Action};
use crate::flows::external::account::{settle_providers, traits};
use crate::flows::notifications;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::account::{Identity, User};
use crate::model::email_kind::EmailKind;
use crate::state::State;
use crate::store::{identities, users};

/// Removes an identity from a user, who must keep at least one. If the user's address came only from this identity, the
/// address of another identity replaces it.
///
/// # Errors
/// [`ExternalError::SingleIdentity`], [`ExternalError::IdentityNotFound`], [`ExternalError::EmailConflict`].
pub(crate) async fn unlink(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    identity: Uuid,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    if user.identities.len() <= 1 {
        return Err(AuthError::External(ExternalError::SingleIdentity));
    }
    let at = user.identities.iter().position(|one| one.identity_id == identity);
    let gone = user.identities.remove(at.ok_or(AuthError::External(ExternalError::IdentityNotFound))?);
    let address = user.email.clone();
    audit::record(state, db, &user, Action::IdentityUnlinked, traits(&gone)).await?;
    identities::delete(db, identity).await.or_fault("Database error deleting identity")?;
    if gone.provider == "phone" {
        users::clear_phone(db, user.id, now).await.or_fault("Database error updating user phone")?;
    } else if let Promotion::Conflict = promote_email(state, db, &mut user, now).await? {
        return Err(AuthError::External(ExternalError::EmailConflict));
    }
    settle_providers(db, &mut user, now).await?;
    let notices = [(EmailKind::IdentityUnlinked, address.as_str())];
    Ok(notifications::about(state, notices, &user, |mail| mail.with("Provider", &gone.provider)))
}

/// The outcome of replacing the user's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promotion {
    Done,
    /// Every address of the user's identities belongs to another user.
    Conflict,
}

/// Gives the user the address of one of the identities, unless one of them has the user's address.
///
/// # Errors
/// If the database fails.
pub(super) async fn promote_email(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    now: DateTime<Utc>,
) -> Result<Promotion, AuthError> {
    const FAILED: &str = "Database error updating user email";
    if user.identities.iter().any(|identity| email(identity) == user.email) {
        return Ok(Promotion::Done);
    }
    let mut promoted = None;
    for identity in in_order(&user.identities) {
        let free = email(identity).is_empty()
            || users::by_email(db, email(identity), &user.aud).await.or_fault(FAILED)?.is_none();
        if free {
            promoted = Some((email(identity).to_owned(), is_verified(identity)));
            break;
        }
    }
    let Some((address, verified)) = promoted else { return Ok(Promotion::Conflict) };
    let stays_confirmed = !address.is_empty() && (verified || state.config.mailer.autoconfirm);
    if !stays_confirmed {
        user.email_confirmed_at = None;
        user.user_metadata.insert("email_verified".to_owned(), json!(false));
    }
    user.email = address;
    user.confirmation_sent_at = None;
    user.updated_at = now;
    let written = users::promote_email(db, user, stays_confirmed)
        .await
        .on_constraint("users_email_partial_key", || AuthError::External(ExternalError::EmailConflict))?;
    written.or_fault(FAILED)?;
    Ok(Promotion::Done)
}

/// Identities with a verified address first, then those with an unverified one, then those without; oldest first within
/// each group.
fn in_order(identities: &[Identity]) -> Vec<&Identity> {
    let mut ordered: Vec<&Identity> = identities.iter().collect();
    let rank = |identity: &Identity| match email(identity) {
        "" => 2,
        _ if !is_verified(identity) => 1,
        _ => 0,
    };
    ordered.sort_by_key(|identity| (rank(identity), identity.created_at, identity.identity_id.to_string()));
    ordered
}

fn email(identity: &Identity) -> &str {
    identity.email.as_deref().unwrap_or_default()
}

fn is_verified(identity: &Identity) -> bool {
    identity.identity_data.get("email_verified").and_then(Value::as_bool).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    #[test]
    fn verified_addresses_come_first_and_older_ones_before_newer() {
        let identity = |name: &str, email: &str, verified: Value, second: i64| Identity {
            identity_id: Uuid::nil(),
            provider_id: name.to_owned(),
            user_id: Uuid::nil(),
            identity_data: Map::from_iter([("email_verified".to_owned(), verified)]),
            provider: "x".to_owned(),
            last_sign_in_at: None,
            created_at: DateTime::from_timestamp(second, 0).unwrap(),
            updated_at: DateTime::UNIX_EPOCH,
            email: Some(email.to_owned()).filter(|email| !email.is_empty()),
        };
        let identities = [
            identity("no address", "", json!(true), 0),
            identity("unverified", "a@x.test", json!("true"), 1),
            identity("newer", "b@x.test", json!(true), 3),
            identity("older", "c@x.test", json!(true), 2),
        ];
        let names: Vec<&str> = in_order(&identities).iter().map(|one| one.provider_id.as_str()).collect();
        assert_eq!(names, ["older", "newer", "unverified", "no address"]);
    }
}
