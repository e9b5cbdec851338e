//! TUS 1.0: headers, upload ids, and errors, which are plain text with their real status.
//!
//! Source: tus.io/protocols/resumable-upload; messages as in @tus/server, which supabase/storage uses.

use std::borrow::Cow;
use std::collections::HashSet;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::{HttpResponse, ResponseError};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use uuid::Uuid;

use super::names;
use crate::error::StorageError;

/// The protocol version.
pub(crate) const VERSION: &str = "1.0.0";
/// Value of `Tus-Extension`.
pub(crate) const EXTENSIONS: &str = "creation,creation-with-upload,creation-defer-length,termination,expiration";
/// The content type of a body with bytes of an upload.
pub(crate) const PIECE: &str = "application/offset+octet-stream";
/// Maximum length of `Upload-Metadata`, in bytes.
pub(crate) const METADATA_LIMIT: usize = 64 * 1024;

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: u16,
    message: Cow<'static, str>,
}

impl Refusal {
    pub(crate) fn new(status: u16, message: impl Into<Cow<'static, str>>) -> Self {
        Refusal { status, message: message.into() }
    }

    pub(crate) fn not_found() -> Self {
        // DEVIATION (words): the id of no upload at all is answered 404; upstream answers 400.
        Self::new(404, "The file for this url was not found\n")
    }

    pub(crate) fn expired() -> Self {
        Self::new(410, "The file for this url no longer exists\n")
    }

    pub(crate) fn offset() -> Self {
        Self::new(409, "Upload-Offset conflict\n")
    }

    pub(crate) fn length() -> Self {
        Self::new(400, "Upload-Length or Upload-Defer-Length header required\n")
    }

    /// Larger than the bucket or the server allows.
    pub(crate) fn too_large() -> Self {
        Self::new(413, "Maximum size exceeded\n")
    }

    /// Larger than the announced length.
    pub(crate) fn beyond_length() -> Self {
        Self::new(413, "upload's size exceeded\n")
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Refusal { status: error.status(), message: error.to_string().into() }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header(("tus-resumable", VERSION)).content_type("text/plain;charset=UTF-8");
        response.body(self.message.clone().into_owned())
    }
}

/// The validated headers of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headers {
    pub(crate) offset: Option<u64>,
    pub(crate) length: Option<u64>,
    pub(crate) deferred: bool,
    pub(crate) metadata: Option<Metadata>,
    /// `Content-Length`.
    pub(crate) body_length: Option<u64>,
    /// The body has bytes of the upload.
    pub(crate) piece: bool,
    /// `Content-Type` is present.
    pub(crate) typed: bool,
}

impl Headers {
    /// `patch` is true for PATCH, the only method that requires a certain content type.
    ///
    /// # Errors
    /// 412 without `Tus-Resumable`, 400 with the names of invalid headers.
    pub(crate) fn of(headers: &HeaderMap, patch: bool) -> Result<Self, Refusal> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"));
        let mut wrong = Vec::new();
        let Some(version) = text("tus-resumable") else {
            return Err(Refusal::new(412, "Tus-Resumable Required\n"));
        };
        let number = |name: &'static str, wrong: &mut Vec<&'static str>| {
            let number = text(name).map(whole);
            if number == Some(None) {
                wrong.push(name);
            }
            number.flatten()
        };
        let kind = text("content-type");
        if patch && kind.is_some_and(|kind| kind != PIECE) {
            wrong.push("content-type");
        }
        if version != VERSION {
            wrong.push("tus-resumable");
        }
        let deferred = text("upload-defer-length");
        if deferred.is_some_and(|deferred| deferred != "1") {
            wrong.push("upload-defer-length");
        }
        let length = number("upload-length", &mut wrong);
        let metadata = text("upload-metadata").map(Metadata::parse);
        if metadata == Some(None) {
            wrong.push("upload-metadata");
        }
        let offset = number("upload-offset", &mut wrong);
        if !wrong.is_empty() {
            return Err(Refusal::new(400, format!("Invalid {}\n", wrong.join(" "))));
        }
        if headers.contains_key("upload-concat") {
            let message =
                "Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n";
            return Err(Refusal::new(501, message));
        }
        Ok(Headers {
            offset,
            length,
            deferred: deferred.is_some(),
            metadata: metadata.flatten(),
            body_length: text("content-length").and_then(whole),
            piece: kind == Some(PIECE),
            typed: kind.is_some(),
        })
    }
}

/// A canonical decimal number up to JavaScript's `MAX_SAFE_INTEGER`.
fn whole(text: &str) -> Option<u64> {
    let canonical = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| canonical && *number < (1 << 53))
}

/// `Upload-Metadata`: keys with optional values, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Metadata(Vec<(String, Option<String>)>);

