//! The only HTTP client for external servers, with limits on time and size.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use url::{Host, Url};

use crate::address::{Reach, reach};

/// Maximum size of a response, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// Some servers refuse requests without a user agent.
const USER_AGENT: &str = concat!("dugout/", env!("CARGO_PKG_VERSION"));

/// An HTTP client. Clones share its connections.
#[derive(Clone, Debug)]
pub struct HttpClient {
    client: reqwest::Client,
    peers: Peers,
}

/// Which hosts a client may connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// Any host that the operator has configured.
    Any,
    /// Only public hosts: for addresses that others have chosen. The resolved address is checked when the connection is
    /// made, so that it cannot change in between; and no proxy is used.
    Public,
}

/// Our credentials at the other server.
#[derive(Clone, Debug)]
pub enum Credentials<'a> {
    /// None, or they are among the fields.
    None,
    /// RFC 7617.
    Basic {
        /// The user.
        user: &'a str,
        /// The password.
        password: &'a str,
    },
    /// The whole value of `Authorization`.
    Header(String),
}

/// A complete response with its headers.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    headers: http::HeaderMap,
}

impl Reply {
    /// A header; empty if absent or not text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// All headers that are text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
    }
}

/// A request whose every part somebody else has chosen.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The method.
    pub method: http::Method,
    /// Where to.
    pub url: Url,
    /// Names and values; what HTTP does not allow is an error of the whole.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Vec<u8>>,
    /// How long the whole exchange may take, where that is less than the client allows.
    pub timeout: Duration,
}

/// A complete response.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no response. Contains nothing of what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// No connection, or a broken one.
    #[error("the server cannot be reached")]
    Unreachable,
    /// It took too long.
    #[error("the server did not answer in time")]
    TimedOut,
    /// The response exceeds the limit.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// A client for [`Peers::Public`] was given another address.
    #[error("the address is not on the public internet")]
    NotPublic,
}

/// A resolver that returns only public addresses, and fails if the name has no public one.
struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|found| reach(found.ip()) == Reach::Public).collect();
            if public.is_empty() {
                return Err(HttpError::NotPublic.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl HttpClient {
    /// A client with a time limit for a whole exchange. It does not follow redirects.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(timeout: Duration) -> std::io::Result<Self> {
        Self::to(Peers::Any, timeout)
    }

    /// The same, restricted to `peers`.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn to(peers: Peers, timeout: Duration) -> std::io::Result<Self> {
        // Fails if a provider is installed already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().user_agent(USER_AGENT).timeout(timeout).redirect(Policy::none());
        let client = match peers {
            Peers::Any => client,
            Peers::Public => client.no_proxy().dns_resolver(Arc::new(PublicOnly)),
        };
        client.build().map(|client| HttpClient { client, peers }).map_err(std::io::Error::other)
    }

    /// `GET`.
    ///
    /// # Errors
    /// [`HttpError`]; every status is a response.
    pub async fn get(&self, url: &Url) -> Result<Answer, HttpError> {
        self.get_with(url, &[], MAX_ANSWER).await.map(|reply| Answer { status: reply.status, body: reply.body })
    }

    /// `GET` with additional headers and a size limit in bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is a response.
    pub async fn get_with(&self, url: &Url, headers: &[(&str, &str)], limit: usize) -> Result<Reply, HttpError> {
        self.check(url)?;
        let request = self.client.get(url.clone());
        read_up_to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)), limit).await
    }

    /// `POST` of a form.
    ///
    /// # Errors
    /// [`HttpError`]; every status is a response.
    pub async fn post_form(
        &self,
        url: &Url,
        credentials: &Credentials<'_>,
        fields: &[(&str, &str)],
    ) -> Result<Answer, HttpError> {
        self.post_form_with(url, credentials, &[], fields).await
    }

    /// `POST` of a form with additional headers.
    ///
    /// # Errors
    /// [`HttpError`]; every status is a response.
    pub async fn post_form_with(
        &self,
        url: &Url,
        credentials: &Credentials<'_>,
        headers: &[(&str, &str)],
        fields: &[(&str, &str)],
    ) -> Result<Answer, HttpError> {
        self.check(url)?;
        let request = headers
            .iter()
            .fold(self.client.post(url.clone()).form(fields), |request, (name, value)| request.header(*name, *value));
        read(match credentials {
            Credentials::None => request,
            Credentials::Basic { user, password } => request.basic_auth(user, Some(password)),
            Credentials::Header(value) => request.header("authorization", value),
        })
        .await
    }

    /// `POST` of JSON with additional headers and a size limit in bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is a response.
    pub async fn post_json(
        &self,
        url: &Url,
        headers: &[(&str, &str)],
        body: String,
        limit: usize,
    ) -> Result<Reply, HttpError> {
        self.check(url)?;
        let request = self.client.post(url.clone()).header("content-type", "application/json").body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        read_up_to(request, limit).await
    }

    /// Sends a request that somebody else has put together; the answer is read up to `limit` bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
    pub async fn send(&self, request: Outgoing, limit: usize) -> Result<Reply, HttpError> {
        self.check(&request.url)?;
        let mut sent = self.client.request(request.method, request.url).timeout(request.timeout);
        for (name, value) in &request.headers {
            sent = sent.header(name, value);
        }
        read_up_to(if let Some(body) = request.body { sent.body(body) } else { sent }, limit).await
    }

    /// IP addresses in a URL never reach the resolver, so they are checked here.
    fn check(&self, url: &Url) -> Result<(), HttpError> {
        let ip = match url.host() {
            Some(Host::Ipv4(ip)) => ip.into(),
            Some(Host::Ipv6(ip)) => ip.into(),
            _ => return Ok(()),
        };
        if self.peers == Peers::Public && reach(ip) != Reach::Public { Err(HttpError::NotPublic) } else { Ok(()) }
    }
}

async fn read(request: reqwest::RequestBuilder) -> Result<Answer, HttpError> {
    read_up_to(request, MAX_ANSWER).await.map(|reply| Answer { status: reply.status, body: reply.body })
}

async fn read_up_to(request: reqwest::RequestBuilder, limit: usize) -> Result<Reply, HttpError> {
    let failed = |error: reqwest::Error| match () {
        () if error.is_timeout() => HttpError::TimedOut,
        () if was_refused(&error) => HttpError::NotPublic,
        () => HttpError::Unreachable,
    };
    let mut response = request.send().await.map_err(failed)?;
    let (status, headers, mut body) = (response.status().as_u16(), response.headers().clone(), Vec::new());
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            return Err(HttpError::TooLong(limit));
        }
    }
    Ok(Reply { status, body, headers })
}

/// True if our own resolver failed.
fn was_refused(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.downcast_ref::<HttpError>() == Some(&HttpError::NotPublic) {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_not_public_is_not_asked() {
        let client = HttpClient::to(Peers::Public, Duration::from_secs(5)).unwrap();
        for url in ["http://127.0.0.1:1/", "http://localhost:1/", "http://[::1]:1/", "http://169.254.169.254/"] {
            assert_eq!(client.get(&Url::parse(url).unwrap()).await.unwrap_err(), HttpError::NotPublic, "{url}");
        }
        let any = HttpClient::new(Duration::from_secs(5)).unwrap();
        assert_eq!(any.get(&Url::parse("http://127.0.0.1:1/").unwrap()).await.unwrap_err(), HttpError::Unreachable);
    }
}
