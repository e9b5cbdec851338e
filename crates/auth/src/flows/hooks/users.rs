//! Hooks before and after a user is created.

use serde_json::json;

use super::{HookName, Place, invoke, metadata};
use crate::error::AuthError;
use crate::model::account::{User, UserBody};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;

/// Calls the hook with `user`, who is not stored yet. The caller must hold no connection.
///
/// # Errors
/// The hook's refusal.
pub(crate) async fn before_user_created(state: &State, requester: &Requester, user: &User) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.before_user_created else { return Ok(()) };
    tell(state, requester, HookName::BeforeUserCreated, hook, user).await
}

/// Calls the hook with a stored user. The caller must hold no connection.
///
/// # Errors
/// The hook's; the user stays.
pub(crate) async fn after_user_created(state: &State, requester: &Requester, user: &User) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.after_user_created else { return Ok(()) };
    tell(state, requester, HookName::AfterUserCreated, hook, user).await
}

async fn tell(
    state: &State,
    requester: &Requester,
    name: HookName,
    hook: &crate::config::Hook,
    user: &User,
) -> Result<(), AuthError> {
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({ "metadata": metadata, "user": UserBody::from(user.clone()) });
    invoke(state, Place::Own, name, hook, &input).await.map(drop)
}
