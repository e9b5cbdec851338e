//! Requests of pages of other origins: the function answers for itself, the server only for what no function answers.

use reqwest::Method;

use super::Functions;
use crate::kit::Calls;

#[tokio::test]
async fn the_function_decides_and_nothing_is_added_to_its_response() {
    let own = r#"
      Deno.serve((req) => {
        const headers = { "access-control-allow-origin": "https://own.test", "access-control-allow-credentials": "true" };
        return new Response(req.method === "OPTIONS" ? null : "ok", { status: req.method === "OPTIONS" ? 204 : 200, headers });
      });"#;
    let none = "Deno.serve(() => new Response('ok'));";
    let Some(s) = Functions::start(&[("own/index.ts", own), ("none/index.ts", none)]).await else { return };
    let page = |method: Method, path: &str| s.call(method, path).header("origin", "https://own.test");
    let preflight = page(Method::OPTIONS, "own").header("access-control-request-method", "POST").await.is(204);
    for answer in [&preflight, &page(Method::POST, "own").await.is(200)] {
        assert_eq!(answer.header("access-control-allow-origin"), "https://own.test");
        assert_eq!(answer.header("access-control-allow-credentials"), "true");
        assert_eq!(answer.header("access-control-expose-headers"), "");
        assert_eq!(answer.header("access-control-allow-headers"), "");
    }
    let silent = page(Method::GET, "none").await.is(200);
    assert!(!silent.headers.keys().any(|name| name.as_str().starts_with("access-control")), "{silent:?}");
    // The other services go on as before.
    let other = s.server.get("/auth/v1/health").header("origin", "https://own.test").await;
    assert_eq!(other.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn a_page_sees_the_errors_of_the_server() {
    let Some(s) = Functions::start(&[("broken/index.ts", "syntax error here")]).await else { return };
    for (path, status) in [("gone", 404), ("broken", 503)] {
        let page = |method: Method| s.call(method, path).header("origin", "https://own.test");
        let preflight = page(Method::OPTIONS)
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "authorization, x-client-info");
        let preflight = preflight.await.is(204);
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        assert_eq!(preflight.header("access-control-allow-methods"), "PUT");
        assert_eq!(preflight.header("access-control-allow-headers"), "authorization, x-client-info");
        let answer = page(Method::PUT).await.is(status);
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(answer.header("x-relay-error"), "", "the failure is not the gateway's");
    }
}

#[tokio::test]
async fn failures_of_the_gateway_say_so() {
    let Some(project) = super::Project::new("", &[("hello/index.ts", "Deno.serve(() => new Response('hi'))")]) else {
        return;
    };
    let s = project.start(&[("DUGOUT_DENO", "/nowhere/deno")]).await;
    let refused = s.get("hello").await.is(503);
    assert_eq!(refused.json()["code"], "BOOT_ERROR");
    assert_eq!(refused.json()["message"], "DUGOUT_DENO names /nowhere/deno, which does not exist");
    assert_eq!(refused.header("x-relay-error"), "true");
    assert_eq!(refused.header("access-control-expose-headers"), "x-relay-error");
    s.server.request(Method::GET, "/health").await.is(200);
}
