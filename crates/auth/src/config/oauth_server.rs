//! Settings of our OAuth 2.1 server.

use std::time::Duration;

use super::reader::Reader;
use crate::error::{AuthError, OAuthServerError};

/// `GOTRUE_OAUTH_SERVER_…`
#[derive(Clone, Debug)]
pub struct OAuthServerConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `ALLOW_DYNAMIC_REGISTRATION`: anyone may register a client (RFC 7591).
    pub allow_dynamic_registration: bool,
    /// `AUTHORIZATION_PATH`: the app's consent page, relative to the site URL.
    pub authorization_path: String,
    /// `AUTHORIZATION_TTL`: lifetime of an authorization request and of its code.
    pub authorization_ttl: Duration,
    /// `ALLOW_PLAIN_PKCE`, unknown to GoTrue: also accepts the challenge method `plain`.
    pub allow_plain_pkce: bool,
    /// `DEFAULT_SCOPE`: the scope of requests that name none.
    pub default_scope: String,
}

impl OAuthServerConfig {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let prefix = "GOTRUE_OAUTH_SERVER_";
        OAuthServerConfig {
            enabled: reader.flag(&format!("{prefix}ENABLED"), false),
            allow_dynamic_registration: reader.flag(&format!("{prefix}ALLOW_DYNAMIC_REGISTRATION"), false),
            authorization_path: reader.text(&format!("{prefix}AUTHORIZATION_PATH")).unwrap_or_default(),
            authorization_ttl: reader
                .positive_duration(&format!("{prefix}AUTHORIZATION_TTL"))
                .unwrap_or(Duration::from_secs(600)),
            allow_plain_pkce: reader.flag(&format!("{prefix}ALLOW_PLAIN_PKCE"), false),
            default_scope: reader.text(&format!("{prefix}DEFAULT_SCOPE")).unwrap_or_else(|| "email".to_owned()),
        }
    }

    /// Checks that the OAuth server is enabled.
    ///
    /// # Errors
    /// [`OAuthServerError::Disabled`].
    pub(crate) fn require(&self) -> Result<(), AuthError> {
        if self.enabled { Ok(()) } else { Err(AuthError::OAuthServer(OAuthServerError::Disabled)) }
    }
}
