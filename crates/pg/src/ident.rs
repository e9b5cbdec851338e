//! Quoted names of database objects.

use std::fmt;
use std::sync::Arc;

/// A name (role, schema, table, column, function) from outside, which is always quoted in SQL.
///
/// `Display` writes the quoted form, `"na""me"`. PostgreSQL's names cannot contain NUL, so the text from the first NUL on is not
/// written; such a name normally does not exist. Clones share the text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ident(Arc<str>);

impl Ident {
    /// Takes the raw, unquoted name.
    pub fn new(name: impl AsRef<str>) -> Self {
        Ident(name.as_ref().into())
    }

    /// The raw name, for comparisons and messages, never for SQL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the quoted form would be `""`, which PostgreSQL does not accept as a name.
    pub fn is_empty(&self) -> bool {
        self.written().is_empty()
    }

    fn written(&self) -> &str {
        self.0.split('\0').next().unwrap_or_default()
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.written().replace('"', "\"\""))
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<&str> for Ident {
    fn from(name: &str) -> Self {
        Ident::new(name)
    }
}

impl From<String> for Ident {
    fn from(name: String) -> Self {
        Ident::new(name)
    }
}

/// A name inside a schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QualifiedIdent {
    /// The schema; empty for objects without one, such as common table expressions.
    pub schema: Ident,
    /// The object.
    pub name: Ident,
}

impl QualifiedIdent {
    /// From two raw names.
    pub fn new(schema: impl AsRef<str>, name: impl AsRef<str>) -> Self {
        QualifiedIdent { schema: Ident::new(schema), name: Ident::new(name) }
    }
}

impl fmt::Display for QualifiedIdent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.schema.as_str().is_empty() {
            write!(f, "{}", self.name)
        } else {
            write!(f, "{}.{}", self.schema, self.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled_and_nul_ends_the_name() {
        for (raw, quoted) in [
            ("users", r#""users""#),
            (r#"a"b"#, r#""a""b""#),
            (r#"x"; drop table y; --"#, r#""x""; drop table y; --""#),
            ("a\0b", r#""a""#),
            ("", r#""""#),
            ("naïve ⚾", r#""naïve ⚾""#),
        ] {
            assert_eq!(Ident::new(raw).to_string(), quoted);
        }
    }

    #[test]
    fn a_name_with_nul_differs_from_the_name_before_it() {
        assert_ne!(Ident::new("a\0b"), Ident::new("a"));
        for (name, empty) in [("", true), ("\0a", true), ("a\0", false)] {
            assert_eq!(Ident::new(name).is_empty(), empty, "{name:?}");
        }
    }

    #[test]
    fn an_empty_schema_is_omitted() {
        assert_eq!(QualifiedIdent::new("", "t").to_string(), r#""t""#);
        assert_eq!(QualifiedIdent::new("public", "t").to_string(), r#""public"."t""#);
    }
}
