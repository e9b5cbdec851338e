//! `::type` of the select grammar.

use pg::{Ident, Snippet};

/// Type names that PostgreSQL's grammar knows by keyword and that mean something else, or nothing, when quoted.
const KEYWORDS: [&str; 24] = [
    "bigint",
    "bit",
    "bit varying",
    "boolean",
    "char",
    "char varying",
    "character",
    "character varying",
    "dec",
    "decimal",
    "double precision",
    "float",
    "int",
    "integer",
    "interval",
    "nchar",
    "numeric",
    "real",
    "smallint",
    "time",
    "time with time zone",
    "timestamp",
    "timestamp with time zone",
    "varchar",
];

/// `cast(value as type)`. A name that is no keyword is quoted, in lower case as PostgreSQL would read it.
pub(super) fn cast(value: Snippet, to: Option<&str>) -> Snippet {
    let Some(to) = to else { return value };
    let name = to.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let mut sql = Snippet::raw("cast(");
    sql.append(value).push(" as ");
    match KEYWORDS.iter().find(|keyword| **keyword == name) {
        Some(keyword) => sql.push(keyword),
        None => sql.ident(&Ident::new(name)),
    };
    sql.push(")");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_stay_and_names_are_quoted() {
        for (to, text) in [
            (Some("Double  Precision"), "cast(x as double precision)"),
            (Some("INT"), "cast(x as int)"),
            (Some("Text"), "cast(x as \"text\")"),
            (Some("x y"), "cast(x as \"x y\")"),
            (None, "x"),
        ] {
            assert_eq!(cast(Snippet::raw("x"), to).render().0, text);
        }
    }
}
