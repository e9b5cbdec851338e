//! Path and method: the resource, the action and the schema.

use http::{HeaderMap, Method};
use percent_encoding::percent_decode_str;

use super::incoming::header;
use crate::config::{Config, OpenApiMode};
use crate::error::Error;

/// The resource that a path names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Schema,
    Relation(String),
    Routine(String),
}

/// The action on a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Read {
        relation: String,
        headers_only: bool,
    },
    Mutate {
        relation: String,
        mutation: Mutation,
    },
    Call {
        routine: String,
        invoke: Invoke,
    },
    DescribeSchema {
        headers_only: bool,
    },
    /// OPTIONS.
    RelationInfo {
        relation: String,
    },
    RoutineInfo {
        routine: String,
    },
    SchemaInfo,
}

/// The four kinds of write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    Create,
    Update,
    /// PUT: upserts the row with exactly this key.
    SingleUpsert,
    Delete,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invoke {
    Get { headers_only: bool },
    Post,
}

impl Action {
    /// Whether parameters of the URL can be arguments of a function.
    pub(crate) fn takes_arguments_from_url(&self) -> bool {
        matches!(self, Action::Call { invoke: Invoke::Get { .. }, .. })
    }
}

impl Resource {
    /// One segment is a relation; `rpc/` and a second one a function.
    pub(crate) fn parse(path: &str, config: &Config) -> Result<Self, Error> {
        let path = path.strip_prefix('/').unwrap_or(path);
        let decode = |segment: &str| percent_decode_str(segment).decode_utf8_lossy().into_owned();
        let segments: Vec<String> = if path.is_empty() { Vec::new() } else { path.split('/').map(decode).collect() };
        match segments.as_slice() {
            [] if config.openapi_mode == OpenApiMode::Disabled => Err(Error::OpenApiDisabled),
            [] => Ok(match &config.db_root_spec {
                Some(function) => Resource::Routine(function.name.as_str().to_owned()),
                None => Resource::Schema,
            }),
            [relation] => Ok(Resource::Relation(relation.clone())),
            [rpc, routine] if rpc == "rpc" => Ok(Resource::Routine(routine.clone())),
            _ => Err(Error::InvalidPath),
        }
    }
}

/// The schema that the profile headers select, and whether the response must name it.
pub(crate) fn schema(method: &Method, headers: &HeaderMap, config: &Config) -> Result<(String, bool), Error> {
    let name = match *method {
        Method::POST | Method::PATCH | Method::PUT | Method::DELETE => "content-profile",
        _ => "accept-profile",
    };
    match header(headers, name) {
        Some(profile) if config.db_schemas.iter().any(|schema| schema == profile) => Ok((profile.to_owned(), true)),
        Some(profile) => Err(Error::UnknownSchema { schema: profile.to_owned(), exposed: config.db_schemas.clone() }),
        None => Ok((config.db_schemas.first().cloned().unwrap_or_default(), config.db_schemas.len() != 1)),
    }
}

/// What the method does to the resource.
pub(crate) fn action(resource: Resource, method: &Method) -> Result<Action, Error> {
    let headers_only = method == Method::HEAD;
    let unsupported = || Error::UnsupportedMethod(method.to_string());
    Ok(match (resource, method) {
        (Resource::Routine(routine), &Method::GET | &Method::HEAD) => {
            Action::Call { routine, invoke: Invoke::Get { headers_only } }
        }
        (Resource::Routine(routine), &Method::POST) => Action::Call { routine, invoke: Invoke::Post },
        (Resource::Routine(routine), &Method::OPTIONS) => Action::RoutineInfo { routine },
        (Resource::Routine(_), method) => return Err(Error::InvalidRpcMethod(method.to_string())),
        (Resource::Relation(relation), &Method::GET | &Method::HEAD) => Action::Read { relation, headers_only },
        (Resource::Relation(relation), &Method::OPTIONS) => Action::RelationInfo { relation },
        (Resource::Relation(relation), method) => {
            let mutation = match *method {
                Method::POST => Mutation::Create,
                Method::PATCH => Mutation::Update,
                Method::PUT => Mutation::SingleUpsert,
                Method::DELETE => Mutation::Delete,
                _ => return Err(unsupported()),
            };
            Action::Mutate { relation, mutation }
        }
        (Resource::Schema, &Method::GET | &Method::HEAD) => Action::DescribeSchema { headers_only },
        (Resource::Schema, &Method::OPTIONS) => Action::SchemaInfo,
        (Resource::Schema, _) => return Err(unsupported()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let config = Config::default();
        let parse = |path: &str| Resource::parse(path, &config).map_err(|error| error.code().into_owned());
        assert_eq!(parse("/"), Ok(Resource::Schema));
        assert_eq!(parse("/a%20b"), Ok(Resource::Relation("a b".into())));
        assert_eq!(parse("/a%2Fb+c"), Ok(Resource::Relation("a/b+c".into())));
        assert_eq!(parse("/rpc"), Ok(Resource::Relation("rpc".into())));
        assert_eq!(parse("/rpc/f"), Ok(Resource::Routine("f".into())));
        assert_eq!(parse("/%72pc/%66"), Ok(Resource::Routine("f".into())));
        for path in ["/t/", "/rpc/f/", "/a/b", "//"] {
            assert_eq!(parse(path), Err("PGRST125".into()), "{path}");
        }
    }

    #[test]
    fn verbs() {
        let act = |resource, method: Method| action(resource, &method).map_err(|error| error.code().into_owned());
        assert_eq!(act(Resource::Schema, Method::POST), Err("PGRST117".into()));
        assert_eq!(act(Resource::Relation("t".into()), Method::TRACE), Err("PGRST117".into()));
        assert_eq!(act(Resource::Routine("f".into()), Method::PUT), Err("PGRST101".into()));
        assert!(act(Resource::Routine("f".into()), Method::GET).unwrap().takes_arguments_from_url());
    }
}
