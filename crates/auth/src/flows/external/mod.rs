//! Sign-in with external providers, and linking of identities.

mod account;
mod authorization_url;
mod linking;
mod unlinking;

pub(crate) use account::{Attempt, Outcome, SignedIn, accept_invitation, before_user_created, link_to, sign_in};
pub(crate) use authorization_url::{authorization_url, challenge};
pub(crate) use unlinking::unlink;

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
