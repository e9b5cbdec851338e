//! Types of PostgreSQL in OpenAPI's terms.

use serde_json::{Map, Value, json};

/// The media types that the API consumes and produces.
pub(super) fn mimes() -> Value {
    json!([
        "application/json",
        "application/vnd.pgrst.object+json;nulls=stripped",
        "application/vnd.pgrst.object+json",
        "text/csv"
    ])
}

/// The `type`; none for JSON, which can be of any type.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" => "boolean",
        "smallint" | "integer" | "bigint" => "integer",
        "numeric" | "real" | "double precision" => "number",
        "json" | "jsonb" => return None,
        name if name.ends_with("[]") => "array",
        _ => "string",
    })
}

/// The `format`.
pub(super) fn format(name: &str) -> &str {
    match name {
        "smallint" | "integer" => "int32",
        "bigint" => "int64",
        name => name,
    }
}

/// The element type of an array.
pub(super) fn element(name: &str) -> &str {
    name.strip_suffix("[]").unwrap_or(name)
}

/// `type`, `format` and `items` of a property.
pub(super) fn property(name: &str) -> Map<String, Value> {
    let mut property = Map::new();
    property.insert("format".to_owned(), format(name).into());
    if let Some(kind) = kind(name) {
        property.insert("type".to_owned(), kind.into());
    }
    if kind(name) == Some("array") {
        let items = self::kind(element(name)).map_or_else(|| json!({}), |kind| json!({ "type": kind }));
        property.insert("items".to_owned(), items);
    }
    property
}

/// The value of a column's default, if it is a constant.
pub(super) fn default(type_name: &str, expression: &str) -> Option<Value> {
    if kind(type_name) != Some("string") {
        return serde_json::from_str(expression).ok();
    }
    let text = match expression.strip_suffix(&format!("::{type_name}")) {
        Some(literal) => literal.trim_matches('\''),
        None => expression,
    };
    serde_json::from_str(&format!("\"{text}\"")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_values_where_they_are_constants() {
        for (kind, expression, value) in [
            ("text", "'x y'::text", Some(json!("x y"))),
            ("integer", "42", Some(json!(42))),
            ("integer", "nextval('s'::regclass)", None),
            ("boolean", "false", Some(json!(false))),
        ] {
            assert_eq!(default(kind, expression), value, "{expression}");
        }
    }

    #[test]
    fn arrays_name_their_elements() {
        assert_eq!(
            Value::Object(property("integer[]")),
            json!({ "format": "integer[]", "type": "array", "items": { "type": "integer" } })
        );
        assert_eq!(Value::Object(property("jsonb")), json!({ "format": "jsonb" }));
    }
}
