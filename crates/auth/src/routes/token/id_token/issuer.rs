//! The expected issuer of an ID token: determined by the provider's settings, never by the token (CVE-2026-31813).

use super::IdTokenGrant;
use crate::config::{Config, ProviderConfig};
use crate::error::fault::OrFault;
use crate::error::{AuthError, ExternalError};
use crate::outside::providers::{self, Whereabouts};
use crate::state::State;
use crate::store::custom_oauth_providers::{self, ProviderType};

/// What a token must match.
pub(super) struct Expected {
    /// The provider's name in identities.
    pub(super) provider: String,
    pub(super) issuer: String,
    pub(super) discovery_url: Option<String>,
    /// The accepted audiences.
    pub(super) client_ids: Vec<String>,
    pub(super) skip_nonce_check: bool,
    pub(super) email_optional: bool,
    /// True if an administrator named the issuer instead of the operator.
    pub(super) is_custom: bool,
}

impl Expected {
    pub(super) fn whereabouts(&self) -> Whereabouts<'_> {
        Whereabouts { issuer: &self.issuer, discovery_url: self.discovery_url.as_deref() }
    }
}

/// By the provider's name, or without one by the issuer's.
pub(super) async fn expected(state: &State, params: &IdTokenGrant) -> Result<Expected, AuthError> {
    match known(&state.config, params).map_err(AuthError::External)? {
        Some(expected) => Ok(expected),
        None if params.provider.starts_with("custom:") => custom(state, &params.provider).await,
        None => named(&state.config, params).map_err(AuthError::External),
    }
}

/// A built-in provider.
fn known(config: &Config, params: &IdTokenGrant) -> Result<Option<Expected>, ExternalError> {
    let (provider, asked) = (params.provider.as_str(), params.issuer.as_str());
    let providers = &config.external.providers;
    let keycloak = providers.get("keycloak").and_then(|config| config.url.as_deref()).unwrap_or_default();
    let is_keycloak = provider == "keycloak"
        || providers.get("keycloak").is_some_and(|config| config.enabled) && !keycloak.is_empty() && asked == keycloak;
    let (name, issuer) = match () {
        () if provider == "apple" || providers::is_apple(asked) => ("apple", apples(params)?),
        () if provider == "google" || asked == providers::GOOGLE => ("google", providers::GOOGLE.to_owned()),
        () if provider == "azure" || providers::is_azure(asked) => ("azure", azures(params)?),
        () if provider == "facebook" || asked == providers::FACEBOOK => ("facebook", providers::FACEBOOK.to_owned()),
        () if is_keycloak => ("keycloak", keycloak.to_owned()),
        () if provider == "kakao" || asked == providers::KAKAO => ("kakao", providers::KAKAO.to_owned()),
        () if provider == "vercel_marketplace" || asked == providers::VERCEL => {
            ("vercel_marketplace", providers::VERCEL.to_owned())
        }
        () if provider == "snapchat" || asked == providers::SNAPCHAT => ("snapchat", providers::SNAPCHAT.to_owned()),
        () => return Ok(None),
    };
    let settings = providers.get(name).filter(|settings| settings.enabled);
    let settings = settings.ok_or_else(|| ExternalError::ProviderDisabled(format!("{issuer:?}")))?;
    let mut expected = of_settings(name, issuer, settings);
    if name == "apple" && !config.external.ios_bundle_id.is_empty() {
        expected.client_ids.push(config.external.ios_bundle_id.clone());
    }
    // Facebook's Limited Login uses another kind of nonce.
    expected.skip_nonce_check |= name == "facebook";
    Ok(Some(expected))
}

fn of_settings(name: &str, issuer: String, settings: &ProviderConfig) -> Expected {
    Expected {
        provider: name.to_owned(),
        issuer,
        discovery_url: None,
        client_ids: settings.client_ids.clone(),
        skip_nonce_check: settings.skip_nonce_check,
        email_optional: settings.email_optional,
        is_custom: false,
    }
}

/// Apple has two issuer names: the token names one of them, and only these two are accepted.
fn apples(params: &IdTokenGrant) -> Result<String, ExternalError> {
    let found = providers::issuer_of(&params.id_token).ok_or(ExternalError::AppleIssuerUnreadable)?;
    if !providers::is_apple(&found) {
        return Err(ExternalError::AppleIssuer);
    }
    same(params, found)
}

/// Each Azure tenant is an issuer: the token names it, and only Azure's issuers are accepted.
fn azures(params: &IdTokenGrant) -> Result<String, ExternalError> {
    let found = providers::issuer_of(&params.id_token).ok_or(ExternalError::AzureIssuerUnreadable)?;
    let bases = ["https://login.microsoftonline.com/", "https://sts.windows.net/"];
    if !bases.iter().any(|base| found.starts_with(base)) {
        return Err(ExternalError::AzureIssuer);
    }
    same(params, found)
}

fn same(params: &IdTokenGrant, found: String) -> Result<String, ExternalError> {
    let same = params.issuer.is_empty() || params.issuer == found;
    same.then_some(found).ok_or(ExternalError::OtherIssuer)
}

