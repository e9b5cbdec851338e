//! `POST /oauth/token` and `GET /oauth/userinfo`

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::{BACK, CHALLENGE, ON, code, denied, exchange, refused, token};
use crate::kit::{Answer, Calls, Server};

#[tokio::test]
async fn a_code_works_once() {
    let s = Server::with(&ON).await;
    let ana = s.signed_up("ana@x.test").await;
    let client = super::client(&s, json!({})).await;
    let other = super::client(&s, json!({})).await;
    let code = code(&s, &ana, &client, &[]).await;
    let mismatch = "PKCE verification failed: code challenge does not match previously saved code verifier";
    for (by, with, description) in [
        (&other, vec![], "Authorization code was not issued for this client"),
        (&client, vec![("redirect_uri", "https://client.test/cb")], "Invalid redirect_uri"),
        (&client, vec![("code_verifier", CHALLENGE)], mismatch),
        (
            &client,
            vec![("code_verifier", "")],
            "PKCE verification failed: code_verifier is required when PKCE challenge is present",
        ),
        (&client, vec![("code", "00000000-0000-4000-8000-000000000000")], "Invalid authorization code"),
        (&client, vec![("code", "a\0b")], "Invalid authorization code"),
    ] {
        denied(&exchange(&s, by, &code, &with).await, "invalid_grant", description);
    }
    let answer = exchange(&s, &client, &code, &[("redirect_uri", BACK)]).await.is(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let tokens = answer.json();
    let names: Vec<&String> = tokens.as_object().unwrap().keys().collect();
    assert_eq!(names, ["access_token", "expires_in", "refresh_token", "token_type"]);
    let access = tokens["access_token"].as_str().unwrap();
    let user = s.get("/auth/v1/user").bearer(access).await.is(200).json();
    assert_eq!(user["id"], json!(ana.id));

    // Another client's use of the code changes nothing; reuse by its own client ends the session that the code started.
    denied(&exchange(&s, &other, &code, &[]).await, "invalid_grant", "Invalid authorization code");
    s.get("/auth/v1/user").bearer(access).await.is(200);
    denied(&exchange(&s, &client, &code, &[]).await, "invalid_grant", "Invalid authorization code");
    let answer = s.get("/auth/v1/user").bearer(access).await;
    refused(&answer, 403, "session_not_found", "Session from session_id claim in JWT does not exist");
    ana.get("/auth/v1/user").await.is(200);
    let revoked =
        "select count(*) from auth.audit_log_entries where payload->'traits'->>'action' = 'authorization_code_reuse'";
    let revoked: i64 = s.database.connect().await.query_one(revoked, &[]).await.unwrap().get(0);
    assert_eq!(revoked, 1);
}

#[tokio::test]
async fn codes_expire_and_bans_apply() {
    let s = Server::with(&ON).await;
    let ana = s.signed_up("ana@x.test").await;
    let client = super::client(&s, json!({})).await;
    let early = code(&s, &ana, &client, &[]).await;
    s.clock.advance(TimeDelta::seconds(601));
    denied(&exchange(&s, &client, &early, &[]).await, "invalid_grant", "Authorization code has expired");
    let later = code(&s, &ana, &client, &[]).await;
    let ban = "update auth.users set banned_until = now() + interval '1 day'";
    s.database.connect().await.execute(ban, &[]).await.unwrap();
    denied(&exchange(&s, &client, &later, &[]).await, "access_denied", "User is banned");
}

#[tokio::test]
async fn a_refresh_token_belongs_to_its_client() {
    let s = Server::with(&ON).await;
    let ana = s.signed_up("ana@x.test").await;
    let (client, other) = (super::client(&s, json!({})).await, super::client(&s, json!({})).await);
    let code = code(&s, &ana, &client, &[]).await;
    let tokens = exchange(&s, &client, &code, &[]).await.is(200).json();
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let refresh = |client: &Value, refresh_token: &str| {
        let id = client["client_id"].as_str().unwrap();
        token(&s, &[("grant_type", "refresh_token"), ("client_id", id), ("refresh_token", refresh_token)])
    };
    let answer = refresh(&other, refresh_token).await;
    denied(&answer, "invalid_client", "Client does not match the session's OAuth client");
    let plain = s.post("/auth/v1/token?grant_type=refresh_token", json!({ "refresh_token": refresh_token })).await;
    denied(&plain, "invalid_client", "Client authentication required for OAuth session");
    let answer = refresh(&client, &ana.refresh_token).await;
    denied(&answer, "invalid_client", "Client authentication not allowed for non-OAuth session");
    let again = refresh(&client, refresh_token).await.is(200).json();
    assert_eq!(again.as_object().unwrap().len(), 4);
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    refused(&refresh(&client, "a\0b").await, 400, "refresh_token_not_found", gone);

    let path = format!("/auth/v1/admin/oauth/clients/{}", client["client_id"].as_str().unwrap());
    s.as_service(Method::DELETE, &path).await.is(204);
    let answer = refresh(&client, again["refresh_token"].as_str().unwrap()).await;
    refused(&answer, 400, "invalid_credentials", "Invalid client credentials");
}

#[tokio::test]
async fn a_client_authenticates_by_its_registered_method() {
    let s = Server::with(&ON).await;
    let public = super::client(&s, json!({ "grant_types": ["authorization_code"] })).await;
    let with = |method: &str| json!({ "token_endpoint_auth_method": method });
    let (basic, post) =
        (super::client(&s, with("client_secret_basic")).await, super::client(&s, with("client_secret_post")).await);
    let text = |client: &Value, name: &str| client[name].as_str().unwrap().to_owned();
    let header = |id: &str, secret: &str| {
        use base64::Engine;
        format!("Basic {}", base64::prelude::BASE64_STANDARD.encode(format!("{id}:{secret}")))
    };
    let ask = |form: &[(&str, &str)]| token(&s, form);
    let credentials = |answer: Answer, message: &str| refused(&answer, 400, "invalid_credentials", message);
    let unknown = "00000000-0000-4000-8000-000000000000";
    credentials(ask(&[]).await, "Invalid client credentials: client_id is required");
    credentials(ask(&[("client_id", "x")]).await, "Invalid client_id format");
    credentials(ask(&[("client_id", unknown)]).await, "Invalid client credentials");
    credentials(
        ask(&[]).header("authorization", "Basic !").await,
        "Invalid client credentials: invalid basic auth encoding",
    );
    credentials(
        ask(&[]).header("authorization", "Basic YQ==").await,
        "Invalid client credentials: invalid basic auth format",
    );
    let bad = s.post("/auth/v1/oauth/token", json!({})).body("{").await;
    credentials(bad, "Invalid client credentials: failed to parse JSON body");
    let (id, secret) = (text(&basic, "client_id"), text(&basic, "client_secret"));
    // Other errors are only reported after the client has authenticated.
    let odd = json!({ "client_id": id, "client_secret": "wrong", "grant_type": 7 });
    let odd = s.post("/auth/v1/oauth/token", odd).await;
    let method = |registered: &str, used: &str| {
        format!("invalid authentication method: client is registered for '{registered}' but '{used}' was used")
    };
    credentials(odd, &method("client_secret_basic", "client_secret_post"));
    let posted = ask(&[("client_id", &id), ("client_secret", &secret)]).await;
    credentials(posted, &method("client_secret_basic", "client_secret_post"));
    credentials(ask(&[("client_id", &id)]).await, &method("client_secret_basic", "none"));
    credentials(ask(&[]).header("authorization", &header(&id, "wrong")).await, "invalid client credentials");
    let empty = ask(&[]).header("authorization", &header(&id, "")).await;
    credentials(empty, "confidential clients must provide client_secret");
    let posted = text(&post, "client_id");
    let wrong = ask(&[("client_id", &posted), ("client_secret", &secret)]).await;
    credentials(wrong, "invalid client credentials");
    let shown = ask(&[("client_id", public["client_id"].as_str().unwrap()), ("client_secret", "x")]).await;
    credentials(shown, &method("none", "client_secret_post"));

    let right = header(&id, &secret);
    denied(&ask(&[]).header("authorization", &right).await, "invalid_request", "grant_type is required");
    let bad = s.post("/auth/v1/oauth/token", json!({})).header("authorization", &right).body("{").await;
    denied(&bad, "invalid_request", "Invalid JSON body");
    let nobody = ask(&[("grant_type", "refresh_token")]).header("authorization", &header("", "")).await;
    denied(&nobody, "invalid_client", "Client authentication required");
    let missing = ask(&[("grant_type", "authorization_code")]).header("authorization", &right).await;
    denied(&missing, "invalid_request", "code is required for authorization_code grant");
    let missing = ask(&[("grant_type", "refresh_token")]).header("authorization", &right).await;
    denied(&missing, "invalid_request", "refresh_token is required for refresh_token grant");
    let public = public["client_id"].as_str().unwrap();
    let other = ask(&[("grant_type", "refresh_token"), ("client_id", public)]).await;
    denied(&other, "unsupported_grant_type", "Client is not allowed to use grant type: refresh_token");
    let posted = json!({ "client_id": posted, "client_secret": post["client_secret"], "grant_type": "refresh_token", "refresh_token": "aaaaaaaaaaaa" });
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    refused(&s.post("/auth/v1/oauth/token", posted).await, 400, "refresh_token_not_found", gone);
}

#[tokio::test]
async fn userinfo_returns_what_the_scopes_allow() {
    let s = Server::with(&ON).await;
    let ana = s.signed_up_with("ana@x.test", json!({ "name": "Ana" })).await;
    let client = super::client(&s, json!({})).await;
    let own = ana.get("/auth/v1/oauth/userinfo").await.is(200).json();
    assert_eq!(own, json!({ "sub": ana.id }), "the user's own session has no scopes");
    for (scope, names) in [
        ("phone", vec!["sub"]),
        ("email", vec!["sub", "email", "email_verified"]),
        ("profile", vec!["sub", "user_metadata", "name", "updated_at"]),
    ] {
        let code = code(&s, &ana, &client, &[("scope", scope)]).await;
        let tokens = exchange(&s, &client, &code, &[]).await.is(200).json();
        let access = tokens["access_token"].as_str().unwrap();
        let info = s.get("/auth/v1/oauth/userinfo").bearer(access).await.is(200).json();
        assert_eq!(info.as_object().unwrap().keys().collect::<Vec<_>>(), names);
    }
    s.get("/auth/v1/oauth/userinfo").await.is(401);
}

#[tokio::test]
async fn id_tokens_are_not_signed_with_a_secret() {
    // In development, tokens are signed with the CLI's well-known secret.
    let s = Server::with(&[ON.as_slice(), &[("DUGOUT_DEV", "true")]].concat()).await;
    let ana = s.signed_up("ana@x.test").await;
    let client = super::client(&s, json!({})).await;
    let refused = s.get(&super::query(&client, &[("scope", "openid email"), ("state", "s1")])).await.is(302);
    let location = refused.header("location");
    assert!(location.contains("error=invalid_scope") && location.contains("state=s1"), "{location}");
    let code = code(&s, &ana, &client, &[("scope", "email")]).await;
    assert!(exchange(&s, &client, &code, &[]).await.is(200).json()["id_token"].is_null());
}
