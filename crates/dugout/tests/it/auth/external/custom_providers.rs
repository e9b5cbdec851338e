//! `/admin/custom-providers`, and sign-ins with the configured providers.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::refused;
use super::{come_back, person, refusal, settings, user};
use crate::kit::{Answer, CLIENT_SECRET, Calls, Server, oidc_provider};

const PATH: &str = "/auth/v1/admin/custom-providers";

/// A server that allows plain HTTP to this machine: without this setting the table requires HTTPS.
async fn server(more: &[(&'static str, &'static str)]) -> Server {
    let mut all = settings();
    all.extend_from_slice(more);
    let s = Server::with(&all).await;
    let sql = "do $$ declare name text; begin
        for name in select conname from pg_constraint
          where conrelid = 'auth.custom_oauth_providers'::regclass and conname like '%https' loop
          execute format('alter table auth.custom_oauth_providers drop constraint %I', name);
        end loop; end $$";
    s.database.connect().await.batch_execute(sql).await.unwrap();
    s
}

async fn admin(s: &Server, method: Method, path: &str, body: Value) -> Answer {
    s.as_service(method, &format!("{PATH}{path}")).json(&body).await
}

fn oidc(name: &str) -> Value {
    json!({
        "provider_type": "oidc", "identifier": name, "name": "Ours", "client_id": "dugout", "client_secret": CLIENT_SECRET,
        "issuer": oidc_provider().issuer, "scopes": ["email", "profile"],
    })
}

fn oauth2(name: &str) -> Value {
    let issuer = &oidc_provider().issuer;
    let at = |path: &str| format!("{issuer}/protocol/openid-connect/{path}");
    json!({
        "provider_type": "oauth2", "identifier": name, "name": "Ours", "client_id": "dugout-post",
        "client_secret": CLIENT_SECRET, "authorization_url": at("auth"), "token_url": at("token"),
        "userinfo_url": at("userinfo"), "scopes": ["openid", "email", "profile"],
        "attribute_mapping": { "full_name": "name", "nickname": "unknown" }, "custom_claims_allowlist": ["groups"],
    })
}

#[tokio::test]
async fn users_sign_in_with_an_added_provider() {
    let s = server(&[]).await;
    let made = admin(&s, Method::POST, "", oidc("custom:ours")).await.is(201).json();
    assert_eq!((&made["scopes"], &made["pkce_enabled"]), (&json!(["openid", "email", "profile"]), &json!(true)));
    assert_eq!(made["discovery_document"]["issuer"], json!(oidc_provider().issuer));
    assert!(!made.to_string().contains(CLIENT_SECRET));
    let ana = user(&s, &come_back(&s, "custom:ours", &person("7", "ana@x.test", true), "").await).await;
    assert_eq!(ana["app_metadata"], json!({ "provider": "custom:ours", "providers": ["custom:ours"] }));
    // A plain OAuth provider: the API returns the profile, the secret goes into the form.
    admin(&s, Method::POST, "", oauth2("custom:plain")).await.is(201);
    let ben = user(&s, &come_back(&s, "custom:plain", &person("8", "ben@x.test", true), "").await).await;
    let data = &ben["identities"][0]["identity_data"];
    assert_eq!((&data["full_name"], &data["custom_claims"]), (&json!("Ana Sol"), &json!({ "groups": ["staff"] })));
    let (_, code, _) = refusal(&come_back(&s, "custom:plain", &json!({ "sub": "9" }), "").await);
    assert_eq!(code, "unexpected_failure");

    let (id_token, _) = oidc_provider().tokens(&oidc_provider().issuer, &person("7", "ana@x.test", true), "").await;
    let token = |provider: &str| {
        let body = json!({ "provider": provider, "id_token": id_token });
        s.post("/auth/v1/token?grant_type=id_token", body)
    };
    assert_eq!(token("custom:ours").await.is(200).json()["user"]["id"], ana["id"]);
    let answer = token("custom:plain").await;
    refused(&answer, 400, "validation_failed", "Provider \"custom:plain\" is not an OIDC provider");
    admin(&s, Method::PUT, "/custom:ours", json!({ "enabled": false })).await.is(200);
    let off = "Custom provider \"custom:ours\" is disabled";
    refused(&token("custom:ours").await, 400, "provider_disabled", off);
    let answer = s.get("/auth/v1/authorize?provider=custom:ours").await;
    let off = "Unsupported provider: custom provider custom:ours is disabled";
    refused(&answer, 400, "validation_failed", off);
}

