//! `POST /token?grant_type=id_token`

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::{claims, refused};
use super::{person, settings};
use crate::kit::{Answer, Calls, Server, oidc_provider};

const PATH: &str = "/auth/v1/token?grant_type=id_token";

fn hashed(nonce: &str) -> String {
    Sha256::digest(nonce).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asserts a refusal in OAuth's shape.
#[track_caller]
fn told(answer: &Answer, error: &str, description: &str) {
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert_eq!(answer.json(), json!({ "error": error, "error_description": description }));
}

#[tokio::test]
async fn an_app_signs_in_with_an_id_token() {
    let s = Server::with(&settings()).await;
    let provider = oidc_provider();
    let ana = person("7", "ana@x.test", true);
    let (id_token, access_token) = provider.tokens(&provider.issuer, &ana, &hashed("n-1")).await;
    let with = |more: Value| {
        let mut body = json!({ "provider": "keycloak", "id_token": id_token, "nonce": "n-1" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let body = s.post(PATH, with(json!({ "access_token": access_token }))).await.is(200).json();
    assert_eq!(claims(body["access_token"].as_str().unwrap())["amr"][0]["method"], "oauth");
    let user = &body["user"];
    assert_eq!((&user["email"], &user["identities"][0]["provider"]), (&json!("ana@x.test"), &json!("keycloak")));
    let data = &user["identities"][0]["identity_data"];
    assert_eq!((&data["aud"], &data["iss"]), (&json!(["dugout"]), &json!(provider.issuer)));
    // Without an access token `at_hash` is not checked; the issuer replaces the provider.
    let by_issuer = json!({ "provider": "", "client_id": "dugout", "issuer": provider.issuer });
    assert_eq!(s.post(PATH, with(by_issuer)).await.is(200).json()["user"]["id"], user["id"]);

    let bad = "Bad ID token";
    told(&s.post(PATH, with(json!({ "nonce": "n-2" }))).await, "invalid nonce", "Nonces mismatch");
    let one_side = "Passed nonce and nonce in id_token should either both exist or not.";
    told(&s.post(PATH, with(json!({ "nonce": "" }))).await, "invalid request", one_side);
    s.clock.advance(chrono::TimeDelta::hours(2));
    told(&s.post(PATH, with(json!({}))).await, "invalid request", bad);
}

#[tokio::test]
async fn tokens_of_other_issuers_or_for_other_audiences_are_refused() {
    let s = Server::with(&settings()).await;
    let provider = oidc_provider();
    let ana = person("7", "ana@x.test", true);
    let (id_token, _) = provider.tokens(&provider.issuer, &ana, &hashed("n")).await;
    let (of_another, _) = provider.tokens(&provider.other, &ana, &hashed("n")).await;
    let post = |token: &str| s.post(PATH, json!({ "provider": "keycloak", "id_token": token, "nonce": "n" }));
    let bad = "Bad ID token";
    // Another issuer with a valid signature.
    told(&post(&of_another).await, "invalid request", bad);
    let parts: Vec<&str> = id_token.split('.').collect();
    let other: Vec<&str> = of_another.split('.').collect();
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", parts[1]);
    let swapped = format!("{}.{}.{}", parts[0], other[1], parts[2]);
    let foreign = format!("{}.{}.{}", parts[0], parts[1], other[2]);
    for token in [unsigned.as_str(), &swapped, &foreign, &id_token[..id_token.len() - 4], "a.b.c", "x"] {
        told(&post(token).await, "invalid request", bad);
    }
    let mut elsewhere = settings();
    elsewhere.retain(|(name, _)| *name != "GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID");
    elsewhere.push(("GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID", "somebody-else"));
    let s = Server::with(&elsewhere).await;
    let answer = s.post(PATH, json!({ "provider": "keycloak", "id_token": id_token, "nonce": "n" })).await;
    told(&answer, "invalid request", "Unacceptable audience in id_token: [dugout]");
}

#[tokio::test]
async fn required_parameters_are_required() {
    let s = Server::with(&settings()).await;
    told(&s.post(PATH, json!({})).await, "invalid request", "id_token required");
    let incomplete = "provider or client_id and issuer required";
    told(&s.post(PATH, json!({ "id_token": "x", "issuer": "y" })).await, "invalid request", incomplete);
    let post = |body: Value| s.post(PATH, body);
    let answer = post(json!({ "id_token": "x", "provider": "google" })).await;
    let off = "Provider (issuer \"https://accounts.google.com\") is not enabled";
    refused(&answer, 400, "provider_disabled", off);
    let answer = post(json!({ "id_token": "x", "provider": "github" })).await;
    refused(&answer, 400, "validation_failed", "Custom OIDC provider \"github\" not allowed");
    let answer = post(json!({ "id_token": "x", "provider": "custom:x" })).await;
    refused(&answer, 400, "validation_failed", "Custom provider \"custom:x\" not found");
    let answer = post(json!({ "id_token": "x", "provider": "apple" })).await;
    refused(&answer, 400, "validation_failed", "Unable to detect issuer in ID token for Apple provider");
}

#[tokio::test]
async fn a_user_links_the_identity_of_a_token() {
    let s = Server::with(&settings()).await;
    let provider = oidc_provider();
    let (id_token, _) = provider.tokens(&provider.issuer, &person("7", "other@x.test", true), &hashed("n")).await;
    let body = json!({ "provider": "keycloak", "id_token": id_token, "nonce": "n", "link_identity": true });
    let needed = "Linking requires a valid user access token in Authorization";
    told(&s.post(PATH, body.clone()).await, "invalid request", needed);
    assert_eq!(s.post(PATH, body.clone()).bearer("x.y.z").await.status, 403);
    let ana = s.signed_up("ana@x.test").await;
    let linked = ana.post(PATH, body.clone()).await.is(200).json();
    assert_eq!(linked["user"]["id"], json!(ana.id));
    assert_eq!(linked["user"]["app_metadata"]["providers"], json!(["email", "keycloak"]));
    let ben = s.signed_up("ben@x.test").await;
    let answer = ben.post(PATH, body).await;
    refused(&answer, 422, "identity_already_exists", "Identity is already linked to another user");
}
