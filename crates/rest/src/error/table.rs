//! Tests every error: code, status, message, details and hint, as in upstream's `src/PostgREST/Error.hs` and
//! `docs/references/errors.rst`.

use std::collections::BTreeSet;

use pg::{DbError, QualifiedIdent};
use serde_json::{Value, json};

use super::{Ambiguity, Error, JwtProblem, MissingRoutine, RaiseProblem, RangeProblem, Verbosity, WireForm};
use crate::catalog::relationship::{Cardinality, Junction, KeyRelationship};
use crate::plan::embed::candidate;

/// Every code of upstream. (PGRST120 is documented too, but nothing raises it.)
const CODES: [&str; 41] = [
    "PGRST000", "PGRST001", "PGRST002", "PGRST003", "PGRST100", "PGRST101", "PGRST102", "PGRST103", "PGRST105",
    "PGRST106", "PGRST107", "PGRST108", "PGRST111", "PGRST112", "PGRST114", "PGRST115", "PGRST116", "PGRST117",
    "PGRST118", "PGRST121", "PGRST122", "PGRST123", "PGRST124", "PGRST125", "PGRST126", "PGRST127", "PGRST128",
    "PGRST200", "PGRST201", "PGRST202", "PGRST203", "PGRST204", "PGRST205", "PGRST300", "PGRST301", "PGRST302",
    "PGRST303", "PGRSTX00", "23505", "PT402", "app-1",
];

/// An error, and its expected code, status, message, details and hint.
type Row = (Error, &'static str, u16, &'static str, Value, Value);

const NULL: Value = Value::Null;

fn text(text: &str) -> Value {
    text.into()
}

fn connection() -> Vec<Row> {
    vec![
        (Error::Connection("no route".into()), "PGRST000", 503, "Database connection error.", text("no route"), NULL),
        (
            Error::ConnectionLost("gone".into()),
            "PGRST001",
            503,
            "Database client error. Retrying the connection.",
            text("gone"),
            NULL,
        ),
        (Error::NoCatalog, "PGRST002", 503, "Could not query the database for the schema cache. Retrying.", NULL, NULL),
        (Error::AcquireTimeout, "PGRST003", 504, "Timed out acquiring connection from connection pool.", NULL, NULL),
    ]
}

fn url_and_body() -> Vec<Row> {
    let query = Error::Query { message: "what".into(), details: "where".into() };
    let schema = Error::UnknownSchema { schema: "s".into(), exposed: vec!["a".into(), "b".into()] };
    let legacy = Error::NotEmbedded { name: "t".into(), alias: Some("x".into()) };
    vec![
        (query, "PGRST100", 400, "what", text("where"), NULL),
        (
            Error::UrlTooLong(60_000),
            "PGRST100",
            414,
            "The URL is longer than 60000 bytes",
            NULL,
            text("Long lists of values can be sent as the argument of a function, by POST."),
        ),
        (Error::InvalidRpcMethod("DELETE".into()), "PGRST101", 405, "Cannot use the DELETE method on RPC", NULL, NULL),
        (Error::EmptyName, "PGRST100", 400, "A name in the request is empty", NULL, NULL),
        (Error::InvalidBody("bad".into()), "PGRST102", 400, "bad", NULL, NULL),
        (
            Error::InvalidFilters,
            "PGRST105",
            405,
            "Filters must include all and only primary key columns with 'eq' operators",
            NULL,
            NULL,
        ),
        (schema, "PGRST106", 406, "Invalid schema: s", NULL, text("Only the following schemas are exposed: a, b")),
        (
            Error::NotAcceptable(vec!["text/x".into(), "text/y".into()]),
            "PGRST107",
            406,
            "None of these media types are available: text/x, text/y",
            NULL,
            NULL,
        ),
        (
            Error::NotEmbedded { name: "t".into(), alias: None },
            "PGRST108",
            400,
            "'t' is not an embedded resource in this request",
            NULL,
            text("Verify that 't' is included in the 'select' query parameter."),
        ),
        (
            legacy,
            "PGRST108",
            400,
            "'t' is not an embedded resource in this request",
            text("Target names are not allowed in filters if they have an alias"),
            text("Change 't' to 'x' in filters, orders or limits."),
        ),
        (Error::UnsupportedMethod("FOO".into()), "PGRST117", 405, "Unsupported HTTP method: FOO", NULL, NULL),
        (
            Error::RelatedOrder { origin: "a".into(), target: "b".into() },
            "PGRST118",
            400,
            "A related order on 'b' is not possible",
            text("'a' and 'b' do not form a many-to-one or one-to-one relationship"),
            NULL,
        ),
        (Error::InvalidPath, "PGRST125", 404, "Invalid path specified in request URL", NULL, NULL),
        (Error::OpenApiDisabled, "PGRST126", 404, "Root endpoint metadata is disabled", NULL, NULL),
        (Error::NotImplemented("this"), "PGRST127", 400, "Feature not implemented", text("this"), NULL),
    ]
}

