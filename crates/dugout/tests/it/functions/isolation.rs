//! A function can end only itself.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Functions, Project};
use crate::kit::Calls;

const HELLO: &str = "Deno.serve(() => Response.json({ pid: Deno.pid }));";

/// The others and the API go on, in the same processes.
async fn others_live(s: &Functions, pid: &serde_json::Value) {
    assert_eq!(&s.get("hello").await.is(200).json(), pid);
    s.server.get("/auth/v1/health").await.is(200);
}

#[tokio::test]
async fn too_much_memory_ends_only_the_function() {
    let bomb = r#"
      const kept = [];
      Deno.serve((req) => {
        const kind = new URL(req.url).searchParams.get("kind");
        if (kind === "heap") for (;;) kept.push(new Array(1000).fill(Math.random()));
        if (kind === "buffers") {
          const grow = () => { kept.push(new Uint8Array(16 << 20).fill(1)); setTimeout(grow, 1); };
          grow();
          return new Promise(() => {});
        }
        return new Response("small");
      });"#;
    let Some(project) = Project::new("", &[("bomb/index.ts", bomb), ("hello/index.ts", HELLO)]) else { return };
    // Time enough on a loaded machine: this is about memory.
    let s = project.start(&[("DUGOUT_FUNCTIONS_CPU_MS", "60000")]).await;
    let hello = s.get("hello").await.is(200).json();
    for kind in ["heap", "buffers"] {
        let stopped = s.get(&format!("bomb?kind={kind}")).await.is(546).json();
        let message = "Worker failed to respond due to a resource limit (please check logs)";
        assert_eq!(stopped, json!({ "code": "WORKER_LIMIT", "message": message }), "{kind}");
        others_live(&s, &hello).await;
        assert_eq!(s.get("bomb").await.is(200).body, "small");
    }
}

