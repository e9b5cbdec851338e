//! Facts about a request besides its token: the client's data for sessions, and the requested audience.

use std::net::IpAddr;

use crate::config::Config;
use crate::model::client::Client;
use crate::model::pagination::query_with;
use crate::model::redirects;

/// Facts about the client.
///
/// DEVIATION (safer): `X-Forwarded-For` is only trusted behind a trusted proxy; GoTrue trusts it from everyone.
#[derive(Clone, Debug)]
pub(crate) struct Requester {
    pub(crate) ip: IpAddr,
    pub(crate) user_agent: Option<String>,
    /// True if the token or key is an administrator's.
    pub(crate) is_admin: bool,
    /// The client for rate limits.
    pub(crate) client: Client,
    /// The request's id.
    pub(crate) request_id: String,
    pub(crate) audience: Option<String>,
    pub(crate) path: String,
    pub(crate) query: String,
    /// The header `redirect_to`.
    pub(crate) redirect_to: Option<String>,
    pub(crate) referer: Option<String>,
}

impl Requester {
    /// The audience of a request without a token: the header's, else the configured one.
    pub(crate) fn audience<'a>(&'a self, config: &'a Config) -> &'a str {
        self.audience.as_deref().unwrap_or(&config.jwt.aud)
    }

    /// A query parameter; empty if absent, the first if repeated.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let mut pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// All values of a query parameter.
    pub(crate) fn parameters(&self, name: &str) -> Vec<String> {
        let pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
    }

    /// Path and query of this request with some parameters changed, for links to other pages of a list.
    pub(crate) fn address_with(&self, changes: &[(&str, Option<String>)]) -> String {
        format!("{}?{}", self.path, query_with(&self.query, changes))
    }

    /// All query parameters in order.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    /// The final redirect target: the header or parameter `redirect_to`, else the referer, else the site URL; the first
    /// that is allowed.
    pub(crate) fn redirect_to(&self, config: &Config) -> String {
        let parameter = self.parameter("redirect_to");
        let wish = self.redirect_to.as_deref().unwrap_or(&parameter);
        let referer = self.referer.as_deref().unwrap_or_default();
        redirects::target(config, [wish, referer]).to_owned()
    }

    /// The audience in the header.
    pub(crate) fn named_audience(&self) -> Option<&str> {
        self.audience.as_deref()
    }
}
