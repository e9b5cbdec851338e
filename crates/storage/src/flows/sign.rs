//! Tokens of signed URLs: for reading an object, or for uploading it once.

use serde_json::{Map, Value, json};

use super::upload::Target;
use crate::error::StorageError;
use crate::refusal::token_error;
use crate::state::State;
#[cfg(doc)]
use crate::store::objects::Object;

/// The permission of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Download,
    Upload,
}

impl Scope {
    fn name(self) -> &'static str {
        match self {
            Scope::Download => "download",
            Scope::Upload => "upload",
        }
    }
}

/// The content of a token.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
    /// When it was made, in seconds since 1970; later where it was made after SQL had ended the URLs of the next minutes.
    pub(crate) issued: i64,
    pub(crate) owner: Option<String>,
    pub(crate) upsert: bool,
    /// How a picture is to be shown; empty where the token does not say it.
    pub(crate) transformations: String,
    /// Seconds since 1970.
    pub(crate) expires: i64,
}

/// The last second that a token may name: its milliseconds are the largest safe integer of JavaScript.
const LAST: i64 = 9_007_199_254_740;

/// The claim with [`Object::signed_from`] where that is later than now.
const FROM: &str = "signedUrlsFrom";

/// How many seconds a token is good for reading an object, if its caller wants it to be good for `wanted` ones.
///
/// DEVIATION (more): the setting `storage.signed_url_limit` limits how long a signed URL is good; a request for a longer time gets
/// the limit.
///
/// # Errors
/// `InvalidParameter` for a time that upstream cannot sign either.
pub(crate) fn life(state: &State, wanted: i64) -> Result<i64, StorageError> {
    if wanted > LAST - state.clock.unix() {
        return Err(StorageError::invalid_parameter("Invalid Parameter expiresIn"));
    }
    Ok(state.config.signed_url_limit.map_or(wanted, |most| wanted.min(most)))
}

/// A token for reading an object, or an image rendered from it. `from` is [`Object::signed_from`].
///
/// # Errors
/// If signing fails.
pub(crate) fn download(
    state: &State,
    target: &Target,
    life: i64,
    transformations: &str,
    from: i64,
) -> Result<String, StorageError> {
    let mut claims = if transformations.is_empty() { json!({}) } else { json!({ "transformations": transformations }) };
    let now = state.clock.unix();
    claims["iat"] = Value::from(now);
    // SQL may end the URLs of the next minutes, too. A token from the future would be refused.
    if from > now {
        claims[FROM] = Value::from(from);
    }
    claims["exp"] = Value::from(now.saturating_add(life));
    sign(state, claims, target, Scope::Download)
}

/// A token for uploading an object.
///
/// # Errors
/// If signing fails.
pub(crate) fn upload(
    state: &State,
    target: &Target,
    owner: Option<&str>,
    upsert: bool,
) -> Result<String, StorageError> {
    let mut claims = json!({ "upsert": upsert });
    if let Some(owner) = owner {
        claims["owner"] = Value::from(owner);
    }
    let life = i64::try_from(state.config.signed_upload_life.as_secs()).unwrap_or(i64::MAX);
    let now = state.clock.unix();
    claims["iat"] = Value::from(now);
    claims["exp"] = Value::from(now.saturating_add(life));
    sign(state, claims, target, Scope::Upload)
}

/// The error of a token whose time is over.
pub(crate) fn expired() -> StorageError {
    StorageError::new(400, "InvalidJWT", "InvalidJWT", token_error(&gateway::TokenError::Expired))
}

fn sign(state: &State, claims: Value, target: &Target, scope: Scope) -> Result<String, StorageError> {
    let mut claims: Map<String, Value> = claims.as_object().cloned().unwrap_or_default();
    claims.insert("url".to_owned(), Value::from(format!("{}/{}", target.bucket, target.key)));
    claims.insert("scope".to_owned(), Value::from(scope.name()));
    state.url_keys.sign(&claims).map_err(StorageError::internal)
}

/// Verifies a token in upstream's order: signature and times, scope, path.
///
/// # Errors
/// `InvalidJWT`, `InvalidSignature`.
pub(crate) fn verify(state: &State, token: &str, target: &Target, scope: Scope) -> Result<Signed, StorageError> {
    // Any of the project's keys may have signed it, as with upstream's JWKS.
    let claims = state.url_keys.verify(token).or_else(|first| state.keys.verify(token).map_err(|_| first));
    let claims = claims.map_err(|error| StorageError::new(400, "InvalidJWT", "InvalidJWT", token_error(&error)))?;
    // Tokens of older versions have no scope.
    let found = match claims.string("scope") {
        Some("upload") => Scope::Upload,
        Some("download") => Scope::Download,
        Some(_) => return Err(StorageError::signature(format!("Token is not scoped for {}", scope.name()))),
        None if claims.get("upsert").is_some() => Scope::Upload,
        None => Scope::Download,
    };
    if found != scope {
        return Err(StorageError::signature(format!("Token is not scoped for {}", scope.name())));
    }
    if claims.string("url") != Some(&format!("{}/{}", target.bucket, target.key)) {
        return Err(StorageError::signature("Invalid signature"));
    }
    let Some(expires) = claims.get("exp").and_then(Value::as_i64) else {
        return Err(StorageError::new(400, "ExpiredToken", "ExpiredToken", "The provided token has expired."));
    };
    // `verify` allows for clock skew; for our own tokens none is needed.
    if expires <= state.clock.unix() {
        return Err(expired());
    }
    let upsert = claims.get("upsert").and_then(Value::as_bool).unwrap_or_default();
    let transformations = claims.string("transformations").unwrap_or_default().to_owned();
    let time = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or_default();
    let issued = time("iat").max(time(FROM));
    Ok(Signed { issued, owner: claims.string("owner").map(str::to_owned), upsert, transformations, expires })
}
