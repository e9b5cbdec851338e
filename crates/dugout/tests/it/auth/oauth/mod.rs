//! Our OAuth 2.1 server: `/oauth/…`, `/admin/oauth/…`, `/user/oauth/grants`.

mod authorize;
mod clients;
mod consent;
mod third_party;
mod token;

use reqwest::Method;
use serde_json::{Value, json};

use super::{claims, pairs, refused};
use crate::kit::{Answer, Calls, PASSWORD, Request, Server, User, node};

const AT_THE_ROOT: &str = "/.well-known/oauth-authorization-server/auth/v1";
const BACK: &str = "https://client.test/cb?tenant=1";
/// The pair of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const ON: [(&str, &str); 4] = [
    ("GOTRUE_OAUTH_SERVER_ENABLED", "true"),
    ("GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION", "true"),
    ("GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", "/oauth/consent"),
    ("GOTRUE_SITE_URL", "https://app.test/"),
];

async fn client(s: &Server, with: Value) -> Value {
    let mut body = json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "none" });
    body.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
    s.as_service(Method::POST, "/auth/v1/admin/oauth/clients").json(&body).await.is(201).json()
}

fn query(client: &Value, with: &[(&str, &str)]) -> String {
    let mut all = vec![
        ("client_id", client["client_id"].as_str().unwrap()),
        ("redirect_uri", BACK),
        ("scope", "email"),
        ("state", "s 1"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    for (name, value) in with {
        all.retain(|(known, _)| known != name);
        all.push((name, value));
    }
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish();
    format!("/auth/v1/oauth/authorize?{query}")
}

/// The authorization id that the consent page gets.
async fn asked(s: &Server, client: &Value, with: &[(&str, &str)]) -> String {
    let answer = s.get(&query(client, with)).await.is(302);
    let page = answer.header("location").strip_prefix("https://app.test/oauth/consent?").expect("the consent page");
    pairs(page)["authorization_id"].clone()
}

fn details(user: &User, id: &str) -> Request {
    user.get(&format!("/auth/v1/oauth/authorizations/{id}"))
}

fn consent(user: &User, id: &str, action: &str) -> Request {
    user.post(&format!("/auth/v1/oauth/authorizations/{id}/consent"), json!({ "action": action }))
}

/// A code that the user has approved.
async fn code(s: &Server, user: &User, client: &Value, with: &[(&str, &str)]) -> String {
    let id = asked(s, client, with).await;
    let mut answer = details(user, &id).await.is(200).json();
    if answer.get("redirect_url").is_none() {
        answer = consent(user, &id, "approve").await.is(200).json();
    }
    let (base, query) = answer["redirect_url"].as_str().unwrap().split_once('?').unwrap();
    let pairs = pairs(query);
    assert_eq!((base, pairs["tenant"].as_str(), pairs["state"].as_str()), ("https://client.test/cb", "1", "s 1"));
    pairs["code"].clone()
}

fn token(s: &Server, form: &[(&str, &str)]) -> Request {
    let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = s.request(Method::POST, "/auth/v1/oauth/token").body(form);
    request.header("content-type", "application/x-www-form-urlencoded")
}

fn exchange(s: &Server, client: &Value, code: &str, with: &[(&str, &str)]) -> Request {
    let id = client["client_id"].as_str().unwrap();
    let own = [("grant_type", "authorization_code"), ("client_id", id), ("code", code), ("code_verifier", VERIFIER)];
    let mut all: Vec<(&str, &str)> = own.to_vec();
    for (name, value) in with {
        all.retain(|(known, _)| known != name);
        all.push((name, value));
    }
    token(s, &all)
}

#[track_caller]
fn denied(answer: &Answer, error: &str, description: &str) {
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert_eq!(answer.json(), json!({ "error": error, "error_description": description }));
}

#[tokio::test]
async fn an_openid_client_signs_in_over_the_apps_consent_page() {
    let s = Server::with(&ON).await;
    s.signed_up("ana@x.test").await;
    let keys = s.get("/auth/v1/.well-known/jwks.json").await.is(200).json();
    let issuer = s.get("/auth/v1/.well-known/openid-configuration").await.is(200).json()["issuer"].clone();
    let input = json!({
        "issuer": issuer, "anonKey": s.anon_key, "serviceRoleKey": s.service_role_key, "email": "ana@x.test",
        "password": PASSWORD, "algorithm": keys["keys"][0]["alg"],
    });
    let said = tokio::task::spawn_blocking(move || node("oauth-client.mjs", &input)).await.unwrap();
    let access = claims(said["accessToken"].as_str().unwrap());
    assert_eq!((&access["client_id"], &access["scope"]), (&said["id"], &json!("openid email profile")));
    assert_eq!(
        (&access["amr"][0]["method"], &access["aal"]),
        (&json!("oauth_provider/authorization_code"), &json!("aal1"))
    );
    let refreshed = claims(said["refreshed"].as_str().unwrap());
    assert_eq!(refreshed["scope"], access["scope"]);
    assert_eq!(refreshed["session_id"], access["session_id"]);
    assert_eq!(said["claims"]["iss"], issuer);
}

#[tokio::test]
async fn the_metadata_are_at_the_path_of_rfc_8414() {
    let s = Server::with(&ON).await;
    let document = s.get("/auth/v1/.well-known/oauth-authorization-server").await.is(200).json();
    let issuer = document["issuer"].as_str().unwrap();
    assert_eq!(document["registration_endpoint"], json!(format!("{issuer}/oauth/clients/register")));
    assert_eq!(s.get(AT_THE_ROOT).await.is(200).json(), document);
}

#[tokio::test]
async fn a_disabled_oauth_server_has_no_routes() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let uuid = "00000000-0000-4000-8000-000000000000";
    let off = |answer: Answer| refused(&answer, 404, "feature_disabled", "OAuth server is disabled");
    for path in
        ["/.well-known/oauth-authorization-server", "/oauth/authorize", "/oauth/userinfo", "/oauth/authorizations/x"]
    {
        off(s.get(&format!("/auth/v1{path}")).await);
    }
    for path in ["/oauth/token", "/oauth/clients/register", "/oauth/authorizations/x/consent"] {
        off(s.post(&format!("/auth/v1{path}"), json!({})).await);
    }
    off(ana.get("/auth/v1/user/oauth/grants").await);
    off(ana.delete("/auth/v1/user/oauth/grants").await);
    off(s.as_service(Method::GET, "/auth/v1/admin/oauth/clients").await);
    off(s.as_service(Method::DELETE, &format!("/auth/v1/admin/oauth/clients/{uuid}")).await);
    s.get("/auth/v1/admin/oauth/clients").await.is(403);
    off(s.get(AT_THE_ROOT).await);
    s.get("/auth/v1/user/oauth/grants").await.is(401);
    let document = s.get("/auth/v1/.well-known/openid-configuration").await.is(200).json();
    assert_eq!(document.get("registration_endpoint"), None);
}
