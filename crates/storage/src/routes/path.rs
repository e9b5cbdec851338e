//! Reads bucket, key and query from a URL.

use actix_web::HttpRequest;
use gateway::Refusal;
use percent_encoding::percent_decode_str;

use crate::error::StorageError;
use crate::flows::upload::Target;
use crate::refusal::refused;

/// Bucket and key: the decoded parts of the path after the mount point and `words`. Slashes in the key stay as they
/// are.
///
/// DEVIATION (words): a path without a key is no route; upstream says that its bucket or its key is wrong.
///
/// # Errors
/// 404 if there is no key.
pub(crate) fn target(request: &HttpRequest, words: &str) -> Result<Target, StorageError> {
    let path = request.uri().path();
    let own = path.strip_prefix(crate::state::mount_of(request)).unwrap_or(path);
    let rest = own.strip_prefix(words).and_then(|rest| rest.strip_prefix('/'));
    let parts = rest.and_then(|rest| rest.split_once('/')).filter(|(_, key)| !key.is_empty());
    let (bucket, key) = parts.ok_or_else(|| refused(request, Refusal::NotFound))?;
    Ok(Target { bucket: decoded(bucket)?, key: decoded(key)? })
}

/// A named part of the path.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn part(request: &HttpRequest, name: &str) -> Result<String, StorageError> {
    decoded(request.match_info().query(name))
}

/// The value of a query parameter.
///
/// DEVIATION (more): of a parameter that is given twice the first value counts; upstream refuses the request.
pub(crate) fn query(request: &HttpRequest, name: &str) -> Option<String> {
    let pairs = url::form_urlencoded::parse(request.query_string().as_bytes());
    pairs.filter(|(own, _)| own == name).map(|(_, value)| value.into_owned()).next()
}

/// A required query parameter.
///
/// # Errors
/// In the words of upstream's validator.
pub(crate) fn required(request: &HttpRequest, name: &str) -> Result<String, StorageError> {
    let missing = || StorageError::validation(format!("querystring must have required property '{name}'"));
    query(request, name).ok_or_else(missing)
}

/// A query parameter that must be an integer of at least `least`.
///
/// # Errors
/// In the words of upstream's validator.
pub(crate) fn integer(request: &HttpRequest, name: &str, least: i64) -> Result<Option<i64>, StorageError> {
    let Some(text) = query(request, name) else { return Ok(None) };
    let wrong = |what: &str| StorageError::validation(format!("querystring/{name} must be {what}"));
    let number = text.trim().parse().map_err(|_| wrong("integer"))?;
    if number < least { Err(wrong(&format!(">= {least}"))) } else { Ok(Some(number)) }
}

/// A query parameter that must be a boolean.
///
/// # Errors
/// In the words of upstream's validator.
pub(crate) fn flag(request: &HttpRequest, name: &str) -> Result<Option<bool>, StorageError> {
    match query(request, name).as_deref() {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(StorageError::validation(format!("querystring/{name} must be boolean"))),
    }
}

fn decoded(text: &str) -> Result<String, StorageError> {
    let wrong = |_| StorageError::key(text);
    percent_decode_str(text).decode_utf8().map(std::borrow::Cow::into_owned).map_err(wrong)
}
