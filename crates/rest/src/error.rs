//! The errors of the data API: code, status, message, details and hint, as PostgREST defines them.
//!
//! The hundreds of a code show the stage: PGRST0xx connection, 1xx request, 2xx catalog, 3xx token. Errors of
//! PostgreSQL keep their SQLSTATE (see [`sqlstate`]).

mod ambiguity;
mod body;
mod from_pg;
pub mod sqlstate;
#[cfg(test)]
mod table;

use std::borrow::Cow;

use http::StatusCode;
use serde_json::Value;

pub use ambiguity::{Ambiguity, Candidate};
pub use body::Verbosity;
pub(crate) use body::WireForm;

/// Any response but success.
#[derive(Debug)]
pub enum Error {
    /// The database could not be reached.
    Connection(String),
    /// The connection broke while the request used it.
    ConnectionLost(String),
    /// The catalog is not loaded yet.
    NoCatalog,
    /// No connection became free in time.
    AcquireTimeout,
    /// A parameter of the URL is malformed.
    Query {
        /// The parameter, and the position of the error.
        message: String,
        /// The unexpected input, and what was expected.
        details: String,
    },
    /// The URL is longer than this many bytes.
    UrlTooLong(usize),
    /// A method that functions do not support.
    InvalidRpcMethod(String),
    /// The body is malformed.
    InvalidBody(String),
    /// The range is invalid.
    InvalidRange(RangeProblem),
    /// PUT without exactly the primary key as filters.
    InvalidFilters,
    /// A schema that is not exposed.
    UnknownSchema {
        /// The requested schema.
        schema: String,
        /// The exposed schemas.
        exposed: Vec<String>,
    },
    /// No accepted media type can be produced.
    NotAcceptable(Vec<String>),
    /// A parameter refers to an embed that is not in `select`.
    NotEmbedded {
        /// The name.
        name: String,
        /// The alias that should have been used.
        alias: Option<String>,
    },
    /// `response.headers` is malformed.
    ResponseHeaders,
    /// `response.status` is malformed.
    ResponseStatus,
    /// PUT with a limit or offset.
    PutLimit,
    /// PUT with different keys in body and URL.
    PutKeyMismatch,
    /// Not exactly one row.
    NotSingular(i64),
    /// A method that relations do not support.
    UnsupportedMethod(String),
    /// An ordering by a to-many embed.
    RelatedOrder {
        /// The resource to order.
        origin: String,
        /// The embed.
        target: String,
    },
    /// `RAISE SQLSTATE 'PGRST'` with malformed JSON.
    RaiseFormat(RaiseProblem),
    /// Unknown preferences with `handling=strict`.
    InvalidPreferences(Vec<String>),
    /// Aggregates are disabled.
    AggregatesDisabled,
    /// More rows than `max-affected`.
    MaxAffected(i64),
    /// The path has too many segments.
    InvalidPath,
    /// The root endpoint is disabled.
    OpenApiDisabled,
    /// Something that the grammar allows, but the planner does not support.
    NotImplemented(&'static str),
    /// `max-affected` on a function that returns one row.
    MaxAffectedRpc,
    /// An empty name, which PostgreSQL's grammar does not allow.
    ///
    /// DEVIATION (words): an empty name, as in `select=""`, is refused with 400 and PGRST100; PostgREST sends it to
    /// PostgreSQL and returns its syntax error, 400 with SQLSTATE 42601.
    EmptyName,
    /// No relationship between two resources.
    NoRelationship {
        /// The resource.
        parent: String,
        /// The resource to embed.
        child: String,
        /// The hint in the request.
        hint: Option<String>,
        /// The schema that was searched.
        schema: String,
        /// A suggestion: the right name, and the name it replaces.
        suggestion: Option<(String, String)>,
    },
    /// Several relationships between two resources.
    AmbiguousRelationship(Box<Ambiguity>),
    /// No such function.
    NoRoutine(Box<MissingRoutine>),
    /// Several functions match.
    AmbiguousRoutine(String),
    /// A key of the body is not a column.
    UnknownColumn {
        /// The relation.
        relation: String,
        /// The key.
        column: String,
    },
    /// No such table or view.
    UnknownRelation {
        /// The schema that was searched.
        schema: String,
        /// The requested name.
        relation: String,
        /// A similar name.
        suggestion: Option<String>,
    },
    /// The token is invalid.
    Jwt(JwtProblem),
    /// An error of PostgreSQL.
    Database {
        /// The fields of the error.
        error: Box<pg::DbError>,
        /// Whether the caller has a role other than the anonymous one.
        authenticated: bool,
    },
    /// An internal error. The log entry has the same id.
    Internal {
        /// The id that links the response to the log entry.
        error_id: String,
    },
}

/// Why a range is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeProblem {
    /// A negative `limit`.
    NegativeLimit,
    /// The end of the Range header is below its start.
    LowerAboveUpper,
    /// The range starts beyond the last row.
    OutOfBounds {
        /// The start of the range.
        offset: i128,
        /// The number of rows.
        total: i64,
    },
}

/// Why `RAISE SQLSTATE 'PGRST'` is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaiseProblem {
    /// MESSAGE is not the expected JSON.
    Message(String),
    /// DETAIL is not the expected JSON.
    Detail(String),
    /// There is no DETAIL.
    NoDetail,
}

/// A function that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRoutine {
    /// Schema and name in the request.
    pub function: String,
    /// The names of the arguments, sorted.
    pub arguments: Vec<String>,
    /// For POST: the type that an unnamed parameter would have.
    pub unnamed: Option<&'static str>,
    /// Whether only a function with one unnamed parameter could match the body.
    pub only_unnamed: bool,
    /// A similar signature.
    pub suggestion: Option<String>,
}

