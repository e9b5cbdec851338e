//! What can go wrong, in PostgREST's words: code, status, message, details and hint.
//!
//! The codes' hundreds tell the stage: PGRST0xx the connection, 1xx the request, 2xx the catalog, 3xx the token. Errors
//! of PostgreSQL keep their SQLSTATE (see [`sqlstate`]).

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

/// An answer other than success.
#[derive(Debug)]
pub enum Error {
    /// The database could not be reached.
    Connection(String),
    /// The connection broke while the request used it.
    ConnectionLost(String),
    /// There is no catalog yet.
    NoCatalog,
    /// No connection became free in time.
    AcquireTimeout,
    /// A parameter of the URL makes no sense.
    Query {
        /// What was being read, and where it stopped.
        message: String,
        /// What was found and what was expected there.
        details: String,
    },
    /// The URL is longer than this many bytes.
    UrlTooLong(usize),
    /// A verb that functions do not have.
    InvalidRpcMethod(String),
    /// The body cannot be read.
    InvalidBody(String),
    /// The window of rows makes no sense.
    InvalidRange(RangeProblem),
    /// PUT without exactly the key's filters.
    InvalidFilters,
    /// A schema that is not exposed.
    UnknownSchema {
        /// The one that was asked for.
        schema: String,
        /// Those there are.
        exposed: Vec<String>,
    },
    /// Nothing the client accepts can be made.
    NotAcceptable(Vec<String>),
    /// A parameter names an embed that `select` lacks.
    NotEmbedded {
        /// The name.
        name: String,
        /// The alias that should have been used.
        alias: Option<String>,
    },
    /// `response.headers` cannot be read.
    ResponseHeaders,
    /// `response.status` cannot be read.
    ResponseStatus,
    /// PUT with a window.
    PutLimit,
    /// PUT whose body has another key than its URL.
    PutKeyMismatch,
    /// Not exactly one row.
    NotSingular(i64),
    /// A verb that relations do not have.
    UnsupportedMethod(String),
    /// An ordering by a to-many embed.
    RelatedOrder {
        /// The resource ordered.
        origin: String,
        /// The embed.
        target: String,
    },
    /// `RAISE SQLSTATE 'PGRST'` with unreadable JSON.
    RaiseFormat(RaiseProblem),
    /// Unknown preferences with `handling=strict`.
    InvalidPreferences(Vec<String>),
    /// Aggregates are switched off.
    AggregatesDisabled,
    /// More rows than `max-affected`.
    MaxAffected(i64),
    /// The path has too many segments.
    InvalidPath,
    /// The root endpoint is switched off.
    OpenApiDisabled,
    /// Something the grammar allows and the planner does not.
    NotImplemented(&'static str),
    /// `max-affected` on a function that returns one row.
    MaxAffectedRpc,
    /// A name is empty, which PostgreSQL's grammar has no way to write.
    ///
    /// DEVIATION (words): an empty name, as in `select=""`, is refused with 400 and PGRST100; PostgREST hands it to
    /// PostgreSQL and passes on its syntax error, 400 with SQLSTATE 42601.
    EmptyName,
    /// No relationship between two resources.
    NoRelationship {
        /// The resource.
        parent: String,
        /// What was to be embedded.
        child: String,
        /// The hint given.
        hint: Option<String>,
        /// Where it was searched.
        schema: String,
        /// A likely correction: the right name, and the one it replaces.
        suggestion: Option<(String, String)>,
    },
    /// Several relationships between two resources.
    AmbiguousRelationship(Box<Ambiguity>),
    /// No such function.
    NoRoutine(Box<MissingRoutine>),
    /// Several functions fit.
    AmbiguousRoutine(String),
    /// A key of the body is no column.
    UnknownColumn {
        /// The relation.
        relation: String,
        /// The key.
        column: String,
    },
    /// No such table or view.
    UnknownRelation {
        /// The schema searched.
        schema: String,
        /// The name asked for.
        relation: String,
        /// A name that is close.
        suggestion: Option<String>,
    },
    /// The token is not accepted.
    Jwt(JwtProblem),
    /// PostgreSQL's own error.
    Database {
        /// Its fields.
        error: Box<pg::DbError>,
        /// Whether the caller had a role other than the anonymous one.
        authenticated: bool,
    },
    /// A defect of ours. The log knows the identifier.
    Internal {
        /// What ties the answer to the log.
        error_id: String,
    },
}

/// Why a window is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeProblem {
    /// `limit` below zero.
    NegativeLimit,
    /// The Range header ends before it begins.
    LowerAboveUpper,
    /// It begins behind the last row.
    OutOfBounds {
        /// Where it begins.
        offset: i128,
        /// How many rows there are.
        total: i64,
    },
}

/// Why `RAISE SQLSTATE 'PGRST'` cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaiseProblem {
    /// MESSAGE is not the JSON it should be.
    Message(String),
    /// DETAIL is not the JSON it should be.
    Detail(String),
    /// There is no DETAIL.
    NoDetail,
}

/// A function that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRoutine {
    /// Schema and name as asked for.
    pub function: String,
    /// The names of the arguments, sorted.
    pub arguments: Vec<String>,
    /// The type an unnamed parameter would have had, for a POST.
    pub unnamed: Option<&'static str>,
    /// Whether the body could only have been an unnamed parameter.
    pub only_unnamed: bool,
    /// A signature that is close.
    pub suggestion: Option<String>,
}

/// Why a token is not accepted (PGRST300 to 303).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwtProblem {
    /// There is no key to check it with.
    NoSecret,
    /// It cannot be decoded or its signature is wrong.
    Invalid {
        /// What is wrong.
        message: String,
        /// More about it.
        details: Option<String>,
    },
    /// No token, and no anonymous role.
    AnonymousDisabled,
    /// Its claims forbid its use now or here.
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

    /// The sentence for a person.
    pub fn message(&self) -> String {
        body::message(self)
    }

    /// What is known beyond the message.
    pub fn details(&self) -> Option<Value> {
        body::details(self)
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        body::hint(self)
    }

    /// The body as clients see it, whatever the verbosity: for the log.
    pub fn payload(&self) -> String {
        WireForm::of(self, Verbosity::Verbose).body
    }

    /// A defect: logged with an identifier, and only that goes out.
    #[track_caller]
    pub(crate) fn internal(what: &str) -> Self {
        let location = std::panic::Location::caller();
        let error_id =
            format!("{:x}", std::hash::BuildHasher::hash_one(&std::collections::hash_map::RandomState::new(), what));
        tracing::error!(error.id = %error_id, %location, what, "defect in the data API");
        Error::Internal { error_id }
    }
}
