//! The app's pgTAP tests, `supabase/tests/*.sql`, run like `supabase test db` does: as `postgres`, each file in a transaction
//! that it rolls back itself.

use std::path::PathBuf;
use std::process::Command;

use futures_util::StreamExt;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::architecture::{root, sources};
use crate::kit::{Database, connect, skip};

#[tokio::test]
async fn all_pgtap_tests_pass() {
    let Some(script) = pgtap() else {
        skip("pgTAP is not installed, and apt-get download postgresql-15-pgtap fails");
        return;
    };
    let database = Database::cloned().await;
    let admin = database.connect().await;
    admin.batch_execute("set search_path = extensions").await.unwrap();
    admin.batch_execute(&std::fs::read_to_string(script).unwrap()).await.unwrap();
    let owner = connect(&database.as_role("postgres")).await;
    owner.batch_execute("set search_path = public, extensions").await.unwrap();
    let files: Vec<_> =
        sources(&[".sql"]).into_iter().filter(|file| file.path.starts_with("supabase/tests/")).collect();
    assert!(!files.is_empty(), "there is nothing in supabase/tests");
    let mut wrong = Vec::new();
    for file in &files {
        let tap = run(&owner, &file.text).await;
        let passed = tap.iter().filter(|line| line.starts_with("ok ")).count();
        println!("{}: {passed} passed", file.path);
        wrong.extend(problems(&tap).into_iter().map(|problem| format!("{}: {problem}", file.path)));
        owner.batch_execute("rollback").await.unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The TAP lines of a script, which its selects return. An error becomes a line of its own, because the rest of the script did
/// not run.
async fn run(client: &Client, script: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut messages = std::pin::pin!(client.simple_query_raw(script).await.unwrap());
    while let Some(message) = messages.next().await {
        match message {
            Ok(SimpleQueryMessage::Row(row)) => {
                lines.extend(row.get(0).unwrap_or_default().lines().map(str::to_owned));
            }
            Ok(_) => {}
            Err(error) => {
                let error = error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
                lines.push(format!("Bail out! {error}"));
            }
        }
    }
    lines
}

/// The problems in a script's output: failed tests with their diagnostics, errors, and a wrong number of tests.
fn problems(tap: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in tap.iter().enumerate() {
        if line.starts_with("not ok ") {
            let why = tap[index + 1..].iter().take_while(|line| line.starts_with('#'));
            problems.push(std::iter::once(line).chain(why).cloned().collect::<Vec<_>>().join("\n  "));
        } else if line.starts_with("Bail out!") {
            problems.push(line.clone());
        }
    }
    let planned = tap.iter().find_map(|line| line.strip_prefix("1..")?.parse::<usize>().ok());
    let ran = tap.iter().filter(|line| line.starts_with("ok ") || line.starts_with("not ok ")).count();
    if planned != Some(ran) || ran == 0 {
        problems.push(format!("{ran} tests ran, planned were {planned:?}"));
    }
    problems
}

#[test]
fn every_kind_of_failure_is_detected() {
    let tap = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(problems(&tap(&["1..2", "ok 1 - a", "ok 2 - b"])).is_empty());
    assert_eq!(problems(&tap(&["1..2", "ok 1 - a", "not ok 2 - b", "# want: 1"])), ["not ok 2 - b\n  # want: 1"]);
    assert_eq!(problems(&tap(&["1..2", "ok 1 - a"])).len(), 1);
    assert_eq!(problems(&tap(&["1..2", "ok 1 - a", "Bail out! no such table"])).len(), 2);
    assert_eq!(problems(&[]).len(), 1);
}

/// pgTAP as one SQL file: the installed one, or Debian's package unpacked into .cache.
fn pgtap() -> Option<PathBuf> {
    let script = |folder: PathBuf| {
        let names = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
        // The extension's own script: pgtap--1.2.0.sql, not pgtap--1.1.0--1.2.0.sql nor pgtap-core--….
        names.into_iter().find(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("pgtap--") && name.ends_with(".sql") && name.matches("--").count() == 1
        })
    };
    let cache = root().join(".cache/pgtap");
    let unpacked = cache.join("usr/share/postgresql/15/extension");
    script("/usr/share/postgresql/15/extension".into()).or_else(|| script(unpacked.clone())).or_else(|| {
        std::fs::create_dir_all(&cache).ok()?;
        let unpack = "apt-get download -qq postgresql-15-pgtap || { apt-get update -qq; apt-get download -qq postgresql-15-pgtap; }
            dpkg-deb -x postgresql-15-pgtap_*.deb .";
        let done = Command::new("sh").args(["-ec", unpack]).current_dir(&cache).output().ok()?;
        if !done.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&done.stderr));
        }
        script(unpacked)
    })
}
