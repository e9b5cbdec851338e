//! Sends one request of pg_net. SQL chooses the address, so private networks are refused.

use std::time::Duration;

use gateway::PublicUrl;
use gateway::http_client::{HttpClient, HttpError, Outgoing, Peers};
use url::Url;

/// The longest response body, in bytes.
const MAX_ANSWER: usize = 10 << 20;

/// The longest timeout.
const MAX_TIMEOUT: Duration = Duration::from_secs(300);

/// Host names under which SQL reaches the API in the containers of `supabase start`.
const NAMES_OF_THE_API: [&str; 3] = ["kong", "host.docker.internal", "api.supabase.internal"];

/// A row of `net.http_request_queue`.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) id: i64,
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: Option<String>,
    pub(super) body: Option<Vec<u8>>,
    pub(super) timeout_ms: i32,
}

/// A row of `net._http_response`.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    pub(super) status: Option<i32>,
    pub(super) content_type: Option<String>,
    pub(super) headers: Option<String>,
    pub(super) content: Option<String>,
    pub(super) timed_out: Option<bool>,
    pub(super) error: Option<String>,
}

/// Sends requests to the public internet and to our own public port, but never to PostgreSQL, the admin port or any other
/// address of this machine or its network.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    public: HttpClient,
    own: HttpClient,
    /// The public URL of the API.
    address: Url,
    dev: bool,
}

impl Sender {
    /// `own` is the public URL of the API.
    pub(crate) fn new(own: &PublicUrl, dev: bool) -> std::io::Result<Self> {
        let address = Url::parse(own.as_str()).map_err(std::io::Error::other)?;
        let public = HttpClient::to(Peers::Public, MAX_TIMEOUT)?;
        Ok(Sender { public, own: HttpClient::new(MAX_TIMEOUT)?, address, dev })
    }

    /// Sends the request. Every error becomes a response.
    pub(super) async fn send(&self, request: Request) -> Response {
        let timeout = Duration::from_millis(u64::try_from(request.timeout_ms).unwrap_or_default()).min(MAX_TIMEOUT);
        let outgoing = match self.outgoing(request, timeout) {
            Ok(outgoing) => outgoing,
            Err(problem) => return Response { error: Some(problem), ..Response::default() },
        };
        let client = if self.is_own(&outgoing.url) { &self.own } else { &self.public };
        match client.send(outgoing, MAX_ANSWER).await {
            Ok(reply) => {
                let all: serde_json::Map<String, serde_json::Value> =
                    reply.headers().map(|(name, value)| (name.to_owned(), value.into())).collect();
                let kind = reply.header("content-type");
                Response {
                    status: Some(i32::from(reply.status)),
                    content_type: (!kind.is_empty()).then(|| kind.to_owned()),
                    headers: Some(serde_json::Value::Object(all).to_string()),
                    // PostgreSQL's type text cannot contain NUL.
                    content: Some(String::from_utf8_lossy(&reply.body).replace('\0', "")),
                    timed_out: Some(false),
                    error: None,
                }
            }
            Err(HttpError::TimedOut) => Response {
                timed_out: Some(true),
                error: Some(format!("Timeout of {} ms reached", timeout.as_millis())),
                ..Response::default()
            },
            Err(error) => Response { timed_out: Some(false), error: Some(error.to_string()), ..Response::default() },
        }
    }

    fn outgoing(&self, request: Request, timeout: Duration) -> Result<Outgoing, String> {
        let mut url = Url::parse(&request.url).map_err(|error| format!("URL is malformed: {error}"))?;
        if !["http", "https"].contains(&url.scheme()) {
            return Err(format!("Protocol \"{}\" not supported", url.scheme()));
        }
        if self.dev && url.host_str().is_some_and(|host| NAMES_OF_THE_API.contains(&host)) {
            // These cannot fail: both URLs are http(s) with a host.
            let _ = url.set_scheme(self.address.scheme());
            let _ = url.set_host(self.address.host_str());
            let _ = url.set_port(self.address.port());
        }
        let method = http::Method::from_bytes(request.method.to_ascii_uppercase().as_bytes())
            .map_err(|_| format!("unknown method {}", request.method))?;
        let headers: serde_json::Map<String, serde_json::Value> = request
            .headers
            .map_or(Ok(serde_json::Map::new()), |text| serde_json::from_str(&text))
            .map_err(|_| "headers must be a JSON object".to_owned())?;
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect();
        Ok(Outgoing { method, url, headers, body: request.body, timeout })
    }

    /// Whether the URL is our own public port, under its configured name or a loopback address.
    fn is_own(&self, url: &Url) -> bool {
        let same_host = url.host() == self.address.host();
        let here = |url: &Url| matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
        url.port_or_known_default() == self.address.port_or_known_default()
            && (same_host || here(url) && here(&self.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_public_port_of_this_machine_is_reached() {
        let sender = Sender::new(&PublicUrl::parse("http://127.0.0.1:54321").unwrap(), true).unwrap();
        let own = |url: &str| sender.is_own(&Url::parse(url).unwrap());
        assert!(own("http://127.0.0.1:54321/rest/v1/x") && own("http://localhost:54321") && own("http://[::1]:54321"));
        assert!(!own("http://127.0.0.1:54322") && !own("http://127.0.0.1") && !own("http://10.0.0.1:54321"));
        let request = |url: &str| Request {
            id: 1,
            method: "post".into(),
            url: url.into(),
            headers: Some(r#"{"a": 1, "b": "c"}"#.into()),
            body: None,
            timeout_ms: 5,
        };
        let outgoing = sender.outgoing(request("http://kong:8000/functions/v1/x"), MAX_TIMEOUT).unwrap();
        assert_eq!(outgoing.url.as_str(), "http://127.0.0.1:54321/functions/v1/x");
        assert_eq!(outgoing.headers, [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "c".to_owned())]);
        assert!(sender.outgoing(request("file:///etc/passwd"), MAX_TIMEOUT).is_err());
        assert!(sender.outgoing(request("nonsense"), MAX_TIMEOUT).is_err());
    }
}
