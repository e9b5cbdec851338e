//! Who sends a request, apart from any token: what sessions remember of their clients, and the audience asked for.

use std::net::IpAddr;

use crate::config::Config;
use crate::model::client::Client;
use crate::model::pagination::query_with;
use crate::model::redirects;

/// Facts about the client.
///
/// DEVIATION: the address is that of `X-Forwarded-For` only behind a trusted proxy; GoTrue believes everybody.
#[derive(Clone, Debug)]
pub(crate) struct Requester {
    pub(crate) ip: IpAddr,
    pub(crate) user_agent: Option<String>,
    /// Whether the token or key is an administrator's.
    pub(crate) is_admin: bool,
    /// Whose requests are counted with this one.
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
    /// The audience a request without a token is about: the header's, else the configured one.
    pub(crate) fn audience<'a>(&'a self, config: &'a Config) -> &'a str {
        self.audience.as_deref().unwrap_or(&config.jwt.aud)
    }

    /// A parameter of the query string; empty when absent, the first when given more than once.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let mut pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// All values of a parameter of the query string.
    pub(crate) fn parameters(&self, name: &str) -> Vec<String> {
        let pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
    }

    /// Path and query of this request, with some parameters changed: for links to other pages of a list.
    pub(crate) fn address_with(&self, changes: &[(&str, Option<String>)]) -> String {
        format!("{}?{}", self.path, query_with(&self.query, changes))
    }

    /// All parameters of the query string, in their order.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    /// Where the user is sent in the end: as the header or the parameter `redirect_to` wants it, else where the request
    /// came from, else the app; each only if it is allowed.
    pub(crate) fn redirect_to(&self, config: &Config) -> String {
        let parameter = self.parameter("redirect_to");
        let wish = self.redirect_to.as_deref().unwrap_or(&parameter);
        let referer = self.referer.as_deref().unwrap_or_default();
        redirects::target(config, [wish, referer]).to_owned()
    }

    /// The audience named in the header.
    pub(crate) fn named_audience(&self) -> Option<&str> {
        self.audience.as_deref()
    }
}
