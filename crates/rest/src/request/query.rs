//! Parses the query string.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::complaint::Complaint;
use super::filter::{Filter, operation, whole_value};
use super::limits;
use super::logic::{self, LogicTree};
use super::name::{Field, delimiter, field_name, json_path};
use super::order::{self, OrderTerm};
use super::range::Range;
use super::scan::{Parsed, Scan};
use super::select::{self, SelectItem};
use crate::error::Error;

/// The path of embeds to the one that a parameter belongs to; empty for the resource itself.
pub(crate) type EmbedPath = Vec<String>;

/// The parsed query string.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pub(crate) select: Vec<SelectItem>,
    pub(crate) filters: Vec<(EmbedPath, Filter)>,
    pub(crate) logic: Vec<(EmbedPath, LogicTree)>,
    pub(crate) order: Vec<(EmbedPath, Vec<OrderTerm>)>,
    /// Ranges by key, with `offset` written as `limit`: `limit`, `embed.limit`.
    pub(crate) ranges: BTreeMap<String, Range>,
    pub(crate) columns: Option<BTreeSet<String>>,
    pub(crate) on_conflict: Option<Vec<String>>,
    /// The names of all filters as written, for PUT.
    pub(crate) filter_names: BTreeSet<String>,
    /// Arguments of a function called by GET.
    pub(crate) arguments: Vec<(String, String)>,
    /// The parameters sorted by name and encoded again, for Content-Location.
    pub(crate) canonical: String,
}

impl Query {
    /// Parses the text after `?`. With `takes_arguments`, values that are not operator expressions are arguments.
    ///
    /// # Errors
    /// PGRST100 with the position of the error.
    pub(crate) fn parse(text: &str, takes_arguments: bool) -> Result<Self, Error> {
        // DEVIATION (words): a query string that is not valid UTF-8 is refused with 400; PostgREST answers 500.
        if percent_decode_str(text).decode_utf8().is_err() {
            let message = "The query string is not encoded in UTF-8".to_owned();
            return Err(Error::Query { message, details: "Percent-encode the bytes of UTF-8 text".to_owned() });
        }
        let all = pairs(text);
        let mut query = Query { canonical: canonical(&all), ..Query::default() };
        let valued: Vec<(&str, &str)> =
            all.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?))).collect();
        // In upstream's order, which decides which of several errors is reported.
        for (key, value) in valued.iter().filter(|(key, _)| last_part(key) == "order") {
            let path = tree_path(key)?.0;
            query.order.push((path, scan("order", value, order::terms)?));
        }
        for (key, value) in valued.iter().filter(|(key, _)| matches!(last_part(key), "and" | "or")) {
            let (path, operator) = scan("logic path", key, logic::path)?;
            let tree = scan_as("logic tree", value, &format!("{operator}{value}"), logic::tree)?;
            query.logic.push((path, tree));
        }
        // The first of several counts, even one without a value.
        let first = |name: &str| all.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.as_deref());
        if let Some(value) = first("columns") {
            query.columns = Some(scan("columns parameter", value, names)?.into_iter().collect());
        }
        query.select = scan("select parameter", first("select").unwrap_or("*"), select::forest)?;
        for (key, value) in valued.iter().filter(|(key, _)| is_filter(key)) {
            query.filter(key, value, takes_arguments)?;
        }
        if let Some(value) = first("on_conflict") {
            query.on_conflict = Some(scan("on_conflict parameter", value, names)?);
        }
        query.ranges = ranges(&valued);
        query.check_size()?;
        Ok(query)
    }

    /// DEVIATION (stricter): PostgREST has no limit of its own; more than 1,000 filters and more than 250 embeds are
    /// refused.
    fn check_size(&self) -> Result<(), Error> {
        let filters = self.filters.len() + self.logic.iter().map(|(_, tree)| tree.filters()).sum::<usize>();
        if filters > limits::MAX_FILTERS {
            return Err(Error::Query {
                message: format!("The query has more than {} filters", limits::MAX_FILTERS),
                details: format!("It has {filters}. One filter takes many values: id=in.(1,2,3)"),
            });
        }
        let embeds = select::relations(&self.select);
        if embeds > limits::MAX_EMBEDS {
            return Err(Error::Query {
                message: format!("The query has more than {} embeds", limits::MAX_EMBEDS),
                details: format!("It has {embeds}. PostgreSQL plans all of them together"),
            });
        }
        Ok(())
    }

    fn filter(&mut self, key: &str, value: &str, takes_arguments: bool) -> Result<(), Error> {
        self.filter_names.insert(key.to_owned());
        let (path, field) = tree_path(key)?;
        let mut reader = Scan::new(value);
        match operation(&mut reader, whole_value) {
            Ok((negated, operation)) => self.filters.push((path, Filter { field, negated, operation })),
            // After `not.`, `in.` or `is.` it can no longer be an argument.
            Err(_) if takes_arguments && reader.at() == 0 && !commits_to_operator(value) => {
                self.arguments.push((field.name, value.to_owned()));
            }
            Err(_) => return Err(complain("filter", value, &reader)),
        }
        Ok(())
    }
}

