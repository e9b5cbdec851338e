//! SQL text together with its parameters.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;

use crate::{Ident, QualifiedIdent};

/// A piece of SQL. Its text consists of constants and quoted names only; every value is a parameter.
///
/// Values are sent as text of unknown type, so that PostgreSQL casts them exactly like literals. Placeholders are numbered
/// when the whole is rendered, so snippets can be combined in any order.
///
/// ```
/// use pg::{Ident, Snippet};
/// let mut sql = Snippet::raw("select * from ");
/// sql.ident(&Ident::new("play\"ers")).push(" where id = ").param("7");
/// let (text, params) = sql.render();
/// assert_eq!(text, r#"select * from "play""ers" where id = $1"#);
/// assert_eq!(params, [Some("7".into())]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    parts: Vec<Part>,
    has_empty_name: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Cow<'static, str>),
    Param(Option<Bytes>),
}

/// A rendered [`Snippet`]. The same text can be used with other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundSql {
    /// The SQL with `$1`, `$2`, …
    pub text: Arc<str>,
    /// Their values in text format; `None` is NULL.
    pub values: Vec<Option<Bytes>>,
}

/// An expression printed by PostgreSQL, such as a column's default from `pg_get_expr`.
///
/// It is used as SQL, so it must come from a system catalog and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogExpr(Box<str>);

impl CatalogExpr {
    /// Wraps the result of a query of the system catalogs.
    pub fn from_catalog(expression: String) -> Self {
        CatalogExpr(expression.into())
    }

    /// The expression, for display.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Snippet {
    /// An empty snippet.
    pub fn new() -> Self {
        Snippet::default()
    }

    /// Constant SQL. Requires `'static` text, so that a client's input cannot become SQL.
    pub fn raw(sql: &'static str) -> Self {
        let mut snippet = Snippet::new();
        snippet.push(sql);
        snippet
    }

    /// A single parameter.
    pub fn value(value: impl Into<Bytes>) -> Self {
        let mut snippet = Snippet::new();
        snippet.param(value);
        snippet
    }

    /// A single quoted name.
    pub fn name(name: &Ident) -> Self {
        let mut snippet = Snippet::new();
        snippet.ident(name);
        snippet
    }

    /// Appends constant SQL.
    pub fn push(&mut self, sql: &'static str) -> &mut Self {
        self.text(Cow::Borrowed(sql))
    }

    /// Appends a quoted name.
    pub fn ident(&mut self, name: &Ident) -> &mut Self {
        self.has_empty_name |= name.is_empty();
        self.text(Cow::Owned(name.to_string()))
    }

    /// Appends a quoted name with its schema.
    pub fn qualified(&mut self, name: &QualifiedIdent) -> &mut Self {
        self.has_empty_name |= name.name.is_empty();
        self.text(Cow::Owned(name.to_string()))
    }

    /// Appends a number as a literal, for syntax that does not allow a parameter.
    pub fn integer(&mut self, number: i64) -> &mut Self {
        self.text(Cow::Owned(number.to_string()))
    }

    /// Appends an expression of the system catalogs.
    pub fn expression(&mut self, expression: &CatalogExpr) -> &mut Self {
        self.text(Cow::Owned(expression.0.to_string()))
    }

    /// Appends a placeholder for `value`, sent as text of unknown type.
    pub fn param(&mut self, value: impl Into<Bytes>) -> &mut Self {
        self.parts.push(Part::Param(Some(value.into())));
        self
    }

    /// Appends a placeholder for a value that may be NULL.
    pub fn param_or_null(&mut self, value: Option<impl Into<Bytes>>) -> &mut Self {
        self.parts.push(Part::Param(value.map(Into::into)));
        self
    }

    /// Appends a string literal, for the few commands that do not allow parameters (`COMMENT`, `ALTER ROLE … PASSWORD`). Quotes
    /// are doubled; a string with a backslash is written as `E''`.
    pub fn literal(&mut self, value: &str) -> &mut Self {
        let value = value.split('\0').next().unwrap_or_default();
        let quoted = value.replace('\'', "''");
        self.text(Cow::Owned(if value.contains('\\') {
            format!("E'{}'", quoted.replace('\\', "\\\\"))
        } else {
            format!("'{quoted}'")
        }))
    }

    /// Appends another snippet.
    pub fn append(&mut self, other: Snippet) -> &mut Self {
        self.has_empty_name |= other.has_empty_name;
        for part in other.parts {
            match part {
                Part::Text(text) => {
                    self.text(text);
                }
                param => self.parts.push(param),
            }
        }
        self
    }

    /// Joins the snippets with `separator`.
    pub fn join(snippets: impl IntoIterator<Item = Snippet>, separator: &'static str) -> Self {
        let mut joined = Snippet::new();
        for (index, snippet) in snippets.into_iter().enumerate() {
            if index > 0 {
                joined.push(separator);
            }
            joined.append(snippet);
        }
        joined
    }

    /// Whether the snippet has no SQL.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether it contains an empty name, which is a syntax error even in quotes.
    pub fn has_empty_name(&self) -> bool {
        self.has_empty_name
    }

    /// The SQL with `$1`, `$2`, … and the values in that order; `None` is NULL.
    pub fn render(&self) -> (String, Vec<Option<Bytes>>) {
        let mut text = String::with_capacity(512);
        let mut params = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(sql) => text.push_str(sql),
                Part::Param(value) => {
                    params.push(value.clone());
                    text.push('$');
                    text.push_str(&params.len().to_string());
                }
            }
        }
        (text, params)
    }

    fn text(&mut self, sql: Cow<'static, str>) -> &mut Self {
        // Merges neighbouring text, so that rendering a large query visits fewer parts.
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.to_mut().push_str(&sql),
            _ => self.parts.push(Part::Text(sql)),
        }
        self
    }
}

impl From<Snippet> for BoundSql {
    fn from(snippet: Snippet) -> Self {
        let (text, values) = snippet.render();
        BoundSql { text: text.into(), values }
    }
}

impl From<&'static str> for Snippet {
    fn from(sql: &'static str) -> Self {
        Snippet::raw(sql)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_numbered_across_joined_pieces() {
        let pairs = ["a", "b"].map(|value| {
            let mut pair = Snippet::raw("x = ");
            pair.param(value);
            pair
        });
        let mut sql = Snippet::raw("where ");
        sql.append(Snippet::join(pairs, " or ")).push(" limit ").integer(-3);
        sql.push(", ").param_or_null(None::<&'static str>);
        let (text, params) = sql.render();
        assert_eq!(text, "where x = $1 or x = $2 limit -3, $3");
        assert_eq!(params, [Some("a".into()), Some("b".into()), None]);
    }

    #[test]
    fn empty_names_are_detected() {
        for (name, empty) in [("a", false), ("", true), ("\0a", true)] {
            let mut sql = Snippet::raw("select ");
            sql.append(Snippet::join([Snippet::name(&Ident::new("b")), Snippet::name(&Ident::new(name))], ", "));
            assert_eq!(sql.has_empty_name(), empty, "{name:?}");
            let mut sql = Snippet::new();
            assert_eq!(sql.qualified(&QualifiedIdent::new("", name)).has_empty_name(), empty, "{name:?}");
        }
    }

    #[test]
    fn literals_survive_quotes_and_backslashes() {
        for (value, sql) in [("it's", "'it''s'"), (r"a\'b", r"E'a\\''b'"), ("x\0y", "'x'")] {
            assert_eq!(Snippet::new().literal(value).render().0, sql);
        }
    }
}