#[tokio::test]
async fn an_endless_loop_ends_only_the_function() {
    let endless = r#"
      Deno.serve((req) => {
        if (new URL(req.url).searchParams.has("later")) setTimeout(() => { for (;;); }, 10);
        else if (req.method === "POST") for (;;);
        return new Response("done");
      });"#;
    let Some(project) = Project::new("", &[("endless/index.ts", endless), ("hello/index.ts", HELLO)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_CPU_MS", "500")]).await;
    let hello = s.get("hello").await.is(200).json();
    s.get("endless").await.is(200);
    assert_eq!(s.call(reqwest::Method::POST, "endless").await.is(546).json()["code"], "WORKER_LIMIT");
    others_live(&s, &hello).await;
    // After the response, when nobody waits.
    s.get("endless?later").await.is(200);
    let begun = Instant::now();
    while s.get("endless").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    others_live(&s, &hello).await;
}

#[tokio::test]
async fn a_flood_of_log_lines_is_cut_and_harms_nobody() {
    // A gibibyte: half of it in lines of a kilobyte, half in one long line.
    let flood = r#"
      Deno.serve(() => {
        const lines = new TextEncoder().encode(("x".repeat(1023) + "\n").repeat(64));
        const long = new Uint8Array(64 << 10).fill(120);
        const write = (piece) => { for (let from = 0; from < piece.length;) from += Deno.stdout.writeSync(piece.subarray(from)); };
        for (const piece of [lines, long]) for (let count = 0; count < 8 * 1024; count++) write(piece);
        console.log("\nthe end");
        return new Response("written");
      });"#;
    let Some(project) = Project::new("", &[("flood/index.ts", flood), ("hello/index.ts", HELLO)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_CPU_MS", "60000")]).await;
    let hello = s.get("hello").await.is(200).json();
    assert_eq!(s.get("flood").await.is(200).body, "written");
    others_live(&s, &hello).await;
    let logs = s.data().join("functions/logs");
    let kept: u64 = std::fs::read_dir(logs).unwrap().flatten().map(|file| file.metadata().unwrap().len()).sum();
    assert!(kept < 16 << 20, "{kept} bytes of logs were kept");
}

#[tokio::test]
async fn a_flood_of_processes_and_threads_ends_only_the_function() {
    let flood = r#"
      Deno.serve((req) => {
        if (new URL(req.url).searchParams.has("threads")) {
          const endless = "data:text/javascript,globalThis.kept = new Array(1 << 20).fill(0); setInterval(() => {}, 1000);";
          const grow = () => { for (let count = 0; count < 10; count++) new Worker(endless, { type: "module" }); setTimeout(grow, 1); };
          grow();
          return new Promise(() => {});
        }
        let started = 0;
        for (let count = 0; count < 1000; count++) {
          try { new Deno.Command(Deno.execPath(), { args: ["eval", "for (;;);"] }).spawn(); started++; } catch {}
          try { new Deno.Command("/bin/sh", { args: ["-c", "sleep 60"] }).spawn(); started++; } catch {}
        }
        return Response.json(started);
      });"#;
    let Some(project) = Project::new("", &[("flood/index.ts", flood), ("hello/index.ts", HELLO)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_CPU_MS", "60000")]).await;
    let hello = s.get("hello").await.is(200).json();
    assert_eq!(s.get("flood").await.is(200).body, "0");
    assert_eq!(s.get("flood?threads").await.is(546).json()["code"], "WORKER_LIMIT");
    others_live(&s, &hello).await;
    assert_eq!(s.get("flood").await.is(200).body, "0");
}

#[tokio::test]
async fn a_flood_of_files_ends_only_the_function() {
    let flood = r#"
      Deno.serve((req) => {
        if (!new URL(req.url).search) return Response.json([...Deno.readDirSync("/tmp")].length);
        let count = 0;
        const more = () => { for (let n = 0; n < 100; n++) Deno.writeTextFileSync(`/tmp/${count++}`, "x"); setTimeout(more, 1); };
        more();
        return new Promise(() => {});
      });"#;
    let Some(project) = Project::new("", &[("flood/index.ts", flood), ("hello/index.ts", HELLO)]) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_CPU_MS", "600000")]).await;
    let hello = s.get("hello").await.is(200).json();
    assert_eq!(s.get("flood?fill").await.is(546).json()["code"], "WORKER_LIMIT");
    others_live(&s, &hello).await;
    assert_eq!(s.get("flood").await.is(200).body, "0");
}

#[tokio::test]
async fn limits_hold_before_a_function_serves() {
    let memory = r#"
      const kept = [];
      const grow = () => { kept.push(new Uint8Array(16 << 20).fill(1)); setTimeout(grow, 1); };
      grow();"#;
    let files = [("memory/index.ts", memory), ("endless/index.ts", "for (;;);"), ("hello/index.ts", HELLO)];
    for (name, boot, says) in
        [("memory", "60", "before it served: memory"), ("endless", "12", "did not serve within 12s")]
    {
        let Some(project) = Project::new("", &files) else { return };
        let s = project.start(&[("DUGOUT_FUNCTIONS_BOOT_S", boot)]).await;
        let hello = s.get("hello").await.is(200).json();
        assert_eq!(s.get(name).await.is(503).json()["code"], "BOOT_ERROR");
        let log = std::fs::read_to_string(s.data().join(format!("functions/logs/{name}.log"))).unwrap();
        assert!(log.contains(says), "{log}");
        others_live(&s, &hello).await;
    }
}

/// A function that tries the forbidden action that the request names.
const PRYING: &str = r#"
      import fs from "node:fs";
      import net from "node:net";
      const attempts = {
        run: () => new Deno.Command("/bin/true").output(),
        node_run: async (_, socket) => (await import("node:child_process")).execSync(`touch ${socket}.touched`),
        ffi: () => Deno.dlopen("libc.so.6", {}),
        kill: () => Deno.kill(Number(new URL("http://x/?" + Deno.ppid).search.slice(1)), "SIGTERM"),
        user: () => Deno.uid(),
        network: () => Deno.networkInterfaces(),
        admin: (port) => fetch(`http://127.0.0.1:${port}/metrics`),
        admin_zero: (port) => fetch(`http://0.0.0.0:${port}/metrics`),
        admin_name: (port) => fetch(`http://localhost:${port}/metrics`),
        admin_node: (port) => new Promise((resolve, reject) => net.connect(port, "127.0.0.1", resolve).on("error", reject)),
        metadata: () => fetch("http://169.254.169.254/latest/meta-data/"),
        socket: (_, path) => Deno.connect({ transport: "unix", path }),
        listen: () => Deno.listen({ port: 0 }),
        listen_node: () => new Promise((resolve, reject) => net.createServer().on("error", reject).listen(0, resolve)),
        listen_node_zero: () => new Promise((resolve, reject) => net.createServer().on("error", reject).listen(0, "0.0.0.0", resolve)),
        listen_thread: () => new Promise((resolve, reject) => {
          const code = "try { Deno.listen({ port: 0 }); postMessage(''); } catch (error) { postMessage(String(error)); }";
          const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
          worker.onmessage = ({ data }) => data ? reject(new Error(data)) : resolve();
        }),
        data: (_, __, data) => fs.readFileSync(`${data}/secrets.json`),
        list: (_, __, data) => fs.readdirSync(data),
      };
      Deno.serve(async (req) => {
        const { name, port, socket, data } = await req.json();
        try {
          await attempts[name](port, socket, data);
          return new Response("reached");
        } catch (error) {
          return new Response(`${error.name}: ${error.message} ${error.cause ?? ""}`);
        }
      });
      export const names = Object.keys(attempts);"#;

/// The actions that [`PRYING`] can try.
const ATTEMPTS: [&str; 18] = [
    "run",
    "node_run",
    "ffi",
    "kill",
    "user",
    "network",
    "admin",
    "admin_zero",
    "admin_name",
    "admin_node",
    "metadata",
    "socket",
    "listen",
    "listen_node",
    "listen_node_zero",
    "listen_thread",
    "data",
    "list",
];

#[tokio::test]
async fn nothing_outside_can_be_reached() {
    let Some(project) = Project::new("", &[("prying/index.ts", PRYING), ("hello/index.ts", HELLO)]) else { return };
    let admin = crate::kit::free_port().to_string();
    let s = project.start(&[("DUGOUT_ADMIN_PORT", &admin)]).await;
    let other = std::os::unix::net::UnixListener::bind(s.supabase().join("socket")).unwrap();
    for name in ATTEMPTS {
        let socket = other.local_addr().unwrap().as_pathname().unwrap().to_owned();
        let body = json!({ "name": name, "port": admin.parse::<u16>().unwrap(), "socket": socket, "data": s.data() });
        let answer = s.call(reqwest::Method::POST, "prying").json(&body).await;
        // What Node throws from a callback ends the process: its log says why.
        let said = if name == "listen_node_zero" {
            answer.is(500);
            std::fs::read_to_string(s.data().join("functions/logs/prying.log")).unwrap()
        } else {
            answer.is(200).body
        };
        let is_denied = ["NotCapable", "Requires", "NotSupported"].iter().any(|word| said.contains(word));
        // Node's own error does not say why.
        assert!(is_denied || name == "node_run" && said.contains("Command failed"), "{name}: {said}");
    }
    assert!(!s.supabase().join("socket.touched").exists());
    s.get("hello").await.is(200);
}
