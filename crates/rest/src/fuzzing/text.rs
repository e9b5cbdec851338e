//! Checks the text of a statement: it may contain our words and constants, quoted names, placeholders, numbers and signs.
//!
//! Only these parts of a request may be in the text:
//! - names of columns, relations, embeds, aliases, functions and parameters, each quoted; the name of a result's column
//!   may be the last key of a JSON path in `select`;
//! - the type of a cast, which is one of the keywords of `sql/cast.rs` or quoted;
//! - options of EXPLAIN, operators, `is` constants, directions and aggregates, each a word of an enumeration of ours;
//! - numbers that we count: positions of GROUP BY, and one more than `db-max-rows`.
//!
//! The rest is a parameter: operands, JSON keys and indexes, search configurations, limits and offsets, bodies, arguments,
//! headers, claims, the role.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Every word of SQL that the stage `sql` writes without quotes.
const WORDS: &str = "
    _ _postgrest_t all analyze and any array array_agg as asc avg bigint body boolean buffers by case cast char coalesce
    conflict count current_setting data decimal delete desc distinct do double e elem else end excluded exists explain
    false first first_row float format from function group header headers in inner insert inserted int int4 integer interval
    into is join json json_agg json_array_elements json_build_array json_build_object json_data json_each_text
    json_object_keys json_strip_nulls json_to_record json_to_recordset jsonb jsonb_agg jsonb_array_elements
    jsonb_build_object jsonb_to_record jsonb_to_recordset key last lateral left length like line ilike limit location made not
    nothing null nullif nulls numeric offset on one or order page_total pgrst_body pgrst_call pgrst_json_defs
    pgrst_payload pgrst_scalar pgrst_source pgrst_source_count phraseto_tsquery plainto_tsquery precision real
    response_headers response_status returning row_to_json select set set_config settings smallint st_asgeojson
    string_agg substr substring sum max min text then time timestamp to_jsonb to_tsquery to_tsvector total true unknown unnest
    update val value values varchar variadic verbose wal websearch_to_tsquery when where with without written zone
";

static KNOWN_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());

/// Every string constant that the stage `sql` writes, and the names of settings.
const CONSTANTS: &[&str] = &[
    "",
    "[]",
    "{}",
    "null",
    ",",
    "\\n",
    "0",
    "-1",
    "type",
    "features",
    "FeatureCollection",
    "response.headers",
    "response.status",
    "pgrst.inserted",
    "role",
    "search_path",
    "statement_timeout",
    "timezone",
    "request.method",
    "request.path",
    "request.headers",
    "request.cookies",
    "request.jwt.claims",
];

/// Checks a statement's text for parts that must not be in it.
///
/// `known` are the string constants of the catalog: names of columns with defaults, and the defaults.
///
/// # Errors
/// A sentence that names the part.
pub fn check(text: &str, markers: &[String], known: &[&str]) -> Result<(), String> {
    if let Some(marker) = markers.iter().find(|marker| text.contains(marker.as_str())) {
        return Err(format!("the value {marker} is part of the text: {text}"));
    }
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted(rest, '"').ok_or_else(|| format!("a name has no end: {text}"))?,
            '\'' => {
                let length = quoted(rest, '\'').ok_or_else(|| format!("a constant has no end: {text}"))?;
                let constant = rest.get(1..length - 1).unwrap_or_default();
                if !CONSTANTS.contains(&constant) && !known.contains(&constant) {
                    return Err(format!("'{constant}' is no constant of ours: {text}"));
                }
                length
            }
            c if c.is_alphabetic() || c == '_' => {
                let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                // E'…' is a constant with escapes. Ours contain only `\n`, which does not end the constant.
                let is_prefix = word == "E" && rest[1..].starts_with('\'');
                if !is_prefix && !KNOWN_WORDS.contains(word.to_ascii_lowercase().as_str()) {
                    return Err(format!("{word} is not quoted, and no word of ours: {text}"));
                }
                word.len()
            }
            c if c.is_ascii_digit() || " \n()[],.=<>+-|&@~:*$!".contains(c) => 1,
            c => return Err(format!("{c:?} is no sign of ours: {text}")),
        };
        rest = &rest[length..];
    }
    if text.contains("--") || text.contains("/*") {
        // In a quoted name these are harmless; elsewhere they begin a comment.
        let outside: String = outside_of_quotes(text);
        if outside.contains("--") || outside.contains("/*") {
            return Err(format!("there is a comment: {text}"));
        }
    }
    Ok(())
}

/// The length of a quoted part, including the quotes. A doubled quote does not end it.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        if c == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return Some(at + 1);
        }
    }
    None
}

fn outside_of_quotes(text: &str) -> String {
    let mut outside = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => quoted(rest, first).unwrap_or(rest.len()),
            c => {
                outside.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{World, bytes_of_seed};

    #[test]
    fn what_should_not_be_there_is_seen() {
        let marker = ["0123456789abcdef".to_owned()];
        for (text, good) in [
            (r#"select "t"."a""b" = $1 limit $2"#, true),
            (r#"select "t"."-- /* 'x" where true"#, true),
            (r#"select "t".a"#, false),
            (r#"select "t"."a" = '1'"#, false),
            (r#"select "t"."a" -- x"#, false),
            (r#"select "t"."0123456789abcdef""#, false),
            (r#"select "t"#, false),
            (r#"select 'null"#, false),
            (r#"select $1; drop "t""#, false),
        ] {
            assert_eq!(check(text, &marker, &[]).is_ok(), good, "{text}");
        }
    }

    /// Number of requests, for a few seconds. The fuzz target `request` tests more.
    const SEEDS: u64 = 4_000;

    /// To repeat a failure, use the seed in its message as the range.
    #[test]
    fn no_value_is_in_the_text_and_every_name_is_quoted() {
        let world = World::invented();
        let mut planned = 0;
        let mut refused = std::collections::BTreeMap::<String, usize>::new();
        for seed in 0..SEEDS {
            let request = world.request(&bytes_of_seed(seed, 2048));
            match world.statements(&request) {
                Ok(statements) => {
                    planned += 1;
                    for text in statements {
                        if let Err(problem) = check(&text, &request.markers, &["note", "a note"]) {
                            panic!("seed {seed}: {problem}\n{request:#?}");
                        }
                    }
                }
                Err(error) => *refused.entry(error.code().into_owned()).or_default() += 1,
            }
        }
        // Most requests must be planned. Otherwise the test checks nothing.
        assert!(planned > SEEDS / 2, "{planned} were planned, refused were {refused:?}");
    }
}
