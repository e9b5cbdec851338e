//! Message, details and hint of every error, and the JSON body.

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::{Error, JwtProblem, MissingRoutine, RaiseProblem, RangeProblem, sqlstate};

/// How many fields of an error the client gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// code, message, details, hint.
    #[default]
    Verbose,
    /// code and message only.
    Minimal,
}

/// The HTTP response of an error.
pub(crate) struct WireForm {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl WireForm {
    /// Formats the error as PostgREST does.
    pub(crate) fn of(error: &Error, verbosity: Verbosity) -> Self {
        let code = error.code();
        let body = match verbosity {
            Verbosity::Verbose => json!({
                "code": code, "details": error.details(), "hint": error.hint(), "message": error.message(),
            }),
            Verbosity::Minimal => json!({ "code": code, "message": error.message() }),
        };
        let status = error.status();
        let mut headers = HeaderMap::new();
        let mut set = |name: &'static str, value: &str| {
            // An invalid header value is omitted: the body contains the same text.
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        set("content-type", "application/json; charset=utf-8");
        set("proxy-status", &format!("PostgREST; error={code}"));
        match error {
            Error::Jwt(JwtProblem::Invalid { .. } | JwtProblem::Claims(_)) => set(
                "www-authenticate",
                &format!("Bearer error=\"invalid_token\", error_description=\"{}\"", error.message()),
            ),
            Error::Jwt(JwtProblem::AnonymousDisabled) => set("www-authenticate", "Bearer"),
            Error::Database { error, .. } => {
                if status == StatusCode::UNAUTHORIZED && error.code != sqlstate::RAISE {
                    set("www-authenticate", "Bearer");
                }
                headers.extend(sqlstate::raised_headers(error));
            }
            _ => {}
        }
        WireForm { status, headers, body: body.to_string() }
    }
}

pub(super) fn message(error: &Error) -> String {
    match error {
        Error::Connection(_) => "Database connection error.".into(),
        Error::ConnectionLost(_) => "Database client error. Retrying the connection.".into(),
        Error::NoCatalog => "Could not query the database for the schema cache. Retrying.".into(),
        Error::AcquireTimeout => "Timed out acquiring connection from connection pool.".into(),
        Error::Query { message, .. } => message.clone(),
        Error::UrlTooLong(limit) => format!("The URL is longer than {limit} bytes"),
        Error::InvalidRpcMethod(method) => format!("Cannot use the {method} method on RPC"),
        Error::InvalidBody(message) => message.clone(),
        Error::InvalidRange(_) => "Requested range not satisfiable".into(),
        Error::InvalidFilters => "Filters must include all and only primary key columns with 'eq' operators".into(),
        Error::UnknownSchema { schema, .. } => format!("Invalid schema: {schema}"),
        Error::NotAcceptable(types) => format!("None of these media types are available: {}", types.join(", ")),
        Error::NotEmbedded { name, .. } => format!("'{name}' is not an embedded resource in this request"),
        Error::ResponseHeaders => {
            "response.headers guc must be a JSON array composed of objects with a single key and a string value".into()
        }
        Error::ResponseStatus => "response.status guc must be a valid status code".into(),
        Error::PutLimit => "limit/offset querystring parameters are not allowed for PUT".into(),
        Error::PutKeyMismatch => "Payload values do not match URL in primary key column(s)".into(),
        Error::NotSingular(_) => "Cannot coerce the result to a single JSON object".into(),
        Error::UnsupportedMethod(method) => format!("Unsupported HTTP method: {method}"),
        Error::RelatedOrder { target, .. } => format!("A related order on '{target}' is not possible"),
        Error::RaiseFormat(_) => "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error".into(),
        Error::InvalidPreferences(_) => "Invalid preferences given with handling=strict".into(),
        Error::AggregatesDisabled => "Use of aggregate functions is not allowed".into(),
        Error::MaxAffected(_) => "Query result exceeds max-affected preference constraint".into(),
        Error::InvalidPath => "Invalid path specified in request URL".into(),
        Error::OpenApiDisabled => "Root endpoint metadata is disabled".into(),
        Error::NotImplemented(_) => "Feature not implemented".into(),
        Error::MaxAffectedRpc => {
            "Function must return SETOF or TABLE when max-affected preference is used with handling=strict".into()
        }
        Error::EmptyName => "A name in the request is empty".into(),
        Error::NoRelationship { parent, child, .. } => {
            format!("Could not find a relationship between '{parent}' and '{child}' in the schema cache")
        }
        Error::AmbiguousRelationship(ambiguity) => ambiguity.message(),
        Error::NoRoutine(missing) => no_routine_message(missing),
        Error::AmbiguousRoutine(candidates) => {
            format!("Could not choose the best candidate function between: {candidates}")
        }
        Error::UnknownColumn { relation, column } => {
            format!("Could not find the '{column}' column of '{relation}' in the schema cache")
        }
        Error::UnknownRelation { schema, relation, .. } => {
            format!("Could not find the table '{schema}.{relation}' in the schema cache")
        }
        Error::Jwt(JwtProblem::NoSecret) => "Server lacks JWT secret".into(),
        Error::Jwt(JwtProblem::Invalid { message, .. } | JwtProblem::Claims(message)) => message.clone(),
        Error::Jwt(JwtProblem::AnonymousDisabled) => "Anonymous access is disabled".into(),
        Error::Database { error, .. } => sqlstate::message(error),
        Error::Internal { error_id } => format!("Internal error; the server's log has more under {error_id}"),
    }
}

pub(super) fn details(error: &Error) -> Option<Value> {
    Some(match error {
        Error::Connection(text) | Error::ConnectionLost(text) => text.as_str().into(),
        Error::Query { details, .. } => details.as_str().into(),
        Error::InvalidRange(problem) => match problem {
            RangeProblem::NegativeLimit => "Limit should be greater than or equal to zero.".into(),
            RangeProblem::LowerAboveUpper => {
                "The lower boundary must be lower than or equal to the upper boundary in the Range header.".into()
            }
            RangeProblem::OutOfBounds { offset, total } => {
                format!("An offset of {offset} was requested, but there are only {total} rows.").into()
            }
        },
        Error::NotEmbedded { alias: Some(_), .. } => {
            "Target names are not allowed in filters if they have an alias".into()
        }
        Error::NotSingular(rows) => format!("The result contains {rows} rows").into(),
        Error::RelatedOrder { origin, target } => {
            format!("'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship").into()
        }
        Error::RaiseFormat(problem) => match problem {
            RaiseProblem::Message(text) => format!("Invalid JSON value for MESSAGE: '{text}'").into(),
            RaiseProblem::Detail(text) => format!("Invalid JSON value for DETAIL: '{text}'").into(),
            RaiseProblem::NoDetail => "DETAIL is missing in the RAISE statement".into(),
        },
        Error::InvalidPreferences(names) => format!("Invalid preferences: {}", names.join(", ")).into(),
        Error::MaxAffected(rows) => format!("The query affects {rows} rows").into(),
        Error::NotImplemented(what) => (*what).into(),
        Error::NoRelationship { parent, child, hint, schema, .. } => {
            let hint = hint.as_ref().map(|hint| format!(" using the hint '{hint}'")).unwrap_or_default();
            format!(
                "Searched for a foreign key relationship between '{parent}' and '{child}'{hint} in the schema \
                 '{schema}', but no matches were found."
            )
            .into()
        }
        Error::AmbiguousRelationship(ambiguity) => ambiguity.details(),
        Error::NoRoutine(missing) => no_routine_details(missing).into(),
        Error::Jwt(JwtProblem::Invalid { details: Some(details), .. }) => details.as_str().into(),
        Error::Database { error, .. } => return sqlstate::details(error).map(Value::from),
        _ => return None,
    })
}

pub(super) fn hint(error: &Error) -> Option<String> {
    Some(match error {
        Error::NotEmbedded { name, alias: None } => {
            format!("Verify that '{name}' is included in the 'select' query parameter.")
        }
        Error::NotEmbedded { name, alias: Some(alias) } => {
            format!("Change '{name}' to '{alias}' in filters, orders or limits.")
        }
        Error::UnknownSchema { exposed, .. } => {
            format!("Only the following schemas are exposed: {}", exposed.join(", "))
        }
        Error::UrlTooLong(_) => "Long lists of values can be sent as the argument of a function, by POST.".into(),
        Error::RaiseFormat(RaiseProblem::Message(_)) => "MESSAGE must be a JSON object with obligatory keys: 'code', \
             'message' and optional keys: 'details', 'hint'."
            .into(),
        Error::RaiseFormat(_) => "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional \
             key: 'status_text'."
            .into(),
        Error::NoRelationship { suggestion: Some((right, wrong)), .. } => {
            format!("Perhaps you meant '{right}' instead of '{wrong}'.")
        }
        Error::AmbiguousRelationship(ambiguity) => ambiguity.hint(),
        Error::NoRoutine(missing) => {
            format!("Perhaps you meant to call the function {}", missing.suggestion.as_ref()?)
        }
        Error::AmbiguousRoutine(_) => "Try renaming the parameters or the function itself in the database so function \
             overloading can be resolved"
            .into(),
        Error::UnknownRelation { schema, suggestion: Some(name), .. } => {
            format!("Perhaps you meant the table '{schema}.{name}'")
        }
        Error::Database { error, .. } => return sqlstate::hint(error),
        _ => return None,
    })
}

fn no_routine_message(missing: &MissingRoutine) -> String {
    let MissingRoutine { function, arguments, .. } = missing;
    let parameters = match arguments.as_slice() {
        _ if missing.only_unnamed => String::new(),
        [] => " without parameters".to_owned(),
        arguments => format!("({})", arguments.join(", ")),
    };
    format!("Could not find the function {function}{parameters} in the schema cache")
}

fn no_routine_details(missing: &MissingRoutine) -> String {
    let MissingRoutine { function, arguments, unnamed, .. } = missing;
    let named = match arguments.as_slice() {
        [] => " without parameters".to_owned(),
        [argument] => format!(" with parameter {argument}"),
        arguments => format!(" with parameters {}", arguments.join(", ")),
    };
    let searched = match unnamed {
        Some(kind) if missing.only_unnamed => format!(" with a single unnamed {kind} parameter"),
        Some(kind) => format!("{named} or with a single unnamed {kind} parameter"),
        None => named,
    };
    format!("Searched for the function {function}{searched}, but no matches were found in the schema cache.")
}