impl Metadata {
    /// `None` for an invalid header.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.trim().is_empty() || text.len() > METADATA_LIMIT {
            return None;
        }
        let mut seen = HashSet::new();
        let pair = |pair: &str| {
            let (key, value) = pair.split_once(' ').map_or((pair, None), |(key, value)| (key, Some(value)));
            if key.is_empty() || !key.is_ascii() || !seen.insert(key.to_owned()) {
                return None;
            }
            let value = match value {
                None | Some("") => None,
                Some(value) => Some(String::from_utf8_lossy(&BASE64_STANDARD.decode(value).ok()?).into_owned()),
            };
            Some((key.to_owned(), value))
        };
        text.split(',').map(pair).collect::<Option<_>>().map(Metadata)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.as_deref())
    }

    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.0.retain(|(own, _)| own != name);
        self.0.push((name.to_owned(), Some(value)));
    }

    /// The header value.
    pub(crate) fn encode(&self) -> String {
        let pair = |(key, value): &(String, Option<String>)| match value {
            Some(value) => format!("{key} {}", BASE64_STANDARD.encode(value)),
            None => key.clone(),
        };
        self.0.iter().map(pair).collect::<Vec<_>>().join(",")
    }
}

/// The id in an upload's URL: base64url of `bucket/key/version`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UploadId {
    pub(crate) bucket: String,
    pub(crate) key: String,
    /// Unique; identifies the upload.
    pub(crate) version: Uuid,
}

impl UploadId {
    /// # Errors
    /// Invalid bucket or key.
    pub(crate) fn new(metadata: &Metadata) -> Result<Self, StorageError> {
        let bucket = metadata.get("bucketName").unwrap_or_default().to_owned();
        let key = metadata.get("objectName").unwrap_or_default().to_owned();
        names::bucket(&bucket)?;
        names::key(&key)?;
        Ok(UploadId { bucket, key, version: Uuid::new_v4() })
    }

    /// # Errors
    /// 404 for a malformed id, 400 for an invalid bucket or key.
    pub(crate) fn decode(text: &str) -> Result<Self, Refusal> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| Refusal::not_found())?;
        let id = String::from_utf8(bytes).map_err(|_| Refusal::not_found())?;
        let wrong = || Refusal::new(400, "Invalid upload id");
        let (bucket, rest) = id.split_once('/').ok_or_else(wrong)?;
        let (key, version) = rest.rsplit_once('/').ok_or_else(wrong)?;
        names::bucket(bucket)?;
        names::key(key)?;
        let version = Uuid::try_parse(version).map_err(|_| Refusal::not_found())?;
        Ok(UploadId { bucket: bucket.to_owned(), key: key.to_owned(), version })
    }

    pub(crate) fn encode(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{}/{}/{}", self.bucket, self.key, self.version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn headers(all: &[(&'static str, &'static str)]) -> Result<Headers, Refusal> {
        let pairs = all.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        Headers::of(&pairs.collect(), true)
    }

    #[test]
    fn headers_are_checked_before_anything_is_done() {
        assert_eq!(headers(&[]), Err(Refusal::new(412, "Tus-Resumable Required\n")));
        for (name, value) in [
            ("upload-offset", "-1"),
            ("upload-offset", "+1"),
            ("upload-offset", "01"),
            ("upload-offset", "9007199254740992"),
            ("upload-length", "1.5"),
            ("upload-length", ""),
            ("upload-defer-length", "2"),
            ("upload-metadata", ""),
            ("upload-metadata", "a b!"),
            ("upload-metadata", "a YQ==,a YQ=="),
            ("content-type", "application/json"),
        ] {
            let refused = Refusal::new(400, format!("Invalid {name}\n"));
            assert_eq!(headers(&[("tus-resumable", "1.0.0"), (name, value)]), Err(refused), "{name}: {value}");
        }
        let fine = [("tus-resumable", "1.0.0"), ("upload-offset", "9007199254740991"), ("upload-length", "0")];
        let fine = headers(&fine).unwrap();
        assert_eq!((fine.offset, fine.length, fine.typed), (Some((1 << 53) - 1), Some(0), false));
    }

    #[test]
    fn metadata_comes_back_as_it_went() {
        let text = "bucketName YXZhdGFycw==,objectName w6QvYg==,flag";
        let metadata = Metadata::parse(text).unwrap();
        assert_eq!((metadata.get("objectName"), metadata.get("flag")), (Some("ä/b"), None));
        assert_eq!(metadata.encode(), text);
        let long = |bytes: usize| format!("a{}", "b".repeat(bytes - 1));
        assert!(Metadata::parse(&long(METADATA_LIMIT)).is_some());
        assert!(Metadata::parse(&long(METADATA_LIMIT + 1)).is_none());
    }

    #[test]
    fn an_id_names_an_upload_and_no_path() {
        let id = UploadId { bucket: "b".to_owned(), key: "a/../c".to_owned(), version: Uuid::new_v4() };
        assert_eq!(UploadId::decode(&id.encode()), Ok(id));
        for (text, status) in [
            ("", 400),
            ("!", 404),
            ("bucket", 400),
            ("bucket/key", 400),
            ("bucket/key/../../etc", 404),
            ("bucket/ä/9b2f0f3e-1d2c-4a58-9a0e-000000000000", 400),
        ] {
            let encoded = if text == "!" { text.to_owned() } else { BASE64_URL_SAFE_NO_PAD.encode(text) };
            assert_eq!(UploadId::decode(&encoded).map_err(|refusal| refusal.status), Err(status), "{text}");
        }
    }
}
