//! The functions of Go's templates.

use std::cmp::Ordering;

use serde_json::{Value, json};

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    And,
    Or,
    Not,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Len,
    Index,
    Print,
    Printf,
    UrlQuery,
    /// `html` does nothing: values are escaped by context anyway.
    Html,
}

/// (name, function, minimum and maximum number of arguments)
const TABLE: [(&str, Function, usize, usize); 15] = [
    ("and", Function::And, 1, usize::MAX),
    ("or", Function::Or, 1, usize::MAX),
    ("not", Function::Not, 1, 1),
    ("eq", Function::Eq, 2, usize::MAX),
    ("ne", Function::Ne, 2, 2),
    ("lt", Function::Lt, 2, 2),
    ("le", Function::Le, 2, 2),
    ("gt", Function::Gt, 2, 2),
    ("ge", Function::Ge, 2, 2),
    ("len", Function::Len, 1, 1),
    ("index", Function::Index, 1, usize::MAX),
    ("print", Function::Print, 0, usize::MAX),
    ("printf", Function::Printf, 1, usize::MAX),
    ("urlquery", Function::UrlQuery, 1, usize::MAX),
    ("html", Function::Html, 1, 1),
];

impl Function {
    pub(super) fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|(own, ..)| *own == name).map(|(_, function, ..)| *function)
    }

    /// True if the function takes this number of arguments.
    pub(super) fn takes(self, count: usize) -> bool {
        TABLE.iter().any(|(_, function, least, most)| *function == self && (*least..=*most).contains(&count))
    }

    /// The function's value. What Go reports as an error during rendering, such as comparing a string with a number, is
    /// false or empty here, because a user waits for the mail.
    pub(super) fn call(self, arguments: &[Value]) -> Value {
        let [first, ..] = arguments else { return json!("") };
        let last = arguments.last().unwrap_or(first);
        let ordered = |matching: fn(Ordering) -> bool| json!(compare(first, last).is_some_and(matching));
        match self {
            Function::And => arguments.iter().find(|value| !is_true(value)).unwrap_or(last).clone(),
            Function::Or => arguments.iter().find(|value| is_true(value)).unwrap_or(last).clone(),
            Function::Not => json!(!is_true(first)),
            Function::Eq => json!(arguments[1..].iter().any(|other| equal(first, other))),
            Function::Ne => json!(!equal(first, last)),
            Function::Lt => ordered(Ordering::is_lt),
            Function::Le => ordered(Ordering::is_le),
            Function::Gt => ordered(Ordering::is_gt),
            Function::Ge => ordered(Ordering::is_ge),
            Function::Len => json!(length(first)),
            Function::Index => arguments[1..].iter().fold(first.clone(), |value, key| item(&value, key)),
            Function::Print => json!(arguments.iter().map(written).collect::<String>()),
            Function::Printf => json!(formatted(&written(first), &arguments[1..])),
            Function::UrlQuery => {
                let text: String = arguments.iter().map(written).collect();
                json!(url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>())
            }
            Function::Html => first.clone(),
        }
    }
}

/// The truth value of `if`: false for null, zero and empty values.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(_) | Value::Array(_) | Value::Object(_) => length(value) > 0,
    }
}

/// The text of a value.
pub(super) fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    }
}

fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64()?.partial_cmp(&other.as_f64()?),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

fn item(value: &Value, key: &Value) -> Value {
    let found = match (value, key) {
        (Value::Object(fields), Value::String(key)) => fields.get(key),
        (Value::Array(items), Value::Number(at)) => {
            at.as_u64().and_then(|at| usize::try_from(at).ok()).and_then(|at| items.get(at))
        }
        _ => None,
    };
    found.cloned().unwrap_or_default()
}

/// `printf` with the verbs `%s`, `%v`, `%d` and `%%`; a verb without a value stays as it is.
fn formatted(format: &str, arguments: &[Value]) -> String {
    let mut arguments = arguments.iter();
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('s' | 'v' | 'd') => text.push_str(&arguments.next().map(written).unwrap_or_default()),
            Some('%') => text.push('%'),
            other => text.extend(std::iter::once('%').chain(other)),
        }
    }
    text
}
