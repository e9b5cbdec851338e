//! Who sends a request, apart from any token: what sessions remember of their clients, and the audience asked for.

use std::future::{Ready, ready};
use std::net::IpAddr;

use actix_web::dev::Payload;
use actix_web::http::header::USER_AGENT;
use actix_web::{Error, FromRequest, HttpRequest};
use gateway::RequestContext;

use crate::config::Config;

/// Header that names an audience.
const AUDIENCE: &str = "x-jwt-aud";

/// Facts about the client.
///
/// DEVIATION: the address is that of `X-Forwarded-For` only behind a trusted proxy; GoTrue believes everybody.
#[derive(Clone, Debug)]
pub(crate) struct Requester {
    pub(crate) ip: IpAddr,
    pub(crate) user_agent: Option<String>,
    audience: Option<String>,
    query: String,
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

    /// The audience named in the header.
    pub(crate) fn named_audience(&self) -> Option<&str> {
        self.audience.as_deref()
    }
}

impl FromRequest for Requester {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let header = |name: &str| {
            let value = request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
            value.filter(|value| !value.is_empty()).map(|value| value.into_owned())
        };
        ready(Ok(Requester {
            ip: RequestContext::of(request).client_ip,
            user_agent: header(USER_AGENT.as_str()),
            audience: header(AUDIENCE),
            query: request.query_string().to_owned(),
        }))
    }
}
