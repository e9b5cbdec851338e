//! The limits of a bucket.

use serde_json::Value;

use crate::config::Config;
use crate::error::StorageError;
use crate::protocol::{content, sizes};
use crate::wire::Fields;

/// `file_size_limit`: bytes, a size such as `20MB`, or null for none; `None` if absent.
///
/// DEVIATION (stricter): a `file_size_limit` has no exponent, and the message about a wrong one is shorter than upstream's.
pub(super) fn file_size(config: &Config, body: &Fields) -> Result<Option<Option<i64>>, StorageError> {
    let bytes = match body.get("file_size_limit") {
        None => return Ok(None),
        Some(Value::Null) => return Ok(Some(None)),
        Some(Value::String(text)) if text.parse::<i64>().is_err() => sizes::parse(text)?,
        Some(_) => body.integer("file_size_limit", 0)?.unwrap_or_default(),
    };
    if u64::try_from(bytes).is_ok_and(|bytes| bytes > config.file_size_limit) {
        return Err(StorageError::too_large());
    }
    Ok(Some(Some(bytes)))
}

/// `allowed_mime_types`: patterns, or null for all; `None` if absent.
pub(super) fn mime_types(body: &Fields) -> Result<Option<Option<Vec<String>>>, StorageError> {
    if matches!(body.get("allowed_mime_types"), Some(Value::Null)) {
        return Ok(Some(None));
    }
    let Some(mut types) = body.texts("allowed_mime_types")? else { return Ok(None) };
    types.retain(|text| !text.is_empty());
    types.iter().try_for_each(|text| content::pattern(text))?;
    Ok(Some(Some(types)))
}
