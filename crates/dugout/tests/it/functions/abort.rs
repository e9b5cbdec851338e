//! A client that goes away.

use std::time::Duration;

use super::Functions;
use crate::kit::Socket;

/// Remembers the requests whose clients have gone.
const WATCHER: &str = r#"
const gone = [];
Deno.serve(async (req) => {
  const kind = new URL(req.url).searchParams.get("kind");
  if (!kind) return Response.json(gone);
  req.signal.addEventListener("abort", () => gone.push(kind));
  if (kind === "waiting") await new Promise(() => {});
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("begin"));
    },
    cancel() {
      gone.push("cancelled");
    },
  });
  return new Response(body);
});
"#;

#[tokio::test]
async fn a_function_learns_that_its_client_has_gone() {
    let Some(s) = Functions::start(&[("watcher/index.ts", WATCHER)]).await else { return };
    s.get("watcher").await.is(200);
    let mut streaming = Socket::open(&s.server.url).await;
    streaming.send("GET /functions/v1/watcher?kind=streaming HTTP/1.1\r\nhost: x\r\n\r\n").await;
    streaming.until("begin").await;
    let mut waiting = Socket::open(&s.server.url).await;
    waiting.send("GET /functions/v1/watcher?kind=waiting HTTP/1.1\r\nhost: x\r\n\r\n").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(streaming);
    drop(waiting);
    let gone = async || s.get("watcher").await.is(200).body;
    for _ in 0..500 {
        let gone = gone().await;
        if gone.contains("cancelled") && gone.contains("waiting") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("only {} have gone", gone().await);
}
