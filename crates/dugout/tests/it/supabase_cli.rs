//! The Supabase CLI from npm works with `dugout start --dev` like with `supabase start`: no flags, no Docker.

use std::path::Path;
use std::process::Command;

use crate::architecture::root;
use crate::kit::{Account, Calls, Launch, free_port};

/// This repository's project in its own folder, with other ports, so that nothing else on the machine conflicts.
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

/// Runs the CLI until it ends, and returns its output.
pub fn supabase(project: &Path, args: &[&str]) -> String {
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

/// TypeScript without the characters that a formatter may change.
fn essence(types: &str) -> String {
    types.chars().filter(|char| !char.is_whitespace() && !",;'\"()|".contains(*char)).collect()
}

#[tokio::test]
async fn the_cli_reads_and_changes_the_project() {
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
    // The API notices the new table without a restart.
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
    // The CLI generates these two itself. Swift and Dart need an extra program.
    for (language, part) in [("go", "type PublicNotesInsert struct {"), ("python", "class PublicNotes(BaseModel):")] {
        let types = supabase(&folder, &["gen", "types", &format!("--lang={language}"), "--schema=public", &url]);
        assert!(types.contains(part), "{language}:\n{types}");
    }

    // The CLI recorded what it applied: the next start has nothing to do.
    drop(dugout);
    launch.start().await;
}

/// `supabase init` in its own folder, with other ports.
fn initialised(folder: &Path, port: u16, db_port: u16) -> String {
    supabase(folder, &["init", "--force"]);
    let path = folder.join("supabase/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let changed = config.replacen("port = 54321", &format!("port = {port}"), 1).replacen(
        "port = 54322",
        &format!("port = {db_port}"),
        1,
    );
    assert_ne!(config, changed);
    std::fs::write(path, &changed).unwrap();
    changed
}

#[tokio::test]
async fn a_new_project_of_the_cli_starts_unchanged() {
    let launch = Launch::new(Account::Ours);
    let folder = launch.folder.path().to_owned();
    initialised(&folder, launch.port, free_port());
    std::fs::create_dir_all(folder.join("supabase/migrations")).unwrap();
    let table = "create table public.shown (id int); create table public.hidden (id int);";
    std::fs::write(folder.join("supabase/migrations/20260101000000_one.sql"), table).unwrap();
    let launch = launch.arg("--project", &folder).switch("--dev");
    let dugout = launch.start().await;
    dugout.get("/rest/v1/shown").header("apikey", &key(&launch)).await.is(200);
    let log = dugout.log();
    assert!(!log.contains("unknown key") && !log.contains("event=\"configuration\""), "{log}");
}

#[tokio::test]
async fn if_configured_new_tables_are_not_exposed() {
    let launch = Launch::new(Account::Ours);
    let folder = launch.folder.path().to_owned();
    let config = initialised(&folder, launch.port, free_port());
    let changed = config.replacen("# auto_expose_new_tables = true", "auto_expose_new_tables = false", 1);
    assert_ne!(config, changed);
    std::fs::write(folder.join("supabase/config.toml"), changed).unwrap();
    std::fs::create_dir_all(folder.join("supabase/migrations")).unwrap();
    let table = "create table public.shown (id int); create table public.hidden (id int); \
                 grant select on public.shown to anon;";
    std::fs::write(folder.join("supabase/migrations/20260101000000_one.sql"), table).unwrap();
    let launch = launch.arg("--project", &folder).switch("--dev");
    let dugout = launch.start().await;
    dugout.get("/rest/v1/shown").header("apikey", &key(&launch)).await.is(200);
    dugout.get("/rest/v1/hidden").header("apikey", &key(&launch)).await.is(401);
}

/// The anon key of a running server.
fn key(launch: &Launch) -> String {
    let output = launch.command(["status", "-o", "json", "--data-dir"]).arg(launch.data_dir()).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    status["ANON_KEY"].as_str().unwrap().to_owned()
}

#[test]
fn every_key_in_the_clis_template_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let config = initialised(folder.path(), free_port(), free_port());
    // The comments contain the remaining settings.
    let commented = |line: &str| {
        let is_key = |text: &str| text.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
        line.strip_prefix("# ").filter(|text| text.starts_with('[') || is_key(text)).map(str::to_owned)
    };
    let mut keys = 0;
    let mut all = Vec::new();
    for line in config.lines() {
        match commented(line) {
            Some(said) => {
                keys += 1;
                all.push(said);
            }
            None => all.push(line.to_owned()),
        }
    }
    assert!(keys > 50, "only {keys} comments hold a key");
    // Switches that the template has both on and off.
    let mut seen = std::collections::BTreeSet::new();
    let mut section = String::new();
    all.retain(|line| {
        if line.starts_with('[') {
            section.clone_from(line);
        }
        line.split_once(" = ").is_none_or(|(key, _)| seen.insert(format!("{section}{key}")))
    });
    std::fs::write(folder.path().join("supabase/config.toml"), all.join("\n")).unwrap();
    let mut report = gateway::settings::Report::default();
    let sources = server::Sources { project: Some(folder.path().to_owned()), ..server::Sources::default() };
    server::config::resolve(server::registry::SERVICES, &sources, &mut report);
    let toml: Vec<_> = report.problems.iter().filter(|problem| problem.message.contains("TOML")).collect();
    assert!(toml.is_empty(), "{toml:?}");
    let unknown: Vec<_> = report.warnings.iter().filter(|warning| warning.contains("unknown key")).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
