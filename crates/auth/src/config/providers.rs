//! Settings of external providers.

use std::collections::BTreeMap;

use gateway::{PublicUrl, Secret};
use url::Url;

use super::reader::Reader;
use super::{CustomOauthConfig, ProviderConfig};

/// The default list of issuers whose ID tokens are accepted with only a client id.
const ALLOWED_ISSUERS: [&str; 2] = ["https://appleid.apple.com", "https://accounts.google.com"];

/// The providers that settings can configure; `outside::providers` has a row for each.
pub(crate) const PROVIDER_NAMES: [&str; 25] = [
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "figma",
    "fly",
    "github",
    "gitlab",
    "google",
    "kakao",
    "keycloak",
    "linkedin",
    "linkedin_oidc",
    "notion",
    "slack",
    "slack_oidc",
    "snapchat",
    "spotify",
    "twitch",
    "twitter",
    "x",
    "vercel_marketplace",
    "workos",
    "zoom",
];

/// The providers with any setting, by name.
pub(super) fn providers(reader: &mut Reader) -> BTreeMap<&'static str, ProviderConfig> {
    let mut all = BTreeMap::new();
    for name in PROVIDER_NAMES {
        let key = |setting: &str| format!("GOTRUE_EXTERNAL_{}_{setting}", name.to_uppercase());
        let config = ProviderConfig {
            enabled: reader.flag(&key("ENABLED"), false),
            client_ids: reader.list(&key("CLIENT_ID")),
            secret: Secret::new(reader.secret(&key("SECRET")).unwrap_or_default()),
            redirect_uri: reader.text(&key("REDIRECT_URI")).unwrap_or_default(),
            url: base(reader, &key("URL")),
            skip_nonce_check: reader.flag(&key("SKIP_NONCE_CHECK"), false),
            email_optional: reader.flag(&key("EMAIL_OPTIONAL"), false),
        };
        // Some setups set this for every provider. GoTrue ignores it, too.
        reader.text(&key("API_URL"));
        if config.is_set() {
            all.insert(name, config);
        }
    }
    all
}

pub(super) fn allowed_id_token_issuers(reader: &mut Reader) -> Vec<String> {
    let named = reader.list("GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS");
    if named.is_empty() { ALLOWED_ISSUERS.map(str::to_owned).to_vec() } else { named }
}

pub(super) fn custom_oauth(reader: &mut Reader) -> CustomOauthConfig {
    let key = "GOTRUE_CUSTOM_OAUTH_EXTERNAL_URL";
    CustomOauthConfig {
        enabled: reader.flag("GOTRUE_CUSTOM_OAUTH_ENABLED", true),
        max_providers: reader.number("GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS", 0),
        external_url: reader.parse(key, None, "must be an address", |text| PublicUrl::parse(text).ok().map(Some)),
        allow_private_addresses: reader.flag("GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES", false),
    }
}

/// An address without its trailing slash.
fn base(reader: &mut Reader, key: &str) -> Option<String> {
    reader.parse(key, None, "must be an address such as https://id.example.com", |text| {
        let is_web = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        is_web.then(|| Some(text.trim_end_matches('/').to_owned()))
    })
}

impl ProviderConfig {
    /// Checks that the browser flow has all its settings. The messages are GoTrue's.
    ///
    /// # Errors
    /// The first missing setting.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match () {
            () if !self.enabled => Err("provider is not enabled"),
            () if self.client_ids.is_empty() => Err("missing OAuth client ID"),
            () if self.secret.reveal().is_empty() => Err("missing OAuth secret"),
            () if self.redirect_uri.is_empty() => Err("missing redirect URI"),
            () => Ok(()),
        }
    }

    fn is_set(&self) -> bool {
        self.enabled
            || self.email_optional
            || self.skip_nonce_check
            || !self.client_ids.is_empty()
            || !self.secret.reveal().is_empty()
            || !self.redirect_uri.is_empty()
            || self.url.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    fn config(pairs: &[(&str, &str)]) -> Config {
        let least = [
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let all = least.iter().chain(pairs).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::from_env(all).unwrap().0
    }

    #[test]
    fn a_provider_works_when_nothing_is_missing() {
        let mut given = Vec::new();
        for (pair, missing) in [
            (("GOTRUE_EXTERNAL_LINKEDIN_OIDC_SECRET", "geheim"), Err("provider is not enabled")),
            (("GOTRUE_EXTERNAL_LINKEDIN_OIDC_ENABLED", "true"), Err("missing OAuth client ID")),
            (("GOTRUE_EXTERNAL_LINKEDIN_OIDC_CLIENT_ID", "web, ios"), Err("missing redirect URI")),
            (("GOTRUE_EXTERNAL_LINKEDIN_OIDC_REDIRECT_URI", "https://api.test/callback"), Ok(())),
        ] {
            given.push(pair);
            let config = config(&given);
            let provider = &config.external.providers["linkedin_oidc"];
            assert_eq!(provider.check(), missing);
            assert!(!format!("{config:?}").contains("geheim"));
        }
        assert_eq!(config(&given).external.providers["linkedin_oidc"].client_ids, ["web", "ios"]);
        assert!(config(&[]).external.providers.is_empty());
    }

    #[test]
    fn bases_end_without_a_slash() {
        let config = config(&[("GOTRUE_EXTERNAL_KEYCLOAK_URL", "https://id.test/realms/one/")]);
        assert_eq!(config.external.providers["keycloak"].url.as_deref(), Some("https://id.test/realms/one"));
        assert_eq!(config.external.allowed_id_token_issuers.len(), 2);
    }
}
