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
    let flood = r#"
      Deno.serve(() => {
        const line = "x".repeat(1023);
        for (let count = 0; count < 100 * 1024; count++) console.log(line);
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
async fn nothing_outside_can_be_reached() {
    let prying = r#"
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
    let Some(project) = Project::new("", &[("prying/index.ts", prying), ("hello/index.ts", HELLO)]) else { return };
    let admin = crate::kit::free_port().to_string();
    let s = project.start(&[("DUGOUT_ADMIN_PORT", &admin)]).await;
    let other = std::os::unix::net::UnixListener::bind(s.supabase().join("socket")).unwrap();
    for name in [
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
        "data",
        "list",
    ] {
        let socket = other.local_addr().unwrap().as_pathname().unwrap().to_owned();
        let body = json!({ "name": name, "port": admin.parse::<u16>().unwrap(), "socket": socket, "data": s.data() });
        let said = s.call(reqwest::Method::POST, "prying").json(&body).await.is(200).body;
        let is_denied = said.contains("NotCapable") || said.contains("Requires");
        // Node's own error does not say why.
        assert!(is_denied || name == "node_run" && said.contains("Command failed"), "{name}: {said}");
    }
    assert!(!s.supabase().join("socket.touched").exists());
    s.get("hello").await.is(200);
}