#[tokio::test]
async fn a_verifier_works_once_and_for_its_own_provider() {
    let s = server(&[]).await;
    admin(&s, Method::POST, "", oauth2("custom:plain")).await.is(201);
    let client = s.database.connect().await;
    for (spoil, code) in [
        ("delete from auth.oauth_client_states", "oauth_client_state_not_found"),
        ("update auth.oauth_client_states set provider_type = 'custom:other'", "oauth_invalid_state"),
        ("update auth.oauth_client_states set created_at = now() - interval '6 min'", "oauth_client_state_expired"),
        ("update auth.flow_state set oauth_client_state_id = null", "oauth_invalid_state"),
    ] {
        let query = super::departure("custom:plain", &person("7", "ana@x.test", true), "");
        let out = s.get(&format!("/auth/v1/authorize?{query}")).await.is(302);
        assert!(out.header("location").contains("code_challenge_method=S256"));
        let back = crate::kit::callback(&crate::kit::signed_in(out.header("location")).await);
        client.batch_execute(spoil).await.unwrap();
        assert_eq!(refusal(&s.get(&back).await).1, code, "{spoil}");
    }
}

#[tokio::test]
async fn administrators_list_change_and_remove_providers() {
    let s = server(&[("GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS", "2")]).await;
    admin(&s, Method::POST, "", oauth2("custom:one")).await.is(201);
    let exists = "A custom OAuth provider with this identifier already exists";
    refused(&admin(&s, Method::POST, "", oauth2("custom:one")).await, 400, "conflict", exists);
    admin(&s, Method::POST, "", oidc("custom:two")).await.is(201);
    let most = "Maximum number of custom OAuth/OIDC providers reached";
    refused(&admin(&s, Method::POST, "", oauth2("custom:three")).await, 400, "over_custom_provider_quota", most);
    let list = |query: &'static str| {
        let s = &s;
        async move {
            let body = s.as_service(Method::GET, &format!("{PATH}{query}")).await.is(200).json();
            let all = body["providers"].as_array().unwrap().clone();
            all.iter().map(|one| one["identifier"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(list("").await, ["custom:two", "custom:one"]);
    assert_eq!(list("?type=oauth2").await, ["custom:one"]);
    let changes = json!({ "name": "New", "scopes": [], "attribute_mapping": {}, "identifier": "custom:x" });
    let changed = admin(&s, Method::PUT, "/custom:one", changes).await.is(200).json();
    assert_eq!((&changed["name"], &changed["identifier"]), (&json!("New"), &json!("custom:one")));
    assert_eq!((&changed["scopes"], &changed["client_id"]), (&json!([]), &json!("dugout-post")));
    // The issuer is asked again.
    let answer =
        admin(&s, Method::PUT, "/custom:two", json!({ "issuer": format!("{}/other", oidc_provider().issuer) })).await;
    assert!(answer.is(400).body.contains("OIDC discovery from"));
    assert_eq!(s.as_service(Method::GET, &format!("{PATH}/custom:two")).await.is(200).json()["name"], "Ours");
    s.as_service(Method::DELETE, &format!("{PATH}/custom:one")).await.is(204);
    let gone = "Custom OAuth provider not found";
    refused(&s.as_service(Method::DELETE, &format!("{PATH}/custom:one")).await, 404, "custom_provider_not_found", gone);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let mut all = settings();
    all.retain(|(name, _)| *name != "GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES");
    let s = Server::with(&all).await;
    let with = |base: Value, more: Value| {
        let mut body = base;
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let public = json!({
        "authorization_url": "https://93.184.216.34/a", "token_url": "https://93.184.216.34/t",
        "userinfo_url": "https://93.184.216.34/u",
    });
    let plain = with(oauth2("custom:x"), public);
    for (body, message) in [
        (json!({}), "provider_type must be either 'oauth2' or 'oidc'"),
        (with(plain.clone(), json!({ "identifier": "" })), "identifier is required"),
        (
            with(plain.clone(), json!({ "identifier": "x" })),
            "identifier must start with 'custom:' prefix, e.g. 'custom:x'",
        ),
        (with(plain.clone(), json!({ "client_secret": "" })), "client_secret is required"),
        (with(plain.clone(), json!({ "userinfo_url": "" })), "userinfo_url is required for OAuth2 providers"),
        (with(oidc("custom:x"), json!({ "issuer": "" })), "issuer is required for OIDC providers"),
        (
            with(plain.clone(), json!({ "authorization_params": { "state": "x" } })),
            "Cannot override reserved OAuth parameter: state",
        ),
        (
            with(plain.clone(), json!({ "authorization_params": { "max_age": 1 } })),
            "Authorization parameter \"max_age\" must be a string",
        ),
        (
            with(plain.clone(), json!({ "attribute_mapping": { "role": "groups" } })),
            "Cannot map to protected system field: role",
        ),
        (
            with(plain.clone(), json!({ "custom_claims_allowlist": ["a", " "] })),
            "custom_claims_allowlist entries must be non-empty strings",
        ),
        (oidc("custom:x"), "URL must use HTTPS"),
        (
            with(plain.clone(), json!({ "token_url": "https://169.254.169.254/" })),
            "URL cannot resolve to link-local addresses",
        ),
        (
            with(plain.clone(), json!({ "jwks_uri": "https://localhost/keys" })),
            "URL cannot point to localhost or loopback addresses",
        ),
    ] {
        refused(&admin(&s, Method::POST, "", body).await, 400, "validation_failed", message);
    }
    let answer = s.as_service(Method::GET, &format!("{PATH}/x")).await;
    let prefix = "identifier must start with 'custom:' prefix, e.g. 'custom:x'";
    refused(&answer, 400, "validation_failed", prefix);
    let answer = s.as_service(Method::GET, &format!("{PATH}?type=saml")).await;
    refused(&answer, 400, "validation_failed", "type must be either 'oauth2' or 'oidc'");
    assert_eq!(s.get(PATH).await.status, 403);
    let mut off = settings();
    off.push(("GOTRUE_CUSTOM_OAUTH_ENABLED", "false"));
    let s = Server::with(&off).await;
    let answer = s.as_service(Method::GET, PATH).await;
    refused(&answer, 404, "feature_disabled", "Custom OAuth providers are disabled");
}

/// Its address was changed after the check.
#[tokio::test]
async fn providers_in_our_own_network_are_refused() {
    let mut all = settings();
    all.retain(|(name, _)| *name != "GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES");
    let s = Server::with(&all).await;
    let mut provider = oauth2("custom:x");
    for name in ["authorization_url", "token_url", "userinfo_url"] {
        provider[name] = json!("https://93.184.216.34/");
    }
    let made = admin(&s, Method::POST, "", provider).await.is(201).json();
    let stored = s.database.connect().await;
    let row = stored.query_one("select client_secret from auth.custom_oauth_providers", &[]).await.unwrap();
    assert_eq!((row.get::<_, String>(0).as_str(), &made["enabled"]), (CLIENT_SECRET, &json!(true)));
    let sql = "update auth.custom_oauth_providers set token_url = 'https://127.0.0.1:1/t'";
    stored.batch_execute(sql).await.unwrap();
    let flow = s.get("/auth/v1/authorize?provider=custom:x").await.is(302);
    let state = super::pairs(flow.header("location").split_once('?').unwrap().1)["state"].clone();
    let (error, _, said) = refusal(&s.get(&format!("/auth/v1/callback?state={state}&code=x")).await);
    assert_eq!((error.as_str(), said.as_str()), ("server_error", "Unable to exchange external code"));
}