/// A custom provider.
async fn custom(state: &State, name: &str) -> Result<Expected, AuthError> {
    const FAILED: &str = "Error finding custom provider";
    let refused = |error: fn(String) -> ExternalError| Err(AuthError::External(error(format!("{name:?}"))));
    if !state.config.custom_oauth.enabled {
        return Err(AuthError::External(ExternalError::CustomDisabledForTokens));
    }
    let db = state.pool.get().await.or_fault(FAILED)?;
    let found = custom_oauth_providers::by_identifier(&db, name).await.or_fault(FAILED)?;
    let Some(custom) = found else { return refused(ExternalError::CustomUnknown) };
    if !custom.enabled {
        return refused(ExternalError::CustomOff);
    }
    match custom.issuer {
        Some(issuer) if custom.provider_type == ProviderType::Oidc => Ok(Expected {
            provider: name.to_owned(),
            issuer,
            discovery_url: custom.discovery_url.filter(|url| !url.is_empty()),
            client_ids: std::iter::once(custom.client_id).chain(custom.acceptable_client_ids).collect(),
            skip_nonce_check: custom.skip_nonce_check,
            email_optional: custom.email_optional,
            is_custom: true,
        }),
        _ => refused(ExternalError::CustomNotOidc),
    }
}

/// Any other issuer that the operator allows; the client states the audience.
fn named(config: &Config, params: &IdTokenGrant) -> Result<Expected, ExternalError> {
    if !config.external.allowed_id_token_issuers.contains(&params.issuer) {
        return Err(ExternalError::IssuerNotAllowed(format!("{:?}", params.provider)));
    }
    Ok(Expected {
        provider: params.issuer.clone(),
        issuer: params.issuer.clone(),
        discovery_url: None,
        client_ids: vec![params.client_id.clone()],
        skip_nonce_check: false,
        email_optional: false,
        is_custom: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    fn config() -> Config {
        let variables = [
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
            ("GOTRUE_EXTERNAL_APPLE_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_APPLE_CLIENT_ID", "web"),
            ("GOTRUE_EXTERNAL_IOS_BUNDLE_ID", "test.app"),
            ("GOTRUE_EXTERNAL_AZURE_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_FACEBOOK_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_KEYCLOAK_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_KEYCLOAK_URL", "https://id.test/realms/one"),
            ("GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS", "https://third.test"),
        ];
        Config::from_env(variables.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap().0
    }

    fn found(provider: &str, issuer: &str, in_token: &str) -> Result<Option<(String, String)>, String> {
        let payload = BASE64_URL_SAFE_NO_PAD.encode(format!("{{\"iss\":{in_token:?}}}"));
        let params = IdTokenGrant {
            provider: provider.to_owned(),
            issuer: issuer.to_owned(),
            id_token: format!("e30.{payload}.x"),
            ..IdTokenGrant::default()
        };
        let found = known(&config(), &params);
        found.map(|found| found.map(|found| (found.provider, found.issuer))).map_err(|error| error.message())
    }

    #[test]
    fn the_issuer_is_the_providers_whatever_the_token_says() {
        let tenant = "https://login.microsoftonline.com/t/v2.0";
        let not_apples = "Detected ID token issuer is not an Apple ID token issuer".to_owned();
        let not_azures = "Detected ID token issuer is not an Azure ID token issuer".to_owned();
        let other = "Provided issuer does not match ID token issuer".to_owned();
        let ok = |provider: &str, issuer: &str| Ok(Some((provider.to_owned(), issuer.to_owned())));
        for (provider, asked, in_token, expected) in [
            ("apple", "", providers::APPLE, ok("apple", providers::APPLE)),
            ("apple", "", "https://account.apple.com", ok("apple", "https://account.apple.com")),
            ("", providers::APPLE, providers::APPLE, ok("apple", providers::APPLE)),
            ("apple", "", "https://evil.test", Err(not_apples)),
            ("apple", providers::APPLE, "https://account.apple.com", Err(other.clone())),
            ("azure", "", tenant, ok("azure", tenant)),
            ("azure", "", "https://login.microsoftonline.com.evil.test/t/v2.0", Err(not_azures.clone())),
            ("azure", "", "https://evil.test", Err(not_azures)),
            ("", tenant, "https://login.microsoftonline.com/u/v2.0", Err(other)),
            ("keycloak", "", "https://evil.test", ok("keycloak", "https://id.test/realms/one")),
            ("", "https://id.test/realms/one", "x", ok("keycloak", "https://id.test/realms/one")),
            ("facebook", "", "x", ok("facebook", providers::FACEBOOK)),
            ("google", "", "x", Err("Provider (issuer \"https://accounts.google.com\") is not enabled".to_owned())),
            ("", "https://third.test", "x", Ok(None)),
            ("github", "", "x", Ok(None)),
        ] {
            assert_eq!(found(provider, asked, in_token), expected, "{provider} {asked} {in_token}");
        }
    }

    #[test]
    fn habits_of_a_few() {
        let of = |provider: &str, issuer: &str| {
            let token = format!("e30.{}.x", BASE64_URL_SAFE_NO_PAD.encode(format!("{{\"iss\":{issuer:?}}}")));
            let params = IdTokenGrant { provider: provider.to_owned(), id_token: token, ..IdTokenGrant::default() };
            known(&config(), &params).unwrap().unwrap()
        };
        assert_eq!(of("apple", providers::APPLE).client_ids, ["web", "test.app"]);
        assert!(of("facebook", "").skip_nonce_check && !of("keycloak", "").skip_nonce_check);
        let third = |issuer: &str| {
            let params =
                IdTokenGrant { issuer: issuer.to_owned(), client_id: "us".to_owned(), ..IdTokenGrant::default() };
            named(&config(), &params).map(|expected| expected.client_ids).map_err(|error| error.message())
        };
        assert_eq!(third("https://third.test"), Ok(vec!["us".to_owned()]));
        assert_eq!(third("https://fourth.test"), Err("Custom OIDC provider \"\" not allowed".to_owned()));
    }
}
