//! Processes that wait for a function.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Functions, Project};

/// Tells its process, the parent's arguments it was started with, and what another function's folder says to it.
const WHO: &str = r#"
import { readFile } from "node:fs/promises";
const other = new URL("../other/secret.txt", import.meta.url);
Deno.serve(async () => Response.json({
  pid: Deno.pid,
  // Not by Deno's own functions, for which /tmp is a folder of the process.
  other: await readFile(other, "utf8").catch((error) => error.name),
  own: await Deno.readTextFile(new URL("./own.txt", import.meta.url)),
  state: (await Deno.permissions.query({ name: "read", path: other })).state,
  variables: Object.keys(Deno.env.toObject()).sort(),
  leftovers: Object.getOwnPropertySymbols(globalThis).filter((symbol) => String(symbol).includes("dugout")).length,
}));
"#;

const FILES: [(&str, &str); 4] = [
    ("who/index.ts", WHO),
    ("who/own.txt", "own"),
    ("other/index.ts", "Deno.serve(() => new Response('other'));"),
    ("other/secret.txt", "secret of the other"),
];

/// The processes of this server that wait, by pid.
fn waiting(s: &Functions) -> Vec<String> {
    let own = std::process::id().to_string();
    let processes =
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let is_one = |pid: &String| {
        let read = |file: &str| std::fs::read(Path::new("/proc").join(pid).join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        let environment = String::from_utf8_lossy(&read("environ")).into_owned();
        let parent = String::from_utf8_lossy(&read("status")).lines().any(|line| line == format!("PPid:\t{own}"));
        let project = s.supabase().to_str().unwrap().to_owned();
        let is_of_server = environment.contains(&project) || text.contains(&project);
        // One that has become a function listens.
        let config = text.split("--config ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        let listens = Path::new(config).with_file_name("socket").exists();
        parent && text.ends_with("/warm.js ") && is_of_server && !listens
    };
    processes.filter(|pid| pid.parse::<u32>().is_ok()).filter(is_one).collect()
}

/// Waits until one process waits.
pub(super) async fn one(s: &Functions) -> String {
    let begun = Instant::now();
    loop {
        if let [pid] = waiting(s).as_slice() {
            return pid.clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no process waits: {:?}", waiting(s));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_process_that_waited_becomes_the_function_and_nothing_else() {
    let Some(s) = Functions::start(&FILES).await else { return };
    let pid = one(&s).await;
    let seen = s.get("who").await.is(200).json();
    assert_eq!(seen["pid"].to_string(), pid, "{seen}");
    assert_eq!((&seen["other"], &seen["own"], &seen["state"]), (&"NotCapable".into(), &"own".into(), &"prompt".into()));
    assert_eq!(seen["leftovers"], 0);
    let variables = seen["variables"].to_string();
    assert!(variables.contains("SUPABASE_URL") && !variables.contains("DUGOUT"), "{variables}");
    // The next one takes its place, and ends with the server.
    let next = loop {
        let next = one(&s).await;
        if next != pid {
            break next;
        }
    };
    drop(s);
    let begun = Instant::now();
    while Path::new("/proc").join(&next).exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_process_that_waited_knows_functions_that_are_deployed() {
    let Some(s) = Functions::start(&FILES).await else { return };
    one(&s).await;
    let entry = "supabase/functions/late/index.ts";
    let metadata = serde_json::json!({ "entrypoint_path": entry, "verify_jwt": false }).to_string();
    let request = s.server.as_service(reqwest::Method::POST, "/v1/projects/x/functions/deploy?slug=late");
    let form = super::deploy::form(&metadata, &[(entry, "Deno.serve(() => Response.json(Deno.pid));")]);
    request.body(form).header("content-type", super::deploy::FORM).await.is(201);
    let begun = Instant::now();
    // The process for the functions before is replaced.
    let mut pid = one(&s).await;
    while !std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default().contains("/deployed/late/1/") {
        assert!(begun.elapsed() < Duration::from_secs(60), "it is not replaced");
        tokio::time::sleep(Duration::from_millis(20)).await;
        pid = one(&s).await;
    }
    assert_eq!(s.get("late").await.is(200).body, pid);
}

#[tokio::test]
async fn without_functions_and_where_it_is_switched_off_nothing_waits() {
    let (Some(empty), Some(off)) = (Project::new("", &[]), Project::new("", &FILES)) else { return };
    // A cache of its own tells the process of a server that has no functions.
    let cache = empty.supabase().join("cache");
    let empty = empty.start(&[("DUGOUT_FUNCTIONS_CACHE", cache.to_str().unwrap())]).await;
    let off = off.start(&[("DUGOUT_FUNCTIONS_WARM", "0")]).await;
    off.get("other").await.is(200);
    assert!(waiting(&empty).is_empty() && waiting(&off).is_empty());
}
