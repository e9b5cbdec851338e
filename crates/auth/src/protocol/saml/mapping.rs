//! Attribute mappings: how administrators map a provider's attributes to claims.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::protocol::body::kind;

/// The sources of claims, by claim name. Also its shape on the wire and in the database.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct AttributeMapping {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) keys: BTreeMap<String, AttributeSource>,
}

/// The source of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct AttributeSource {
    /// An attribute; takes precedence over `names`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// Attributes; the first one with a value is used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
    /// The claim's value if no attribute has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub(crate) default: Option<Value>,
    /// True if the claim is the list of all values instead of the first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) array: bool,
}

impl AttributeMapping {
    /// Reads a mapping from a request; `None` if it has no keys.
    ///
    /// # Errors
    /// Go's message about a wrong type.
    pub(crate) fn read(value: &Value) -> Result<Option<Self>, String> {
        let place = "CreateSSOProviderParams.attribute_mapping";
        let Some(fields) = object(value, place, "models.SAMLAttributeMapping")? else { return Ok(None) };
        let Some(keys) = field(fields, "keys") else { return Ok(None) };
        let place = "SAMLAttributeMapping.attribute_mapping.keys";
        let Some(keys) = object(keys, place, "map[string]models.SAMLAttribute")? else { return Ok(None) };
        let keys = keys.iter().map(|(name, source)| Ok((name.clone(), AttributeSource::read(source)?)));
        Ok(Some(AttributeMapping { keys: keys.collect::<Result<_, String>>()? }))
    }
}

impl AttributeSource {
    fn read(value: &Value) -> Result<Self, String> {
        let place = "SAMLAttributeMapping.attribute_mapping.keys";
        let Some(fields) = object(value, place, "models.SAMLAttribute")? else { return Ok(Self::default()) };
        let of = |name: &str| format!("SAMLAttribute.attribute_mapping.keys.{name}");
        let text = |value: &Value, name: &str| match value {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.clone()),
            other => Err(unfit(other, &of(name), "string")),
        };
        Ok(AttributeSource {
            name: field(fields, "name").map_or(Ok(String::new()), |value| text(value, "name"))?,
            names: match field(fields, "names") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(items)) => items.iter().map(|item| text(item, "names")).collect::<Result<_, _>>()?,
                Some(other) => return Err(unfit(other, &of("names"), "[]string")),
            },
            default: field(fields, "default").filter(|value| !value.is_null()).cloned(),
            array: match field(fields, "array") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(array)) => *array,
                Some(other) => return Err(unfit(other, &of("array"), "bool")),
            },
        })
    }
}

/// Names match as in Go: exactly, or else case-insensitively.
fn field<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let similar = || fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    fields.get(name).or_else(similar)
}

fn object<'a>(value: &'a Value, place: &str, expected: &str) -> Result<Option<&'a Map<String, Value>>, String> {
    match value {
        Value::Null => Ok(None),
        Value::Object(fields) => Ok(Some(fields)),
        other => Err(unfit(other, place, expected)),
    }
}

fn unfit(value: &Value, place: &str, expected: &str) -> String {
    format!("json: cannot unmarshal {} into Go struct field {place} of type {expected}", kind(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mappings_are_read_and_written_as_by_gotrue() {
        let mapping = json!({ "Keys": {
            "z": { "NAME": "Z", "more": 1 }, "a": { "names": ["x", null], "default": 0, "array": true },
            "n": null, "d": { "default": null, "array": false, "name": "" },
        } });
        let mapping = AttributeMapping::read(&mapping).unwrap().unwrap();
        let written = serde_json::to_string(&mapping).unwrap();
        assert_eq!(
            written,
            r#"{"keys":{"a":{"names":["x",""],"default":0,"array":true},"d":{},"n":{},"z":{"name":"Z"}}}"#
        );
        assert_eq!(serde_json::from_str::<AttributeMapping>(&written).unwrap(), mapping);
        for nothing in [json!(null), json!({}), json!({ "keys": null })] {
            assert_eq!(AttributeMapping::read(&nothing).unwrap(), None);
        }
        let empty = AttributeMapping::read(&json!({ "keys": {} })).unwrap().unwrap();
        assert_eq!(serde_json::to_string(&empty).unwrap(), "{}");
    }

    #[test]
    fn wrong_types_are_told_in_gos_words() {
        let of = "json: cannot unmarshal";
        for (mapping, words) in [
            (
                json!("x"),
                "string into Go struct field CreateSSOProviderParams.attribute_mapping of type models.SAMLAttributeMapping",
            ),
            (
                json!({ "keys": "x" }),
                "string into Go struct field SAMLAttributeMapping.attribute_mapping.keys of type map[string]models.SAMLAttribute",
            ),
            (
                json!({ "keys": { "a": "x" } }),
                "string into Go struct field SAMLAttributeMapping.attribute_mapping.keys of type models.SAMLAttribute",
            ),
            (
                json!({ "keys": { "a": { "name": 1 } } }),
                "number into Go struct field SAMLAttribute.attribute_mapping.keys.name of type string",
            ),
            (
                json!({ "keys": { "a": { "names": "x" } } }),
                "string into Go struct field SAMLAttribute.attribute_mapping.keys.names of type []string",
            ),
            (
                json!({ "keys": { "a": { "names": [1] } } }),
                "number into Go struct field SAMLAttribute.attribute_mapping.keys.names of type string",
            ),
            (
                json!({ "keys": { "a": { "array": "x" } } }),
                "string into Go struct field SAMLAttribute.attribute_mapping.keys.array of type bool",
            ),
        ] {
            assert_eq!(AttributeMapping::read(&mapping).unwrap_err(), format!("{of} {words}"));
        }
    }
}
