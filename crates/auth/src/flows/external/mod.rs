//! Sign-in with external providers, and linking of identities.

mod account;
mod authorization_url;
mod linking;
mod unlinking;

pub(crate) use account::{Attempt, Outcome, SignedIn, accept_invitation, before_user_created, link_to, sign_in};
pub(crate) use authorization_url::{authorization_url, challenge};
pub(crate) use unlinking::unlink;

use crate::error::AuthError;
use crate::flows::hooks;
use crate::flows::one_time_tokens::Ready;
use crate::model::account::User;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::outside::providers::{self, Provider, Sources, Unusable};
use crate::state::State;

/// Finds a configured provider; `scopes` as in [`providers::find`].
///
/// # Errors
/// [`Unusable`]
pub(crate) async fn find(state: &State, name: &str, scopes: &str) -> Result<Provider, Unusable> {
    let sources = Sources {
        pool: &state.pool,
        config: &state.config,
        network: &state.network,
        now: timestamp::now(&state.clock),
    };
    providers::find(sources, name, scopes).await
}

/// Ends a sign-in whose transaction is committed: sends its mails, then calls the hook for a new user. `outcome` is the
/// answer and the user if the sign-in created it.
///
/// DEVIATION (behaviour): the hook after-user-created is called once per new user; GoTrue calls it at every provider
/// sign-in.
///
/// # Errors
/// Errors of sending and of the hook, and the error of `outcome`.
pub(crate) async fn conclude<T>(
    state: &State,
    requester: &Requester,
    ready: Ready,
    outcome: Result<(T, Option<User>), AuthError>,
) -> Result<T, AuthError> {
    ready.send(state).await?;
    let (given, newcomer) = outcome?;
    if let Some(newcomer) = &newcomer {
        hooks::after_user_created(state, requester, newcomer).await?;
    }
    Ok(given)
}
