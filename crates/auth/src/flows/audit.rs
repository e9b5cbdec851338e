//! The audit log: a row of `auth.audit_log_entries` in the same transaction, and an event. Actions have GoTrue's names.

use std::net::IpAddr;

use gateway::events::Event;
use pg::pool::Query;
use serde_json::{Value, json};

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::model::account::User;
use crate::model::timestamp;
use crate::state::State;
use crate::store::audit_log_entries;

/// All actions that GoTrue has a name for.
///
/// Source: supabase/auth, `internal/models/audit_log_entry.go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "the list is complete before all endpoints are")]
pub(crate) enum Action {
    Login,
    Logout,
    InviteAccepted,
    UserSignedUp,
    UserConfirmationRequested,
    UserRepeatedSignUp,
    UserRecoveryRequested,
    UserReauthenticateRequested,
    UserInvited,
    UserDeleted,
    UserModified,
    UserUpdatedPassword,
    TokenRefreshed,
    TokenRevoked,
    IdentityLinked,
    IdentityUnlinked,
    FactorInProgress,
    FactorUnenrolled,
    FactorDeleted,
    FactorUpdated,
    ChallengeCreated,
    VerificationAttempted,
    PasskeyCreated,
    PasskeyUpdated,
    PasskeyDeleted,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::Login => "login",
            Action::Logout => "logout",
            Action::InviteAccepted => "invite_accepted",
            Action::UserSignedUp => "user_signedup",
            Action::UserConfirmationRequested => "user_confirmation_requested",
            Action::UserRepeatedSignUp => "user_repeated_signup",
            Action::UserRecoveryRequested => "user_recovery_requested",
            Action::UserReauthenticateRequested => "user_reauthenticate_requested",
            Action::UserInvited => "user_invited",
            Action::UserDeleted => "user_deleted",
            Action::UserModified => "user_modified",
            Action::UserUpdatedPassword => "user_updated_password",
            Action::TokenRefreshed => "token_refreshed",
            Action::TokenRevoked => "token_revoked",
            Action::IdentityLinked => "identity_linked",
            Action::IdentityUnlinked => "identity_unlinked",
            Action::FactorInProgress => "factor_in_progress",
            Action::FactorUnenrolled => "factor_unenrolled",
            Action::FactorDeleted => "factor_deleted",
            Action::FactorUpdated => "factor_updated",
            Action::ChallengeCreated => "challenge_created",
            Action::VerificationAttempted => "verification_attempted",
            Action::PasskeyCreated => "passkey_created",
            Action::PasskeyUpdated => "passkey_updated",
            Action::PasskeyDeleted => "passkey_deleted",
        }
    }

    fn log_type(self) -> &'static str {
        match self {
            Action::Login | Action::Logout | Action::InviteAccepted => "account",
            Action::UserSignedUp | Action::UserInvited | Action::UserDeleted => "team",
            Action::TokenRefreshed | Action::TokenRevoked => "token",
            Action::FactorInProgress
            | Action::FactorUnenrolled
            | Action::FactorDeleted
            | Action::FactorUpdated
            | Action::ChallengeCreated
            | Action::VerificationAttempted => "factor",
            Action::UserConfirmationRequested
            | Action::UserRepeatedSignUp
            | Action::UserRecoveryRequested
            | Action::UserReauthenticateRequested
            | Action::UserModified
            | Action::UserUpdatedPassword
            | Action::IdentityLinked
            | Action::IdentityUnlinked
            | Action::PasskeyCreated
            | Action::PasskeyUpdated
            | Action::PasskeyDeleted => "user",
        }
    }
}

/// Records an action of `user`. `traits` holds details; `Null` for none.
///
/// # Errors
/// If the row cannot be written; the caller's transaction then fails, too.
pub(crate) async fn record(
    state: &State,
    db: &impl Query,
    user: &User,
    action: Action,
    traits: Value,
) -> Result<(), AuthError> {
    record_from(state, db, None, user, action, traits).await
}

/// Like [`record`], with the client's address, which GoTrue records only for identities, factors and passkeys.
///
/// # Errors
/// As [`record`].
pub(crate) async fn record_from(
    state: &State,
    db: &impl Query,
    ip: Option<IpAddr>,
    user: &User,
    action: Action,
    traits: Value,
) -> Result<(), AuthError> {
    announce(state, user, action);
    if state.config.audit_log_disable_postgres {
        return Ok(());
    }
    // Each entry gets its own time, so that entries of one request stay in order.
    let now = timestamp::now(&state.clock);
    let ip = ip.map(|ip| ip.to_string()).unwrap_or_default();
    audit_log_entries::insert(db, payload(user, action, traits), &ip, now).await.or_fault(UNEXPECTED)
}

/// The entries for a statement that writes them itself: a JSON list, in order.
pub(crate) fn entries(state: &State, user: &User, actions: &[Action]) -> Value {
    if state.config.audit_log_disable_postgres {
        return json!([]);
    }
    actions.iter().map(|action| payload(user, *action, Value::Null)).collect()
}

/// Emits the event that belongs to an entry.
pub(crate) fn announce(state: &State, user: &User, action: Action) {
    state.events.emit(Event::AuthAction { action: action.name(), user_id: &user.id.to_string() });
}

fn payload(user: &User, action: Action, traits: Value) -> Value {
    // Keys in alphabetical order, as Go writes maps.
    let mut payload = json!({ "action": action.name(), "actor_id": user.id });
    if let Some(name) = user.user_metadata.get("full_name") {
        payload["actor_name"] = name.clone();
    }
    payload["actor_username"] = json!(user.name_for_audit());
    payload["actor_via_sso"] = json!(user.is_sso_user);
    payload["log_type"] = json!(action.log_type());
    if !traits.is_null() {
        payload["traits"] = traits;
    }
    payload
}
