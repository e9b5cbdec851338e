//! Filters of `QueryVectors` as conditions on the column `metadata`.
//!
//! Source: supabase/storage, `src/storage/protocols/vector/adapter/pgvector/filter.ts`.

use std::collections::BTreeSet;

use pg::Snippet;
use serde_json::{Map, Value};

use crate::error::StorageError;

/// A filter that fits its shape, as a condition.
///
/// # Errors
/// If it has no clause.
pub(crate) fn condition(filter: &Value) -> Result<Snippet, StorageError> {
    let empty = || StorageError::invalid_parameter("Filter must contain at least one clause");
    let members = filter.as_object().filter(|members| !members.is_empty()).ok_or_else(empty)?;
    for (word, joiner) in [("$and", " and "), ("$or", " or ")] {
        if let Some(filters) = members.get(word).and_then(Value::as_array) {
            let parts = filters.iter().map(|filter| condition(filter).map(bracketed));
            return Ok(Snippet::join(parts.collect::<Result<Vec<_>, _>>()?, joiner));
        }
    }
    Ok(Snippet::join(members.iter().map(|(name, value)| field(name, value)), " and "))
}

/// The fields that a filter looks at.
pub(crate) fn fields(filter: &Value) -> BTreeSet<&str> {
    let Some(members) = filter.as_object() else { return BTreeSet::new() };
    let nested = ["$and", "$or"].into_iter().filter_map(|word| members.get(word)?.as_array()).flatten();
    let own = members.keys().map(String::as_str).filter(|name| !name.starts_with('$'));
    nested.flat_map(fields).chain(own).collect()
}

/// A value as PostgreSQL prints it in `metadata ->> name`.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        other => other.to_string(),
    }
}

fn field(name: &str, value: &Value) -> Snippet {
    match value {
        Value::Object(operators) => {
            bracketed(Snippet::join(operators.iter().map(|(operator, value)| compared(name, operator, value)), " and "))
        }
        value => equal(name, value),
    }
}

fn compared(name: &str, operator: &str, value: &Value) -> Snippet {
    let values = || value.as_array().map(Vec::as_slice).unwrap_or_default();
    match operator {
        "$eq" => equal(name, value),
        "$ne" => none_of(name, std::slice::from_ref(value)),
        "$in" => one_of(name, values()),
        "$nin" => none_of(name, values()),
        "$exists" => {
            let mut sql = Snippet::raw(if value == &Value::Bool(true) { "" } else { "not " });
            sql.push("jsonb_exists(metadata, ").param(name.to_owned()).push(")");
            sql
        }
        operator => {
            let operator = match operator {
                "$gt" => " > ",
                "$gte" => " >= ",
                "$lt" => " < ",
                _ => " <= ",
            };
            // The case keeps other types from the cast.
            let mut sql = Snippet::raw("(case when ");
            sql.append(kind(name)).push(" = 'number' then (").append(printed(name)).push(")::numeric");
            sql.push(operator).param(text(value)).push("::numeric else false end)");
            sql
        }
    }
}

fn equal(name: &str, value: &Value) -> Snippet {
    one_of(name, std::slice::from_ref(value))
}

/// The field, or an item of it, is one of the values.
fn one_of(name: &str, values: &[Value]) -> Snippet {
    let mut sql = Snippet::raw("(");
    sql.append(printed(name))
        .push(" = any (")
        .append(list(values))
        .push(") or ")
        .append(has_item(name, values))
        .push(")");
    sql
}

/// The field exists, and neither it nor an item of it is one of the values.
fn none_of(name: &str, values: &[Value]) -> Snippet {
    let mut sql = Snippet::raw("(case when ");
    sql.append(kind(name)).push(" = 'array' then not ").append(has_item(name, values)).push(" else ");
    sql.append(printed(name)).push(" <> all (").append(list(values)).push(") end)");
    sql
}

fn has_item(name: &str, values: &[Value]) -> Snippet {
    let mut sql = Snippet::raw("exists (select from jsonb_array_elements(case when ");
    sql.append(kind(name)).push(" = 'array' then metadata -> ").param(name.to_owned());
    sql.push(" else '[]'::jsonb end) as item (value) where item.value #>> '{}' = any (")
        .append(list(values))
        .push("))");
    sql
}

fn printed(name: &str) -> Snippet {
    let mut sql = Snippet::raw("metadata ->> ");
    sql.param(name.to_owned());
    sql
}

fn kind(name: &str) -> Snippet {
    let mut sql = Snippet::raw("jsonb_typeof(metadata -> ");
    sql.param(name.to_owned()).push(")");
    sql
}

fn list(values: &[Value]) -> Snippet {
    let texts: Vec<Value> = values.iter().map(|value| Value::from(text(value))).collect();
    let mut sql = Snippet::raw("array(select jsonb_array_elements_text(");
    sql.param(Value::from(texts).to_string()).push("::jsonb))");
    sql
}

fn bracketed(inner: Snippet) -> Snippet {
    let mut sql = Snippet::raw("(");
    sql.append(inner).push(")");
    sql
}

/// Metadata whose numbers are written as JavaScript writes them, so that `2.0` equals `2`.
pub(crate) fn normal(metadata: &Map<String, Value>) -> Map<String, Value> {
    let value = |value: &Value| match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "below 2^53 without a fraction")]
            Some(double) if number.is_f64() && double.fract() == 0.0 && double.abs() < 9e15 => {
                Value::from(double as i64)
            }
            _ => Value::Number(number.clone()),
        },
        other => other.clone(),
    };
    let field = |field: &Value| match field {
        Value::Array(items) => items.iter().map(value).collect(),
        other => value(other),
    };
    metadata.iter().map(|(name, own)| (name.clone(), field(own))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_values_are_parameters() {
        let filter = json!({ "$or": [{ "a'b": "x" }, { "n": { "$gte": 5, "$ne": true } }] });
        let (text, values) = condition(&filter).unwrap().render();
        assert!(!text.contains("a'b") && text.contains(") or ("), "{text}");
        let values: Vec<_> = values.iter().map(|value| String::from_utf8_lossy(value.as_deref().unwrap())).collect();
        assert_eq!(values[..2], ["a'b", "[\"x\"]"]);
        assert_eq!(fields(&filter).into_iter().collect::<Vec<_>>(), ["a'b", "n"]);
        assert_eq!(condition(&json!({})).unwrap_err().to_string(), "Filter must contain at least one clause");
    }

    #[test]
    fn numbers_are_written_as_in_the_column() {
        for (number, expected) in
            [(json!(10), "10"), (json!(10.0), "10"), (json!(0.75), "0.75"), (json!(1e-7), "0.0000001")]
        {
            assert_eq!(text(&number), expected);
        }
        assert_eq!(Value::from(normal(json!({ "a": [2.0, 0.5] }).as_object().unwrap())), json!({ "a": [2, 0.5] }));
    }
}
