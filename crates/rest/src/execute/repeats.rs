//! Caches parsed and planned requests by their shape.
//!
//! The plan of a request depends on its method, path, query string, a few headers and the keys of its body. Together
//! they are its *shape*. The shape leaves out the values of the simplest filters (`id=eq.7`) and arguments (`id=7`) and
//! the values in the body; it contains everything else verbatim. The cached plans of shapes belong to a state and are
//! dropped with its catalog.
//!
//! Before a shape is cached, it is proved that these values do not influence the plan: the same request is planned with
//! made-up values. Only if that gives the same SQL text, and the made-up values occur as whole parameters and nowhere
//! else, do those parameters become placeholders. The cache keeps the made-up request, so that it contains no client's
//! values.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, header};
use lru::LruCache;
use pg::BoundSql;

use crate::catalog::Catalog;
use crate::config::Config;
use crate::plan::{self, DbPlan, Plan};
use crate::request::{ApiRequest, Incoming, body};
use crate::sql;

/// The number of cached shapes. Most take some kilobytes; the limits below keep each under a hundred.
const KEPT: NonZeroUsize = NonZeroUsize::new(512).expect("not zero");
/// Longer requests (method, relevant headers, path and query) are not cached, in bytes.
const MAX_KEY: usize = 1536;
/// Longer statements are not cached, in bytes: their plan is about as large.
const MAX_STATEMENT: usize = 8 * 1024;
/// The longest value that a shape leaves out, in bytes.
const MAX_VALUE: usize = 64;
/// Longer bodies are not cached, in bytes.
const MAX_BODY: usize = 16 * 1024;
/// About how many shapes that occurred once are remembered.
const SEEN_ONCE: usize = 1024;

/// The headers that parsing and planning depend on.
const HEADERS: [HeaderName; 7] = [
    header::ACCEPT,
    header::RANGE,
    header::CONTENT_TYPE,
    HeaderName::from_static("prefer"),
    HeaderName::from_static("range-unit"),
    HeaderName::from_static("accept-profile"),
    HeaderName::from_static("content-profile"),
];

/// Parameters that are not filters.
const RESERVED: [&str; 9] = ["select", "columns", "on_conflict", "order", "limit", "offset", "and", "or", "not"];

/// The cache of shapes.
pub(crate) struct Repeats {
    kept: Mutex<LruCache<u64, Arc<Repeat>>>,
    /// Hashes of shapes that occurred once; the inverted hash if the proof failed. Most shapes never occur again.
    seen: Box<[AtomicU64]>,
    hasher: RandomState,
}

/// A request without the values of its simple filters and arguments and of its body.
pub(crate) struct Shape<'a> {
    hash: u64,
    key: String,
    /// The start of the query in `key`.
    query: usize,
    given: Vec<&'a str>,
    body: Option<Sent<'a>>,
}

/// The body of a request.
struct Sent<'a> {
    bytes: &'a Bytes,
    keys: BTreeSet<String>,
    is_array: bool,
}

/// A cached request, complete except for its values.
pub(crate) struct Repeat {
    key: String,
    pub(crate) request: ApiRequest,
    pub(crate) plan: Box<DbPlan>,
    text: Arc<str>,
    values: Vec<Place>,
    canonical: Vec<Piece>,
}

/// A parameter of a cached statement.
enum Place {
    Fixed(Option<Bytes>),
    Given(usize),
    Body,
}

/// A part of a cached text.
enum Piece {
    Fixed(String),
    Given(usize),
}

/// Stands for a value that was left out. It cannot occur in a URL or a header.
const HOLE: char = '\0';

