//! Parses the values of settings.

use pg::QualifiedIdent;

use super::file::Value;

/// A whole number, or a text that contains one.
pub(super) fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => {
            (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(*number as i64)
        }
        Value::Text(text) => text.trim().parse().ok(),
        Value::Bool(_) | Value::List => None,
    }
}

/// A boolean, as upstream parses it: true and false in any case with anything around the letters, or a number, which is
/// true above zero.
pub(super) fn boolean(value: &Value) -> Option<bool> {
    let text = match value {
        Value::Bool(value) => return Some(*value),
        Value::Text(text) => text,
        Value::Number(_) | Value::List => return None,
    };
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    match letters.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => text.trim().parse::<i64>().ok().map(|number| number > 0),
    }
}

/// A comma-separated list.
pub(super) fn list(text: &str) -> Vec<String> {
    text.split(',').map(|item| item.trim().to_owned()).collect()
}

/// The schemas to expose; system schemas are not allowed.
pub(super) fn schemas(text: &str) -> Result<Vec<String>, String> {
    let schemas = list(text);
    match schemas.iter().find(|schema| matches!(schema.as_str(), "pg_catalog" | "information_schema")) {
        Some(system) => Err(format!("db-schemas does not allow schema: '{system}'")),
        None => Ok(schemas),
    }
}

/// `schema.name`, or a name to be resolved by the search path.
pub(super) fn function(text: &str) -> QualifiedIdent {
    let (schema, name) = text.split_once('.').unwrap_or(("", text));
    QualifiedIdent::new(schema, name)
}

/// A file mode in octal digits.
pub(super) fn socket_mode(key: &str, text: &str) -> Result<u32, String> {
    let end = text.find(|c| !matches!(c, '0'..='7')).unwrap_or(text.len());
    let mode = u32::from_str_radix(&text[..end], 8).map_err(|_| format!("Invalid {key}: not an octal"))?;
    if (0o600..=0o777).contains(&mode) {
        Ok(mode)
    } else {
        Err(format!("Invalid {key}: needs to be between 600 and 777"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_read_as_upstream_reads_them() {
        let text = |text: &str| Value::Text(text.to_owned());
        for (value, meaning) in [
            (text("true"), Some(true)),
            (text("FALSE"), Some(false)),
            (text("\"true\""), Some(true)),
            (text("1"), Some(true)),
            (text("0"), Some(false)),
            (text("yes"), None),
            (Value::Bool(false), Some(false)),
            (Value::Number(13.0), None),
        ] {
            assert_eq!(boolean(&value), meaning, "{value:?}");
        }
    }

    #[test]
    fn numbers_are_whole() {
        for (value, meaning) in [
            (Value::Text("12".to_owned()), Some(12)),
            (Value::Text("-1".to_owned()), Some(-1)),
            (Value::Text("1.5".to_owned()), None),
            (Value::Number(12.0), Some(12)),
            (Value::Number(1.5), None),
            (Value::Bool(true), None),
        ] {
            assert_eq!(number(&value), meaning, "{value:?}");
        }
    }
}
