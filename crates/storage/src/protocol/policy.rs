//! Policies of S3's POST forms. The holder of an access key signs what a form may contain.
//!
//! Source: supabase/storage, `src/storage/protocols/s3/policy.ts`; Amazon S3 API Reference, "POST policy".

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::DateTime;
use serde_json::Value;

use crate::error::StorageError;

/// Fields that no condition needs to cover.
const EXEMPT: [&str; 6] =
    ["policy", "x-amz-signature", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-security-token"];

/// How many bytes the file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    pub(crate) least: u64,
    pub(crate) most: u64,
}

/// Checks the fields of a form, with names in lower case, against its policy, which is base64 of JSON.
///
/// DEVIATION (safer): the condition `content-length-range` holds; upstream accepts it and does not check it.
///
/// # Errors
/// `InvalidSignature` for what is no policy, `ExpiredToken`, `AccessDenied` for a field that breaks it.
pub(crate) fn check(encoded: &str, fields: &BTreeMap<String, String>, now: i64) -> Result<Length, StorageError> {
    let invalid = || StorageError::signature("Invalid POST policy");
    let text = BASE64_STANDARD.decode(encoded).map_err(|_| invalid())?;
    let policy: Value = serde_json::from_slice(&text).map_err(|_| invalid())?;
    let expiration = policy.get("expiration").and_then(Value::as_str).filter(|text| !text.is_empty());
    let expiration = expiration.ok_or_else(|| StorageError::signature("Missing policy expiration"))?;
    let expiration = DateTime::parse_from_rfc3339(expiration);
    let expiration = expiration.map_err(|_| StorageError::signature("Invalid policy expiration"))?;
    if expiration.timestamp() < now {
        return Err(StorageError::expired());
    }
    let conditions = policy.get("conditions").and_then(Value::as_array);
    let conditions = conditions.ok_or_else(|| StorageError::signature("Invalid policy conditions"))?;
    let mut length = Length { least: 0, most: u64::MAX };
    let mut covered = BTreeSet::new();
    for condition in conditions {
        if let Some(field) = hold(condition, fields, &mut length)? {
            covered.insert(field);
        }
    }
    for field in fields.keys() {
        let exempt = EXEMPT.contains(&field.as_str()) || field.starts_with("x-ignore-");
        if !exempt && !covered.contains(field) {
            let message = format!("Policy condition failed: field \"{field}\" is not covered by the policy");
            return Err(StorageError::access_denied(message));
        }
    }
    Ok(length)
}

/// Checks one condition and returns the field that it covers.
fn hold(
    condition: &Value,
    fields: &BTreeMap<String, String>,
    length: &mut Length,
) -> Result<Option<String>, StorageError> {
    let invalid = || StorageError::signature("Invalid policy condition");
    if let Some(object) = condition.as_object() {
        let (name, value) = object.iter().next().filter(|_| object.len() == 1).ok_or_else(invalid)?;
        return equal(name, value, fields).map(Some);
    }
    let unsupported = || StorageError::signature("Unsupported policy condition");
    let [operator, target, value] = condition.as_array().map_or(&[][..], Vec::as_slice) else {
        return Err(unsupported());
    };
    let operator = operator.as_str().unwrap_or_default();
    if operator == "content-length-range" {
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let (least, most) = (number(target).ok_or_else(invalid)?, number(value).ok_or_else(invalid)?);
        *length = Length { least: length.least.max(least), most: length.most.min(most) };
        return Ok(None);
    }
    if !matches!(operator, "eq" | "starts-with") {
        return Err(unsupported());
    }
    let name = target.as_str().and_then(|target| target.strip_prefix('$')).ok_or_else(invalid)?;
    if operator == "eq" {
        return equal(name, value, fields).map(Some);
    }
    let (name, prefix) = (name.to_ascii_lowercase(), text(value));
    match fields.get(&name) {
        Some(found) if found.starts_with(&prefix) => Ok(Some(name)),
        _ => {
            let message = format!("Policy condition failed: \"{name}\" does not start with \"{prefix}\"");
            Err(StorageError::access_denied(message))
        }
    }
}

fn equal(name: &str, value: &Value, fields: &BTreeMap<String, String>) -> Result<String, StorageError> {
    let name = name.to_ascii_lowercase();
    if fields.get(&name) == Some(&text(value)) {
        return Ok(name);
    }
    Err(StorageError::access_denied(format!("Policy condition failed: \"{name}\" does not match")))
}

/// Numbers are compared as text.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: i64 = 1_700_000_000;

    fn checked(policy: &Value, fields: &[(&str, &str)]) -> Result<Length, (&'static str, String)> {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let encoded = BASE64_STANDARD.encode(policy.to_string());
        check(&encoded, &fields, NOW).map_err(|error| (error.code(), error.to_string()))
    }

    #[test]
    fn every_field_is_covered_and_every_condition_holds() {
        let future = "2099-01-01T00:00:00.000Z";
        let policy = |conditions: Value| json!({ "expiration": future, "conditions": conditions });
        let fields = [("bucket", "b"), ("key", "user/a.txt"), ("policy", "p"), ("x-ignore-me", "x")];
        let whole = policy(json!([{ "bucket": "b" }, ["starts-with", "$key", "user/"]]));
        assert_eq!(checked(&whole, &fields), Ok(Length { least: 0, most: u64::MAX }));
        let ranged = policy(json!([{ "Bucket": "b" }, ["eq", "$key", "user/a.txt"], ["content-length-range", 1, "9"]]));
        assert_eq!(checked(&ranged, &fields), Ok(Length { least: 1, most: 9 }));
        for (conditions, code, message) in [
            (json!([{ "bucket": "b" }]), "AccessDenied", "field \"key\" is not covered"),
            (json!([{ "bucket": "c" }, ["starts-with", "$key", ""]]), "AccessDenied", "\"bucket\" does not match"),
            (json!([{ "bucket": "b" }, ["starts-with", "$key", "other/"]]), "AccessDenied", "does not start with"),
            (json!([{ "bucket": "b" }, ["starts-with", "$key", ""], { "acl": "x" }]), "AccessDenied", "\"acl\""),
            (json!([{ "bucket": "b", "key": "k" }]), "InvalidSignature", "Invalid policy condition"),
            (json!([["eq", "key", "k"]]), "InvalidSignature", "Invalid policy condition"),
            (json!([["matches", "$key", "k"]]), "InvalidSignature", "Unsupported"),
            (json!(["key"]), "InvalidSignature", "Unsupported"),
            (json!({}), "InvalidSignature", "Invalid policy conditions"),
        ] {
            let (found, words) = checked(&policy(conditions.clone()), &fields).unwrap_err();
            assert!(found == code && words.contains(message), "{conditions}: {found} {words}");
        }
    }

    #[test]
    fn a_policy_ends() {
        for (expiration, code) in [
            (json!("2023-11-14T22:13:19Z"), Some("ExpiredToken")),
            (json!("2023-11-14T22:13:20Z"), None),
            (json!("soon"), Some("InvalidSignature")),
            (json!(null), Some("InvalidSignature")),
        ] {
            let policy = json!({ "expiration": expiration, "conditions": [] });
            assert_eq!(checked(&policy, &[]).err().map(|error| error.0), code, "{expiration}");
        }
    }
}
