//! `/oauth/clients/register` and `/admin/oauth/clients`

use reqwest::Method;
use serde_json::{Value, json};

use super::{BACK, ON, refused};
use crate::kit::{Calls, Server};

#[tokio::test]
async fn clients_are_registered_by_rfc_7591() {
    let s = Server::with(&ON).await;
    let register = |body: Value| s.post("/auth/v1/oauth/clients/register", body);
    let answer = register(json!({ "redirect_uris": [BACK], "client_name": "Scout", "more": 1 })).await.is(201).json();
    assert_eq!(answer["client_secret"].as_str().unwrap().len(), 43);
    for (name, value) in [
        ("client_type", json!("confidential")),
        ("token_endpoint_auth_method", json!("client_secret_basic")),
        ("redirect_uris", json!([BACK])),
        ("grant_types", json!(["authorization_code", "refresh_token"])),
        ("response_types", json!(["code"])),
        ("registration_type", json!("dynamic")),
        ("client_secret_expires_at", json!(0)),
    ] {
        assert_eq!(answer[name], value, "{name}");
    }
    let public =
        register(json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "none" })).await.is(201).json();
    assert_eq!((public.get("client_secret"), &public["client_type"]), (None, &json!("public")));
    let path = |client: &Value| format!("/auth/v1/admin/oauth/clients/{}", client["client_id"].as_str().unwrap());
    let secret = s.as_service(Method::POST, &format!("{}/regenerate_secret", path(&public))).await;
    refused(&secret, 400, "validation_failed", "Cannot regenerate secret for public client");
    refused(&register(json!({})).await, 400, "validation_failed", "400: redirect_uris is required");
    refused(&register(json!({})).body("[").await, 400, "bad_json", "Invalid JSON body");
    refused(&register(json!({ "redirect_uris": "x" })).await, 400, "bad_json", "Invalid JSON body");
    let put = |body: Value| s.as_service(Method::PUT, &path(&answer)).json(&body);
    refused(&put(json!({})).await, 400, "validation_failed", "No fields provided for update");
    refused(&put(json!({ "grant_types": [] })).await, 400, "validation_failed", "grant_types cannot be empty");
    let changed = put(json!({ "client_name": "", "logo_uri": "https://x.test/l.png" })).await.is(200).json();
    assert_eq!((changed.get("client_name"), &changed["logo_uri"]), (None, &json!("https://x.test/l.png")));
    let nowhere = s.as_service(Method::GET, "/auth/v1/admin/oauth/clients/x").await;
    refused(&nowhere, 400, "validation_failed", "invalid client_id format");

    let hash = "select count(*) from auth.oauth_clients where client_secret_hash = $1";
    let stored: i64 =
        s.database.connect().await.query_one(hash, &[&answer["client_secret"].as_str()]).await.unwrap().get(0);
    assert_eq!(stored, 0, "only a hash of the secret is stored");
    let closed = Server::with(&ON[..1]).await;
    let answer = closed.post("/auth/v1/oauth/clients/register", json!({ "redirect_uris": [BACK] })).await;
    let message = "Dynamic client registration is not enabled";
    refused(&answer, 403, "oauth_dynamic_client_registration_disabled", message);
    let empty = closed.as_service(Method::GET, "/auth/v1/admin/oauth/clients").await.is(200);
    assert_eq!(empty.body, "{}");
}
