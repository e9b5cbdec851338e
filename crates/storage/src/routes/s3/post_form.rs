//! `POST /{bucket}` with a form: an upload from a browser, allowed by a signed policy.

use std::collections::BTreeMap;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse};
use multer::{Field, Multipart};
use subtle::ConstantTimeEq;

use super::call::{Resource, user_metadata};
use super::put_object::{UNTYPED, stored};
use super::signature;
use crate::error::StorageError;
use crate::flows::receive::{Body, Incoming, Properties, Rules, forwarded, header};
use crate::flows::upload::{self, Target};
use crate::protocol::policy;
use crate::s3_keys::{hex, signed};
use crate::session::Requester;
use crate::state::State;

/// Maximum number of fields before the file.
const FIELDS: usize = 20;
/// Maximum size of all fields before the file, in bytes.
///
/// DEVIATION (stricter): the fields of an S3 form may have 64 KiB in all, each at upstream 1 MiB; S3 allows 20 KiB.
const FIELDS_LIMIT: usize = 64 * 1024;

/// Stores the file of a form, in the place of an earlier object.
pub(super) async fn post(
    state: &State,
    request: &HttpRequest,
    resource: &Resource,
    payload: Payload,
) -> Result<HttpResponse, StorageError> {
    let content_type = header(request, CONTENT_TYPE.as_str()).unwrap_or_default();
    let boundary = multer::parse_boundary(content_type).map_err(|_| broken())?;
    let (mut fields, file) = fields(Multipart::new(forwarded(payload), boundary)).await?;
    let token = fields.get("x-amz-security-token").filter(|token| !token.is_empty()).cloned();
    verify(state, &fields, token.is_some())?;
    fields.insert("bucket".to_owned(), resource.bucket.clone());
    let encoded = fields.get("policy").map(String::as_str).unwrap_or_default();
    let length = policy::check(encoded, &fields, state.clock.unix())?;

    let signer = signature::signer(state, request, token).await?;
    let requester = Requester::with_token(state, request, Some(&signer.caller), &signer.token, "storage.s3.upload");
    let target = Target { bucket: resource.bucket.clone(), key: fields.get("key").cloned().unwrap_or_default() };
    let bucket = upload::bucket(state, &requester, &target.bucket).await?;
    let text = |name: &str, otherwise: &str| fields.get(name).map_or(otherwise, String::as_str).to_owned();
    let properties = Properties {
        mime_type: text("content-type", UNTYPED),
        cache_control: text("cache-control", "no-cache"),
        user_metadata: Some(user_metadata(fields.clone().into_iter())?),
        declared: None,
        least: length.least,
    };
    let limit = state.config.standard_limit(bucket.file_size_limit).min(length.most);
    let types = bucket.allowed_mime_types.unwrap_or_default();
    let rules = Rules { key: &target.key, limit, types: &types };
    let incoming = Incoming::plain(properties, Body::File(Box::new(file)), &rules)?;
    Ok(stored(&upload::store(state, &requester, &target, true, incoming).await?))
}

/// The fields before the file, with names in lower case, and the file.
async fn fields(mut form: Multipart<'static>) -> Result<(BTreeMap<String, String>, Field<'static>), StorageError> {
    let (mut fields, mut length) = (BTreeMap::new(), 0);
    for _ in 0..=FIELDS {
        let Some(mut field) = form.next_field().await.map_err(|_| broken())? else {
            return Err(StorageError::invalid_parameter("Invalid Parameter Missing file"));
        };
        let name = field.name().unwrap_or_default().to_ascii_lowercase();
        if name == "file" || field.file_name().is_some() {
            return Ok((fields, field));
        }
        let mut value = Vec::new();
        while let Some(piece) = field.chunk().await.map_err(|_| broken())? {
            length += piece.len();
            if length > FIELDS_LIMIT {
                return Err(StorageError::too_large_entity("form fields"));
            }
            value.extend_from_slice(&piece);
        }
        let value = String::from_utf8(value).map_err(|_| broken())?;
        if fields.insert(name, value).is_some() {
            return Err(StorageError::signature("Duplicate form field in POST policy request"));
        }
    }
    Err(StorageError::invalid_request("The form has too many fields before its file"))
}

/// Checks the signature of the policy.
fn verify(state: &State, fields: &BTreeMap<String, String>, with_token: bool) -> Result<(), StorageError> {
    let text = |name: &str| fields.get(name).map(String::as_str).filter(|text| !text.is_empty());
    let malformed = || StorageError::signature("Invalid signature format");
    if text("x-amz-signature").is_none() && text("policy").is_none() {
        return Err(StorageError::access_denied("Missing signature"));
    }
    let credential = text("x-amz-credential").ok_or_else(malformed)?;
    let (signature, policy) = (text("x-amz-signature").ok_or_else(malformed)?, text("policy").ok_or_else(malformed)?);
    text("x-amz-date").ok_or_else(malformed)?;
    let parts: Vec<&str> = credential.split('/').collect();
    let [id, date, region, service, end] = parts[..] else {
        return Err(StorageError::signature("Invalid credentials"));
    };
    signature::in_region(state, credential)?;
    let key = signature::key(state, with_token)?;
    let mut secret = format!("AWS4{}", key.secret.reveal()).into_bytes();
    for step in [date, region, service, end] {
        secret = signed(&secret, step.as_bytes());
    }
    let expected = hex(&signed(&secret, policy.as_bytes()));
    let is_equal = bool::from(expected.as_bytes().ct_eq(signature.as_bytes()));
    if is_equal && id == key.id && service == "s3" && end == "aws4_request" {
        return Ok(());
    }
    Err(signature::mismatch(with_token))
}

fn broken() -> StorageError {
    StorageError::invalid_request("No content provided")
}
