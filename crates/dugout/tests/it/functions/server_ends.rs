//! The end of the server is the end of its functions.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{Project, deno};
use crate::kit::{Account, Calls, Launch, Process, Socket};

const STREAM: &str = r#"
addEventListener("beforeunload", (event) => console.log(`unload: ${event.detail.reason}`));
Deno.serve((req) => {
  if (!new URL(req.url).searchParams.has("stream")) return Response.json(Deno.pid);
  return new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode("begin")) }));
});
"#;

async fn pid_of(server: &Process) -> String {
    server.get("/functions/v1/stream").await.is(200).body
}

async fn gone(pid: &str) {
    let begun = Instant::now();
    while Path::new("/proc").join(pid).exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the function goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_stop_cuts_streams_and_ends_functions_and_so_does_a_kill() {
    let (Some(project), Some(deno)) = (Project::new("", &[("stream/index.ts", STREAM)]), deno()) else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let launch = Launch::new(Account::Ours).arg("--project", root).env("DUGOUT_DENO", deno);
    let mut server = launch.start().await;
    let pid = pid_of(&server).await;
    let mut stream = Socket::open(&server.url()).await;
    stream.send("GET /functions/v1/stream?stream HTTP/1.1\r\nhost: x\r\n\r\n").await;
    stream.until("begin\r\n").await;
    let begun = Instant::now();
    server.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(15), "the stop waits for the stream");
    gone(&pid).await;
    assert!(server.log().contains("unload: termination"), "{}", server.log());

    let mut server = launch.start().await;
    let pid = pid_of(&server).await;
    server.signal(Signal::KILL);
    server.ended(Duration::from_secs(10)).await;
    gone(&pid).await;
}
