//! The root: a description of what is exposed, as OpenAPI 2.0.
//!
//! The description is upstream's, down to its words, because tools that generate clients from it depend on them.

mod data_types;
mod parameters;
mod relations;
mod routines;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderName, StatusCode};
use pg::lane::{Lane, Work};
use pg::{Access, QualifiedIdent, Session, Snippet};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};
use tokio::task::spawn_blocking;

use super::Answer;
use crate::catalog::Catalog;
use crate::catalog::routine::Routine;
use crate::catalog::table::Table;
use crate::config::{Config, OpenApiMode};
use crate::error::Error;
use crate::request::{ApiRequest, MediaType};
use crate::session::Who;
use crate::{State, UPSTREAM_VERSION};

/// What the role may use.
#[derive(Default, Deserialize)]
struct Accessible {
    description: Option<String>,
    relations: HashSet<String>,
    /// By OID the types of the inputs, in the words of the request's search path.
    routines: HashMap<u32, Vec<String>>,
}

/// The answer at `/`.
///
/// # Errors
/// PostgreSQL's own.
pub(crate) async fn answer(
    lane: &Lane,
    state: &Arc<State>,
    request: &ApiRequest,
    session: Session,
    who: Who<'_>,
    headers_only: bool,
) -> Result<Answer, Error> {
    let accessible = accessible(lane, state, session, who, &request.schema).await?;
    let body = if headers_only {
        None
    } else {
        // A large schema takes seconds: the worker's other requests must not wait for them.
        let (state, schema) = (Arc::clone(state), request.schema.clone());
        let text = spawn_blocking(move || describe(&state.catalog, &state.config, &schema, &accessible));
        let text = text.await.map_err(|error| Error::internal(&error.to_string()))?;
        Some(text.map_err(|error| Error::internal(&error.to_string()))?)
    };
    let mut answer = Answer::new(StatusCode::OK, body.map(|text| Bytes::from(text).into()));
    answer.set(http::header::CONTENT_TYPE, &MediaType::OpenApi.content_type());
    if request.names_schema {
        answer.set(HeaderName::from_static("content-profile"), &request.schema);
    }
    Ok(answer)
}

async fn accessible(
    lane: &Lane,
    state: &State,
    session: Session,
    who: Who<'_>,
    schema: &str,
) -> Result<Accessible, Error> {
    let mut work = Work::new(session, accessible_query(schema));
    work.access = Access::ReadOnly;
    work.before.extend(state.config.db_pre_request.as_ref().map(crate::sql::pre_request));
    let authenticated = state.config.db_anon_role.as_deref() != Some(who.role);
    let rows = lane.read(&work).await.map_err(|error| Error::from_pg(error, authenticated))?;
    let Some(text) = rows.rows.first().and_then(|row| row.get(0)) else {
        return Ok(Accessible::default());
    };
    serde_json::from_slice(&text).map_err(|error| Error::internal(&error.to_string()))
}

/// What of `schema` the role may use, as one JSON object.
pub(crate) fn accessible_query(schema: &str) -> Snippet {
    let mut query = Snippet::raw("with asked(schema) as (select ");
    query.param(schema.to_owned()).push("::text) ").push(include_str!("openapi/accessible.sql"));
    query
}

fn describe(
    catalog: &Catalog,
    config: &Config,
    schema: &str,
    accessible: &Accessible,
) -> Result<Vec<u8>, serde_json::Error> {
    let all = config.openapi_mode == OpenApiMode::IgnorePrivileges;
    let mut tables: Vec<&Table> = catalog
        .tables
        .values()
        .filter(|table| table.name.schema.as_str() == schema)
        .filter(|table| all || accessible.relations.contains(table.name.name.as_str()))
        .collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    // Of overloads, which share a path, the last one is described.
    let routines: BTreeMap<&QualifiedIdent, Routine> = catalog
        .routines
        .iter()
        .filter(|(name, _)| name.schema.as_str() == schema)
        .flat_map(|(name, overloads)| overloads.iter().map(move |routine| (name, routine)))
        .filter_map(|(name, routine)| {
            Some((name, if all { routine.clone() } else { as_accessible(routine, accessible)? }))
        })
        .collect();

    let root = || std::iter::once(("/".to_owned(), root_path()));
    let paths = Members(|| {
        root().chain(tables.iter().map(|table| relations::path(table))).chain(routines.values().map(routines::path))
    });
    let (title, about) = split_comment(accessible.description.as_deref());
    let public = PublicAddress::of(config);
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut text);
    let mut document = serializer.serialize_map(None)?;
    document.serialize_entry("swagger", "2.0")?;
    let info = json!({
        "version": UPSTREAM_VERSION,
        "title": title.unwrap_or("PostgREST API"),
        "description": about.unwrap_or("This is a dynamic API generated by PostgREST"),
    });
    document.serialize_entry("info", &info)?;
    document.serialize_entry("host", &public.host)?;
    document.serialize_entry("basePath", &public.path)?;
    document.serialize_entry("schemes", &[&public.scheme])?;
    document.serialize_entry("consumes", &data_types::mimes())?;
    document.serialize_entry("produces", &data_types::mimes())?;
    document.serialize_entry("paths", &paths)?;
    if !tables.is_empty() {
        let definitions = Members(|| tables.iter().map(|table| relations::definition(table, catalog)));
        document.serialize_entry("definitions", &definitions)?;
    }
    document.serialize_entry("parameters", &Members(|| parameters::all(&tables)))?;
    if config.openapi_security_active {
        document.serialize_entry("securityDefinitions", &security())?;
        document.serialize_entry("security", &[json!({ "JWT": [] })])?;
    }
    let docs = "https://postgrest.org/en/latest/references/api.html";
    document.serialize_entry("externalDocs", &json!({ "description": "PostgREST Documentation", "url": docs }))?;
    SerializeMap::end(document)?;
    Ok(text)
}

