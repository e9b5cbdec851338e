//! The body of an upload: raw, or a form whose last part is the file.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::StreamExt;
use gateway::Refusal;
use gateway::body::{Buffer, Held};
use gateway::budget::Reservation;
use gateway::gate::Fault;
use multer::{Field, Multipart};
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::error::StorageError;
use crate::protocol::{content, json, names, robots};
use crate::refusal::refused;

/// Maximum size of user metadata, in bytes: upstream's.
const USER_METADATA_LIMIT: usize = 1024 * 1024;
/// Maximum size of any other form field that is used, in bytes.
///
/// DEVIATION (stricter): the form fields `cacheControl` and `contentType` may have 1 KiB; upstream cuts them off at 1 MiB.
const FIELD_LIMIT: usize = 1024;
/// Maximum number of form fields besides the file.
const FIELDS: usize = 10;
/// How long the client may send nothing.
const STALL: Duration = Duration::from_secs(30);
/// Number of form pieces buffered before the disk.
const PIECES: usize = 4;

/// The properties of an upload, and its remaining bytes.
pub(crate) struct Incoming {
    pub(crate) mime_type: String,
    pub(crate) cache_control: String,
    pub(crate) user_metadata: Option<Box<RawValue>>,
    pub(crate) robots: Option<String>,
    /// The announced length, in bytes; for a form, that of the whole form.
    pub(crate) declared: Option<u64>,
    /// How many bytes there must be at least.
    least: u64,
    limit: u64,
    received: u64,
    body: Body,
    /// The memory of `user_metadata`.
    _reservation: Option<Reservation>,
}

/// Where the bytes come from.
pub(crate) enum Body {
    Raw(Payload),
    File(Box<Field<'static>>),
}

/// What a client says about an upload whose body is nothing but the object.
pub(crate) struct Properties {
    pub(crate) mime_type: String,
    pub(crate) cache_control: String,
    pub(crate) user_metadata: Option<Box<RawValue>>,
    /// In bytes.
    pub(crate) declared: Option<u64>,
    /// How many bytes there must be at least.
    pub(crate) least: u64,
}

/// The rules of a bucket.
pub(crate) struct Rules<'a> {
    pub(crate) key: &'a str,
    /// In bytes.
    pub(crate) limit: u64,
    pub(crate) types: &'a [String],
}

impl Incoming {
    /// Reads up to the file's first byte.
    ///
    /// DEVIATION (more): the media type of an upload may be any text, and its user metadata any JSON; upstream refuses
    /// types without a slash, and lists.
    ///
    /// # Errors
    /// If the bucket's rules forbid the upload.
    pub(crate) async fn of(request: &HttpRequest, payload: Payload, rules: &Rules<'_>) -> Result<Self, StorageError> {
        let robots = header(request, "x-robots-tag").filter(|tag| !tag.is_empty()).map(str::to_owned);
        if let Some(robots) = &robots {
            robots::check(robots)?;
        }
        // A placeholder of an empty folder must be empty.
        let limit = if names::is_folder_placeholder(rules.key) { 0 } else { rules.limit };
        let declared = header(request, CONTENT_LENGTH.as_str()).and_then(|length| length.parse().ok());
        let content_type = header(request, CONTENT_TYPE.as_str()).unwrap_or_default();
        let mut incoming = if content_type.starts_with("multipart/form-data") {
            form(request, content_type, payload).await?
        } else {
            if declared.is_some_and(|length| length > limit) {
                return Err(StorageError::too_large());
            }
            let own = if content_type.is_empty() { "application/octet-stream" } else { content_type };
            Incoming {
                mime_type: own.to_owned(),
                cache_control: header(request, CACHE_CONTROL.as_str()).unwrap_or("no-cache").to_owned(),
                user_metadata: header(request, "x-metadata").and_then(decoded),
                robots: None,
                declared: None,
                least: 0,
                limit: 0,
                received: 0,
                body: Body::Raw(payload),
                _reservation: None,
            }
        };
        if !rules.types.is_empty() && !names::is_folder_placeholder(rules.key) {
            content::allowed(&incoming.mime_type, rules.types)?;
        }
        (incoming.limit, incoming.declared, incoming.robots) = (limit, declared, robots);
        Ok(incoming)
    }

    /// An upload whose properties are known.
    ///
    /// # Errors
    /// If the bucket's rules forbid it.
    pub(crate) fn plain(properties: Properties, body: Body, rules: &Rules<'_>) -> Result<Self, StorageError> {
        let Properties { mime_type, cache_control, user_metadata, declared, least } = properties;
        let is_placeholder = names::is_folder_placeholder(rules.key);
        let limit = if is_placeholder { 0 } else { rules.limit };
        if declared.is_some_and(|length| length > limit) {
            return Err(StorageError::too_large());
        }
        let limit = declared.unwrap_or(limit);
        if !rules.types.is_empty() && !is_placeholder {
            content::allowed(&mime_type, rules.types)?;
        }
        let robots = None;
        let (received, _reservation) = (0, None);
        Ok(Incoming {
            mime_type,
            cache_control,
            user_metadata,
            robots,
            declared,
            least,
            limit,
            received,
            body,
            _reservation,
        })
    }

    /// The next bytes.
    ///
    /// # Errors
    /// If the body exceeds the limit, ends early or stalls.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, StorageError> {
        let piece = match &mut self.body {
            Body::Raw(payload) => {
                let next = tokio::time::timeout(STALL, payload.next()).await;
                next.map_err(|_| broken("the client sends nothing"))?.transpose().map_err(unreadable)?
            }
            Body::File(field) => field.chunk().await.map_err(broken)?,
        };
        let Some(piece) = piece else {
            return if self.received < self.least { Err(StorageError::too_small()) } else { Ok(None) };
        };
        self.received += piece.len() as u64;
        if self.received > self.limit {
            return Err(StorageError::too_large());
        }
        Ok(Some(piece))
    }
}