fn ranges() -> Vec<Row> {
    let row = |problem, details: &str| {
        (Error::InvalidRange(problem), "PGRST103", 416, "Requested range not satisfiable", text(details), NULL)
    };
    vec![
        row(RangeProblem::NegativeLimit, "Limit should be greater than or equal to zero."),
        row(
            RangeProblem::LowerAboveUpper,
            "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
        ),
        row(
            RangeProblem::OutOfBounds { offset: 9, total: 3 },
            "An offset of 9 was requested, but there are only 3 rows.",
        ),
    ]
}

fn outcomes() -> Vec<Row> {
    let put = "limit/offset querystring parameters are not allowed for PUT";
    let headers = "response.headers guc must be a JSON array composed of objects with a single key and a string value";
    let strict = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict";
    let aggregates = "Use of aggregate functions is not allowed";
    let many = "Query result exceeds max-affected preference constraint";
    let unknown = Error::InvalidPreferences(vec!["a".into(), "b".into()]);
    vec![
        (Error::ResponseHeaders, "PGRST111", 500, headers, NULL, NULL),
        (Error::ResponseStatus, "PGRST112", 500, "response.status guc must be a valid status code", NULL, NULL),
        (Error::PutLimit, "PGRST114", 400, put, NULL, NULL),
        (
            Error::PutKeyMismatch,
            "PGRST115",
            400,
            "Payload values do not match URL in primary key column(s)",
            NULL,
            NULL,
        ),
        (
            Error::NotSingular(2),
            "PGRST116",
            406,
            "Cannot coerce the result to a single JSON object",
            text("The result contains 2 rows"),
            NULL,
        ),
        (
            unknown,
            "PGRST122",
            400,
            "Invalid preferences given with handling=strict",
            text("Invalid preferences: a, b"),
            NULL,
        ),
        (Error::AggregatesDisabled, "PGRST123", 400, aggregates, NULL, NULL),
        (Error::MaxAffected(3), "PGRST124", 400, many, text("The query affects 3 rows"), NULL),
        (Error::MaxAffectedRpc, "PGRST128", 400, strict, NULL, NULL),
    ]
}

fn raised() -> Vec<Row> {
    let message = "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error";
    let of_message = "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: \
         'details', 'hint'.";
    let of_detail =
        "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";
    let row = |problem, details: &str, hint: &str| {
        (Error::RaiseFormat(problem), "PGRST121", 500, message, text(details), text(hint))
    };
    vec![
        row(RaiseProblem::Message("m".into()), "Invalid JSON value for MESSAGE: 'm'", of_message),
        row(RaiseProblem::Detail("d".into()), "Invalid JSON value for DETAIL: 'd'", of_detail),
        row(RaiseProblem::NoDetail, "DETAIL is missing in the RAISE statement", of_detail),
    ]
}

