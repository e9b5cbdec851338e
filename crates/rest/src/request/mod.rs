//! HTTP text becomes an [`ApiRequest`]. Pure: nothing here knows the database.

pub(crate) mod body;
mod complaint;
mod csv;
pub(crate) mod filter;
pub(crate) mod logic;
pub(crate) mod media;
pub(crate) mod name;
pub(crate) mod order;
pub(crate) mod prefer;
pub(crate) mod query;
pub(crate) mod range;
pub(crate) mod resource;
pub(crate) mod scan;
pub(crate) mod select;
mod shape;

use std::collections::BTreeSet;

use bytes::Bytes;
use http::{HeaderMap, Method};

use crate::config::Config;
use crate::error::Error;

pub(crate) use media::MediaType;
pub(crate) use prefer::Preferences;
pub(crate) use query::Query;
pub(crate) use range::Range;
pub(crate) use resource::{Action, Invoke, Mutation};

/// Limits of what a request may ask for.
pub(crate) mod limits {
    /// How deep embeds and logic trees may nest: deeper ones could exhaust the stack of the planner.
    ///
    /// DEVIATION (stricter): PostgREST has no limit of its own; embeds or logic trees that nest more than 32 deep are
    /// refused.
    pub(crate) const MAX_DEPTH: usize = 32;
    /// What is said of deeper ones.
    pub(crate) const TOO_DEEP: &str = "nested more than 32 deep";
    /// How long path and query may be together, in bytes. The HTTP layer below us answers past 65,534 with a bare 400.
    pub(crate) const MAX_URL: usize = 60_000;
    /// How many conditions there may be, in filters and logic trees: each is planned by PostgreSQL.
    pub(crate) const MAX_FILTERS: usize = 1_000;
    /// How many embeds there may be at all levels: each is a join that PostgreSQL plans.
    pub(crate) const MAX_EMBEDS: usize = 250;
}

/// A request as it came in: everything the later stages may look at.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// The verb.
    pub method: &'a Method,
    /// The path below the mount point, still percent-encoded, beginning with `/`.
    pub path: &'a str,
    /// The query string without its `?`.
    pub query: &'a str,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The body, whole.
    pub body: &'a Bytes,
}

/// What the client wants, in the vocabulary of the data API. Whether it makes sense is for the plan to say.
#[derive(Debug)]
pub(crate) struct ApiRequest {
    pub(crate) action: Action,
    pub(crate) schema: String,
    /// Whether the response should say which schema it speaks of.
    pub(crate) names_schema: bool,
    pub(crate) prefer: Preferences,
    pub(crate) query: Query,
    /// The window of the top level, from `limit`, `offset` and the Range header.
    pub(crate) range: Range,
    pub(crate) payload: Option<body::Payload>,
    /// The keys of the payload, or those that `columns` names.
    pub(crate) columns: BTreeSet<String>,
    /// In the order of preference.
    pub(crate) accept: Vec<MediaType>,
    pub(crate) content_type: MediaType,
}

impl ApiRequest {
    /// Reads the whole request.
    pub(crate) fn parse(incoming: Incoming<'_>, config: &Config) -> Result<Self, Error> {
        let Incoming { method, path, headers, body, .. } = incoming;
        // DEVIATION (stricter): PostgREST has no limit of its own; a URL of more than 60,000 bytes is 414.
        if path.len() + incoming.query.len() > limits::MAX_URL {
            return Err(Error::UrlTooLong(limits::MAX_URL));
        }
        let prefer = Preferences::from_headers(headers, config.db_tx_end.allows_override());
        let resource = resource::Resource::parse(path, config)?;
        let (schema, names_schema) = resource::schema(method, headers, config)?;
        let action = resource::action(resource, method)?;
        let mut query = Query::parse(incoming.query, action.takes_arguments_from_url())?;
        let range = range::top_level(method, headers, &mut query.ranges)?;
        let content_type = header(headers, "content-type").map_or(MediaType::Json, MediaType::parse);
        let accept = header(headers, "accept").map_or_else(|| vec![MediaType::Any], media::accepted);
        let (payload, columns) = body::payload(body, &content_type, query.columns.as_ref(), &action)?;
        Ok(ApiRequest { action, schema, names_schema, prefer, query, range, payload, columns, accept, content_type })
    }
}

/// A header's value, the first one where it was sent several times.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}