/// Base64 of JSON; anything else is ignored.
pub(crate) fn decoded(text: &str) -> Option<Box<RawValue>> {
    json::checked(BASE64_STANDARD.decode(text.trim()).ok()?)
}

/// A header as text.
pub(crate) fn header<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// A body that was refused while it was read, or that broke off.
pub(crate) fn unreadable(error: PayloadError) -> StorageError {
    if let PayloadError::Io(io) = &error
        && let Some(refused) = io.get_ref().and_then(|inner| inner.downcast_ref::<StorageError>())
    {
        return refused.clone();
    }
    broken(error)
}

fn broken(reason: impl std::fmt::Display) -> StorageError {
    tracing::debug!(event = "upload_broken", detail = %reason);
    StorageError::invalid_request("No content provided")
}

/// Reads a form's fields up to its file, which must be the last part: the rest is ignored.
///
/// DEVIATION (missing): fields after the file of a form are ignored; upstream sees them in a short form.
async fn form(request: &HttpRequest, content_type: &str, payload: Payload) -> Result<Incoming, StorageError> {
    let boundary = multer::parse_boundary(content_type);
    let boundary = boundary.map_err(|_| StorageError::invalid_request("Multipart: Boundary not found"))?;
    let mut form = Multipart::new(forwarded(payload), boundary);
    let (mut cache_control, mut mime_type) = ("no-cache".to_owned(), None);
    let (mut user_metadata, mut reservation) = (None, None);
    for _ in 0..=FIELDS {
        let ended = |_| StorageError::invalid_request("Unexpected end of multipart data");
        let Some(mut field) = form.next_field().await.map_err(ended)? else { break };
        let name = field.name().unwrap_or_default().to_owned();
        if field.file_name().is_some() || !KNOWN.contains(&name.as_str()) && field.content_type().is_some() {
            let own = field.content_type().map(|mime| mime.essence_str().to_owned());
            return Ok(Incoming {
                mime_type: mime_type.or(own).unwrap_or_else(|| "application/octet-stream".to_owned()),
                cache_control,
                user_metadata,
                robots: None,
                declared: None,
                least: 0,
                limit: 0,
                received: 0,
                body: Body::File(Box::new(field)),
                _reservation: reservation,
            });
        }
        match name.as_str() {
            "metadata" => (user_metadata, reservation) = metadata(request, &mut field).await?,
            "userMetadata" if user_metadata.is_none() => {
                (user_metadata, reservation) = metadata(request, &mut field).await?;
            }
            "cacheControl" | "contentType" => {
                let text = read(request, &mut field, (name.as_str(), FIELD_LIMIT)).await?;
                match String::from_utf8_lossy(&text).into_owned() {
                    text if text.is_empty() => {}
                    text if name == "contentType" => mime_type = Some(text),
                    text => cache_control = format!("max-age={text}"),
                }
            }
            _ => skip(&mut field).await?,
        }
    }
    Err(broken("a form without a file"))
}

/// A field with user metadata, and the memory of that; no metadata if it is not JSON.
async fn metadata(
    request: &HttpRequest,
    field: &mut Field<'static>,
) -> Result<(Option<Box<RawValue>>, Option<Reservation>), StorageError> {
    let text = read(request, field, ("user_metadata", USER_METADATA_LIMIT)).await?;
    let (text, mut reservation) = text.into_parts();
    let json = json::checked(text.into());
    // Bytes that were not UTF-8 are longer now.
    if let (Some(json), Some(reservation)) = (&json, &mut reservation) {
        let busy = || refused(request, Refusal::Request(Fault::Busy));
        reservation.resize(json.get().len()).map_err(|_| busy())?;
    }
    Ok((json, reservation))
}

/// A field of at most `limit` bytes; the error calls it `name`.
async fn read(
    request: &HttpRequest,
    field: &mut Field<'static>,
    (name, limit): (&str, usize),
) -> Result<Held, StorageError> {
    let mut text = Buffer::new(request, limit);
    while let Some(piece) = field.chunk().await.map_err(broken)? {
        text.push(&piece).map_err(|refusal| match refusal {
            Refusal::BodyTooLarge(_) => StorageError::too_large_entity(name),
            other => refused(request, other),
        })?;
    }
    Ok(text.held())
}

/// Passes over a field that is not used.
async fn skip(field: &mut Field<'static>) -> Result<(), StorageError> {
    let mut length = 0;
    while let Some(piece) = field.chunk().await.map_err(broken)? {
        length += piece.len();
        if length > USER_METADATA_LIMIT {
            return Err(StorageError::too_large_entity("form field"));
        }
    }
    Ok(())
}

/// The form fields other than the file.
const KNOWN: [&str; 4] = ["cacheControl", "metadata", "userMetadata", "contentType"];

/// The body as a `Send` stream, which the form parser requires.
pub(crate) fn forwarded(
    mut payload: Payload,
) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    let (sender, receiver) = mpsc::channel(PIECES);
    actix_web::rt::spawn(async move {
        loop {
            let piece = match tokio::time::timeout(STALL, payload.next()).await {
                Ok(Some(piece)) => piece.map_err(std::io::Error::other),
                Ok(None) => break,
                Err(_) => Err(std::io::ErrorKind::TimedOut.into()),
            };
            let ended = piece.is_err();
            if sender.send(piece).await.is_err() || ended {
                break;
            }
        }
    });
    futures_util::stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|piece| (piece, receiver))
    })
}
