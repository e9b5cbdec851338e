//! `dugout functions`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

use super::Project;

pub(super) fn dugout(project: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_dugout"))
        .arg("functions")
        .args(args)
        .arg("--project")
        .arg(project)
        .env("DUGOUT_LOG", "off")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[tokio::test]
async fn functions_are_made_listed_served_and_their_logs_are_shown() {
    let config = "[functions.open]\nverify_jwt = false\n[functions.off]\nenabled = false\n";
    let files =
        [("open/index.ts", "console.log('in the log');\nDeno.serve(() => new Response('hi'));"), ("off/index.ts", "")];
    let Some(project) = Project::new(config, &files) else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let made = dugout(&root, &["new", "greeting"]).unwrap();
    assert!(made.contains("/functions/v1/greeting"), "{made}");
    for (name, why) in [("greeting", "exists already"), ("../evil", "is no name"), ("1st", "is no name")] {
        let refused = dugout(&root, &["new", name]).unwrap_err();
        assert!(refused.contains(why), "{name}: {refused}");
    }
    let listed = dugout(&root, &["list"]).unwrap();
    let words: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(words, [["greeting", "token"], ["open", "open"]]);

    let s = project.start(&[]).await;
    s.get("open").await.is(200);
    let key = s.server.anon_key.clone();
    let greeting = s.call(reqwest::Method::POST, "greeting").bearer(&key).json(&serde_json::json!({ "name": "Ana" }));
    assert_eq!(greeting.await.is(200).json(), serde_json::json!({ "message": "Hello Ana!" }));
    let data = s.data().to_str().unwrap().to_owned();
    let log = dugout(&root, &["logs", "open", "--data-dir", &data]).unwrap();
    assert!(log.contains("in the log"), "{log}");
    let silent = dugout(&root, &["logs", "off", "--data-dir", &data]).unwrap_err();
    assert!(silent.contains("has written nothing yet"), "{silent}");
}

#[tokio::test]
async fn a_log_is_followed_into_its_next_file() {
    let Some(project) = Project::new("", &[("open/index.ts", "")]) else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let logs = root.join("data/functions/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let write = |text: &str| {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(logs.join("open.log"));
        file.unwrap().write_all(text.as_bytes()).unwrap();
    };
    write("first\n");
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_dugout"));
    command.args(["functions", "logs", "open", "--follow", "--project"]).arg(&root).env("DUGOUT_LOG", "off");
    command.arg("--data-dir").arg(root.join("data")).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = async || timeout(Duration::from_secs(60), lines.next_line()).await.unwrap().unwrap().unwrap();
    assert_eq!(next().await, "first");
    write("second\n");
    assert_eq!(next().await, "second");
    // The server renames a log that is too long. What was written just before is not lost.
    write("third\n");
    std::fs::rename(logs.join("open.log"), logs.join("open.log.1")).unwrap();
    write("fourth\n");
    assert_eq!(next().await, "third");
    assert_eq!(next().await, "fourth");
}
