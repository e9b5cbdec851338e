//! The only way out: requests to servers of others, with limits on how long they take and how much they say.

use std::time::Duration;

use reqwest::redirect::Policy;
use url::Url;

/// An answer is read up to here, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// A client. Cloning shares its connections.
#[derive(Clone, Debug)]
pub struct HttpClient(reqwest::Client);

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
}

impl HttpClient {
    /// A client that waits for a whole exchange no longer than `timeout`. It follows no redirects.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(timeout: Duration) -> std::io::Result<Self> {
        // Failing means that somebody was first, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().timeout(timeout).redirect(Policy::none()).build();
        client.map(HttpClient).map_err(std::io::Error::other)
    }

    /// `GET`.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
    pub async fn get(&self, url: &Url) -> Result<Answer, HttpError> {
        read(self.0.get(url.clone())).await
    }

    /// `GET` with headers of one's own; the answer is read up to `limit` bytes.
    ///
    /// # Errors
    /// [`HttpError`]; every status is an answer.
    pub async fn get_with(&self, url: &Url, headers: &[(&str, &str)], limit: usize) -> Result<Reply, HttpError> {
        let request = self.0.get(url.clone());
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
        let request = self.0.post(url.clone()).form(fields);
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
        let request = self.0.post(url.clone()).header("content-type", "application/json").body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        read_up_to(request, limit).await
    }
}

async fn read(request: reqwest::RequestBuilder) -> Result<Answer, HttpError> {
    read_up_to(request, MAX_ANSWER).await.map(|reply| Answer { status: reply.status, body: reply.body })
}

async fn read_up_to(request: reqwest::RequestBuilder, limit: usize) -> Result<Reply, HttpError> {
    let failed = |error: reqwest::Error| if error.is_timeout() { HttpError::TimedOut } else { HttpError::Unreachable };
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
