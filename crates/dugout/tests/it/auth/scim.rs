//! `/scim/v2`: the discovery endpoints, if enabled.

use reqwest::Method;
use serde_json::json;

use super::refused;
use crate::kit::{Answer, Calls, Server};

const PATHS: [&str; 3] = ["ServiceProviderConfig", "ResourceTypes", "Schemas"];
const ON: &[(&str, &str)] =
    &[("GOTRUE_EXPERIMENTAL_SCIM_ENABLED", "true"), ("API_EXTERNAL_URL", "https://api.test/auth/v1/")];

async fn ask(s: &Server, method: Method, path: &str) -> Answer {
    s.request(method, &format!("/auth/v1/scim/v2{path}")).await
}

/// An error in SCIM's own shape.
#[track_caller]
fn refused_by_scim(answer: &Answer, status: u16, detail: &str) {
    assert_eq!((answer.status, answer.header("content-type")), (status, "application/scim+json"), "{}", answer.body);
    let schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
    assert_eq!(answer.json(), json!({ "schemas": schemas, "detail": detail, "status": status.to_string() }));
}

#[tokio::test]
async fn disabled_scim_responds_like_unknown_paths() {
    let s = Server::start().await;
    for method in [Method::GET, Method::POST, Method::DELETE] {
        for path in ["", "/", "/Schemas", "/Schemas?filter=x", "/Users", "/ServiceProviderConfig/x"] {
            let answer = ask(&s, method.clone(), path).await;
            refused(&answer, 404, "feature_disabled", "SCIM server is disabled");
        }
    }
}

#[tokio::test]
async fn the_discovery_endpoints_list_the_unsupported_features() {
    let s = Server::with(ON).await;
    let answer = ask(&s, Method::GET, "/ServiceProviderConfig").await.is(200);
    assert_eq!(answer.header("content-type"), "application/scim+json");
    insta::assert_json_snapshot!(answer.json());
}

#[tokio::test]
async fn there_are_no_resources_and_no_filters() {
    let s = Server::with(ON).await;
    for path in ["/ResourceTypes", "/Schemas"] {
        let answer = ask(&s, Method::GET, &format!("{path}?count=1")).await.is(200);
        assert_eq!(answer.header("content-type"), "application/scim+json");
        assert_eq!(
            answer.json(),
            json!({
                "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
                "totalResults": 0, "startIndex": 1, "itemsPerPage": 0, "Resources": [],
            })
        );
        for query in ["filter=name%20eq%20%22User%22", "count=1&filter"] {
            let answer = ask(&s, Method::GET, &format!("{path}?{query}")).await;
            refused_by_scim(&answer, 403, "Filtering is not supported on this endpoint");
        }
    }
}

#[tokio::test]
async fn other_paths_and_methods_are_refused() {
    let s = Server::with(ON).await;
    for path in ["", "/", "/Users", "/Schemas/x", "/schemas"] {
        for method in [Method::GET, Method::POST] {
            refused_by_scim(&ask(&s, method, path).await, 404, "Endpoint or resource does not exist");
        }
    }
    for path in PATHS {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = ask(&s, method, &format!("/{path}")).await.is(405);
            assert_eq!((answer.header("allow"), answer.body.as_str()), ("GET", ""));
        }
    }
}
