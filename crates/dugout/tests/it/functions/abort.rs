//! A client that goes away.

use std::time::{Duration, Instant};

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

#[tokio::test]
async fn work_in_the_background_survives_its_client() {
    let worker = r#"
      Deno.serve((req) => {
        EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(resolve, 2500)).then(() => {
          console.log("the work is done");
        }));
        const body = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode("begin")) });
        return new Response(body);
      });"#;
    let Some(project) = super::Project::new("", &[("worker/index.ts", worker)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_IDLE_S", "1")]).await;
    let mut client = Socket::open(&s.server.url).await;
    client.send("GET /functions/v1/worker HTTP/1.1\r\nhost: x\r\n\r\n").await;
    client.until("begin").await;
    drop(client);
    // The work takes longer than a process without work is kept.
    let log = s.data().join("functions/logs/worker.log");
    let begun = Instant::now();
    while !std::fs::read_to_string(&log).is_ok_and(|text| text.contains("the work is done")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the work was cut");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
