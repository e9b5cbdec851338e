//! The parameters of a custom provider.

use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{check_prefix, wrong};
use crate::error::AuthError;
use crate::outside::providers::RESERVED;
use crate::protocol::body::params;
use crate::store::custom_oauth_providers::{CustomOauthProvider, ProviderType};

/// Claims that a mapping must not set.
const PROTECTED: [&str; 13] = [
    "id",
    "aud",
    "role",
    "app_metadata",
    "created_at",
    "updated_at",
    "confirmed_at",
    "email_confirmed_at",
    "phone_confirmed_at",
    "email_verified",
    "phone_verified",
    "banned_until",
    "is_super_admin",
];

/// A new provider, or a change of one: absent or empty fields keep their value.
#[derive(Default, ToSchema)]
pub(crate) struct CustomProviderParams {
    /// `oauth2` or `oidc`; cannot be changed.
    pub(super) provider_type: String,
    /// Begins with `custom:`; cannot be changed.
    pub(super) identifier: String,
    pub(super) name: String,
    pub(super) client_id: String,
    pub(super) client_secret: String,
    /// Further audiences of ID tokens.
    pub(super) acceptable_client_ids: Option<Vec<String>>,
    pub(super) scopes: Option<Vec<String>>,
    /// Whether to use PKCE with the provider; `true` by default.
    pub(super) pkce_enabled: Option<bool>,
    /// Maps a claim to its source claim, or to a literal value.
    #[schema(value_type = Option<Object>)]
    pub(super) attribute_mapping: Option<Map<String, Value>>,
    /// Claims to store under `custom_claims`.
    pub(super) custom_claims_allowlist: Option<Vec<String>>,
    /// Additional parameters of the authorization request.
    #[schema(value_type = Option<Object>)]
    pub(super) authorization_params: Option<Map<String, Value>>,
    pub(super) enabled: Option<bool>,
    pub(super) email_optional: Option<bool>,
    /// For OpenID Connect: the issuer of the tokens.
    pub(super) issuer: String,
    /// The discovery URL, if not the standard one.
    pub(super) discovery_url: Option<String>,
    pub(super) skip_nonce_check: Option<bool>,
    /// For OAuth 2.0, like the next fields.
    pub(super) authorization_url: String,
    pub(super) token_url: String,
    pub(super) userinfo_url: String,
    pub(super) jwks_uri: Option<String>,
}
params!(CustomProviderParams as "AdminCustomOAuthProviderParams" {
    provider_type: Text, identifier: Text, name: Text, client_id: Text, client_secret: Text,
    acceptable_client_ids: Texts, scopes: Texts, pkce_enabled: OptionalFlag, attribute_mapping: Object,
    custom_claims_allowlist: Texts, authorization_params: Object, enabled: OptionalFlag, email_optional: OptionalFlag,
    issuer: Text, discovery_url: OptionalText, skip_nonce_check: OptionalFlag, authorization_url: Text, token_url: Text,
    userinfo_url: Text, jwks_uri: OptionalText,
});

impl CustomProviderParams {
    /// Checks that a new provider has all required fields.
    ///
    /// # Errors
    /// [`crate::error::ExternalError::CustomField`]
    pub(super) fn check_complete(&self) -> Result<ProviderType, AuthError> {
        let kind = ProviderType::named(&self.provider_type)
            .ok_or_else(|| wrong("provider_type must be either 'oauth2' or 'oidc'"))?;
        let needed = |name: &str, value: &str| match value {
            "" => Err(wrong(format!("{name} is required"))),
            _ => Ok(()),
        };
        needed("identifier", &self.identifier)?;
        check_prefix(&self.identifier)?;
        needed("name", &self.name)?;
        needed("client_id", &self.client_id)?;
        needed("client_secret", &self.client_secret)?;
        let of_kind: &[(&str, &str)] = match kind {
            ProviderType::Oidc => &[("issuer", &self.issuer)],
            ProviderType::Oauth2 => &[
                ("authorization_url", &self.authorization_url),
                ("token_url", &self.token_url),
                ("userinfo_url", &self.userinfo_url),
            ],
        };
        let protocol = if kind == ProviderType::Oidc { "OIDC" } else { "OAuth2" };
        for (name, value) in of_kind {
            if value.is_empty() {
                return Err(wrong(format!("{name} is required for {protocol} providers")));
            }
        }
        Ok(kind)
    }

    /// Checks that no reserved parameter or protected claim is set.
    ///
    /// # Errors
    /// [`crate::error::ExternalError::CustomField`]
    pub(super) fn check_rules(&self) -> Result<(), AuthError> {
        for (name, value) in self.authorization_params.iter().flatten() {
            if RESERVED.contains(&name.as_str()) {
                return Err(wrong(format!("Cannot override reserved OAuth parameter: {name}")));
            }
            if !value.is_string() {
                return Err(wrong(format!("Authorization parameter {name:?} must be a string")));
            }
        }
        for target in self.attribute_mapping.iter().flat_map(Map::keys) {
            if PROTECTED.contains(&target.as_str()) {
                return Err(wrong(format!("Cannot map to protected system field: {target}")));
            }
        }
        let is_blank = |name: &String| name.trim().is_empty();
        if self.custom_claims_allowlist.iter().flatten().any(is_blank) {
            return Err(wrong("custom_claims_allowlist entries must be non-empty strings"));
        }
        Ok(())
    }

    /// The addresses of a provider of this type.
    pub(super) fn addresses(&self, kind: ProviderType) -> Vec<&str> {
        let (all, more) = match kind {
            ProviderType::Oidc => (vec![&self.issuer], &self.discovery_url),
            ProviderType::Oauth2 => {
                (vec![&self.authorization_url, &self.token_url, &self.userinfo_url], &self.jwks_uri)
            }
        };
        all.into_iter().chain(more).map(String::as_str).collect()
    }

    /// Writes the parameters into a provider, except for its secret.
    pub(super) fn apply(self, provider: &mut CustomOauthProvider) {
        let text = |place: &mut String, text: String| {
            if !text.is_empty() {
                *place = text;
            }
        };
        let optional = |place: &mut Option<String>, text: String| {
            if !text.is_empty() {
                *place = Some(text);
            }
        };
        fn set<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
            }
        }
        text(&mut provider.name, self.name);
        text(&mut provider.client_id, self.client_id);
        set(&mut provider.acceptable_client_ids, self.acceptable_client_ids);
        set(&mut provider.scopes, self.scopes);
        set(&mut provider.pkce_enabled, self.pkce_enabled);
        set(&mut provider.attribute_mapping, self.attribute_mapping);
        set(&mut provider.custom_claims_allowlist, self.custom_claims_allowlist);
        set(&mut provider.authorization_params, self.authorization_params);
        set(&mut provider.enabled, self.enabled);
        set(&mut provider.email_optional, self.email_optional);
        match provider.provider_type {
            ProviderType::Oidc => {
                optional(&mut provider.issuer, self.issuer);
                optional(&mut provider.discovery_url, self.discovery_url.unwrap_or_default());
                set(&mut provider.skip_nonce_check, self.skip_nonce_check);
                if !provider.scopes.iter().any(|scope| scope == "openid") {
                    provider.scopes.insert(0, "openid".to_owned());
                }
            }
            ProviderType::Oauth2 => {
                optional(&mut provider.authorization_url, self.authorization_url);
                optional(&mut provider.token_url, self.token_url);
                optional(&mut provider.userinfo_url, self.userinfo_url);
                optional(&mut provider.jwks_uri, self.jwks_uri.unwrap_or_default());
            }
        }
    }
}
