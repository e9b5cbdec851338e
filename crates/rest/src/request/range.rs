//! Ranges of rows: `limit`, `offset` and the Range header.

use std::collections::BTreeMap;

use http::{HeaderMap, Method};

use super::incoming::header;
use crate::error::{Error, RangeProblem};

/// From row `lower`, counted from 0, to row `upper`, inclusive. The numbers may exceed PostgreSQL's, which then returns
/// an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) lower: i128,
    pub(crate) upper: Option<i128>,
}

impl Range {
    /// All rows.
    pub(crate) const ALL: Range = Range { lower: 0, upper: None };

    /// `limit=0`: no rows, without an error.
    pub(crate) const NONE: Range = Range { lower: 0, upper: Some(-1) };

    /// The range that `limit` and `offset` define. A text that is not a number counts as missing, but together with
    /// an offset as a limit of 0.
    pub(crate) fn of(limit: Option<&str>, offset: Option<&str>) -> Self {
        match (limit, offset) {
            (Some(limit), Some(offset)) => {
                let lower = number(offset).unwrap_or(0);
                let limit = number(limit).unwrap_or(0);
                Range { lower, upper: Some(lower.saturating_add(limit).saturating_sub(1)) }
            }
            (Some(limit), None) => Range { lower: 0, upper: number(limit).map(|limit| limit.saturating_sub(1)) },
            (None, Some(offset)) => Range { lower: number(offset).unwrap_or(0), upper: None },
            (None, None) => Range::ALL,
        }
    }

    /// The maximum number of rows.
    pub(crate) fn limit(self) -> Option<i128> {
        self.upper.map(|upper| upper.saturating_sub(self.lower).saturating_add(1))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.upper.is_some_and(|upper| upper < self.lower)
    }

    /// Whether it comes from `limit=0` without an offset.
    pub(crate) fn is_limit_zero(self) -> bool {
        self.upper == Some(-1)
    }

    fn and(self, other: Range) -> Range {
        let upper = match (self.upper, other.upper) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Range { lower: self.lower.max(other.lower), upper }
    }

    /// The same range with at most `rows` rows.
    pub(crate) fn capped(self, rows: Option<i64>) -> Range {
        let Some(rows) = rows.map(i128::from) else { return self };
        if self.is_limit_zero() {
            return Range::NONE;
        }
        let cap = self.lower.saturating_add(rows).saturating_sub(1);
        Range { lower: self.lower, upper: Some(self.upper.map_or(cap, |upper| upper.min(cap))) }
    }
}

/// The range of the top level. It is also stored in `ranges` under the key `limit`, for the plan.
pub(crate) fn top_level(
    method: &Method,
    headers: &HeaderMap,
    ranges: &mut BTreeMap<String, Range>,
) -> Result<Range, Error> {
    // RFC 9110, section 14.2: Range is ignored for every method but GET.
    let from_header = match (method, header(headers, "range")) {
        (&Method::GET, Some(text)) => parse_header(text),
        _ => Range::ALL,
    };
    let from_query = ranges.get("limit").copied().unwrap_or(Range::ALL);
    let range = if from_query.is_limit_zero() { Range::NONE } else { from_header.and(from_query) };
    if range.is_empty() && !from_query.is_limit_zero() {
        let problem = if from_header.is_empty() { RangeProblem::LowerAboveUpper } else { RangeProblem::NegativeLimit };
        return Err(Error::InvalidRange(problem));
    }
    if method == Method::PUT && range != Range::ALL {
        return Err(Error::PutLimit);
    }
    ranges.insert("limit".to_owned(), range);
    Ok(range)
}

/// `0-9` or `10-`; every other form is ignored.
fn parse_header(text: &str) -> Range {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('-') {
        Some((lower, upper)) if !lower.is_empty() && digits(lower) && digits(upper) => {
            Range { lower: number(lower).unwrap_or(0), upper: number(upper) }
        }
        _ => Range::ALL,
    }
}

/// A whole number of any size; PostgreSQL refuses those that are too large.
fn number(text: &str) -> Option<i128> {
    const LARGEST: i128 = 10_i128.pow(36);
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse().unwrap_or(LARGEST).min(LARGEST);
    Some(if digits.len() < text.len() { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_offsets() {
        for (limit, offset, lower, upper) in [
            (None, None, 0, None),
            (Some("10"), None, 0, Some(9)),
            (Some("0"), None, 0, Some(-1)),
            (Some("x"), None, 0, None),
            (None, Some("5"), 5, None),
            (Some("10"), Some("-4"), -4, Some(5)),
            (Some(" 7 "), None, 0, Some(6)),
            (Some("+7"), None, 0, None),
            (Some("9223372036854775808"), None, 0, Some((1 << 63) - 1)),
            (Some("9"), Some("9223372036854775807"), (1 << 63) - 1, Some((1 << 63) + 7)),
        ] {
            assert_eq!(Range::of(limit, offset), Range { lower, upper }, "{limit:?} {offset:?}");
        }
    }

    #[test]
    fn no_number_is_too_large() {
        let digits = "9".repeat(60);
        assert_eq!(Range::of(Some(&digits), Some(&digits)).limit(), Some(10_i128.pow(36)));
    }

    #[test]
    fn the_header_and_the_query_intersect() {
        let top = |method: Method, header: Option<&str>, limit: Option<&str>, offset: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(header) = header {
                headers.insert("range", header.parse().unwrap());
            }
            let mut ranges = BTreeMap::new();
            if limit.is_some() || offset.is_some() {
                ranges.insert("limit".to_owned(), Range::of(limit, offset));
            }
            top_level(&method, &headers, &mut ranges).map_err(|error| error.code().into_owned())
        };
        let ok = |lower, upper| Ok(Range { lower, upper });
        assert_eq!(top(Method::GET, Some("2-5"), None, None), ok(2, Some(5)));
        assert_eq!(top(Method::GET, Some("2-"), Some("10"), None), ok(2, Some(9)));
        assert_eq!(top(Method::HEAD, Some("2-5"), None, None), ok(0, None));
        assert_eq!(top(Method::GET, Some("bytes=0-1"), None, None), ok(0, None));
        assert_eq!(top(Method::GET, None, Some("10"), Some("-4")), ok(0, Some(5)));
        assert_eq!(top(Method::GET, Some("0-1"), Some("0"), None), ok(0, Some(-1)));
        for (header, limit, offset) in
            [(Some("5-2"), None, None), (None, Some("-1"), None), (None, Some("0"), Some("1"))]
        {
            assert_eq!(top(Method::GET, header, limit, offset), Err("PGRST103".to_owned()));
        }
        assert_eq!(top(Method::PUT, None, Some("1"), None), Err("PGRST114".to_owned()));
    }

    #[test]
    fn caps() {
        assert_eq!(Range::ALL.capped(Some(10)), Range { lower: 0, upper: Some(9) });
        assert_eq!(Range { lower: 5, upper: Some(6) }.capped(Some(10)), Range { lower: 5, upper: Some(6) });
        assert_eq!(Range::NONE.capped(Some(10)), Range::NONE);
        assert_eq!(Range::ALL.capped(None), Range::ALL);
    }
}
