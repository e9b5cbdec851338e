//! Values of columns as JSON, as `to_jsonb` makes them.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::store::catalog::Column;

/// A value whose JSON is known here, or `None` where PostgreSQL has to make it: arrays, composites, ranges.
pub(super) fn json(column: &Column, text: &str) -> Option<String> {
    match (column.category, column.type_name.as_str()) {
        (b'B', _) => Some(if text == "t" { "true" } else { "false" }.to_owned()),
        (b'N', "money" | "oid" | "regclass" | "regtype" | "regproc" | "regrole" | "regnamespace") => None,
        (b'N', _) => Some(number(text).map_or_else(|| quoted(text), Cow::into_owned)),
        (b'S' | b'E', _) => Some(quoted(text)),
        (b'D', "timestamptz" | "timestamp" | "date") => timestamp(text).map(|text| quoted(&text)),
        (_, "json" | "jsonb") => serde_json::from_str::<&RawValue>(text).is_ok().then(|| text.to_owned()),
        (_, "uuid" | "bytea" | "inet" | "cidr" | "macaddr" | "tsvector") => Some(quoted(text)),
        _ => None,
    }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A number as JSON has it; `NaN` and `Infinity` are none.
fn number(text: &str) -> Option<Cow<'_, str>> {
    let mut bytes = text.bytes();
    let first = bytes.next()?;
    let is_number = (first == b'-' || first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'));
    is_number.then_some(Cow::Borrowed(text)).filter(|text| serde_json::from_str::<&RawValue>(text).is_ok())
}

/// ISO 8601 from PostgreSQL's output in style ISO at UTC; `None` for years before Christ, which `to_jsonb` writes in its own way.
fn timestamp(text: &str) -> Option<String> {
    if text.ends_with("BC") {
        return None;
    }
    let mut iso = text.replacen(' ', "T", 1);
    if iso.ends_with("+00") {
        iso.push_str(":00");
    }
    Some(iso)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pg::CatalogExpr;

    fn column(category: u8, type_name: &str) -> Column {
        Column {
            name: "c".to_owned(),
            type_name: type_name.to_owned(),
            type_sql: CatalogExpr::from_catalog(type_name.to_owned()),
            type_shown: type_name.to_owned(),
            category,
            is_key: false,
            readers: Default::default(),
        }
    }

    #[test]
    fn scalars_are_json() {
        for (category, kind, text, expected) in [
            (b'B', "bool", "t", Some("true")),
            (b'N', "int8", "9007199254740993", Some("9007199254740993")),
            (b'N', "numeric", "1.50", Some("1.50")),
            (b'N', "float8", "1e+20", Some("1e+20")),
            (b'N', "float8", "NaN", Some("\"NaN\"")),
            (b'N', "float8", "-Infinity", Some("\"-Infinity\"")),
            (b'N', "money", "$1.00", None),
            (b'S', "text", "a\"b", Some("\"a\\\"b\"")),
            (b'E', "mood", "it's ok", Some("\"it's ok\"")),
            (b'U', "jsonb", "{\"a\": [1]}", Some("{\"a\": [1]}")),
            (b'D', "timestamptz", "2026-11-22 20:00:00.5+00", Some("\"2026-11-22T20:00:00.5+00:00\"")),
            (b'D', "timestamp", "2026-11-22 20:00:00", Some("\"2026-11-22T20:00:00\"")),
            (b'D', "date", "2026-11-22", Some("\"2026-11-22\"")),
            (b'D', "date", "0001-01-01 BC", None),
            (b'U', "bytea", "\\x00ff", Some("\"\\\\x00ff\"")),
            (b'A', "_int4", "{1,2}", None),
        ] {
            assert_eq!(json(&column(category, kind), text).as_deref(), expected, "{kind} {text}");
        }
    }
}
