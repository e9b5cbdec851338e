//! Parses HTTP text into an [`ApiRequest`]. Pure, without knowledge of the database.

pub(crate) mod body;
mod complaint;
mod csv;
pub(crate) mod filter;
mod incoming;
mod limits;
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

use crate::config::Config;
use crate::error::Error;

pub use incoming::Incoming;
pub(crate) use media::MediaType;
pub(crate) use prefer::Preferences;
pub(crate) use query::Query;
pub(crate) use range::Range;
pub(crate) use resource::{Action, Invoke, Mutation};

/// The request in terms of the data API. Planning decides whether it is valid.
#[derive(Debug)]
pub(crate) struct ApiRequest {
    pub(crate) action: Action,
    pub(crate) schema: String,
    /// Whether the response must name its schema.
    pub(crate) names_schema: bool,
    pub(crate) prefer: Preferences,
    pub(crate) query: Query,
    /// The range of the top level, from `limit`, `offset` and the Range header.
    pub(crate) range: Range,
    pub(crate) payload: Option<body::Payload>,
    /// The keys of the payload, or the names in `columns`.
    pub(crate) columns: BTreeSet<String>,
    /// In order of preference.
    pub(crate) accept: Vec<MediaType>,
    pub(crate) content_type: MediaType,
}

impl ApiRequest {
    /// Parses the whole request.
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
        let content_type = incoming::header(headers, "content-type").map_or(MediaType::Json, MediaType::parse);
        let accept = incoming::header(headers, "accept").map_or_else(|| vec![MediaType::Any], media::accepted);
        let (payload, columns) = body::payload(body, &content_type, query.columns.as_ref(), &action)?;
        Ok(ApiRequest { action, schema, names_schema, prefer, query, range, payload, columns, accept, content_type })
    }
}
