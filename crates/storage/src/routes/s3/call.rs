//! A request whose signature was checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt;
use gateway::body::Buffer;
use gateway::{Caller, Refusal};
use percent_encoding::percent_decode_str;
use s3s::xml::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::error::StorageError;
use crate::flows::receive::header;
use crate::flows::upload::Target;
use crate::refusal::refused;
use crate::session::Requester;
use crate::state::State;

/// Maximum size of an XML body, in bytes: 10,000 parts, or 1,000 keys.
pub(super) const XML_LIMIT: usize = 2 * 1024 * 1024;
/// What user metadata is called in headers.
const METADATA: &str = "x-amz-meta-";

/// What a URL names.
#[derive(Clone, Debug, Default)]
pub(super) struct Resource {
    /// Empty for the root.
    pub(super) bucket: String,
    /// Empty for a bucket.
    pub(super) key: String,
    query: BTreeMap<String, String>,
}

/// Who signed a request.
pub(in crate::routes) struct Signer {
    pub(in crate::routes) caller: Arc<Caller>,
    /// The session token; empty for an access key.
    pub(super) token: String,
}

/// A request whose signature was checked.
pub(super) struct Call {
    pub(super) state: web::Data<State>,
    pub(super) request: HttpRequest,
    pub(super) resource: Resource,
    pub(super) signer: Signer,
    /// The body, without the framing of `aws-chunked`.
    pub(super) payload: Payload,
}

impl Resource {
    /// Bucket, key and query of a URL.
    ///
    /// # Errors
    /// If they are not UTF-8.
    pub(super) fn of(request: &HttpRequest) -> Result<Self, StorageError> {
        let path = path(request);
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        let pairs = url::form_urlencoded::parse(request.query_string().as_bytes());
        Ok(Resource { bucket: decoded(bucket)?, key: decoded(key)?, query: pairs.into_owned().collect() })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.query.contains_key(name)
    }

    pub(super) fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// An integer of the query.
    ///
    /// # Errors
    /// In the words of upstream's validator.
    pub(super) fn integer(&self, name: &str, least: i64, most: i64) -> Result<Option<i64>, StorageError> {
        let Some(text) = self.query(name) else { return Ok(None) };
        let wrong = |what: String| StorageError::invalid_request(format!("Querystring, {name} must be {what}"));
        match text.trim().parse::<i64>() {
            Err(_) => Err(wrong("integer".to_owned())),
            Ok(number) if number < least => Err(wrong(format!(">= {least}"))),
            Ok(number) if number > most => Err(wrong(format!("<= {most}"))),
            Ok(number) => Ok(Some(number)),
        }
    }

    /// The multipart upload of the query.
    ///
    /// # Errors
    /// `NoSuchUpload` for what is no id of ours.
    pub(super) fn upload(&self) -> Result<Uuid, StorageError> {
        let id = self.query("uploadId").and_then(|text| Uuid::parse_str(text).ok());
        id.ok_or_else(StorageError::no_such_upload)
    }

    pub(super) fn target(&self) -> Target {
        Target { bucket: self.bucket.clone(), key: self.key.clone() }
    }
}

impl Call {
    /// `operation` is the value of `storage.operation()`.
    pub(super) fn requester(&self, operation: &'static str) -> Requester {
        let Signer { caller, token } = &self.signer;
        Requester::with_token(&self.state, &self.request, Some(caller), token, operation)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        header(&self.request, name).filter(|text| !text.is_empty())
    }

    /// The length of the body without its framing, in bytes.
    pub(super) fn length(&self) -> Option<u64> {
        let decoded = self.header("x-amz-decoded-content-length").or_else(|| self.header(CONTENT_LENGTH.as_str()));
        decoded.and_then(|length| length.parse().ok())
    }

    /// Whether the object may replace one: not with `If-None-Match: *`.
    ///
    /// DEVIATION (more): writes of the S3 protocol heed `If-None-Match: *` and refuse other conditions; upstream ignores both, so
    /// that a client that must not overwrite anything does.
    ///
    /// # Errors
    /// `NotSupported` for other conditions.
    pub(super) fn may_replace(&self) -> Result<bool, StorageError> {
        match (self.header(IF_NONE_MATCH.as_str()), self.header(IF_MATCH.as_str())) {
            (None, None) => Ok(true),
            (Some("*"), None) => Ok(false),
            _ => {
                let message = "A header you provided implies functionality that is not implemented";
                Err(StorageError::new(501, "NotSupported", "NotSupported", message))
            }
        }
    }

