//! WebSockets to functions.

use std::time::Duration;

use super::{Functions, Project};
use crate::kit::Socket;

const ECHO: &str = r#"
Deno.serve((req) => {
  if (req.headers.get("upgrade") !== "websocket") return new Response("no upgrade", { status: 426 });
  const { socket, response } = Deno.upgradeWebSocket(req, { protocol: "own" });
  socket.onopen = () => socket.send("welcome");
  socket.onmessage = (event) => event.data === "end" ? socket.close(4000, "done") : socket.send(`${event.data}!`);
  return response;
});
"#;

/// A text of up to 125 bytes as a client sends it. A mask of zeros leaves it as it is.
fn frame(text: &str) -> Vec<u8> {
    let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
    frame.extend_from_slice(text.as_bytes());
    frame
}

fn handshake(path: &str) -> String {
    format!(
        "GET /functions/v1/{path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: own\r\n\r\n"
    )
}

#[tokio::test]
async fn messages_pass_both_ways_until_the_function_closes() {
    let Some(s) = Functions::start(&[("echo/index.ts", ECHO)]).await else { return };
    let mut socket = Socket::open(&s.server.url).await;
    socket.send(handshake("echo?x=1")).await;
    let head = socket.until("\r\n\r\n").await.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 101"), "{head}");
    assert!(head.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="), "{head}");
    assert!(head.contains("sec-websocket-protocol: own"), "{head}");
    socket.until("welcome").await;
    for text in ["hello", "again"] {
        socket.send(frame(text)).await;
        socket.until(&format!("{text}!")).await;
    }
    socket.send(frame("end")).await;
    socket.until("done").await;
    // The close frame comes back with its code, and the connection ends.
    socket.send([0x88, 0x82, 0, 0, 0, 0, 0x0f, 0xa0]).await;
    assert_eq!(socket.rest().await, "");
}

#[tokio::test]
async fn a_function_learns_that_a_socket_was_dropped() {
    let watcher = r#"
      let closed = 0;
      Deno.serve((req) => {
        if (req.headers.get("upgrade") !== "websocket") return Response.json(closed);
        const { socket, response } = Deno.upgradeWebSocket(req);
        socket.onopen = () => socket.send("welcome");
        socket.onclose = () => closed++;
        socket.onerror = () => {};
        return response;
      });"#;
    let Some(s) = Functions::start(&[("watcher/index.ts", watcher)]).await else { return };
    let mut socket = Socket::open(&s.server.url).await;
    socket.send(handshake("watcher")).await;
    socket.until("welcome").await;
    assert_eq!(s.get("watcher").await.is(200).body, "0");
    drop(socket);
    let begun = std::time::Instant::now();
    while s.get("watcher").await.is(200).body == "0" {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not learn of it");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_refused_handshake_is_a_response_and_ends_the_connection() {
    let closed = "Deno.serve(() => new Response('no sockets here', { status: 403 }));";
    let Some(s) = Functions::start(&[("closed/index.ts", closed), ("echo/index.ts", ECHO)]).await else { return };
    for (path, status) in [("closed", "403"), ("gone", "404")] {
        let mut socket = Socket::open(&s.server.url).await;
        socket.send(handshake(path)).await;
        let answer = socket.rest().await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    }
    s.get("echo").await.is(426);
}

#[tokio::test]
async fn a_socket_outlives_the_limit_of_responses_and_ends_at_the_wall_clock() {
    let Some(project) = Project::new("", &[("echo/index.ts", ECHO)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_RESPONSE_S", "4"), ("DUGOUT_FUNCTIONS_WALL_CLOCK_S", "20")]).await;
    s.get("echo").await.is(426);
    let mut socket = Socket::open(&s.server.url).await;
    socket.send(handshake("echo")).await;
    socket.until("welcome").await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    socket.send(frame("late")).await;
    socket.until("late!").await;
    assert_eq!(socket.rest().await, "");
}
