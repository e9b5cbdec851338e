//! Lookup and validation of custom providers.

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::administrator::Administrator;
use crate::outside::providers::{self, Whereabouts};
use crate::protocol::discovery::Discovery;
use crate::state::State;
use crate::store::custom_oauth_providers::{self, CustomOauthProvider};

/// The prefix of the names of custom providers.
pub(super) const PREFIX: &str = "custom:";

/// Checks that custom providers are enabled.
pub(super) fn allowed(state: &State) -> Result<(), AuthError> {
    let allowed = state.config.custom_oauth.enabled;
    allowed.then_some(()).ok_or(AuthError::External(ExternalError::CustomFeatureDisabled))
}

pub(super) fn wrong(reason: impl Into<String>) -> AuthError {
    AuthError::External(ExternalError::CustomField(reason.into()))
}

pub(super) fn check_prefix(identifier: &str) -> Result<(), AuthError> {
    if identifier.starts_with(PREFIX) {
        return Ok(());
    }
    Err(wrong(format!("identifier must start with 'custom:' prefix, e.g. 'custom:{identifier}'")))
}

/// The provider with the identifier from the path.
pub(super) async fn find(admin: &Administrator, identifier: &str) -> Result<CustomOauthProvider, AuthError> {
    check_prefix(identifier)?;
    let db = admin.state().pool.get().await.or_fault(UNEXPECTED)?;
    let found = custom_oauth_providers::by_identifier(&db, identifier).await;
    let found = found.or_fault("Error retrieving custom OAuth provider")?;
    found.ok_or(AuthError::External(ExternalError::CustomNotFound))
}

/// Checks addresses that an administrator has entered.
pub(super) async fn check_addresses<'a>(
    state: &State,
    addresses: impl IntoIterator<Item = &'a str>,
) -> Result<(), AuthError> {
    if state.config.custom_oauth.allow_private_addresses {
        return Ok(());
    }
    for address in addresses.into_iter().filter(|address| !address.is_empty()) {
        providers::check_address(address).await.map_err(wrong)?;
    }
    Ok(())
}

/// Fetches the issuer's discovery document, so that a wrong issuer is found now and not at the first sign-in.
pub(super) async fn discover(state: &State, provider: &CustomOauthProvider) -> Result<Option<Discovery>, AuthError> {
    let Some(place) = provider.whereabouts() else { return Ok(None) };
    let http = state.network.for_custom(state.config.custom_oauth.allow_private_addresses);
    let found = providers::discover(http, place).await;
    let discovery =
        found.map_err(|failure| wrong(format!("OIDC discovery from {:?} failed: {failure}", place.url())))?;
    let missing: Vec<&str> = [
        ("issuer", &discovery.issuer),
        ("authorization_endpoint", &discovery.authorization_endpoint),
        ("token_endpoint", &discovery.token_endpoint),
        ("jwks_uri", &discovery.jwks_uri),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.is_empty().then_some(name))
    .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(wrong(format!("OIDC discovery document is missing required fields: {missing}")));
    }
    let endpoints = [&discovery.authorization_endpoint, &discovery.token_endpoint, &discovery.userinfo_endpoint];
    check_addresses(state, endpoints.into_iter().map(String::as_str)).await?;
    Ok(Some(discovery))
}

/// Removes the provider's issuer from the cache.
pub(super) fn forget(state: &State, provider: &CustomOauthProvider) {
    if let Some(place @ Whereabouts { .. }) = provider.whereabouts() {
        state.network.issuers.forget(place);
    }
}