/// An object whose members are made and written one at a time: all together they would take twenty times the memory of
/// their text.
struct Members<F>(F);

impl<F, I> Serialize for Members<F>
where
    F: Fn() -> I,
    I: Iterator<Item = (String, Value)>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0())
    }
}

fn security() -> Value {
    json!({ "JWT": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "Add the token prepending \"Bearer \" (without quotes) to it",
    }})
}

/// The function as the role sees it, if it may call it.
fn as_accessible(routine: &Routine, accessible: &Accessible) -> Option<Routine> {
    let types = accessible.routines.get(&routine.oid)?;
    let mut routine = routine.clone();
    for (parameter, shown) in routine.parameters.iter_mut().zip(types) {
        parameter.shown_type.clone_from(shown);
    }
    Some(routine)
}

/// Puts in what is not empty: the description leaves out empty lists and objects.
fn put(object: &mut Map<String, Value>, name: &str, value: Value) {
    let is_empty = match &value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        value => value.is_null(),
    };
    if !is_empty {
        object.insert(name.to_owned(), value);
    }
}

fn root_path() -> Value {
    json!({ "get": {
        "tags": ["Introspection"],
        "summary": "OpenAPI description (this document)",
        "produces": ["application/openapi+json", "application/json"],
        "responses": { "200": { "description": "OK" } },
    }})
}

/// A comment's first line, and the rest without the blank lines between.
fn split_comment(comment: Option<&str>) -> (Option<&str>, Option<&str>) {
    let Some(comment) = comment else { return (None, None) };
    let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
    let rest = rest.trim_start_matches('\n');
    (Some(first), Some(rest).filter(|rest| !rest.is_empty()))
}

/// Puts summary and description into an operation, where there are any.
fn comment_into(operation: &mut Map<String, Value>, comment: Option<&str>) {
    let (summary, description) = split_comment(comment);
    for (name, text) in [("summary", summary), ("description", description)] {
        if let Some(text) = text {
            operation.insert(name.to_owned(), text.into());
        }
    }
}

/// Where clients reach the API.
struct PublicAddress {
    scheme: String,
    host: String,
    path: String,
}

impl PublicAddress {
    fn of(config: &Config) -> Self {
        let proxy = config.openapi_server_proxy_uri.as_deref().and_then(|uri| uri.parse::<http::Uri>().ok());
        let proxied = proxy.as_ref().and_then(|uri| {
            let scheme = uri.scheme_str()?;
            let port = uri.port_u16().unwrap_or(if scheme == "https" { 443 } else { 80 });
            Some(PublicAddress {
                scheme: scheme.to_owned(),
                host: format!("{}:{port}", uri.host()?),
                path: uri.path().to_owned(),
            })
        });
        proxied.unwrap_or_else(|| {
            let host = match config.server_host.as_str() {
                "!4" | "*4" | "!6" | "*6" | "*" => "0.0.0.0",
                host => host,
            };
            PublicAddress {
                scheme: "http".to_owned(),
                host: format!("{host}:{}", config.server_port),
                path: "/".to_owned(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_split_into_summary_and_description() {
        for (comment, summary, description) in [
            (None, None, None),
            (Some("one"), Some("one"), None),
            (Some("one\n\ntwo\nthree"), Some("one"), Some("two\nthree")),
        ] {
            assert_eq!(split_comment(comment), (summary, description));
        }
    }

    #[test]
    fn a_routine_is_told_in_the_words_of_the_search_path() {
        let mut accessible = Accessible::default();
        let routine = routines::tests::routine(&[("mood", "app.mood")]);
        assert!(as_accessible(&routine, &accessible).is_none(), "what may not be called is not shown");
        accessible.routines.insert(routine.oid, vec!["mood".to_owned()]);
        let (_, path) = routines::path(&as_accessible(&routine, &accessible).unwrap());
        assert_eq!(path["get"]["parameters"][0]["format"], "mood");
    }

    #[test]
    fn public_addresses() {
        let address = |proxy: Option<&str>| {
            let config = Config { openapi_server_proxy_uri: proxy.map(str::to_owned), ..Config::default() };
            let PublicAddress { scheme, host, path } = PublicAddress::of(&config);
            (scheme, host, path)
        };
        let expected = |s: &str, h: &str, p: &str| (s.to_owned(), h.to_owned(), p.to_owned());
        assert_eq!(address(None), expected("http", "0.0.0.0:3000", "/"));
        assert_eq!(address(Some("https://api.x.test/v1")), expected("https", "api.x.test:443", "/v1"));
    }
}
