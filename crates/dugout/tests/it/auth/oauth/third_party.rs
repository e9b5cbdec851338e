//! What a third-party client's token may do to an account: read what its scopes allow, and nothing else.

use reqwest::Method;
use serde_json::{Value, json};

use super::{ON, claims, client, code, exchange, refused};
use crate::kit::{Calls, Database, Server, User};

const UUID: &str = "00000000-0000-4000-8000-000000000000";

/// The token of a new client to which `user` has granted `scope`.
async fn token_of_client(s: &Server, user: &User, scope: &str) -> String {
    let client = client(s, json!({})).await;
    let code = code(s, user, &client, &[("scope", scope)]).await;
    let body = exchange(s, &client, &code, &[]).await.is(200).json();
    body["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_third_party_client_cannot_manage_the_account() {
    let passkeys = ("GOTRUE_PASSKEY_ENABLED", "true");
    let linking = ("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "true");
    let s = Server::with(&[&ON[..], &[passkeys, linking]].concat()).await;
    let ana = s.signed_up("ana@x.test").await;
    let token = token_of_client(&s, &ana, "email profile").await;
    // Every route with this guard, from the table of all routes.
    let table = include_str!("../../snapshots/routes.snap");
    let guarded: Vec<(&str, String)> = table
        .lines()
        .skip_while(|line| *line != "/auth/v1")
        .skip(1)
        .take_while(|line| !line.starts_with('/'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (method, path, guard) = (words.next()?, words.next()?, words.next()?);
            matches!(guard, "FirstParty" | "Administrator").then(|| (method, path.to_owned()))
        })
        .collect();
    let paths: Vec<String> = guarded.iter().map(|(method, path)| format!("{method} {path}")).collect();
    for path in ["PUT /user", "POST /factors", "POST /logout", "GET /reauthenticate", "GET /passkeys"] {
        assert!(paths.contains(&path.to_owned()), "{path} has another guard");
    }
    for (method, path) in guarded {
        let filled: Vec<&str> = path.split('/').map(|part| if part.starts_with('{') { UUID } else { part }).collect();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = s.request(method, &format!("/auth/v1{}", filled.join("/")));
        let answer = request.bearer(&token).json(&json!({})).await;
        assert_eq!(answer.status, 403, "{path}: {}", answer.body);
    }
    let answer =
        s.request(Method::PUT, "/auth/v1/user").bearer(&token).json(&json!({ "password": "another one" })).await;
    refused(&answer, 403, "no_authorization", "OAuth clients are not allowed to perform this action");
    // The user's own token still works, and so does the client's within its scopes.
    ana.put("/auth/v1/user", json!({ "data": { "city": "Zug" } })).await.is(200);
    s.get("/auth/v1/user").bearer(&token).await.is(200);
}

#[tokio::test]
async fn a_client_is_recognised_after_a_hook_removed_its_claims() {
    let hook = [
        ("GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED", "true"),
        ("GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI", "pg-functions://postgres/public/strip"),
    ];
    let database = Database::cloned().await;
    let function = "create function public.strip(event jsonb) returns jsonb language sql as
        $$ select jsonb_build_object('claims', (event->'claims') - 'client_id' - 'scope') $$;
        grant usage on schema public to supabase_auth_admin;
        grant execute on function public.strip to supabase_auth_admin";
    database.connect().await.batch_execute(function).await.unwrap();
    let s = Server::over(database, &[&ON[..], &hook].concat()).await;
    let ana = s.signed_up("ana@x.test").await;
    let token = token_of_client(&s, &ana, "profile").await;
    assert_eq!(claims(&token).get("client_id"), None, "the hook removed the claim");
    let answer = s.request(Method::PUT, "/auth/v1/user").bearer(&token).json(&json!({ "data": {} })).await;
    refused(&answer, 403, "no_authorization", "OAuth clients are not allowed to perform this action");
    assert_eq!(s.get("/auth/v1/user").bearer(&token).await.is(200).json()["email"], "");
}

#[tokio::test]
async fn a_client_learns_no_more_than_its_scopes_allow() {
    let s = Server::with(&ON).await;
    let data = json!({ "city": "Zug", "email": "ana@x.test" });
    let ana = s.signed_up_with("ana@x.test", data).await;
    for (scope, email, metadata) in [
        ("phone", "", json!({})),
        ("email", "ana@x.test", json!({})),
        ("profile", "", json!({ "city": "Zug" })),
        ("email profile", "ana@x.test", json!({ "city": "Zug", "email": "ana@x.test" })),
    ] {
        let token = token_of_client(&s, &ana, scope).await;
        let user = s.get("/auth/v1/user").bearer(&token).await.is(200).json();
        let shown = |value: &Value| {
            let mut shown = value["user_metadata"].clone();
            let known = shown.as_object_mut().unwrap();
            known.retain(|name, _| name == "city" || name == "email");
            (value["email"].clone(), shown)
        };
        assert_eq!(shown(&user), (json!(email), metadata.clone()), "{scope}");
        assert_eq!((&user["id"], &user["identities"]), (&json!(ana.id), &json!([])), "{scope}");
        assert_eq!(shown(&claims(&token)), (json!(email), metadata), "{scope}");
        let info = s.get("/auth/v1/oauth/userinfo").bearer(&token).await.is(200);
        assert_eq!(info.body.contains("ana@x.test"), scope.contains("email"), "{}", info.body);
    }
    // The user sees everything.
    let own = ana.get("/auth/v1/user").await.is(200).json();
    assert_eq!((&own["email"], own["identities"].as_array().unwrap().len()), (&json!("ana@x.test"), 1));
}
