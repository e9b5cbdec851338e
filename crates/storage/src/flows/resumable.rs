//! Resumable uploads (TUS): create, append, look up, finish, terminate.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use futures_util::StreamExt;
use gateway::Caller;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::receive::header;
use super::serve;
use super::sign::{self, Scope};
use super::upload::{self, Target};
use crate::backend::{Held, Info};
use crate::error::StorageError;
use crate::protocol::tus::{Headers, Metadata, Refusal, UploadId};
use crate::protocol::{content, json, names};
use crate::session::Requester;
use crate::state::State;
use crate::store::{buckets, objects};

/// Maximum pause of a client within a body.
const STALL: Duration = Duration::from_secs(30);
/// The media type if the client gives none.
const UNTYPED: &str = "application/octet-stream";

/// The request and its authorization.
pub(crate) struct Sender<'a> {
    pub(crate) state: &'a State,
    pub(crate) request: &'a HttpRequest,
    /// `None` for the signed routes, where `x-signature` authorizes.
    pub(crate) caller: Option<&'a Caller>,
    /// The value of `storage.operation()`.
    pub(crate) operation: &'static str,
}

/// The state of an upload after a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// How many bytes there are.
    pub(crate) offset: u64,
    /// The object exists.
    pub(crate) complete: bool,
    /// Expiry, in seconds since 1970.
    pub(crate) expires: i64,
}

/// A request's permission to write the object.
struct Permit {
    requester: Requester,
    /// The request may replace an object.
    upsert: bool,
}

impl Sender<'_> {
    /// Checks a signed token, or the caller's policies: these apply to every request.
    async fn allowed(
        &self,
        id: &UploadId,
        metadata: Option<&Metadata>,
        length: Option<u64>,
    ) -> Result<Permit, Refusal> {
        if self.caller.is_none() {
            return self.signed(id);
        }
        let requester = Requester::new(self.state, self.request, self.caller, self.operation);
        let mut shown = json!({});
        if let Some(kind) = metadata.and_then(|metadata| metadata.get("contentType")) {
            shown["mimetype"] = Value::from(kind);
        }
        if let Some(length) = length {
            shown["contentLength"] = Value::from(length);
        }
        let upsert = header(self.request, "x-upsert") == Some("true");
        let custom = metadata.and_then(custom);
        upload::allowed(self.state, &requester, &target(id), upsert, &shown, custom.as_deref()).await?;
        Ok(Permit { requester, upsert })
    }

    fn signed(&self, id: &UploadId) -> Result<Permit, Refusal> {
        let token = header(self.request, "x-signature").filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| StorageError::signature("Missing x-signature header"))?;
        let signed = sign::verify(self.state, token, &target(id), Scope::Upload)?;
        let requester = Requester::new(self.state, self.request, None, self.operation).with_owner(signed.owner);
        Ok(Permit { requester, upsert: signed.upsert })
    }

    /// `HEAD` needs a valid token but no permission.
    fn may_look(&self, id: &UploadId) -> Result<(), Refusal> {
        if self.caller.is_none() { self.signed(id).map(drop) } else { Ok(()) }
    }

    async fn bucket(&self, id: &UploadId) -> Result<buckets::Bucket, Refusal> {
        let requester = Requester::new(self.state, self.request, None, self.operation);
        let mut connection = self.state.connection().await?;
        let tx = requester.as_service(&mut connection).await?;
        Ok(buckets::find(&tx, &id.bucket).await?.ok_or_else(StorageError::no_such_bucket)?)
    }

    fn expires(&self, held: &Held) -> i64 {
        let life = i64::try_from(self.state.config.resumable_life.as_secs()).unwrap_or(i64::MAX);
        held.info.begun.saturating_add(life)
    }

    async fn hold(&self, id: &UploadId) -> Result<Held, Refusal> {
        let held = self.state.resumables.hold(id).await?;
        if self.expires(&held) < self.state.clock.unix() { Err(Refusal::expired()) } else { Ok(held) }
    }
}

