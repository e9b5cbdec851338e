//! Sign-in with external providers, and linking of identities.

mod account;
mod departure;
mod linking;
mod unlinking;

pub(crate) use account::{Arrival, Arriving, Welcome, accept_invitation, announce, link_to, sign_in};
pub(crate) use departure::{challenge, depart};
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