fn commits_to_operator(value: &str) -> bool {
    ["not.", "in.", "is."].iter().any(|start| value.starts_with(start))
}

fn is_filter(key: &str) -> bool {
    !matches!(last_part(key), "order" | "limit" | "offset" | "and" | "or")
        && !matches!(key, "select" | "columns" | "on_conflict")
}

fn last_part(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(_, last)| last)
}

/// `a.b.column->path`.
fn tree_path(key: &str) -> Result<(EmbedPath, Field), Error> {
    scan("tree path", key, |scan| {
        let mut path = scan.separated(field_name, delimiter)?;
        let name = path.pop().unwrap_or_default();
        Ok((path, Field { name, path: json_path(scan)? }))
    })
}

fn names(scan: &mut Scan<'_>) -> Parsed<Vec<String>> {
    scan.separated(field_name, |scan| scan.lexeme(|scan| scan.char(',')))
}

fn scan<T>(what: &str, text: &str, grammar: impl FnOnce(&mut Scan<'_>) -> Parsed<T>) -> Result<T, Error> {
    scan_as(what, text, text, grammar)
}

fn scan_as<T>(
    what: &str,
    shown: &str,
    text: &str,
    grammar: impl FnOnce(&mut Scan<'_>) -> Parsed<T>,
) -> Result<T, Error> {
    let mut scan = Scan::new(text);
    grammar(&mut scan).map_err(|_| complain(what, shown, &scan))
}

fn complain(what: &str, shown: &str, scan: &Scan<'_>) -> Error {
    let Complaint { line, column, details } = scan.complaint();
    let message = format!("\"failed to parse {what} ({shown})\" (line {line}, column {column})");
    Error::Query { message, details }
}

/// Combines `limit` and `offset` with the same path into ranges.
fn ranges(valued: &[(&str, &str)]) -> BTreeMap<String, Range> {
    let mut parts: BTreeMap<String, (Option<&str>, Option<&str>)> = BTreeMap::new();
    for (key, value) in valued {
        match last_part(key) {
            "limit" => parts.entry((*key).to_owned()).or_default().0 = Some(value),
            "offset" => {
                let path = key.strip_suffix("offset").unwrap_or_default();
                parts.entry(format!("{path}limit")).or_default().1 = Some(value);
            }
            _ => {}
        }
    }
    parts.into_iter().map(|(key, (limit, offset))| (key, Range::of(limit, offset))).collect()
}

/// The embed path of a range's key.
pub(crate) fn range_path(key: &str) -> Result<EmbedPath, Error> {
    Ok(tree_path(key)?.0)
}

/// Decoded names and values; a name without `=` has no value. A semicolon separates pairs like `&`, so it must be
/// percent-encoded inside a value.
pub(crate) fn pairs(text: &str) -> Vec<(String, Option<String>)> {
    text.split(['&', ';'])
        .filter(|pair| !pair.is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) => (decode(key), Some(decode(value))),
            None => (decode(pair), None),
        })
        .collect()
}