/// Why a token is refused (PGRST300 to 303).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwtProblem {
    /// There is no key to verify it with.
    NoSecret,
    /// It cannot be decoded, or its signature is invalid.
    Invalid {
        /// The problem.
        message: String,
        /// More about the problem.
        details: Option<String>,
    },
    /// No token, and no anonymous role.
    AnonymousDisabled,
    /// Its claims do not allow its use now or here.
    Claims(String),
}

impl Error {
    /// The code in the body: `PGRST…` or a SQLSTATE.
    pub fn code(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Error::Connection(_) => "PGRST000",
            Error::ConnectionLost(_) => "PGRST001",
            Error::NoCatalog => "PGRST002",
            Error::AcquireTimeout => "PGRST003",
            Error::Query { .. } | Error::UrlTooLong(_) => "PGRST100",
            Error::InvalidRpcMethod(_) => "PGRST101",
            Error::InvalidBody(_) => "PGRST102",
            Error::InvalidRange(_) => "PGRST103",
            Error::InvalidFilters => "PGRST105",
            Error::UnknownSchema { .. } => "PGRST106",
            Error::NotAcceptable(_) => "PGRST107",
            Error::NotEmbedded { .. } => "PGRST108",
            Error::ResponseHeaders => "PGRST111",
            Error::ResponseStatus => "PGRST112",
            Error::PutLimit => "PGRST114",
            Error::PutKeyMismatch => "PGRST115",
            Error::NotSingular(_) => "PGRST116",
            Error::UnsupportedMethod(_) => "PGRST117",
            Error::RelatedOrder { .. } => "PGRST118",
            Error::RaiseFormat(_) => "PGRST121",
            Error::InvalidPreferences(_) => "PGRST122",
            Error::AggregatesDisabled => "PGRST123",
            Error::MaxAffected(_) => "PGRST124",
            Error::InvalidPath => "PGRST125",
            Error::OpenApiDisabled => "PGRST126",
            Error::NotImplemented(_) => "PGRST127",
            Error::MaxAffectedRpc => "PGRST128",
            Error::EmptyName => "PGRST100",
            Error::NoRelationship { .. } => "PGRST200",
            Error::AmbiguousRelationship(_) => "PGRST201",
            Error::NoRoutine(_) => "PGRST202",
            Error::AmbiguousRoutine(_) => "PGRST203",
            Error::UnknownColumn { .. } => "PGRST204",
            Error::UnknownRelation { .. } => "PGRST205",
            Error::Jwt(JwtProblem::NoSecret) => "PGRST300",
            Error::Jwt(JwtProblem::Invalid { .. }) => "PGRST301",
            Error::Jwt(JwtProblem::AnonymousDisabled) => "PGRST302",
            Error::Jwt(JwtProblem::Claims(_)) => "PGRST303",
            Error::Internal { .. } => "PGRSTX00",
            Error::Database { error, .. } => return sqlstate::code(error),
        })
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Error::Connection(_) | Error::ConnectionLost(_) | Error::NoCatalog => StatusCode::SERVICE_UNAVAILABLE,
            Error::AcquireTimeout => StatusCode::GATEWAY_TIMEOUT,
            Error::InvalidRpcMethod(_) | Error::UnsupportedMethod(_) | Error::InvalidFilters => {
                StatusCode::METHOD_NOT_ALLOWED
            }
            Error::UrlTooLong(_) => StatusCode::URI_TOO_LONG,
            Error::InvalidRange(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            Error::UnknownSchema { .. } | Error::NotAcceptable(_) | Error::NotSingular(_) => StatusCode::NOT_ACCEPTABLE,
            Error::InvalidPath | Error::OpenApiDisabled | Error::NoRoutine(_) | Error::UnknownRelation { .. } => {
                StatusCode::NOT_FOUND
            }
            Error::AmbiguousRelationship(_) | Error::AmbiguousRoutine(_) => StatusCode::MULTIPLE_CHOICES,
            Error::Jwt(JwtProblem::NoSecret)
            | Error::ResponseHeaders
            | Error::ResponseStatus
            | Error::RaiseFormat(_)
            | Error::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            Error::Jwt(_) => StatusCode::UNAUTHORIZED,
            Error::Database { error, authenticated } => sqlstate::status(error, *authenticated),
            Error::Query { .. }
            | Error::InvalidBody(_)
            | Error::NotEmbedded { .. }
            | Error::PutLimit
            | Error::PutKeyMismatch
            | Error::RelatedOrder { .. }
            | Error::InvalidPreferences(_)
            | Error::AggregatesDisabled
            | Error::MaxAffected(_)
            | Error::NotImplemented(_)
            | Error::MaxAffectedRpc
            | Error::EmptyName
            | Error::NoRelationship { .. }
            | Error::UnknownColumn { .. } => StatusCode::BAD_REQUEST,
        }
    }

    /// The message for people.
    pub fn message(&self) -> String {
        body::message(self)
    }

    /// Details beyond the message.
    pub fn details(&self) -> Option<Value> {
        body::details(self)
    }

    /// A suggestion for the client.
    pub fn hint(&self) -> Option<String> {
        body::hint(self)
    }

    /// The body at full verbosity, for the log.
    pub fn payload(&self) -> String {
        WireForm::of(self, Verbosity::Verbose).body
    }

    /// An internal error: logged with an id, and the client only gets the id.
    #[track_caller]
    pub(crate) fn internal(what: &str) -> Self {
        let location = std::panic::Location::caller();
        let error_id =
            format!("{:x}", std::hash::BuildHasher::hash_one(&std::collections::hash_map::RandomState::new(), what));
        tracing::error!(error.id = %error_id, %location, what, "defect in the data API");
        Error::Internal { error_id }
    }
}