/// Creates an upload, with the first bytes if the body has any.
///
/// # Errors
/// Refusals by the limits of the bucket or its policies, and errors of the disk.
pub(crate) async fn create(
    sender: &Sender<'_>,
    headers: Headers,
    payload: Payload,
) -> Result<(UploadId, Progress), Refusal> {
    let state = sender.state;
    if headers.length.is_none() != headers.deferred {
        return Err(Refusal::length());
    }
    let mut metadata = headers.metadata.clone();
    let missing = || StorageError::invalid_request("Metadata header is required");
    let id = UploadId::new(metadata.as_ref().ok_or_else(missing)?)?;
    let bucket = sender.bucket(&id).await?;
    let limit = state.config.resumable_limit(bucket.file_size_limit);
    if headers.length.is_some_and(|length| length > limit) {
        return Err(Refusal::too_large());
    }
    let Permit { requester, upsert } = sender.allowed(&id, metadata.as_ref(), headers.length).await?;
    let mut metadata = metadata.take().unwrap_or_default();
    let seconds = metadata.get("cacheControl").filter(|text| is_number(text));
    metadata.set("cacheControl", seconds.map_or("no-cache".to_owned(), |seconds| format!("max-age={seconds}")));
    let types = bucket.allowed_mime_types.unwrap_or_default();
    if let Some(kind) = metadata.get("contentType").filter(|_| !types.is_empty()) {
        content::allowed(kind, &types)?;
    }
    let begun = state.clock.unix();
    let info = Info {
        bucket: id.bucket.clone(),
        key: id.key.clone(),
        version: id.version,
        length: headers.length,
        metadata,
        owner: requester.owner.clone(),
        upsert,
        begun,
        recorded: false,
    };
    state.resumables.begin(info).await?;
    state.resumables.sweep(begun, begun - i64::try_from(state.config.resumable_life.as_secs()).unwrap_or(i64::MAX));
    let mut held = sender.hold(&id).await?;
    if headers.piece {
        append(&mut held, &headers, limit, payload).await?;
    }
    let progress = progress(sender, &requester, held).await?;
    Ok((id, progress))
}

/// Appends a body.
///
/// # Errors
/// 404 and 410 for unknown and expired uploads, 409 for a wrong offset, refusals by policies and limits.
pub(crate) async fn part(
    sender: &Sender<'_>,
    id: &UploadId,
    headers: Headers,
    payload: Payload,
) -> Result<Progress, Refusal> {
    let offset = headers.offset.ok_or(Refusal::new(403, "Upload-Offset header required\n"))?;
    if !headers.typed {
        return Err(Refusal::new(403, "Content-Type header required\n"));
    }
    let mut held = sender.hold(id).await?;
    let Permit { requester, .. } = sender.allowed(id, Some(&held.info.metadata), held.info.length).await?;
    let limit = sender.state.config.resumable_limit(sender.bucket(id).await?.file_size_limit);
    if held.offset != offset {
        return Err(Refusal::offset());
    }
    if let Some(length) = headers.length {
        if held.info.length.is_some() || length < held.offset {
            return Err(Refusal::length());
        }
        if length > limit {
            return Err(Refusal::too_large());
        }
        held.declare(length).await?;
    }
    if !held.info.recorded {
        append(&mut held, &headers, limit, payload).await?;
    }
    progress(sender, &requester, held).await
}

/// The state of an upload, with its length and metadata.
///
/// # Errors
/// 404 and 410 for unknown and expired uploads.
pub(crate) async fn look(sender: &Sender<'_>, id: &UploadId) -> Result<(Info, Progress), Refusal> {
    sender.may_look(id)?;
    let mut held = sender.hold(id).await?;
    let mut complete = held.info.recorded;
    if held.is_whole() && !complete {
        // The process ended between the last byte and the row. A client that sees all bytes received considers the upload done.
        let requester = Requester::new(sender.state, sender.request, None, sender.operation);
        let requester = requester.with_owner(held.info.owner.clone());
        if is_replaced(sender.state, &requester, &held).await? {
            held.recorded().await?;
        } else {
            finish(sender.state, &requester, &mut held).await?;
        }
        complete = true;
    }
    let progress = Progress { offset: held.offset, complete, expires: sender.expires(&held) };
    Ok((held.info.clone(), progress))
}