impl Default for Repeats {
    fn default() -> Self {
        Repeats {
            kept: Mutex::new(LruCache::new(KEPT)),
            seen: (0..SEEN_ONCE).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl Repeats {
    /// The shape of a request, or `None` if the request cannot be cached.
    pub(crate) fn shape<'a>(&self, incoming: Incoming<'a>) -> Option<Shape<'a>> {
        let Incoming { method, path, query, headers, body } = incoming;
        let is_repeated = matches!(*method, Method::GET | Method::HEAD | Method::POST | Method::PATCH | Method::DELETE);
        if !is_repeated || body.len() > MAX_BODY || path.len() + query.len() > MAX_KEY {
            return None;
        }
        let body = match body.is_empty() {
            true => None,
            false => Some(Sent::read(headers, body)?),
        };
        let is_call = path.starts_with("/rpc/");
        let mut key = String::with_capacity(128 + path.len() + query.len());
        key.push_str(method.as_str());
        for name in &HEADERS {
            for value in headers.get_all(name) {
                key.push('\n');
                key.push_str(name.as_str());
                key.push(':');
                key.push_str(value.to_str().ok()?);
            }
        }
        if let Some(body) = &body {
            key.push_str(if body.is_array { "\n[" } else { "\n{" });
            // JSON escapes quotation marks, so different sets of keys never give the same text.
            key.push_str(&serde_json::to_string(&body.keys).ok()?);
        }
        key.push('\n');
        key.push_str(path);
        key.push('\n');
        let start = key.len();
        let mut given = Vec::new();
        for (index, pair) in query.split('&').enumerate() {
            if index > 0 {
                key.push('&');
            }
            let simple = simple_filter(pair);
            match simple.or_else(|| if is_call { simple_argument(pair) } else { None }) {
                Some((start, value)) => {
                    key.push_str(start);
                    key.push(HOLE);
                    given.push(value);
                }
                None => key.push_str(pair),
            }
        }
        if key.len() > MAX_KEY {
            return None;
        }
        let hash = self.hasher.hash_one(key.as_str());
        Some(Shape { hash, key, query: start, given, body })
    }

    /// The cached request of a shape.
    pub(crate) fn find(&self, shape: &Shape<'_>) -> Option<Arc<Repeat>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&shape.hash).filter(|repeat| repeat.key == shape.key).cloned()
    }

    /// Caches the plan of `incoming`, whose statement is `sql`, if its shape has occurred before and the proof
    /// succeeds.
    pub(crate) fn learn(
        &self,
        shape: &Shape<'_>,
        incoming: Incoming<'_>,
        request: &ApiRequest,
        sql: &BoundSql,
        (catalog, config): (&Catalog, &Config),
    ) {
        let seen = &self.seen[usize::try_from(shape.hash).unwrap_or_default() % SEEN_ONCE];
        match seen.load(Ordering::Relaxed) {
            refused if refused == !shape.hash => return,
            once if once == shape.hash => {}
            _ => return seen.store(shape.hash, Ordering::Relaxed),
        }
        let made_up: Vec<String> = (0..shape.given.len()).map(|number| self.made_up(number)).collect();
        let body = shape.body.as_ref().map(|body| body.made_up(&self.made_up(made_up.len()))).unwrap_or_default();
        match Repeat::prove(shape, incoming, (&made_up, &body), (request, sql), (catalog, config)) {
            Some(repeat) => {
                self.kept.lock().unwrap_or_else(PoisonError::into_inner).put(shape.hash, Arc::new(repeat));
            }
            None => seen.store(!shape.hash, Ordering::Relaxed),
        }
    }

    /// A value that no client has sent and no name contains.
    fn made_up(&self, number: usize) -> String {
        let (high, low) = (self.hasher.hash_one((number, 'h')), self.hasher.hash_one((number, 'l')));
        format!("made-up-{high:016x}{low:016x}")
    }
}

impl<'a> Sent<'a> {
    fn read(headers: &HeaderMap, bytes: &'a Bytes) -> Option<Self> {
        let is_json = headers.get(header::CONTENT_TYPE).is_none_or(|kind| kind.as_bytes() == b"application/json");
        let (keys, is_array) = body::keys(bytes).filter(|_| is_json)?;
        Some(Sent { bytes, keys, is_array })
    }

    /// A body with the same keys and made-up values.
    fn made_up(&self, value: &str) -> Bytes {
        let row: BTreeMap<&str, &str> = self.keys.iter().map(|key| (key.as_str(), value)).collect();
        let json = if self.is_array { serde_json::to_vec(&[row]) } else { serde_json::to_vec(&row) };
        json.unwrap_or_default().into()
    }
}

impl Repeat {
    /// The statement with the values of this request.
    pub(crate) fn sql(&self, shape: &Shape<'_>) -> BoundSql {
        let value = |place: &Place| match place {
            Place::Fixed(value) => value.clone(),
            Place::Given(index) => shape.given.get(*index).map(|value| Bytes::copy_from_slice(value.as_bytes())),
            Place::Body => shape.body.as_ref().map(|body| body.bytes.clone()),
        };
        BoundSql { text: self.text.clone(), values: self.values.iter().map(value).collect() }
    }

    /// [`Query::canonical`](crate::request::Query::canonical) with the values of this request.
    pub(crate) fn canonical(&self, shape: &Shape<'_>) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Fixed(text) => text.clone(),
            Piece::Given(index) => shape.given.get(*index).copied().unwrap_or_default().to_owned(),
        };
        self.canonical.iter().map(text).collect()
    }

