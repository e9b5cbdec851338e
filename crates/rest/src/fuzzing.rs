//! Entry points for the fuzz targets in `fuzz/` and the tests in `tests/`. They are not part of the API or of a release.
//!
//! Whatever the input is, nothing may panic, and the time must not grow faster than the input.

pub(crate) mod catalog;
mod entropy;
mod query;
mod request;
mod text;
mod vocabulary;
mod world;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};

use crate::request::scan::Scan;
pub use entropy::bytes_of_seed;
pub use request::Generated;
pub use text::check;
pub use world::World;

use crate::request::{self as grammar, Action, Invoke, MediaType, Mutation, Preferences, Query, Range};

/// A grammar for text from clients.
#[derive(Clone, Copy, Debug)]
pub enum Grammar {
    /// `select=`
    Select,
    /// `column=`
    Filter,
    /// `or=`
    Logic,
    /// `order=`
    Order,
    /// The Prefer header.
    Prefer,
    /// The Range header, and `limit` and `offset`.
    Range,
    /// The Accept and Content-Type headers.
    Media,
    /// The whole query string.
    Query,
}

impl Grammar {
    /// One of the grammars of headers.
    pub fn of_headers(choice: u8) -> Self {
        [Grammar::Prefer, Grammar::Range, Grammar::Media][usize::from(choice) % 3]
    }
}

/// Parses `text`. Returns whether it was valid.
pub fn read(grammar: Grammar, text: &str) -> bool {
    let mut scan = Scan::new(text);
    let understood = match grammar {
        Grammar::Select => grammar::select::forest(&mut scan).is_ok(),
        Grammar::Filter => grammar::filter::operation(&mut scan, grammar::filter::whole_value).is_ok(),
        Grammar::Logic => grammar::logic::tree(&mut scan).is_ok(),
        Grammar::Order => grammar::order::terms(&mut scan).is_ok(),
        Grammar::Prefer => return prefer(text),
        Grammar::Range => return range(text),
        Grammar::Media => return media(text),
        Grammar::Query => return Query::parse(text, true).is_ok() & Query::parse(text, false).is_ok(),
    };
    if !understood {
        let complaint = scan.complaint();
        assert!(complaint.line <= text.split('\n').count(), "{complaint:?} is behind the end");
        assert!(!complaint.details.is_empty(), "a complaint says nothing");
    }
    understood
}

fn prefer(text: &str) -> bool {
    let mut headers = HeaderMap::new();
    for line in text.lines() {
        if let Ok(value) = HeaderValue::from_str(line) {
            headers.append("prefer", value);
        }
    }
    let prefer = Preferences::from_headers(&headers, true);
    prefer.applied().is_some_and(|applied| HeaderValue::from_str(&applied).is_ok())
}

/// Parses `limit` and `offset` together with a Range header. The first line is the header, the next two are the parameters.
fn range(text: &str) -> bool {
    let mut lines = text.lines();
    let mut headers = HeaderMap::new();
    if let Some(value) = lines.next().and_then(|line| HeaderValue::from_str(line).ok()) {
        headers.insert("range", value);
    }
    let (limit, offset) = (lines.next(), lines.next());
    let asked = Range::of(limit, offset);
    let mut ranges = [("limit".to_owned(), asked)].into();
    let read = grammar::range::top_level(&Method::GET, &headers, &mut ranges);
    for range in [Some(asked), read.as_ref().ok().copied()].into_iter().flatten() {
        let capped = range.capped(Some(10));
        assert!(capped.limit().is_none_or(|limit| limit <= 10), "{range:?} has {capped:?} under a cap of 10");
    }
    read.is_ok()
}

fn media(text: &str) -> bool {
    let accepted = grammar::media::accepted(text);
    assert_eq!(accepted.len(), text.split(',').count());
    for media in &accepted {
        // A media type that we do not know is kept as written, including quotes, so parsing it again may differ.
        let named = |media: &MediaType| !matches!(media, MediaType::Other(_));
        if named(media) && !matches!(media, MediaType::Plan(plan) if !named(&plan.of)) {
            assert_eq!(MediaType::parse(&media.mime()), *media);
        }
    }
    MediaType::parse(text) != MediaType::Any
}

/// Parses `bytes` as a body of the kind `choice`. Returns whether it was valid.
pub fn read_body(choice: u8, bytes: &[u8]) -> bool {
    let content_type = [
        MediaType::Json,
        MediaType::Csv,
        MediaType::UrlEncoded,
        MediaType::Text,
        MediaType::OctetStream,
        MediaType::Other("image/png".to_owned()),
    ];
    let content_type = &content_type[usize::from(choice) % content_type.len()];
    let action = match choice / 8 % 4 {
        0 => Action::Mutate { relation: "t".to_owned(), mutation: Mutation::Create },
        1 => Action::Mutate { relation: "t".to_owned(), mutation: Mutation::Update },
        2 => Action::Mutate { relation: "t".to_owned(), mutation: Mutation::SingleUpsert },
        _ => Action::Call { routine: "f".to_owned(), invoke: Invoke::Post },
    };
    let columns = (choice & 0x80 != 0).then(|| ["a".to_owned()].into());
    let read = grammar::body::payload(&Bytes::copy_from_slice(bytes), content_type, columns.as_ref(), &action);
    let Ok((payload, keys)) = read else { return false };
    // A payload that we built or checked as JSON must be JSON.
    let looked_at = columns.is_none() || !matches!(content_type, MediaType::Json);
    if let Some(payload @ (grammar::body::Payload::Json(_) | grammar::body::Payload::Form(_))) = payload
        && looked_at
    {
        let json = serde_json::from_slice::<serde_json::Value>(&payload.bytes());
        let is_too_much = |text: String| text.contains("recursion limit") || text.contains("number out of range");
        if json.as_ref().is_err_and(|error| is_too_much(error.to_string())) {
            // Values are passed on unparsed, so they may nest deeper and be larger than this parser supports.
            return true;
        }
        let json = json.expect("a payload sent as JSON is JSON");
        let objects = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
        for object in objects {
            let has: std::collections::BTreeSet<String> =
                object.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default();
            assert_eq!(has, keys, "the keys are not those of every row");
        }
    }
    true
}
