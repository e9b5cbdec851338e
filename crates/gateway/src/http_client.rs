//! The only way out: requests to servers of others, with limits on how long they take and how much they say.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use url::{Host, Url};

use crate::address::{Reach, reach};

/// An answer is read up to here, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// Some refuse whoever does not say who they are.
const USER_AGENT: &str = concat!("dugout/", env!("CARGO_PKG_VERSION"));

/// A client. Cloning shares its connections.
#[derive(Clone, Debug)]
pub struct HttpClient {
    client: reqwest::Client,
    peers: Peers,
}

/// Whom a client may talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// Whoever the operator has named.
    Any,
    /// Only hosts on the public internet: for addresses that others have chosen. What a name resolves to is looked at when
    /// the connection is made, so that it cannot change in between; and no proxy stands between.
    Public,
}

/// Who we are to the other server.
#[derive(Clone, Debug)]
pub enum Credentials<'a> {
    /// Nobody, or it is among the fields.
    None,
    /// RFC 7617.
    Basic {
        /// The user.
        user: &'a str,
        /// The password.
        password: &'a str,
    },
    /// The whole of `Authorization`.
    Header(String),
}

/// An answer with its headers, read to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    headers: http::HeaderMap,
}

impl Reply {
    /// A header; empty when there is none, or none that is text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer. Says nothing of what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// Nobody there, or a broken connection.
    #[error("the server cannot be reached")]
    Unreachable,
    /// It took too long.
    #[error("the server did not answer in time")]
    TimedOut,
    /// More than we read.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// A client for [`Peers::Public`] was sent elsewhere.
    #[error("the address is not on the public internet")]
    NotPublic,
}

/// Says which of a host's addresses are public, and fails when none is.
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
    /// A client that waits for a whole exchange no longer than `timeout`. It follows no redirects.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(timeout: Duration) -> std::io::Result<Self> {
        Self::to(Peers::Any, timeout)
    }

    /// The same, which may talk to these only.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn to(peers: Peers, timeout: Duration) -> std::io::Result<Self> {
        // Failing means that somebody was first, which is as good.
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
    /// [`HttpError`]; every status is an answer.
    pub async fn get(&self, url: &Url) -> Result<Answer, HttpError> {
        self.get_with(url, &[], MAX_ANSWER).await.map(|reply| Answer { status: reply.status, body: reply.body })
    }

    /// `GET` with headers of one's own; the answer is read up to `limit` bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
    pub async fn get_with(&self, url: &Url, headers: &[(&str, &str)], limit: usize) -> Result<Reply, HttpError> {
        self.check(url)?;
        let request = self.client.get(url.clone());
        read_up_to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)), limit).await
    }

    /// `POST` of a form.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
    pub async fn post_form(
        &self,
        url: &Url,
        credentials: &Credentials<'_>,
        fields: &[(&str, &str)],
    ) -> Result<Answer, HttpError> {
        self.post_form_with(url, credentials, &[], fields).await
    }

    /// `POST` of a form with headers.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
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

    /// `POST` of JSON, with headers of one's own; the answer is read up to `limit` bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
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

    /// Addresses that are no names are never resolved: they are looked at here.
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

/// Whether our own resolver is what failed.
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