fn decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// The characters that a query string need not encode.
pub(crate) const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// DEVIATION (words): non-ASCII characters are encoded once; PostgREST's Content-Location encodes the bytes of their encoding
/// again.
fn canonical(pairs: &[(String, Option<String>)]) -> String {
    let mut sorted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, value) in pairs {
        sorted.entry(key).or_default().push(value.as_deref().unwrap_or_default());
    }
    let encode = |text| utf8_percent_encode(text, UNRESERVED).to_string();
    let encoded: Vec<String> = sorted
        .into_iter()
        .map(|(key, values)| {
            let values: Vec<String> = values.into_iter().map(encode).collect();
            format!("{}={}", encode(key), values.join(","))
        })
        .collect();
    encoded.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_apart() {
        let query = Query::parse(
            "select=id,t(*)&id=eq.1&t.name=like.*x&t.order=a.desc&order=b&limit=5&t.offset=2&t.limit=3&or=(a.eq.1,b.is.null)&columns=a,b&on_conflict=id&x",
            false,
        )
        .unwrap();
        assert_eq!((query.select.len(), query.filters.len(), query.logic.len(), query.order.len()), (2, 2, 1, 2));
        assert_eq!(query.filters[1].0, ["t"]);
        assert_eq!(query.ranges["limit"], Range { lower: 0, upper: Some(4) });
        assert_eq!(query.ranges["t.limit"], Range { lower: 2, upper: Some(4) });
        assert_eq!(query.columns.unwrap().len(), 2);
        assert_eq!(query.on_conflict.unwrap(), ["id"]);
    }

    #[test]
    fn arguments_are_what_is_no_operator() {
        let query = Query::parse("a=1&b=eq.2&c=eqx&d=", true).unwrap();
        let arguments: Vec<_> = query.arguments.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(arguments, [("a", "1"), ("c", "eqx"), ("d", "")]);
        assert_eq!(query.filters.len(), 1);
        assert!(Query::parse("a=not.x", true).is_err());
        assert!(Query::parse("a=is.x", true).is_err());
    }

    #[test]
    fn mistakes_are_located() {
        let Err(Error::Query { message, details }) = Query::parse("id=noop.0", false) else { panic!() };
        assert_eq!(message, "\"failed to parse filter (noop.0)\" (line 1, column 1)");
        assert_eq!(details, r#"unexpected "o" expecting "not" or operator (eq, gt, ...)"#);
    }

    #[test]
    fn text_is_utf8() {
        assert_eq!(Query::parse("a=eq.%C3%A4", false).unwrap().filters.len(), 1);
        for text in ["a=eq.%FF", "%FF=eq.1", "x&%C3=1"] {
            assert!(matches!(Query::parse(text, true), Err(Error::Query { .. })), "{text}");
        }
    }

    #[test]
    fn filters_have_a_limit() {
        let many = |filters: usize, branches: usize| {
            let tree = format!("or=({})", vec!["a.eq.1"; branches].join(","));
            Query::parse(&format!("{}&{tree}", vec!["a=eq.1"; filters].join("&")), false)
        };
        assert!(many(limits::MAX_FILTERS - 2, 2).is_ok());
        let Err(Error::Query { message, details }) = many(limits::MAX_FILTERS - 2, 3) else { panic!() };
        assert_eq!(message, "The query has more than 1000 filters");
        assert_eq!(details, "It has 1001. One filter takes many values: id=in.(1,2,3)");
    }

    #[test]
    fn embeds_have_a_limit() {
        let many = |embeds: usize| Query::parse(&format!("select=a({})", vec!["b(id)"; embeds - 1].join(",")), false);
        assert!(many(limits::MAX_EMBEDS).is_ok());
        let Err(Error::Query { message, details }) = many(limits::MAX_EMBEDS + 1) else { panic!() };
        assert_eq!(message, "The query has more than 250 embeds");
        assert_eq!(details, "It has 251. PostgreSQL plans all of them together");
    }

    #[test]
    fn the_canonical_form_is_sorted_and_encoded() {
        let query = Query::parse("b=eq.x+y&a=eq.%C3%A4&b=gt.1", false).unwrap();
        assert_eq!(query.canonical, "a=eq.%C3%A4&b=eq.x%20y,gt.1");
    }
}
