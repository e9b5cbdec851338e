//! Subscriptions to changes of tables: `event`, `schema`, `table`, `filter` and `select`.
//!
//! Source: supabase/realtime, lib/extensions/postgres_cdc_rls/subscriptions.ex.

use std::fmt;

use pg::replication::Kind;
use serde_json::{Map, Value};

/// What a client wants to know of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Binding {
    /// As the client knows it.
    pub(crate) id: u64,
    /// One kind of change; `None` for all.
    pub(crate) event: Option<Kind>,
    /// `*` for all.
    pub(crate) schema: String,
    /// `*` for all.
    pub(crate) table: String,
    /// All of them must hold.
    pub(crate) filters: Vec<Filter>,
    /// The columns to send beside the primary key; `None` for all.
    pub(crate) select: Option<Vec<String>>,
}

/// A condition on a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Filter {
    pub(crate) column: String,
    pub(crate) operator: Operator,
    /// Of `in` an array as PostgreSQL writes it.
    pub(crate) value: String,
    pub(crate) negated: bool,
}

/// How a column is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    Eq,
    Neq,
    Lt,
    Lte,
    Gt,
    Gte,
    In,
    Like,
    Ilike,
    Is,
    Match,
    Imatch,
    IsDistinct,
}

/// Maximum number of conditions of one subscription.
const MAX_FILTERS: usize = 100;

impl Operator {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "eq" => Operator::Eq,
            "neq" => Operator::Neq,
            "lt" => Operator::Lt,
            "lte" => Operator::Lte,
            "gt" => Operator::Gt,
            "gte" => Operator::Gte,
            "in" => Operator::In,
            "like" => Operator::Like,
            "ilike" => Operator::Ilike,
            "is" => Operator::Is,
            "match" => Operator::Match,
            "imatch" => Operator::Imatch,
            "isdistinct" => Operator::IsDistinct,
            _ => return None,
        })
    }

    /// Whether it compares with a pattern, which can take very long.
    pub(crate) fn is_pattern(self) -> bool {
        matches!(self, Operator::Like | Operator::Ilike | Operator::Match | Operator::Imatch)
    }

    /// As clients write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Operator::Eq => "eq",
            Operator::Neq => "neq",
            Operator::Lt => "lt",
            Operator::Lte => "lte",
            Operator::Gt => "gt",
            Operator::Gte => "gte",
            Operator::In => "in",
            Operator::Like => "like",
            Operator::Ilike => "ilike",
            Operator::Is => "is",
            Operator::Match => "match",
            Operator::Imatch => "imatch",
            Operator::IsDistinct => "isdistinct",
        }
    }
}

impl Binding {
    /// Reads a subscription.
    ///
    /// # Errors
    /// What is wrong with it, in upstream's words.
    pub(crate) fn parse(parameters: &Map<String, Value>, id: u64) -> Result<Self, String> {
        let select = match parameters.get("select") {
            Some(Value::Array(columns)) => {
                Some(columns.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
                    .filter(|columns| !columns.is_empty())
            }
            Some(Value::String(_)) => {
                return Err("Error parsing `select` params: expected a list of column name strings, e.g. select: \
                            [\"col1\", \"col2\"]"
                    .to_owned());
            }
            _ => None,
        };
        let text = |name: &str| parameters.get(name).and_then(Value::as_str).map(str::to_owned);
        let has = |name: &str| parameters.contains_key(name);
        let (schema, table, filter) = match (text("schema"), text("table"), text("filter")) {
            (Some(schema), Some(table), Some(filter)) => (schema, table, filter),
            (Some(schema), Some(table), None) if !has("filter") => (schema, table, String::new()),
            (Some(schema), None, None) if !has("table") && !has("filter") => (schema, "*".to_owned(), String::new()),
            (None, Some(table), None) if !has("schema") && !has("filter") => {
                ("public".to_owned(), table, String::new())
            }
            _ => {
                let secret = ["user_token", "auth_token"].iter().any(|name| has(name));
                let shown = if secret { "<redacted>".to_owned() } else { inspect(parameters) };
                let hint = "Please provide at least a `schema` or `table` to subscribe to";
                return Err(format!("No subscription params provided. {hint}: {shown}"));
            }
        };
        let filters = filters(&filter).map_err(|reason| format!("Error parsing `filter` params: {reason}"))?;
        if select.is_some() && (schema == "*" || table == "*") {
            return Err(
                "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and \
                        table name."
                    .to_owned(),
            );
        }
        let event = match text("event").unwrap_or_default().to_ascii_uppercase().as_str() {
            "INSERT" => Some(Kind::Insert),
            "UPDATE" => Some(Kind::Update),
            "DELETE" => Some(Kind::Delete),
            _ => None,
        };
        Ok(Binding { id, event, schema, table, filters, select })
    }

    /// Whether it is about this table.
    pub(crate) fn is_about(&self, schema: &str, table: &str) -> bool {
        (self.schema == "*" || self.schema == schema) && (self.table == "*" || self.table == table)
    }
}

/// As upstream shows it in messages.
impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.event.map_or("*", name);
        write!(f, "[event: {event}, schema: {}, table: {}, filters: [", self.schema, self.table)?;
        for (index, filter) in self.filters.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            let (operator, negated) = (filter.operator.name(), filter.negated);
            write!(f, "{separator}{{{:?}, {operator:?}, {:?}, {negated}}}", filter.column, filter.value)?;
        }
        match &self.select {
            Some(columns) => write!(f, "], select: {columns:?}]"),
            None => f.write_str("], select: nil]"),
        }
    }
}

