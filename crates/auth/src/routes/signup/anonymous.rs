//! A user without an address: a session that lasts as long as its refresh token is kept.

use super::{Outcome, SignupParams};
use crate::State;
use crate::account::User;
use crate::error::AuthError;
use crate::fault::OrFault;
use crate::requester::Requester;
use crate::sessions::{self, AuthenticationMethod};
use crate::signup;
use crate::store::users::Existence;
use crate::timestamp;
use crate::wire::Trace;

/// Whether there are such users.
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
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    let aud = requester.audience(&state.config).to_owned();
    let new = User { aud, user_metadata: params.metadata(), ..User::default() };
    let (user, _) = signup::insert(state, &db, None, "", new, Existence::Real, now).await?;
    let body = sessions::issue(state, &db, user, AuthenticationMethod::Anonymous, requester, trace).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(Outcome::SignedIn(Box::new(body)))
}
