//! Deployments by `dugout functions`, and by the Supabase CLI.

use std::path::PathBuf;
use std::process::Command;

use super::command::dugout;
use super::{Functions, Project};
use crate::architecture::root;
use crate::kit::skip;

const TEXT: &str = "export const text = 'one';";
const HELLO: &str = "import { text } from '../_shared/text.ts';\nDeno.serve(() => new Response(text));";

/// A server, and another project whose functions are deployed to it.
async fn server_and_project() -> Option<(Functions, Project)> {
    let s = Functions::start(&[]).await?;
    let config = "[functions.hello]\nverify_jwt = false\n[functions.closed]\nverify_jwt = true\n";
    let project =
        Project::new(config, &[("hello/index.ts", HELLO), ("_shared/text.ts", TEXT), ("closed/index.ts", HELLO)]);
    Some((s, project?))
}

#[tokio::test]
async fn the_command_deploys_rolls_back_and_deletes() {
    let Some((s, project)) = server_and_project().await else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let data = s.data().to_str().unwrap().to_owned();
    let run = |args: &[&str]| dugout(&root, &[args, &["--data-dir", &data]].concat());
    assert_eq!(run(&["deploy"]).unwrap(), "closed: version 1, 2 files\nhello: version 1, 2 files\n");
    assert_eq!(s.get("hello").await.is(200).body, "one");
    s.get("closed").await.is(200);
    crate::kit::Request::to_get(&format!("{}/functions/v1/closed", s.server.url)).await.is(401);

    project.write("_shared/text.ts", "export const text = 'two';");
    assert_eq!(run(&["deploy", "hello"]).unwrap(), "hello: version 2, 2 files\n");
    assert_eq!(s.get("hello").await.is(200).body, "two");
    let listed = run(&["list"]).unwrap();
    assert!(listed.contains("hello   open   version 2 of 1, 2\n"), "{listed}");
    assert_eq!(run(&["rollback", "hello"]).unwrap(), "hello: version 1\n");
    assert_eq!(s.get("hello").await.is(200).body, "one");
    assert_eq!(run(&["deploy", "closed", "--no-verify-jwt"]).unwrap(), "closed: version 2, 2 files\n");
    crate::kit::Request::to_get(&format!("{}/functions/v1/closed", s.server.url)).await.is(200);
    assert_eq!(run(&["delete", "closed"]).unwrap(), "closed is deleted from the server\n");
    s.get("closed").await.is(404);

    for (args, said) in [
        (&["deploy", "gone"][..], "there is no function gone"),
        (&["delete", "closed"], "Function not found"),
        (&["delete", "../hello"], "the server refuses"),
        (&["rollback", "hello", "--to", "7"], "no version 7"),
        (&["rollback", "hello"], "no earlier version"),
    ] {
        let refused = run(args).unwrap_err();
        assert!(refused.contains(said), "{args:?}: {refused}");
    }
    project.write("hello/index.ts", "import './gone.ts';");
    let refused = run(&["deploy", "hello"]).unwrap_err();
    assert!(refused.contains("gone.ts") && !refused.contains("deployed"), "{refused}");
    assert_eq!(s.get("hello").await.is(200).body, "one");
    let nobody = dugout(&root, &["delete", "hello", "--url", &s.server.url]).unwrap_err();
    assert!(nobody.contains("SUPABASE_SERVICE_ROLE_KEY"), "{nobody}");
    let elsewhere = dugout(&root, &["deploy", "--data-dir", root.join("none").to_str().unwrap()]).unwrap_err();
    assert!(elsewhere.contains("no server runs in"), "{elsewhere}");
}

/// The Supabase CLI that the frontend brings.
fn supabase() -> Option<PathBuf> {
    let program = root().join("frontend/node_modules/.bin/supabase");
    let works = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !works {
        skip("the Supabase CLI is missing: `npm ci` in frontend/ installs it");
    }
    works.then_some(program)
}

#[tokio::test]
async fn the_supabase_cli_deploys_lists_and_deletes() {
    let Some(program) = supabase() else { return };
    let Some((s, project)) = server_and_project().await else { return };
    let root = project.supabase().parent().unwrap().to_owned();
    let profile = dugout(&root, &["profile", "--data-dir", s.data().to_str().unwrap()]).unwrap();
    std::fs::write(root.join("profile.yaml"), &profile).unwrap();
    let token = profile.lines().find_map(|line| line.split("SUPABASE_ACCESS_TOKEN=").nth(1)).unwrap().to_owned();
    let run = async |args: &[&str], token: &str| {
        let mut command = Command::new(&program);
        command.arg("functions").args(args).args(["--remote=abcdefghijklmnopqrst", "--profile", "./profile.yaml"]);
        command.current_dir(&root).env("HOME", &root).env("SUPABASE_ACCESS_TOKEN", token).env("DO_NOT_TRACK", "1");
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        if output.status.success() { Ok(said) } else { Err(said) }
    };
    let deployed = run(&["deploy", "hello", "--use-api", "--yes"], &token).await.unwrap();
    assert!(deployed.contains("hello"), "{deployed}");
    assert_eq!(s.get("hello").await.is(200).body, "one");
    // Several at once are written first, and served together.
    project.write("_shared/text.ts", "export const text = 'two';");
    run(&["deploy", "--use-api", "--yes"], &token).await.unwrap();
    assert_eq!(s.get("hello").await.is(200).body, "two");
    assert_eq!(s.get("closed").await.is(200).body, "two");
    let listed = run(&["list", "-o", "json"], &token).await.unwrap();
    assert!(listed.contains("\"slug\": \"hello\"") && listed.contains("\"version\": 2"), "{listed}");
    run(&["delete", "hello", "--yes"], &token).await.unwrap();
    s.get("hello").await.is(404);
    let wrong = run(&["list"], "sbp_0123456789012345678901234567890123456789").await.unwrap_err();
    assert!(wrong.contains("401") || wrong.contains("nauthorized") || wrong.contains("Invalid JWT"), "{wrong}");
}
