//! `verify_jwt`.

use reqwest::Method;
use serde_json::json;

use super::Project;
use crate::kit::Request;

const WHO: &str = "Deno.serve((req) => new Response(req.headers.get('authorization') ?? 'nobody'));";

#[tokio::test]
async fn a_function_wants_a_token_unless_its_settings_say_otherwise() {
    let config = "[functions.open]\nverify_jwt = false\n[functions.off]\nenabled = false\n[functions.closed]\nverify_jwt = true\n";
    let files = [("open/index.ts", WHO), ("closed/index.ts", WHO), ("off/index.ts", WHO)];
    let Some(project) = Project::new(config, &files) else { return };
    let s = project
        .start(&[
            ("SUPABASE_AUTH_SECRET_KEY", "sb_secret_own"),
            ("SUPABASE_AUTH_PUBLISHABLE_KEY", "sb_publishable_own"),
        ])
        .await;
    let ana = s.server.signed_up("ana@x.test").await;
    let at = |name: &str| format!("{}/functions/v1/{name}", s.server.url);
    let call = |method: Method, name: &str| Request::of(method, &at(name));
    let bearer = |token: &str| format!("Bearer {token}");

    // Without a token, and with what is none.
    for (authorization, message) in [
        (None, "Error: Missing authorization header"),
        (Some("Basic YTpi".to_owned()), "Error: Auth header is not 'Bearer {token}'"),
        (Some(format!("bearer {}", ana.access_token)), "Error: Auth header is not 'Bearer {token}'"),
        (Some(bearer("a.b.c")), "Invalid JWT"),
        (Some(bearer(&format!("{}x", ana.access_token))), "Invalid JWT"),
        (Some(bearer("sb_publishable_other")), "Invalid JWT"),
    ] {
        let request = call(Method::POST, "closed");
        let request = match &authorization {
            Some(authorization) => request.header("authorization", authorization),
            None => request,
        };
        let refused = request.await.is(401);
        assert_eq!(refused.json(), json!({ "msg": message }), "{authorization:?}");
        assert_eq!(refused.header("access-control-allow-origin"), "*");
    }
    // Any token of the project, also that of an API key.
    for token in [&ana.access_token, &s.server.anon_key, &s.server.service_role_key] {
        assert_eq!(call(Method::POST, "closed").bearer(token).await.is(200).body, bearer(token));
    }
    // An opaque key stands for a token.
    for (key, token) in [("sb_publishable_own", &s.server.anon_key), ("sb_secret_own", &s.server.service_role_key)] {
        assert_eq!(call(Method::GET, "closed").header("apikey", key).await.is(200).body, bearer(token), "{key}");
        let both = call(Method::GET, "closed").header("apikey", key).bearer(key);
        assert_eq!(both.await.is(200).body, bearer(token), "{key}");
        let user = call(Method::GET, "closed").header("apikey", key).bearer(&ana.access_token);
        assert_eq!(user.await.is(200).body, bearer(&ana.access_token), "{key}");
    }
    let unknown = call(Method::GET, "closed").header("apikey", "sb_secret_other").await.is(401);
    assert_eq!(unknown.json(), json!({ "msg": "Error: Missing authorization header" }));
    // OPTIONS needs none.
    assert_eq!(call(Method::OPTIONS, "closed").await.is(200).body, "nobody");

    // Without verification whatever is sent arrives.
    assert_eq!(call(Method::POST, "open").await.is(200).body, "nobody");
    let anything = call(Method::POST, "open").header("authorization", "test").header("apikey", "test");
    assert_eq!(anything.await.is(200).body, "test");
    call(Method::POST, "off").bearer(&s.server.anon_key).await.is(404);
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let Some(project) = Project::new("[functions.closed]\n", &[("closed/index.ts", WHO)]) else { return };
    let s = project.start(&[("GOTRUE_JWT_EXP", "60")]).await;
    let ana = s.server.signed_up("ana@x.test").await;
    s.get("closed").bearer(&ana.access_token).await.is(200);
    s.server.clock.advance(chrono::TimeDelta::minutes(10));
    assert_eq!(s.get("closed").bearer(&ana.access_token).await.is(401).json(), json!({ "msg": "Invalid JWT" }));
}