    fn prove(
        shape: &Shape<'_>,
        incoming: Incoming<'_>,
        (made_up, body): (&[String], &Bytes),
        (request, sql): (&ApiRequest, &BoundSql),
        (catalog, config): (&Catalog, &Config),
    ) -> Option<Self> {
        if sql.text.len() > MAX_STATEMENT {
            return None;
        }
        let mut values = made_up.iter();
        let mut query = String::with_capacity(shape.key.len() + made_up.len() * MAX_VALUE);
        for letter in shape.key[shape.query..].chars() {
            match letter {
                HOLE => query.push_str(values.next()?),
                letter => query.push(letter),
            }
        }
        let again = ApiRequest::parse(Incoming { query: &query, body, ..incoming }, config).ok()?;
        let Plan::Db(plan) = plan::plan(&again, catalog, config).ok()? else { return None };
        // The query for a planned count would contain the made-up values.
        if plan.is_explain() || again.prefer.counts_by_plan() {
            return None;
        }
        let other = BoundSql::from(sql::statement(&plan, &again, config.db_max_rows).ok()?);
        let values = places((made_up, body), &other, shape, sql)?;
        let canonical = pieces(made_up, &again.query.canonical)?;
        let repeat = Repeat { key: shape.key.clone(), request: again, plan, text: other.text, values, canonical };
        (repeat.sql(shape) == *sql && repeat.canonical(shape) == request.query.canonical).then_some(repeat)
    }
}

/// Splits `name=eq.value`, if no character of name and value has a meaning in URLs or filters.
fn simple_filter(pair: &str) -> Option<(&str, &str)> {
    simple(pair, "=eq.")
}

/// Splits `name=value` in the same way.
fn simple_argument(pair: &str) -> Option<(&str, &str)> {
    simple(pair, "=")
}

fn simple<'a>(pair: &'a str, between: &str) -> Option<(&'a str, &'a str)> {
    let (name, value) = pair.split_once(between)?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_value = (1..=MAX_VALUE).contains(&value.len()) && value.bytes().all(is_plain);
    (is_name && is_value && !RESERVED.contains(&name)).then(|| pair.split_at(name.len() + between.len()))
}

/// Replaces made-up values among the parameters by placeholders; each made-up value must occur.
fn places(
    (made_up, body): (&[String], &Bytes),
    other: &BoundSql,
    shape: &Shape<'_>,
    sql: &BoundSql,
) -> Option<Vec<Place>> {
    if other.text != sql.text || other.values.len() != sql.values.len() {
        return None;
    }
    let (mut found, mut uses_body) = (vec![false; made_up.len()], false);
    let sent = shape.body.as_ref().map(|body| body.bytes);
    let places = other.values.iter().zip(&sql.values).map(|(other, value)| {
        if sent.is_some() && other.as_ref() == Some(body) {
            uses_body |= value.as_ref() == sent;
            return (value.as_ref() == sent).then_some(Place::Body);
        }
        let hole = made_up.iter().position(|made_up| other.as_deref() == Some(made_up.as_bytes()));
        match hole {
            Some(index) if value.as_deref() == Some(shape.given[index].as_bytes()) => {
                found[index] = true;
                Some(Place::Given(index))
            }
            None if other == value => Some(Place::Fixed(value.clone())),
            _ => None,
        }
    });
    let places: Vec<Place> = places.collect::<Option<_>>()?;
    (found.iter().all(|found| *found) && uses_body == sent.is_some()).then_some(places)
}

/// The text around the made-up values; each must occur exactly once.
fn pieces(made_up: &[String], text: &str) -> Option<Vec<Piece>> {
    let mut found = Vec::with_capacity(made_up.len());
    for (index, value) in made_up.iter().enumerate() {
        let mut matches = text.match_indices(value.as_str());
        let (at, _) = matches.next()?;
        if matches.next().is_some() {
            return None;
        }
        found.push((at, index));
    }
    found.sort_unstable();
    let mut pieces = Vec::with_capacity(2 * found.len() + 1);
    let mut end = 0;
    for (at, index) in found {
        pieces.push(Piece::Fixed(text[end..at].to_owned()));
        pieces.push(Piece::Given(index));
        end = at + made_up[index].len();
    }
    pieces.push(Piece::Fixed(text[end..].to_owned()));
    Some(pieces)
}

#[cfg(test)]
mod tests;
