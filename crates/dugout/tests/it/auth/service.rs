//! Endpoints about the service: `GET /settings`, `/health`, `/.well-known/…`; and unknown paths.

use serde_json::{Value, json};

use super::refused;
use crate::kit::{Calls, Server};

#[tokio::test]
async fn settings_contain_what_a_sign_in_page_needs() {
    let s = Server::start().await;
    insta::assert_snapshot!(s.get("/auth/v1/settings").await.wire());
}

#[tokio::test]
async fn health_reports_gotrues_name() {
    let s = Server::start().await;
    assert_eq!(s.get("/auth/v1/health").await.is(200).json()["name"], "GoTrue");
}

#[tokio::test]
async fn tokens_are_signed_by_a_published_key() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let answer = s.get("/auth/v1/.well-known/jwks.json").await.is(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=600");
    let header = jsonwebtoken::decode_header(&ana.access_token).unwrap();
    let keys = answer.json()["keys"].as_array().unwrap().clone();
    let key = keys.iter().find(|key| key["kid"] == json!(header.kid)).expect("the key of the token");
    assert_eq!(key.get("d"), None, "the private key is not published");
    let key = jsonwebtoken::DecodingKey::from_jwk(&serde_json::from_value(key.clone()).unwrap()).unwrap();
    let mut checks = jsonwebtoken::Validation::new(header.alg);
    checks.set_audience(&["authenticated"]);
    jsonwebtoken::decode::<Value>(&ana.access_token, &key, &checks).unwrap();
}

#[tokio::test]
async fn single_sign_on_is_disabled() {
    let s = Server::start().await;
    let off = "SAML 2.0 is disabled";
    for path in ["/auth/v1/sso", "/auth/v1/sso/saml/acs"] {
        refused(&s.post(path, json!({ "domain": "x.test" })).await, 404, "saml_provider_disabled", off);
    }
    refused(&s.get("/auth/v1/sso/saml/metadata").await, 404, "saml_provider_disabled", off);
}

#[tokio::test]
async fn other_paths_and_methods_are_not_found() {
    let s = Server::start().await;
    let answer = s.get("/auth/v1/nowhere").await.is(404);
    assert_eq!(
        (answer.header("content-type"), answer.body.as_str()),
        ("text/plain; charset=utf-8", "404 page not found\n")
    );
    let answer = s.get("/auth/v1/signup").await.is(405);
    assert_eq!((answer.header("allow"), answer.body.as_str()), ("POST", ""));
}
