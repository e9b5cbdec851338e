//! From the first request to the end of a process.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Functions, Project};

/// Tells its process, and what it has counted.
const COUNTER: &str = r#"
await new Promise((resolve) => setTimeout(resolve, 300));
let count = 0;
Deno.serve(() => Response.json({ pid: Deno.pid, count: ++count }));
"#;

fn pid(answer: &Value) -> i64 {
    answer["pid"].as_i64().unwrap()
}

fn lives(pid: i64) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

async fn until(what: &str, mut is: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !is().await {
        assert!(begun.elapsed() < Duration::from_secs(60), "still not: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn concurrent_first_requests_start_one_process() {
    let Some(s) = Functions::start(&[("counter/index.ts", COUNTER)]).await else { return };
    let answers = join_all((0..20).map(|_| async { s.get("counter").await.is(200).json() })).await;
    let pids: BTreeSet<i64> = answers.iter().map(pid).collect();
    let counts: BTreeSet<i64> = answers.iter().map(|answer| answer["count"].as_i64().unwrap()).collect();
    assert_eq!((pids.len(), counts.len()), (1, 20));
    let only = *pids.first().unwrap();
    assert!(lives(only));
    drop(s);
    until("the process ends with the server", async || !lives(only)).await;
}

#[tokio::test]
async fn a_function_that_does_not_start_is_told_quickly_and_recovers() {
    let error = json!({ "code": "BOOT_ERROR", "message": "Worker failed to boot (please check logs)" });
    let Some(s) = Functions::start(&[("bad/index.ts", "syntax error")]).await else { return };
    for broken in
        ["syntax error", "import './gone.ts';", "throw new Error('at start');", "Deno.exit(0);", "const a = 1;"]
    {
        s.write("bad/index.ts", broken);
        assert_eq!(s.get("bad").await.is(503).json(), error, "{broken}");
    }
    s.write("bad/index.ts", "Deno.serve(() => new Response('fixed'));");
    assert_eq!(s.get("bad").await.is(200).body, "fixed");
}

#[tokio::test]
async fn a_function_that_never_serves_is_given_up() {
    let Some(project) = Project::new("", &[("hangs/index.ts", "setInterval(() => {}, 1000);")]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_BOOT_S", "1")]).await;
    assert_eq!(s.get("hangs").await.is(503).json()["code"], "BOOT_ERROR");
}

#[tokio::test]
async fn a_process_that_dies_fails_its_requests_and_is_replaced() {
    let dies = r#"
      Deno.serve((req) => {
        if (new URL(req.url).searchParams.has("die")) setTimeout(() => Deno.exit(3), 50);
        return new URL(req.url).searchParams.has("wait") ? new Promise(() => {}) : Response.json({ pid: Deno.pid });
      });"#;
    let Some(s) = Functions::start(&[("dies/index.ts", dies)]).await else { return };
    let first = pid(&s.get("dies").await.is(200).json());
    let failed = s.get("dies?die&wait").await.is(500).json();
    assert_eq!(
        failed,
        json!({ "code": "WORKER_ERROR", "message": "Function exited due to an error (please check logs)" })
    );
    let second = pid(&s.get("dies").await.is(200).json());
    assert_ne!(first, second);
    // It dies between two requests.
    s.get("dies?die").await.is(200);
    until("the process is gone", async || !lives(second)).await;
    assert_ne!(pid(&s.get("dies").await.is(200).json()), second);
}

#[tokio::test]
async fn work_in_the_background_keeps_a_process_from_being_idle() {
    let worker = r#"
      addEventListener("beforeunload", (event) => console.log(`unload: ${event.detail.reason}`));
      let done = false;
      Deno.serve(async (req) => {
        const ms = Number(new URL(req.url).searchParams.get("ms"));
        if (ms) EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(resolve, ms)).then(() => { done = true; }));
        return Response.json({ pid: Deno.pid, done });
      });"#;
    let Some(project) = Project::new("", &[("worker/index.ts", worker)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_IDLE_S", "1")]).await;
    let first = pid(&s.get("worker?ms=4000").await.is(200).json());
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(lives(first), "its work goes on");
    until("it is idle and ends", async || !lives(first)).await;
    let log = std::fs::read_to_string(s.data().join("functions/logs/worker.log")).unwrap();
    assert!(log.contains("unload: early_drop"), "{log}");
    assert_ne!(pid(&s.get("worker").await.is(200).json()), first);
}

#[tokio::test]
async fn work_in_the_background_ends_at_the_wall_clock() {
    let worker = r#"
      addEventListener("beforeunload", (event) => console.log(`unload: ${event.detail.reason}`));
      Deno.serve((req) => {
        EdgeRuntime.waitUntil(new Promise(() => {}));
        return Response.json({ pid: Deno.pid });
      });"#;
    let Some(project) = Project::new("", &[("never/index.ts", worker)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_IDLE_S", "1"), ("DUGOUT_FUNCTIONS_WALL_CLOCK_S", "3")]).await;
    let first = pid(&s.get("never").await.is(200).json());
    until("the process is stopped", async || !lives(first)).await;
    let log = std::fs::read_to_string(s.data().join("functions/logs/never.log")).unwrap();
    assert!(log.contains("unload: wall_clock"), "{log}");
}

#[tokio::test]
async fn room_for_a_process_is_not_made_at_the_cost_of_work_in_the_background() {
    let worker = r#"
      Deno.serve((req) => {
        const ms = Number(new URL(req.url).searchParams.get("ms"));
        if (ms) EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(resolve, ms)));
        return Response.json({ pid: Deno.pid });
      });"#;
    let functions = [("busy/index.ts", worker), ("idle/index.ts", worker), ("third/index.ts", worker)];
    let Some(project) = Project::new("", &functions) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_PROCESSES", "2")]).await;
    let busy = pid(&s.get("busy?ms=60000").await.is(200).json());
    let idle = pid(&s.get("idle").await.is(200).json());
    s.get("third").await.is(200);
    assert!(lives(busy) && !lives(idle));
}

#[tokio::test]
async fn a_rejected_background_promise_ends_nothing() {
    let rejects = r#"
      Deno.serve(() => {
        EdgeRuntime.waitUntil(Promise.reject(new Error("in the background")));
        return Response.json({ pid: Deno.pid });
      });"#;
    let Some(s) = Functions::start(&[("rejects/index.ts", rejects)]).await else { return };
    let first = pid(&s.get("rejects").await.is(200).json());
    assert_eq!(pid(&s.get("rejects").await.is(200).json()), first);
}

#[tokio::test]
async fn responses_have_time_limits() {
    let slow = r#"
      Deno.serve(async (req) => {
        if (!new URL(req.url).searchParams.has("stream")) await new Promise(() => {});
        return new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode("begin")) }));
      });"#;
    let Some(project) = Project::new("", &[("slow/index.ts", slow)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_RESPONSE_S", "1"), ("DUGOUT_FUNCTIONS_WALL_CLOCK_S", "2")]).await;
    let late = s.get("slow").await.is(504).json();
    assert_eq!(late, json!({ "code": "IDLE_TIMEOUT", "message": "Request idle timeout limit (1s) reached" }));
    assert!(s.get("slow?stream").try_send().await.is_err(), "the stream is cut");
}

#[tokio::test]
async fn with_dev_a_changed_file_starts_another_process_and_the_old_one_finishes() {
    let version = |number: u32| {
        format!(
            "import {{ text }} from '../_shared/text.ts';\n\
             Deno.serve(async (req) => {{\n\
               if (req.method === 'POST') await new Promise((resolve) => setTimeout(resolve, 2000));\n\
               return new Response(`{number} ${{text}}`);\n\
             }});"
        )
    };
    let files = [("page/index.ts", version(1)), ("_shared/text.ts", "export const text = 'one';".to_owned())];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let Some(project) = Project::new("", &files) else { return };
    let s = project.start(&[("DUGOUT_DEV", "true")]).await;
    assert_eq!(s.get("page").await.is(200).body, "1 one");
    let slow = s.call(Method::POST, "page");
    let slow = tokio::spawn(async move { slow.await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    s.write("page/index.ts", &version(2));
    assert_eq!(s.get("page").await.is(200).body, "2 one");
    s.write("_shared/text.ts", "export const text = 'two!';");
    assert_eq!(s.get("page").await.is(200).body, "2 two!");
    assert_eq!(slow.await.unwrap().is(200).body, "1 one");
}

#[tokio::test]
async fn the_longest_idle_process_makes_room() {
    let hello = "Deno.serve(() => Response.json({ pid: Deno.pid }));";
    let Some(project) = Project::new("", &[("a/index.ts", hello), ("b/index.ts", hello), ("c/index.ts", hello)]) else {
        return;
    };
    let s = project.start(&[("DUGOUT_FUNCTIONS_PROCESSES", "2")]).await;
    let a = pid(&s.get("a").await.is(200).json());
    let b = pid(&s.get("b").await.is(200).json());
    s.get("c").await.is(200);
    assert!(!lives(a) && lives(b));
    assert_eq!(pid(&s.call(Method::POST, "b").await.is(200).json()), b);
}
