//! The Supabase CLI from npm against `dugout start --dev`, as against `supabase start`: no flags, no Docker.

use std::path::Path;
use std::process::Command;

use crate::architecture::root;
use crate::kit::{Account, Calls, Launch, free_port};

/// This repository's project in a folder of its own, with other ports, so that nothing on the machine is in the way.
fn project(folder: &Path, port: u16, db_port: u16) {
    let copied = Command::new("cp").arg("-R").arg(root().join("supabase")).arg(folder).status().unwrap();
    assert!(copied.success());
    let path = folder.join("supabase/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let changed = config.replacen("port = 54321", &format!("port = {port}"), 1).replacen(
        "port = 54322",
        &format!("port = {db_port}"),
        1,
    );
    assert_ne!(config, changed);
    std::fs::write(path, changed).unwrap();
}

/// Runs the CLI to its end and hands back what it printed.
fn supabase(project: &Path, args: &[&str]) -> String {
    let modules = root().join("frontend/node_modules/.bin");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(modules.join("supabase"))
        .args(args)
        .arg("--workdir")
        .arg(project)
        .env("PATH", format!("{}:{path}", modules.display()))
        .env("HOME", project)
        .env("SUPABASE_TELEMETRY_DISABLED", "1")
        .output()
        .expect("the CLI is installed by scripts/install.sh");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{args:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// TypeScript without what a formatter may change.
fn essence(types: &str) -> String {
    types.chars().filter(|char| !char.is_whitespace() && !",;'\"()|".contains(*char)).collect()
}

#[tokio::test]
async fn the_cli_sees_and_changes_the_same_project() {
    let db_port = free_port();
    let launch = Launch::new(Account::Ours);
    let folder = launch.folder.path().to_owned();
    project(&folder, launch.port, db_port);
    let launch = launch.arg("--project", &folder).switch("--dev");
    let dugout = launch.start().await;

    let versions: Vec<String> = std::fs::read_dir(folder.join("supabase/migrations"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().split('_').next().unwrap().to_owned())
        .collect();
    let listed = supabase(&folder, &["migration", "list"]);
    for version in &versions {
        let both = listed.lines().any(|line| line.matches(version.as_str()).count() >= 2);
        assert!(both, "{version} is not on both sides of:\n{listed}");
    }

    let url = format!("--remote=postgresql://postgres:postgres@127.0.0.1:{db_port}/postgres");
    let gen_types = ["gen", "types", "--lang=typescript", "--schema=public", &url];
    let types = essence(&supabase(&folder, &gen_types));
    let committed = essence(&std::fs::read_to_string(root().join("frontend/src/types/database.ts")).unwrap());
    let same = types.chars().zip(committed.chars()).take_while(|(made, kept)| made == kept).count();
    assert!(
        types == committed,
        "frontend/src/types/database.ts is stale; the database says …{}, the file …{}",
        types.chars().skip(same.saturating_sub(60)).take(120).collect::<String>(),
        committed.chars().skip(same.saturating_sub(60)).take(120).collect::<String>()
    );

    std::fs::write(
        folder.join("supabase/migrations/20300101000000_add_notes.sql"),
        "create table public.notes (id int primary key, body text);\ngrant select on public.notes to anon;\n",
    )
    .unwrap();
    supabase(&folder, &["db", "push", "--yes"]);
    let listed = supabase(&folder, &["migration", "list"]);
    assert!(listed.lines().any(|line| line.matches("20300101000000").count() >= 2), "{listed}");
    // The API knows the new table without a restart.
    let mut answer = dugout.get("/rest/v1/notes").await;
    for _ in 0..50 {
        if answer.status == 200 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        answer = dugout.get("/rest/v1/notes").await;
    }
    assert_eq!(answer.is(200).body, "[]");

    let types = supabase(&folder, &gen_types);
    assert!(types.contains("\"notes\": {"), "{types}");

    // And we know what the CLI applied: the next start has nothing to do.
    drop(dugout);
    launch.start().await;
}