/// `INSERT`, `UPDATE` or `DELETE`.
pub(crate) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Insert => "INSERT",
        Kind::Update => "UPDATE",
        Kind::Delete => "DELETE",
    }
}

/// An object as Elixir shows a map.
fn inspect(parameters: &Map<String, Value>) -> String {
    let fields: Vec<String> = parameters.iter().map(|(name, value)| format!("{name:?} => {value}")).collect();
    format!("%{{{}}}", fields.join(", "))
}

fn filters(text: &str) -> Result<Vec<Filter>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let segments = split(text);
    if segments.len() > MAX_FILTERS {
        return Err(format!("filter must not have more than {MAX_FILTERS} conditions"));
    }
    segments.iter().map(|segment| filter(segment.trim())).collect()
}

/// At commas outside of parentheses and quotes. A quote opens after `.`, `(` or `,` only.
fn split(text: &str) -> Vec<&str> {
    let (mut segments, mut start) = (Vec::new(), 0);
    let (mut depth, mut quoted, mut before, mut escaped) = (0_usize, false, '\0', false);
    for (at, character) in text.char_indices() {
        if quoted {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = false,
                _ => {}
            }
        } else {
            match character {
                '"' if matches!(before, '.' | '(' | ',') => quoted = true,
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    segments.push(&text[start..at]);
                    start = at + 1;
                    before = '\0';
                    continue;
                }
                _ => {}
            }
        }
        before = character;
    }
    segments.push(&text[start..]);
    segments
}

fn filter(segment: &str) -> Result<Filter, String> {
    if segment.is_empty() {
        return Err("filter must not contain empty segments (check for extra commas)".to_owned());
    }
    let Some((column, rest)) = segment.split_once('=') else { return Err(format!("[{segment:?}]")) };
    let (negated, rest) = match rest.strip_prefix("not.") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let Some((name, value)) = rest.split_once('.') else { return Err(format!("[{rest:?}]")) };
    let Some(operator) = Operator::parse(name) else { return Err(format!("[{name:?}, {value:?}]")) };
    let value = match operator {
        Operator::In => {
            let list = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
            let list = list.ok_or_else(|| "`in` filter value must be wrapped by parentheses".to_owned())?;
            format!("{{{list}}}")
        }
        _ => unquoted(value),
    };
    Ok(Filter { column: column.to_owned(), operator, value, negated })
}

/// A value without its double quotes; what is not wholly quoted stays as it is.
fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) else {
        return value.to_owned();
    };
    let (mut text, mut characters) = (String::with_capacity(inner.len()), inner.chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => return value.to_owned(),
            '\\' => match characters.next() {
                Some(escaped) => text.push(escaped),
                // The last quote was escaped: it does not end the value.
                None => return value.to_owned(),
            },
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(value: Value) -> Result<Binding, String> {
        Binding::parse(value.as_object().unwrap(), 1)
    }

    fn read(text: &str) -> Result<Vec<(String, &'static str, String, bool)>, String> {
        let shown = |filter: Filter| (filter.column, filter.operator.name(), filter.value, filter.negated);
        filters(text).map(|filters| filters.into_iter().map(shown).collect())
    }

    #[test]
    fn filters_are_split_and_unquoted() {
        let one =
            |column: &str, operator, value: &str, negated| (column.to_owned(), operator, value.to_owned(), negated);
        for (text, expected) in [
            ("", vec![]),
            ("  ", vec![]),
            ("id=eq.1", vec![one("id", "eq", "1", false)]),
            ("id=gt.1,id=lt.5", vec![one("id", "gt", "1", false), one("id", "lt", "5", false)]),
            ("name=eq.a.b=c", vec![one("name", "eq", "a.b=c", false)]),
            ("id=in.(1,2,3)", vec![one("id", "in", "{1,2,3}", false)]),
            ("name=eq.\"a,b\"", vec![one("name", "eq", "a,b", false)]),
            (r#"name=eq."a\"b",x=is.null"#, vec![one("name", "eq", "a\"b", false), one("x", "is", "null", false)]),
            (r#"name=in.("a,b",c)"#, vec![one("name", "in", r#"{"a,b",c}"#, false)]),
            ("id=not.eq.1", vec![one("id", "eq", "1", true)]),
            ("name=eq.a\"b", vec![one("name", "eq", "a\"b", false)]),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
        for (text, reason) in [
            ("id=foo.hey", r#"["foo", "hey"]"#),
            ("id", r#"["id"]"#),
            ("id=eq.1,", "filter must not contain empty segments (check for extra commas)"),
            ("id=in.1,2", "`in` filter value must be wrapped by parentheses"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
    }

    #[test]
    fn subscriptions_are_read_as_upstream_does() {
        let all = of(json!({ "schema": "public", "event": "insert" })).unwrap();
        assert_eq!((all.event, all.table.as_str()), (Some(Kind::Insert), "*"));
        assert_eq!(of(json!({ "table": "t", "event": "x" })).unwrap().schema, "public");
        assert!(
            of(json!({ "schema": "public", "table": "t", "filter": null })).unwrap_err().starts_with("No subscription")
        );
        assert!(of(json!({ "schema": "public", "select": ["a"] })).unwrap_err().starts_with("Column selection"));
        assert!(
            of(json!({ "schema": "public", "table": "t", "select": "a" }))
                .unwrap_err()
                .starts_with("Error parsing `select`")
        );
        let shown = of(json!({ "schema": "public", "table": "x" })).unwrap().to_string();
        assert_eq!(shown, "[event: *, schema: public, table: x, filters: [], select: nil]");
        assert!(of(json!({ "user_token": "secret" })).unwrap_err().ends_with("<redacted>"));
    }
}
