//! Users without an address. Their session lasts as long as the client keeps its refresh token.

use uuid::Uuid;

use super::{Outcome, SignupParams};
use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::{hooks, new_user, sessions};
use crate::model::account::User;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::state::State;
use crate::store::users::Existence;

/// Checks that anonymous sign-ins are enabled.
pub(super) fn check(state: &State) -> Result<(), AuthError> {
    if state.config.external.anonymous_users_enabled { Ok(()) } else { Err(AuthError::AnonymousDisabled) }
}

pub(super) async fn sign_up(
    state: &State,
    params: SignupParams,
    requester: &Requester,
    trace: &Trace,
) -> Result<Outcome, AuthError> {
    const FAILED: &str = "Database error creating anonymous user";
    if state.config.disable_signup {
        return Err(AuthError::SignupDisabled);
    }
    let now = timestamp::now(&state.clock);
    let (id, metadata) = (Uuid::new_v4(), params.metadata());
    let aud = requester.audience(&state.config).to_owned();
    hooks::before_user_created(state, requester, &new_user::newcomer(id, None, &aud, &metadata)).await?;
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    let new = User { id, aud, user_metadata: metadata, ..User::default() };
    let (user, _) = new_user::insert(state, &db, None, "", new, Existence::Real, now).await?;
    let issued = sessions::issue(state, &db, user.clone(), AuthenticationMethod::Anonymous, requester, trace).await?;
    // If the hook refuses the token, the user is not created.
    let body = issued.complete_in(state, &db, requester).await?;
    db.commit().await.or_fault(FAILED)?;
    drop(connection);
    let user = User { last_sign_in_at: Some(now), ..user };
    hooks::after_user_created(state, requester, &user).await?;
    Ok(Outcome::SignedIn(Box::new(body)))
}
