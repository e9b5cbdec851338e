//! Checks each response of the auth API against `openapi/auth.json`: its status must be documented for the route.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use reqwest::{Method, Url};
use serde_json::Value;

use crate::architecture::root;

/// Statuses that the service itself uses. Triggers and hooks of a project may cause any other.
const OWN: [u16; 17] = [200, 201, 204, 302, 303, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503, 504];

/// A path with its parameters in braces, and the documented statuses by method (lower case).
type Documented = (String, BTreeMap<String, Vec<String>>);

/// # Panics
/// When a response has a status that the route's description lacks.
pub(super) fn check(method: &Method, url: &Url, status: u16) {
    let Some(path) = url.path().strip_prefix("/auth/v1") else { return };
    let Some(statuses) = statuses(method, path) else { return };
    let known = !OWN.contains(&status) || statuses.iter().any(|one| one.parse() == Ok(status));
    assert!(known, "{method} {path} answers {status}; openapi/auth.json has {statuses:?}");
}

/// The documented statuses of a route, if the route exists. A path without parameters takes precedence.
fn statuses(method: &Method, path: &str) -> Option<&'static Vec<String>> {
    let fits = |template: &&Documented| {
        let (template, path) = (template.0.split('/'), path.split('/'));
        template.clone().count() == path.clone().count()
            && template.zip(path).all(|(one, other)| one == other || one.starts_with('{') && !other.is_empty())
    };
    let routes = routes();
    let exact = routes.iter().find(|(template, _)| template == path);
    let (_, methods) = exact.or_else(|| routes.iter().find(fits))?;
    methods.get(&method.as_str().to_lowercase())
}

fn routes() -> &'static [Documented] {
    static ROUTES: OnceLock<Vec<Documented>> = OnceLock::new();
    ROUTES.get_or_init(|| {
        let text = std::fs::read_to_string(root().join("openapi/auth.json")).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let statuses = |operation: &Value| operation["responses"].as_object().unwrap().keys().cloned().collect();
        let methods = |operations: &Value| {
            operations
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, operation)| (name.clone(), statuses(operation)))
                .collect()
        };
        let paths = document["paths"].as_object().unwrap();
        paths.iter().map(|(path, operations)| (path.clone(), methods(operations))).collect()
    })
}