fn relationships() -> Vec<Row> {
    let none = |hint: Option<&str>, suggestion: Option<(&str, &str)>| Error::NoRelationship {
        parent: "a".into(),
        child: "b".into(),
        hint: hint.map(Into::into),
        schema: "s".into(),
        suggestion: suggestion.map(|(right, wrong)| (right.into(), wrong.into())),
    };
    let message = "Could not find a relationship between 'a' and 'b' in the schema cache";
    let details = |hint: &str| {
        format!(
            "Searched for a foreign key relationship between 'a' and 'b'{hint} in the schema 's', but no matches were found."
        )
    };
    vec![
        (none(None, None), "PGRST200", 400, message, details("").into(), NULL),
        (
            none(Some("h"), Some(("c", "b"))),
            "PGRST200",
            400,
            message,
            details(" using the hint 'h'").into(),
            text("Perhaps you meant 'c' instead of 'b'."),
        ),
        (
            Error::AmbiguousRelationship(Box::new(ambiguity())),
            "PGRST201",
            300,
            "Could not embed because more than one relationship was found for 'a' and 'b'",
            json!([
                { "cardinality": "many-to-one", "embedding": "a with b",
                  "relationship": "k1 using a(x, y) and b(i, j)" },
                { "cardinality": "one-to-many", "embedding": "a with b", "relationship": "k2 using a(x) and b(i)" },
                { "cardinality": "one-to-one", "embedding": "a with b", "relationship": "k3 using a(x) and b(i)" },
                { "cardinality": "many-to-many", "embedding": "a with b",
                  "relationship": "j using k4(ax) and k5(bi)" },
            ]),
            text(
                "Try changing 'b' to one of the following: 'b!k1', 'b!k2', 'b!k3', 'b!j'. Find the desired \
                 relationship in the 'details' key.",
            ),
        ),
    ]
}

/// `b` matches `a` in all four ways.
fn ambiguity() -> Ambiguity {
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let one = || pairs(&[("x", "i")]);
    let fitting = |cardinality| {
        candidate(&KeyRelationship {
            source: QualifiedIdent::new("s", "a"),
            target: QualifiedIdent::new("s", "b"),
            is_self: false,
            cardinality,
            source_is_view: false,
            target_is_view: false,
        })
    };
    let junction = Junction {
        relation: QualifiedIdent::new("s", "j"),
        source_constraint: "k4".into(),
        target_constraint: "k5".into(),
        source_columns: pairs(&[("x", "ax")]),
        target_columns: pairs(&[("i", "bi")]),
    };
    let candidates = [
        Cardinality::ManyToOne { constraint: "k1".into(), columns: pairs(&[("x", "i"), ("y", "j")]) },
        Cardinality::OneToMany { constraint: "k2".into(), columns: one() },
        Cardinality::OneToOne { constraint: "k3".into(), columns: one(), is_parent: false },
        Cardinality::ManyToMany(junction),
    ];
    Ambiguity { parent: "a".into(), child: "b".into(), candidates: candidates.map(fitting).into() }
}

fn routines() -> Vec<Row> {
    let missing = |arguments: &[&str], unnamed, only_unnamed, suggestion: Option<&str>| {
        Error::NoRoutine(Box::new(MissingRoutine {
            function: "s.f".into(),
            arguments: arguments.iter().map(|name| (*name).to_owned()).collect(),
            unnamed,
            only_unnamed,
            suggestion: suggestion.map(Into::into),
        }))
    };
    let row = |error, message, searched: &str, hint: Value| {
        let details =
            format!("Searched for the function s.f{searched}, but no matches were found in the schema cache.");
        (error, "PGRST202", 404, message, details.into(), hint)
    };
    let without = "Could not find the function s.f without parameters in the schema cache";
    let ambiguous = "Could not choose the best candidate function between: s.f(a => int), s.f(a => text)";
    let rename = "Try renaming the parameters or the function itself in the database so function overloading can be \
         resolved";
    vec![
        row(missing(&[], None, false, None), without, " without parameters", NULL),
        row(
            missing(&["a"], None, false, Some("s.f(b)")),
            "Could not find the function s.f(a) in the schema cache",
            " with parameter a",
            text("Perhaps you meant to call the function s.f(b)"),
        ),
        row(
            missing(&["a", "b"], Some("json/jsonb"), false, None),
            "Could not find the function s.f(a, b) in the schema cache",
            " with parameters a, b or with a single unnamed json/jsonb parameter",
            NULL,
        ),
        row(
            missing(&[], Some("text"), true, None),
            "Could not find the function s.f in the schema cache",
            " with a single unnamed text parameter",
            NULL,
        ),
        (
            Error::AmbiguousRoutine("s.f(a => int), s.f(a => text)".into()),
            "PGRST203",
            300,
            ambiguous,
            NULL,
            text(rename),
        ),
    ]
}

