//! What a function sees of a request, and a client of the response.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::Functions;
use crate::kit::{Socket, streamed};

/// Tells what it sees.
const MIRROR: &str = r#"
Deno.serve(async (req, info) => {
  const { pathname, search, protocol } = new URL(req.url);
  const headers = Object.fromEntries(req.headers);
  const copy = new Request(req.url, { method: "POST", body: "x" });
  return Response.json({
    method: req.method, pathname, search, protocol, headers, copied: copy.url === req.clone().url,
    address: info.remoteAddr.hostname, body: await req.text(),
  });
});
"#;

#[tokio::test]
async fn a_function_sees_its_own_name_and_everything_after_it() {
    let Some(s) = Functions::start(&[("mirror/index.ts", MIRROR)]).await else { return };
    let seen = s
        .call(Method::POST, "mirror/a%20b/c//d?x=1&y=%20&forceFunctionRegion=eu-west-1")
        .header("x-region", "eu-west-1")
        .header("x-forwarded-for", "8.8.8.8")
        .header("x-own", "Grüße")
        .body(json!({ "name": "Ünal" }).to_string())
        .await
        .is(200)
        .json();
    assert_eq!(seen["method"], "POST");
    assert_eq!(seen["pathname"], "/mirror/a%20b/c//d");
    assert_eq!(seen["search"], "?x=1&y=%20&forceFunctionRegion=eu-west-1");
    assert_eq!((&seen["protocol"], &seen["copied"]), (&json!("http:"), &json!(true)));
    assert_eq!(seen["body"], r#"{"name":"Ünal"}"#);
    assert_eq!(seen["address"], "127.0.0.1");
    let headers = &seen["headers"];
    assert_eq!((&headers["x-region"], &headers["content-type"]), (&json!("eu-west-1"), &json!("application/json")));
    assert_eq!((&headers["x-forwarded-for"], &headers["x-forwarded-proto"]), (&json!("127.0.0.1"), &json!("http")));
    assert_eq!(headers["apikey"], json!(s.server.anon_key));
    assert_eq!(headers["host"], json!(s.server.url.strip_prefix("http://").unwrap()));
    for path in ["mirror", "mirror/"] {
        assert_eq!(s.get(path).await.is(200).json()["pathname"], json!(format!("/{path}")));
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
        assert_eq!(s.call(method.clone(), "mirror").await.is(200).json()["method"], method.as_str());
    }
}

#[tokio::test]
async fn every_kind_of_response_comes_through() {
    let function = r#"
      Deno.serve((req) => {
        const kind = new URL(req.url).searchParams.get("kind");
        if (kind === "cookies") {
          const headers = new Headers({ "x-text": "caf\u00e9" });
          headers.append("set-cookie", "a=1");
          headers.append("set-cookie", "b=2");
          return new Response("ok", { headers });
        }
        if (kind === "204") return new Response(null, { status: 204 });
        if (kind === "304") return new Response(null, { status: 304, headers: { etag: '"x"' } });
        if (kind === "418") return new Response("teapot", { status: 418, headers: { "x-relay-error": "own" } });
        if (kind === "redirect") return Response.redirect("https://example.test/", 303);
        if (kind === "throw") throw new Error("on purpose");
        return new Response("0123456789", { headers: { "content-type": "application/octet-stream" } });
      });"#;
    let Some(s) = Functions::start(&[("many/index.js", function)]).await else { return };
    let cookies = s.get("many?kind=cookies").await.is(200);
    let all: Vec<_> = cookies.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert_eq!(all, ["a=1", "b=2"]);
    assert_eq!(cookies.headers["x-text"].as_bytes(), b"caf\xe9");
    assert_eq!(s.get("many?kind=204").await.is(204).body, "");
    assert_eq!(s.get("many?kind=304").await.is(304).header("etag"), "\"x\"");
    let teapot = s.get("many?kind=418").await.is(418);
    assert_eq!((teapot.body.as_str(), teapot.header("x-relay-error")), ("teapot", "own"));
    assert_eq!(s.get("many?kind=redirect").await.is(303).header("location"), "https://example.test/");
    let thrown = s.get("many?kind=throw").await.is(500);
    assert_eq!((thrown.body.as_str(), thrown.header("x-relay-error")), ("Internal Server Error", ""));
    let plain = s.get("many").await.is(200);
    assert_eq!((plain.header("content-length"), plain.body.as_str()), ("10", "0123456789"));
    let mut socket = Socket::open(&s.server.url).await;
    socket.send("HEAD /functions/v1/many HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let head = socket.rest().await;
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-length: 10\r\n"), "{head}");
    assert!(head.ends_with("\r\n\r\n"), "{head}");
}

#[tokio::test]
async fn an_unknown_function_is_not_found() {
    let files = [("known/index.ts", MIRROR), ("_shared/index.ts", MIRROR), ("empty/other.ts", MIRROR)];
    let Some(s) = Functions::start(&files).await else { return };
    for path in ["gone", "_shared", "empty", "known.ts", "..%2Fknown"] {
        let refused = s.get(path).await.is(404);
        let wanted = json!({ "code": "NOT_FOUND", "message": "Requested function was not found" });
        assert_eq!(refused.json(), wanted, "{path}");
        assert_eq!(refused.header("access-control-allow-origin"), "*", "{path}");
    }
}

/// Sends what it receives, piece by piece, and says first that it is there.
const ECHO: &str = r#"
Deno.serve((req) => {
  const { readable, writable } = new TransformStream();
  (async () => {
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode("data: begin\n\n"));
    for await (const piece of req.body ?? []) await writer.write(piece);
    await writer.close();
  })();
  return new Response(readable, { headers: { "content-type": "text/event-stream" } });
});
"#;

#[tokio::test]
async fn both_bodies_are_streamed() {
    let Some(s) = Functions::start(&[("echo/index.ts", ECHO)]).await else { return };
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel::<String>();
    let pieces = futures_util::stream::poll_fn(move |cx| receiver.poll_recv(cx));
    let url = format!("{}/functions/v1/echo", s.server.url);
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
    let mut response = client.post(url).body(streamed(pieces)).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    // The response has begun, and the body of the request has not.
    let mut text = String::new();
    let mut until = async |wanted: &str| {
        while !text.ends_with(wanted) {
            text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().expect("more")).unwrap());
        }
    };
    until("data: begin\n\n").await;
    for piece in ["one", "two"] {
        sender.send(piece.to_owned()).unwrap();
        until(piece).await;
    }
    drop(sender);
    assert!(response.chunk().await.unwrap().is_none());
}

#[tokio::test]
async fn long_bodies_pass_unchanged() {
    let function = "Deno.serve((req) => new Response(req.body));";
    let Some(s) = Functions::start(&[("long/index.ts", function)]).await else { return };
    let long = "0123456789abcdef".repeat(512 * 1024);
    let body = s.call(Method::POST, "long").body(long.clone()).await.is(200).body;
    assert_eq!(body.len(), long.len());
    assert!(body == long);
}