    pub(super) fn content_type(&self) -> Option<&str> {
        self.header(CONTENT_TYPE.as_str())
    }

    /// The headers `x-amz-meta-*` as JSON; an empty object without any.
    ///
    /// # Errors
    /// Never, as texts are always JSON.
    pub(super) fn user_metadata(&self) -> Result<Box<RawValue>, StorageError> {
        let fields = self.request.headers().iter();
        let text = |value: &actix_web::http::header::HeaderValue| value.to_str().ok().map(str::to_owned);
        user_metadata(fields.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?))))
    }

    /// The object named by `x-amz-copy-source`.
    ///
    /// # Errors
    /// If it names none.
    pub(super) fn copy_source(&self) -> Result<Target, StorageError> {
        let missing = || {
            let message = "Missing Required Parameter CopySource";
            StorageError::new(400, "MissingParameter", "MissingParameter", message)
        };
        let text = self.header("x-amz-copy-source").unwrap_or_default();
        let path = decoded(text.split('?').next().unwrap_or_default())?;
        let (bucket, key) = path.strip_prefix('/').unwrap_or(&path).split_once('/').ok_or_else(missing)?;
        if bucket.is_empty() {
            return Err(StorageError::bucket_name());
        }
        if key.is_empty() {
            return Err(missing());
        }
        Ok(Target { bucket: bucket.to_owned(), key: key.to_owned() })
    }

    /// The XML body; `None` without one.
    ///
    /// # Errors
    /// `MalformedXML`, `EntityTooLarge`.
    pub(super) async fn xml<T: for<'xml> Deserialize<'xml>>(&mut self) -> Result<Option<T>, StorageError> {
        let bytes = self.body().await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let wrong = |error: s3s::xml::DeError| {
            tracing::debug!(event = "s3_xml_refused", detail = %error);
            StorageError::new(400, "MalformedXML", "MalformedXML", "The XML you provided was not well-formed")
        };
        let mut deserializer = Deserializer::new(&bytes);
        let value = T::deserialize(&mut deserializer).map_err(wrong)?;
        deserializer.expect_eof().map_err(wrong)?;
        Ok(Some(value))
    }

    async fn body(&mut self) -> Result<Bytes, StorageError> {
        let mut buffer = Buffer::new(&self.request, XML_LIMIT);
        while let Some(piece) = self.payload.next().await {
            let piece = piece.map_err(crate::flows::receive::unreadable)?;
            buffer.push(&piece).map_err(|refusal| match refusal {
                Refusal::BodyTooLarge(_) => StorageError::too_large_entity("body"),
                other => refused(&self.request, other),
            })?;
        }
        Ok(buffer.held().into_bytes())
    }
}

/// The path below `/s3`, without the first slash.
pub(super) fn path(request: &HttpRequest) -> &str {
    let path = request.uri().path();
    let own = path.strip_prefix(crate::state::mount_of(request)).unwrap_or(path);
    let own = own.strip_prefix("/s3").unwrap_or(own);
    own.strip_prefix('/').unwrap_or(own)
}

/// Those of the fields that are user metadata, as JSON.
///
/// # Errors
/// Never, as texts are always JSON.
pub(super) fn user_metadata(fields: impl Iterator<Item = (String, String)>) -> Result<Box<RawValue>, StorageError> {
    let metadata: BTreeMap<String, String> = fields
        .filter_map(|(name, value)| {
            let own = name.to_ascii_lowercase().strip_prefix(METADATA)?.to_owned();
            (!value.contains('\0')).then_some((own, value))
        })
        .collect();
    serde_json::value::to_raw_value(&metadata).map_err(StorageError::internal)
}

/// The error for a condition that does not hold.
pub(super) fn precondition() -> StorageError {
    let message = "At least one of the pre-conditions you specified did not hold";
    StorageError::new(412, "PreconditionFailed", "PreconditionFailed", message)
}

/// The answer to an object that exists, to a client that did not want to replace one.
pub(super) fn existing(error: StorageError) -> StorageError {
    if error == StorageError::key_exists() { precondition() } else { error }
}

fn decoded(text: &str) -> Result<String, StorageError> {
    let wrong = |_| StorageError::key(text);
    percent_decode_str(text).decode_utf8().map(std::borrow::Cow::into_owned).map_err(wrong)
}
