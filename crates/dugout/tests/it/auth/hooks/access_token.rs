//! `customize-access-token`: the project's own claims.

use serde_json::{Value, json};

use super::{at, database, in_database, one, receiver, server, server_over};
use crate::auth::claims;
use crate::kit::{Calls, PASSWORD, Saying, Server};

async fn sign_in(s: &Server) -> crate::kit::Answer {
    s.post("/auth/v1/token?grant_type=password", json!({ "email": "ana@x.test", "password": PASSWORD })).await
}

#[tokio::test]
async fn an_http_hook_decides_the_claims_at_sign_in_and_refresh() {
    let hook = receiver();
    hook.answers_at("", Saying::json(200, &json!({})));
    let s = server(at("custom_access_token", &hook.url), &[]).await;
    let mut own = json!({
        "aud": "authenticated", "exp": 4_000_000_000_u32, "iat": 1.0, "sub": "00000000-0000-4000-8000-000000000001",
        "email": "", "phone": "", "role": "authenticated", "aal": "aal1", "session_id": "", "is_anonymous": false,
        "plan": { "name": "pro" },
    });
    hook.answers_at("", Saying::json(200, &json!({ "claims": own })));
    let session =
        s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200).json();
    own["iat"] = json!(1);
    assert_eq!(claims(session["access_token"].as_str().unwrap()), own, "our default claims are gone");
    assert_eq!(session["expires_in"], 3600, "the response has the default expiry");
    let told = one(&hook);
    assert_eq!(
        (&told["metadata"]["name"], &told["authentication_method"]),
        (&json!("customize-access-token"), &json!("password"))
    );
    assert_eq!(told["user_id"], session["user"]["id"]);
    assert_eq!(told["metadata"]["ip_address"], "127.0.0.1");
    let given = &told["claims"];
    assert_eq!(
        (&given["email"], &given["aud"], &given["aal"]),
        (&json!("ana@x.test"), &json!("authenticated"), &json!("aal1"))
    );
    assert_eq!(given["amr"][0]["method"], "password");

    let body = json!({ "refresh_token": session["refresh_token"] });
    let refreshed = s.post("/auth/v1/token?grant_type=refresh_token", body).await.is(200).json();
    assert_eq!(claims(refreshed["access_token"].as_str().unwrap())["plan"]["name"], "pro");
    assert_eq!(one(&hook)["authentication_method"], "token_refresh");
}

#[tokio::test]
async fn required_claims_cannot_be_removed() {
    let hook = receiver();
    hook.answers_at("", Saying::json(200, &json!({ "claims": {} })));
    let s = server(at("custom_access_token", &hook.url), &[]).await;
    let refuse = |output: Value| hook.answers_at("", Saying::json(200, &output));
    let sign_up = || s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD }));
    let said = sign_up().await.is(500).json();
    let said = said["msg"].as_str().unwrap();
    assert!(
        said.starts_with("output claims do not conform to the expected schema: \n- (root): aud is required\n"),
        "{said}"
    );
    assert!(said.contains("- (root): is_anonymous is required\n"), "{said}");
    refuse(json!({ "other": 1 }));
    assert_eq!(sign_up().await.is(500).json()["msg"], "output claims field is missing");
    refuse(json!({ "error": { "http_code": 403, "message": "not today" } }));
    assert_eq!(sign_up().await.is(403).json()["msg"], "not today");
    assert_eq!(super::users(&s).await, 0, "no user was created whose sign-in failed");
}

#[tokio::test]
async fn a_function_adds_its_own_claim() {
    let body = "begin return jsonb_set(event, '{claims,plan}', to_jsonb(event->>'authentication_method')); end";
    let s = server_over(database("jsonb", body).await, in_database("custom_access_token"), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    assert_eq!(claims(&ana.access_token)["plan"], "password");
    let session = sign_in(&s).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    s.get("/auth/v1/user").bearer(token).await.is(200);
    let body = json!({ "refresh_token": session["refresh_token"] });
    let refreshed = s.post("/auth/v1/token?grant_type=refresh_token", body).await.is(200).json();
    assert_eq!(claims(refreshed["access_token"].as_str().unwrap())["plan"], "token_refresh");
}