/// Terminates an unfinished upload.
///
/// # Errors
/// 404 and 410 for unknown and expired uploads, 400 for finished ones, refusals by policies.
pub(crate) async fn terminate(sender: &Sender<'_>, id: &UploadId) -> Result<(), Refusal> {
    let held = sender.hold(id).await?;
    sender.allowed(id, Some(&held.info.metadata), held.info.length).await?;
    if held.info.recorded || held.is_whole() {
        return Err(Refusal::new(400, "Cannot terminate an already completed upload"));
    }
    Ok(held.remove().await?)
}

/// Appends a body. Bytes received before an error are kept.
async fn append(held: &mut Held, headers: &Headers, limit: u64, mut payload: Payload) -> Result<(), Refusal> {
    let end = held.info.length.unwrap_or(limit);
    if headers.body_length.is_some_and(|length| held.offset.saturating_add(length) > end) {
        return Err(Refusal::beyond_length());
    }
    let mut left = end.saturating_sub(held.offset);
    let wanted = held.wanted.clone();
    let outcome = loop {
        let next = tokio::select! {
            // The same client most likely lost this connection and has come back.
            () = wanted.notified() => break Ok(()),
            next = tokio::time::timeout(STALL, payload.next()) => next,
        };
        match next {
            Ok(None) => break Ok(()),
            Ok(Some(Ok(mut piece))) => {
                let most = usize::try_from(left).unwrap_or(usize::MAX);
                let beyond = piece.len() > most;
                piece.truncate(most);
                left -= piece.len() as u64;
                held.write(&piece).await?;
                if beyond {
                    break Err(Refusal::too_large());
                }
            }
            Ok(Some(Err(_))) | Err(_) => break Err(Refusal::new(400, "The request body broke off\n")),
        }
    };
    held.sync().await?;
    outcome
}

/// Finishes the upload if all bytes are received.
async fn progress(sender: &Sender<'_>, requester: &Requester, mut held: Held) -> Result<Progress, Refusal> {
    let complete = held.is_whole();
    if complete && !held.info.recorded {
        finish(sender.state, requester, &mut held).await?;
    }
    Ok(Progress { offset: held.offset, complete, expires: sender.expires(&held) })
}

/// Links the file, writes the row, marks the upload as finished. Safe to repeat after a crash in between.
async fn finish(state: &State, requester: &Requester, held: &mut Held) -> Result<(), StorageError> {
    // Placeholders of empty folders must be empty.
    if names::is_folder_placeholder(&held.info.key) && held.offset > 0 {
        return Err(StorageError::too_large());
    }
    let written = match held.publish(&state.files, state.config.strips(&held.info.bucket)).await {
        // More requests would only repeat the work.
        Err(error) if error == StorageError::unstrippable() => {
            held.remove().await?;
            return Err(error);
        }
        published => published?,
    };
    let metadata = &held.info.metadata;
    let kind = metadata.get("contentType").unwrap_or(UNTYPED);
    let facts = upload::facts(&written, kind, metadata.get("cacheControl").unwrap_or("no-cache"), None);
    let custom = custom(metadata);
    let (place, upsert) = (held.info.place(), held.info.upsert);
    upload::record_again(state, requester, &place, upsert, &facts, custom.as_deref()).await?;
    held.recorded().await
}

/// True if the content of another version of the object is newer than this upload's last byte. Its row may be newer, because SQL
/// ends signed URLs there.
async fn is_replaced(state: &State, requester: &Requester, held: &Held) -> Result<bool, StorageError> {
    let written = held.written_at().await?;
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let found = objects::find(&tx, &held.info.bucket, &held.info.key).await?;
    let own = held.info.version.to_string();
    Ok(found.is_some_and(|object| object.version.as_ref() != Some(&own) && serve::modified(&object) > Some(written)))
}

/// User metadata; ignored unless it is JSON.
fn custom(metadata: &Metadata) -> Option<Box<RawValue>> {
    json::checked(metadata.get("metadata")?.as_bytes().to_vec())
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn target(id: &UploadId) -> Target {
    Target { bucket: id.bucket.clone(), key: id.key.clone() }
}