fn names() -> Vec<Row> {
    let relation = |suggestion: Option<&str>| Error::UnknownRelation {
        schema: "s".into(),
        relation: "t".into(),
        suggestion: suggestion.map(Into::into),
    };
    let no_table = "Could not find the table 's.t' in the schema cache";
    let column = Error::UnknownColumn { relation: "t".into(), column: "c".into() };
    vec![
        (column, "PGRST204", 400, "Could not find the 'c' column of 't' in the schema cache", NULL, NULL),
        (relation(None), "PGRST205", 404, no_table, NULL, NULL),
        (relation(Some("u")), "PGRST205", 404, no_table, NULL, text("Perhaps you meant the table 's.u'")),
    ]
}

fn tokens() -> Vec<Row> {
    let invalid = JwtProblem::Invalid { message: "m".into(), details: Some("d".into()) };
    vec![
        (Error::Jwt(JwtProblem::NoSecret), "PGRST300", 500, "Server lacks JWT secret", NULL, NULL),
        (Error::Jwt(invalid), "PGRST301", 401, "m", text("d"), NULL),
        (Error::Jwt(JwtProblem::AnonymousDisabled), "PGRST302", 401, "Anonymous access is disabled", NULL, NULL),
        (Error::Jwt(JwtProblem::Claims("JWT expired".into())), "PGRST303", 401, "JWT expired", NULL, NULL),
    ]
}

fn database() -> Vec<Row> {
    let row = |code: &str, message: &str, detail: Option<&str>, hint: Option<&str>| Error::Database {
        error: Box::new(DbError {
            code: code.into(),
            message: message.into(),
            detail: detail.map(Into::into),
            hint: hint.map(Into::into),
            ..DbError::default()
        }),
        authenticated: true,
    };
    let json = r#"{"code":"app-1","message":"m","details":"d","hint":"h"}"#;
    let detail = Some(r#"{"status":418,"headers":{}}"#);
    let internal = Error::Internal { error_id: "x".into() };
    vec![
        (row("23505", "m", Some("d"), Some("h")), "23505", 409, "m", text("d"), text("h")),
        (row("PT402", "m", None, None), "PT402", 402, "m", NULL, NULL),
        (row("PGRST", json, detail, None), "app-1", 418, "m", text("d"), text("h")),
        (internal, "PGRSTX00", 500, "Internal error; the server's log has more under x", NULL, NULL),
    ]
}

#[test]
fn every_error_is_upstreams() {
    let groups = [connection, url_and_body, ranges, outcomes, raised, relationships, routines, names, tokens, database];
    let mut seen = BTreeSet::new();
    for (error, code, status, message, details, hint) in groups.iter().flat_map(|group| group()) {
        let form = WireForm::of(&error, Verbosity::Verbose);
        let body: Value = serde_json::from_str(&form.body).unwrap();
        let wanted = json!({ "code": code, "message": message, "details": details, "hint": hint });
        assert_eq!((form.status.as_u16(), body), (status, wanted));
        assert_eq!(form.headers["proxy-status"], format!("PostgREST; error={code}"));
        assert_eq!(form.headers["content-type"], "application/json; charset=utf-8");
        let short: Value = serde_json::from_str(&WireForm::of(&error, Verbosity::Minimal).body).unwrap();
        assert_eq!(short, json!({ "code": code, "message": message }));
        seen.insert(code);
    }
    assert_eq!(seen, BTreeSet::from(CODES), "a code without a row, or a row without a code");
}

#[test]
fn who_is_asked_to_authenticate() {
    let database = |code: &str, authenticated| Error::Database {
        error: Box::new(DbError { code: code.into(), message: "{}".into(), ..DbError::default() }),
        authenticated,
    };
    let invalid = |message: &str| JwtProblem::Invalid { message: message.into(), details: None };
    let bad = "Bearer error=\"invalid_token\", error_description=\"JWT expired\"";
    for (error, challenge) in [
        (Error::Jwt(JwtProblem::NoSecret), None),
        (Error::Jwt(invalid("JWT expired")), Some(bad)),
        (Error::Jwt(JwtProblem::Claims("JWT expired".into())), Some(bad)),
        (Error::Jwt(JwtProblem::AnonymousDisabled), Some("Bearer")),
        (database("42501", false), Some("Bearer")),
        (database("42501", true), None),
        (database("PT401", true), Some("Bearer")),
        (database("PGRST", false), None),
        (Error::InvalidPath, None),
    ] {
        let form = WireForm::of(&error, Verbosity::Verbose);
        let found = form.headers.get("www-authenticate").map(|value| value.to_str().unwrap());
        assert_eq!(found, challenge, "{error:?}");
    }
}
