//! Making requests: `s.get("/rest/v1/users").header("prefer", "count=exact").await`.

use std::pin::Pin;
use std::sync::OnceLock;

use reqwest::Method;
use serde_json::Value;

use super::{Answer, documented, secrets};

/// Everything that can make requests: the server itself, as an anonymous client, and each of its users.
pub trait Calls {
    /// A request with this caller's key and token.
    fn request(&self, method: Method, path: &str) -> Request;

    fn get(&self, path: &str) -> Request {
        self.request(Method::GET, path)
    }

    fn post(&self, path: &str, body: Value) -> Request {
        self.request(Method::POST, path).json(&body)
    }

    fn put(&self, path: &str, body: Value) -> Request {
        self.request(Method::PUT, path).json(&body)
    }

    fn patch(&self, path: &str, body: Value) -> Request {
        self.request(Method::PATCH, path).json(&body)
    }

    fn delete(&self, path: &str) -> Request {
        self.request(Method::DELETE, path)
    }
}

/// A request, sent when it is awaited.
#[must_use = "a request is sent when it is awaited"]
pub struct Request(reqwest::RequestBuilder);

impl Request {
    pub(super) fn new(method: Method, url: &str) -> Self {
        Request(client().request(method, url))
    }

    /// A POST to a URL, without key and token.
    pub fn to(url: &str) -> Self {
        Self::new(Method::POST, url)
    }

    /// A GET of a URL, without key and token.
    pub fn to_get(url: &str) -> Self {
        Self::new(Method::GET, url)
    }

    /// Any request to a URL, without key and token.
    pub fn of(method: Method, url: &str) -> Self {
        Self::new(method, url)
    }

    /// Adds or replaces a header.
    pub fn header(self, name: &str, value: &str) -> Self {
        // reqwest's own `header` appends, but a test wants one apikey, not two.
        let mut headers = reqwest::header::HeaderMap::new();
        let name: reqwest::header::HeaderName = name.parse().unwrap();
        headers.insert(name, value.parse().unwrap());
        Request(self.0.headers(headers))
    }

    /// Replaces the caller's token.
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn json(self, body: &Value) -> Self {
        Request(self.0.json(body))
    }

    /// A raw body. The content type is JSON unless a header says otherwise.
    pub fn body(self, body: impl Into<reqwest::Body>) -> Self {
        Request(self.0.body(body)).header("content-type", "application/json")
    }

    /// The response, or the error of the connection: for tests in which the server dies.
    pub async fn try_send(self) -> Result<Answer, reqwest::Error> {
        let request = self.0.build()?;
        let (method, address) = (request.method().clone(), request.url().clone());
        let url = address.to_string();
        secrets::learn_from(&url, &url);
        if let Some(body) = request.body().and_then(|body| body.as_bytes()) {
            secrets::learn_from(&url, &String::from_utf8_lossy(body));
        }
        let response = client().execute(request).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, body: response.text().await? };
        secrets::learn_from(&url, &answer.body);
        secrets::learn_from(&url, answer.header("location"));
        documented::check(&method, &address, answer.status);
        Ok(answer)
    }
}

/// A body that comes piece by piece, without a length.
pub fn streamed<B: Into<bytes::Bytes>>(
    pieces: impl futures_util::Stream<Item = B> + Send + Sync + 'static,
) -> reqwest::Body {
    use futures_util::StreamExt;
    let frames = pieces.map(|piece| Ok::<_, std::io::Error>(http_body::Frame::data(piece.into())));
    reqwest::Body::wrap(http_body_util::StreamBody::new(frames))
}

impl IntoFuture for Request {
    type Output = Answer;
    type IntoFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.try_send().await.unwrap() })
    }
}

/// Without a pool: a pooled connection belongs to the runtime of the test that opened it.
fn client() -> &'static reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        // This fails if a server in this process has installed a provider already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(std::time::Duration::from_secs(60))
            .build()
            .unwrap()
    })
}
