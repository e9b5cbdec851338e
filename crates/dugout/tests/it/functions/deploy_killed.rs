//! Deployments to a server that is killed.

use std::time::Duration;

use reqwest::Method;
use rustix::process::Signal;
use serde_json::json;

use super::{Project, deno, deploy};
use crate::kit::{Account, Calls, Launch, Process};

/// Kills at different moments of a deployment.
const ROUNDS: u64 = 6;

async fn send(server: &Process, key: &str, number: u64) -> Result<u16, reqwest::Error> {
    let entry = "supabase/functions/hello/index.ts";
    let metadata = json!({ "entrypoint_path": entry, "verify_jwt": false }).to_string();
    let text = format!("import {{ n }} from './n.ts'; Deno.serve(() => new Response(`{number} ${{n}}`));");
    let files = [(entry, &*text), ("supabase/functions/hello/n.ts", &format!("export const n = {number};"))];
    let request = server.request(Method::POST, "/v1/projects/abcdefghijklmnopqrst/functions/deploy?slug=hello");
    let request = request.bearer(key).body(deploy::form(&metadata, &files)).header("content-type", deploy::FORM);
    request.try_send().await.map(|answer| answer.status)
}

#[tokio::test]
async fn after_a_kill_a_function_is_as_before_or_as_after() {
    let (Some(project), Some(deno)) = (Project::new("", &[]), deno()) else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let launch = Launch::new(Account::Ours).arg("--project", root).env("DUGOUT_DENO", deno);
    let mut server = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    let mut last = 0;
    assert_eq!(send(&server, &key, last).await.unwrap(), 201);
    for number in 1..=ROUNDS {
        let sent = async {
            let answered = send(&server, &key, number).await;
            answered.is_ok_and(|status| status == 201)
        };
        let killed = async {
            tokio::time::sleep(Duration::from_millis(number * 25)).await;
            server.signal(Signal::KILL);
        };
        let (is_deployed, ()) = tokio::join!(sent, killed);
        server.ended(Duration::from_secs(10)).await;
        server = launch.start().await;
        let served = server.get("/functions/v1/hello").await.is(200).body;
        let is = |number: u64| served == format!("{number} {number}");
        assert!(is(number) || (is(last) && !is_deployed), "round {number} after {last}: {served}, {is_deployed}");
        last = if is(number) { number } else { last };
        let left = std::fs::read_dir(launch.data_dir().join("functions/deployed")).unwrap().flatten();
        assert_eq!(left.map(|entry| entry.file_name()).collect::<Vec<_>>(), ["hello"]);
    }
    server.stop().await;
}
