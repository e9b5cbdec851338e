//! Requests signed as AWS documents it (Signature Version 4), independently of the server's library.

use chrono::{DateTime, Duration, Utc};
use hmac::{Hmac, Mac};
use reqwest::Method;
use sha2::{Digest, Sha256};

use crate::kit::{Answer, Calls, Request, Server, User};

/// An access key, or a user's token in its place.
pub struct Signer {
    pub url: String,
    id: String,
    secret: String,
    token: Option<String>,
    /// Added to the time of signatures.
    pub skew: Duration,
    /// The service in the signature's scope: `s3`.
    pub service: &'static str,
    /// Where paths begin.
    root: &'static str,
}

/// What a server has in its settings for [`Signer::service`].
pub const KEYS: [(&str, &str); 2] =
    [("S3_PROTOCOL_ACCESS_KEY_ID", "test-id"), ("S3_PROTOCOL_ACCESS_KEY_SECRET", "test-secret")];

const REGION: &str = "us-east-1";

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// RFC 3986, with slashes for paths.
pub fn encode(text: &str, slashes: bool) -> String {
    let kept = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) || slashes && *byte == b'/';
    text.bytes().map(|byte| if kept(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

impl Signer {
    /// With the access key of [`KEYS`], which acts as service_role.
    pub fn service(server: &Server) -> Self {
        Self::of(&server.url, KEYS[0].1, KEYS[1].1, None)
    }

    /// With a user's session.
    pub fn session(server: &Server, user: &User) -> Self {
        Self::of(&server.url, "stub", &server.anon_key, Some(&user.access_token))
    }

    pub fn of(url: &str, id: &str, secret: &str, token: Option<&str>) -> Self {
        let [url, id, secret] = [url, id, secret].map(str::to_owned);
        let (token, skew) = (token.map(str::to_owned), Duration::zero());
        Signer { url, id, secret, token, skew, service: "s3", root: "/storage/v1/s3/" }
    }

    /// The same for vectors.
    pub fn of_vectors(self) -> Self {
        Signer { service: "s3vectors", root: "/storage/v1/vector/", ..self }
    }

    fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.skew
    }

    fn scope(&self, at: DateTime<Utc>) -> String {
        format!("{}/{REGION}/{}/aws4_request", at.format("%Y%m%d"), self.service)
    }

    /// The signature of any text.
    pub fn signature(&self, at: DateTime<Utc>, text: &str) -> String {
        let mut key = format!("AWS4{}", self.secret).into_bytes();
        for step in self.scope(at).split('/') {
            key = hmac(&key, step);
        }
        hex(&hmac(&key, text))
    }

    /// `path` is a bucket and key as they are, `query` and `headers` are names in lower case with values.
    fn canonical(
        &self,
        method: &Method,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        hash: &str,
    ) -> String {
        let mut query: Vec<String> =
            query.iter().map(|(name, value)| format!("{}={}", encode(name, false), encode(value, false))).collect();
        query.sort();
        let mut headers = headers.to_vec();
        headers.sort();
        let lines: String = headers.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        let path = encode(&format!("{}{path}", self.root), true);
        format!("{method}\n{path}\n{}\n{lines}\n{}\n{hash}", query.join("&"), names.join(";"))
    }

    fn text_to_sign(&self, at: DateTime<Utc>, canonical: &str) -> String {
        let time = at.format("%Y%m%dT%H%M%SZ");
        format!("AWS4-HMAC-SHA256\n{time}\n{}\n{}", self.scope(at), sha256(canonical.as_bytes()))
    }

    fn host(&self) -> &str {
        self.url.split_once("://").unwrap().1
    }

    fn address(&self, path: &str, query: &[(&str, &str)]) -> String {
        let pairs: Vec<String> =
            query.iter().map(|(name, value)| format!("{}={}", encode(name, false), encode(value, false))).collect();
        let end = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
        format!("{}{}{}{end}", self.url, self.root, encode(path, true))
    }

    /// A request with its signature in the header, and the signature. `hash` is `x-amz-content-sha256`.
    pub fn signed(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        hash: &str,
    ) -> (Request, DateTime<Utc>, String) {
        let at = self.now();
        let time = at.format("%Y%m%dT%H%M%SZ").to_string();
        let mut all = headers.to_vec();
        all.extend([("host", self.host()), ("x-amz-content-sha256", hash), ("x-amz-date", &time)]);
        if let Some(token) = &self.token {
            all.push(("x-amz-security-token", token));
        }
        let canonical = self.canonical(&method, path, query, &all, hash);
        let signature = self.signature(at, &self.text_to_sign(at, &canonical));
        let mut names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={signature}",
            self.id,
            self.scope(at),
            names.join(";")
        );
        let mut request = Request::of(method, &self.address(path, query)).header("authorization", &authorization);
        for (name, value) in all.iter().filter(|(name, _)| *name != "host") {
            request = request.header(name, value);
        }
        (request, at, signature)
    }

    /// Sends a request with the hash of its body.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let headers = if headers.iter().any(|(name, _)| *name == "content-type") || body.is_empty() {
            headers.to_vec()
        } else {
            [headers, &[("content-type", "text/plain")]].concat()
        };
        let (request, ..) = self.signed(method, path, query, &headers, &sha256(body));
        if body.is_empty() {
            return request.header("content-length", "0").await;
        }
        let kind = headers.iter().find(|(name, _)| *name == "content-type").unwrap().1;
        request.body(body.to_vec()).header("content-type", kind).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], &[], b"").await
    }

    pub async fn put(&self, path: &str, body: &[u8]) -> Answer {
        self.send(Method::PUT, path, &[], &[], body).await
    }

    /// A URL that anyone can use for some seconds.
    pub fn presigned(&self, method: &Method, path: &str, seconds: u32) -> String {
        let at = self.now();
        let credential = format!("{}/{}", self.id, self.scope(at));
        let (time, seconds) = (at.format("%Y%m%dT%H%M%SZ").to_string(), seconds.to_string());
        let mut query = vec![
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", credential.as_str()),
            ("X-Amz-Date", time.as_str()),
            ("X-Amz-Expires", seconds.as_str()),
            ("X-Amz-SignedHeaders", "host"),
        ];
        if let Some(token) = &self.token {
            query.push(("X-Amz-Security-Token", token));
        }
        let canonical = self.canonical(method, path, &query, &[("host", self.host())], "UNSIGNED-PAYLOAD");
        let signature = self.signature(at, &self.text_to_sign(at, &canonical));
        query.push(("X-Amz-Signature", &signature));
        self.address(path, &query)
    }

    /// A body in signed chunks, with a signed trailer if there is one; and the length that the framing has.
    pub async fn chunked(
        &self,
        path: &str,
        chunks: &[&[u8]],
        trailer: Option<(&str, &str)>,
        forge: Option<usize>,
    ) -> Answer {
        let length: usize = chunks.iter().map(|chunk| chunk.len()).sum();
        let kind = match trailer {
            Some(_) => "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            None => "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        };
        let length = length.to_string();
        let mut headers = vec![("content-encoding", "aws-chunked"), ("x-amz-decoded-content-length", length.as_str())];
        if let Some((name, _)) = trailer {
            headers.push(("x-amz-trailer", name));
        }
        let (request, at, seed) = self.signed(Method::PUT, path, &[], &headers, kind);
        let (mut previous, mut body) = (seed, Vec::new());
        let time = at.format("%Y%m%dT%H%M%SZ");
        for (index, chunk) in chunks.iter().chain(&[&b""[..]]).enumerate() {
            let text = format!(
                "AWS4-HMAC-SHA256-PAYLOAD\n{time}\n{}\n{previous}\n{}\n{}",
                self.scope(at),
                sha256(b""),
                sha256(chunk)
            );
            previous = self.signature(at, &text);
            let shown = if forge == Some(index) { "0".repeat(64) } else { previous.clone() };
            body.extend(format!("{:x};chunk-signature={shown}\r\n", chunk.len()).bytes());
            body.extend_from_slice(chunk);
            if !chunk.is_empty() || trailer.is_none() {
                body.extend_from_slice(b"\r\n");
            }
        }
        if let Some((name, value)) = trailer {
            let line = format!("{name}:{value}\n");
            let text = format!(
                "AWS4-HMAC-SHA256-TRAILER\n{time}\n{}\n{previous}\n{}",
                self.scope(at),
                sha256(line.as_bytes())
            );
            let signature = match forge {
                Some(index) if index > chunks.len() => "0".repeat(64),
                _ => self.signature(at, &text),
            };
            body.extend(format!("{name}:{value}\r\nx-amz-trailer-signature:{signature}\r\n\r\n").bytes());
        }
        request.body(body).header("content-type", "text/plain").await
    }

    /// The fields of a form, with the signature of their policy.
    pub fn form(&self, policy: &serde_json::Value, fields: &[(&str, &str)]) -> Vec<(String, String)> {
        use base64::Engine;
        let at = self.now();
        let policy = base64::prelude::BASE64_STANDARD.encode(policy.to_string());
        let mut all: Vec<(String, String)> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        all.extend([
            ("X-Amz-Algorithm".to_owned(), "AWS4-HMAC-SHA256".to_owned()),
            ("X-Amz-Credential".to_owned(), format!("{}/{}", self.id, self.scope(at))),
            ("X-Amz-Date".to_owned(), at.format("%Y%m%dT%H%M%SZ").to_string()),
            ("X-Amz-Signature".to_owned(), self.signature(at, &policy)),
            ("Policy".to_owned(), policy),
        ]);
        if let Some(token) = &self.token {
            all.push(("X-Amz-Security-Token".to_owned(), token.clone()));
        }
        all
    }
}

/// Sends a form with a file.
pub async fn post_form(server: &Server, bucket: &str, fields: &[(String, String)], file: &[u8]) -> Answer {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    body.extend(b"--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n");
    body.extend_from_slice(file);
    body.extend(b"\r\n--x--\r\n");
    let request = server.request(Method::POST, &format!("/storage/v1/s3/{bucket}")).body(body);
    request.header("content-type", "multipart/form-data; boundary=x").await
}

/// The content of the first element with this name.
#[track_caller]
pub fn element<'a>(answer: &'a Answer, name: &str) -> &'a str {
    elements(answer, name).first().copied().unwrap_or_else(|| panic!("no {name} in {}", answer.body))
}

/// The contents of all elements with this name.
pub fn elements<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
    answer
        .body
        .split(begin.as_str())
        .skip(1)
        .filter_map(|rest| rest.split_once(end.as_str()).map(|(own, _)| own))
        .collect()
}
