//! Pagination of lists: by number, with the total in a header, or by cursor.
//!
//! Source: supabase/auth, `internal/api/pagination.go`.

use std::collections::BTreeMap;

use actix_web::HttpResponseBuilder;
use actix_web::http::header::LINK;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::model::requester::Requester;
use crate::model::timestamp;

/// Default page size.
const PER_PAGE: u64 = 50;
/// Page size if the client asks for 0.
///
/// DEVIATION (more): `per_page=0` returns a page of 20; GoTrue fetches as many and then answers 500.
const PER_EMPTY_PAGE: u64 = 20;
/// Maximum page size with cursors.
const MAX_LIMIT: u64 = 1000;

/// A page by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    number: u64,
    size: u64,
}

/// A page that starts after a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keyset {
    pub(crate) limit: i64,
    pub(crate) after: Option<Cursor>,
}

/// The last row of a page.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) id: Uuid,
}

impl Page {
    /// The page in the parameters `page` and `per_page`.
    ///
    /// # Errors
    /// Go's message about an invalid number.
    pub(crate) fn of(requester: &Requester) -> Result<Self, String> {
        let number = match requester.parameter("page").as_str() {
            "" => 1,
            text => unsigned(text)?,
        };
        let size = match requester.parameter("per_page").as_str() {
            "" => PER_PAGE,
            text => unsigned(text)?,
        };
        Ok(Page { number, size: if size == 0 { PER_EMPTY_PAGE } else { size } })
    }

    pub(crate) fn limit(self) -> i64 {
        i64::try_from(self.size).unwrap_or(i64::MAX)
    }

    pub(crate) fn offset(self) -> i64 {
        let before = self.number.saturating_sub(1).saturating_mul(self.size);
        i64::try_from(before).unwrap_or(i64::MAX)
    }

    /// Adds the `Link` header to the next and the last page, and the total.
    pub(crate) fn announce(self, response: &mut HttpResponseBuilder, requester: &Requester, total: u64) {
        let pages = total.div_ceil(self.size);
        let link = |page: u64, name: &str| {
            format!("<{}>; rel=\"{name}\"", requester.address_with(&[("page", Some(page.to_string()))]))
        };
        let mut header = link(pages, "last");
        if pages > self.number {
            header = format!("{}, {header}", link(self.number + 1, "next"));
        }
        response.insert_header((LINK, header)).insert_header(("x-total-count", total.to_string()));
    }
}

impl Keyset {
    /// The page in the parameters `limit` and `cursor`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn of(requester: &Requester) -> Result<Self, String> {
        let limit = match requester.parameter("limit").as_str() {
            "" => PER_PAGE,
            text => unsigned(text)?,
        };
        if limit == 0 {
            return Err("limit must be greater than 0".to_owned());
        }
        let limit = i64::try_from(limit.min(MAX_LIMIT)).unwrap_or(i64::MAX);
        let after = match requester.parameter("cursor").as_str() {
            "" => None,
            text => Some(Cursor::decode(text)?),
        };
        Ok(Keyset { limit, after })
    }

    /// Adds the `Link` header to the page after `next`.
    pub(crate) fn announce(response: &mut HttpResponseBuilder, requester: &Requester, next: &Cursor) {
        let address = requester.address_with(&[("page", None), ("cursor", Some(next.encode()))]);
        response.insert_header((LINK, format!("<{address}>; rel=\"next\"")));
    }
}

impl Cursor {
    /// The opaque text that clients send back.
    pub(crate) fn encode(&self) -> String {
        let document = json!({ "created_at": timestamp::format(&self.created_at), "id": self.id });
        BASE64_URL_SAFE_NO_PAD.encode(document.to_string())
    }

    fn decode(text: &str) -> Result<Self, String> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|error| format!("invalid cursor encoding: {error}"))?;
        let cursor: Cursor = serde_json::from_slice(&bytes).map_err(|error| format!("invalid cursor: {error}"))?;
        if cursor.id.is_nil() {
            return Err("invalid cursor: missing id".to_owned());
        }
        Ok(cursor)
    }
}

/// Go's `strconv.ParseUint` for 64 bits.
fn unsigned(text: &str) -> Result<u64, String> {
    let complain = |what: &str| format!("strconv.ParseUint: parsing {text:?}: {what}");
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(complain("invalid syntax"));
    }
    text.parse().map_err(|_| complain("value out of range"))
}

/// A query string with some parameters changed (`None` removes one), sorted by name and escaped as in Go.
pub(crate) fn query_with(query: &str, changes: &[(&str, Option<String>)]) -> String {
    let mut pairs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()).into_owned() {
        pairs.entry(name).or_default().push(value);
    }
    for (name, value) in changes {
        match value {
            Some(value) => pairs.insert((*name).to_owned(), vec![value.clone()]),
            None => pairs.remove(*name),
        };
    }
    let all = pairs.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
    let encoded = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish();
    encoded.replace("%7E", "~").replace('*', "%2A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        assert_eq!(unsigned("007"), Ok(7));
        for (text, complaint) in [
            ("-1", "strconv.ParseUint: parsing \"-1\": invalid syntax"),
            ("+1", "strconv.ParseUint: parsing \"+1\": invalid syntax"),
            ("99999999999999999999", "strconv.ParseUint: parsing \"99999999999999999999\": value out of range"),
        ] {
            assert_eq!(unsigned(text), Err(complaint.to_owned()));
        }
    }

    #[test]
    fn pages_far_out_are_empty_and_no_overflow() {
        for (number, size, offset) in [(0, 50, 0), (1, 50, 0), (3, 50, 100), (u64::MAX, u64::MAX, i64::MAX)] {
            assert_eq!(Page { number, size }.offset(), offset);
        }
    }

    #[test]
    fn queries_are_sorted_and_escaped_as_go_does_it() {
        let page = ("page", Some("3".to_owned()));
        for (query, changes, expected) in [
            ("", vec![page.clone()], "page=3"),
            ("per_page=2&page=2&filter=a~b*c+d", vec![page.clone()], "filter=a~b%2Ac+d&page=3&per_page=2"),
            ("sort=a&sort=b&page=2", vec![("page", None)], "sort=a&sort=b"),
        ] {
            assert_eq!(query_with(query, &changes), expected);
        }
    }

    #[test]
    fn cursors_come_back_and_strange_ones_do_not() {
        let cursor = Cursor { created_at: "2026-11-21T04:16:33.12Z".parse().unwrap(), id: Uuid::from_u128(7) };
        assert_eq!(Cursor::decode(&cursor.encode()), Ok(cursor));
        let nil = Cursor { created_at: DateTime::UNIX_EPOCH, id: Uuid::nil() }.encode();
        for (text, complaint) in [("!", "invalid cursor encoding"), ("e30", "invalid cursor"), (&nil, "missing id")] {
            let said = Cursor::decode(text).unwrap_err();
            assert!(said.contains(complaint), "{said}");
        }
    }
}
