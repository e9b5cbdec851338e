//! `::type` of the select grammar.

use pg::{Ident, Snippet};

/// Type names that are keywords of PostgreSQL's grammar and have another meaning, or none, when quoted.
const KEYWORDS: [&str; 44] = [
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
    "interval day",
    "interval day to hour",
    "interval day to minute",
    "interval day to second",
    "interval hour",
    "interval hour to minute",
    "interval hour to second",
    "interval minute",
    "interval minute to second",
    "interval month",
    "interval second",
    "interval year",
    "interval year to month",
    "national char",
    "national char varying",
    "national character",
    "national character varying",
    "nchar",
    "nchar varying",
    "numeric",
    "real",
    "smallint",
    "time",
    "time with time zone",
    "time without time zone",
    "timestamp",
    "timestamp with time zone",
    "timestamp without time zone",
    "varchar",
];

/// `cast(value as type)`. Other type names are quoted, in lower case as PostgreSQL would fold them.
pub(super) fn cast(value: Snippet, to: Option<&str>) -> Snippet {
    let Some(to) = to else { return value };
    let name = to.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let (element, array) = name.strip_suffix(" array").map_or((name.as_str(), ""), |element| (element, " array"));
    let mut sql = Snippet::raw("cast(");
    sql.append(value).push(" as ");
    match KEYWORDS.iter().find(|keyword| **keyword == element) {
        Some(keyword) => sql.push(keyword),
        None => sql.ident(&Ident::new(element)),
    };
    sql.push(array).push(")");
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
            (Some("timestamp without time zone"), "cast(x as timestamp without time zone)"),
            (Some("Interval  Year To Month"), "cast(x as interval year to month)"),
            (Some("int array"), "cast(x as int array)"),
            (Some("Mood ARRAY"), "cast(x as \"mood\" array)"),
            (Some("x y"), "cast(x as \"x y\")"),
            (None, "x"),
        ] {
            assert_eq!(cast(Snippet::raw("x"), to).render().0, text);
        }
    }
}
