//! What users did, in GoTrue's words: a row of `auth.audit_log_entries` in the same transaction, and an event.

use gateway::events::Event;
use pg::pool::Query;
use serde_json::{Value, json};

use crate::State;
use crate::account::User;
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::store::audit_log_entries;
use crate::timestamp;

/// What was done.
///
/// Source: supabase/auth, `internal/models/audit_log_entry.go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Login,
    Logout,
    UserSignedUp,
    UserConfirmationRequested,
    UserRepeatedSignUp,
    UserRecoveryRequested,
    UserReauthenticateRequested,
    UserInvited,
    UserModified,
    UserUpdatedPassword,
    TokenRefreshed,
    TokenRevoked,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::Login => "login",
            Action::Logout => "logout",
            Action::UserSignedUp => "user_signedup",
            Action::UserConfirmationRequested => "user_confirmation_requested",
            Action::UserRepeatedSignUp => "user_repeated_signup",
            Action::UserRecoveryRequested => "user_recovery_requested",
            Action::UserReauthenticateRequested => "user_reauthenticate_requested",
            Action::UserInvited => "user_invited",
            Action::UserModified => "user_modified",
            Action::UserUpdatedPassword => "user_updated_password",
            Action::TokenRefreshed => "token_refreshed",
            Action::TokenRevoked => "token_revoked",
        }
    }

    fn log_type(self) -> &'static str {
        match self {
            Action::Login | Action::Logout => "account",
            Action::UserSignedUp | Action::UserInvited => "team",
            Action::TokenRefreshed | Action::TokenRevoked => "token",
            Action::UserConfirmationRequested
            | Action::UserRepeatedSignUp
            | Action::UserRecoveryRequested
            | Action::UserReauthenticateRequested
            | Action::UserModified
            | Action::UserUpdatedPassword => "user",
        }
    }
}

/// An administrator, who is known by the role of their token alone.
pub(crate) fn admin(role: &str) -> User {
    User { role: role.to_owned(), email: role.to_owned(), ..User::default() }
}

/// Records that `user` did something. `traits` say more about it; `Null` says nothing.
///
/// # Errors
/// When the row cannot be written: then what it is about is not done either.
pub(crate) async fn record(
    state: &State,
    db: &impl Query,
    user: &User,
    action: Action,
    traits: Value,
) -> Result<(), AuthError> {
    state.events.emit(Event::AuthAction { action: action.name(), user_id: &user.id.to_string() });
    if state.config.audit_log_disable_postgres {
        return Ok(());
    }
    // In the order of the alphabet, as Go writes maps.
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
    // Its own time: entries of one request stay in order.
    let now = timestamp::now(&state.clock);
    audit_log_entries::insert(db, payload, now).await.or_fault(UNEXPECTED)
}
