//! What a person sees of a start.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Project;
use crate::kit::skip;

#[tokio::test]
async fn a_log_has_no_progress_counts_migrations_and_warns_once() {
    let project = Project::new("do $$ begin raise warning 'said by a migration'; end $$;");
    project.write("supabase/migrations/20260101000001_two.sql", "create table public.a (id int);");
    let mut dugout = project.launch.start().await;
    dugout.stop().await;
    let log = dugout.log();
    assert!(log.contains("  Applied     2 migrations\n"), "{log}");
    assert!(!log.contains("two.sql"), "the migrations are listed:\n{log}");
    assert_eq!(log.matches("said by a migration").count(), 1, "{log}");
    assert!(!log.contains('\r') && !log.contains("applying"), "{log}");
}

#[test]
fn a_terminal_shows_what_the_start_is_doing() {
    if !std::path::Path::new("/usr/bin/script").exists() {
        return skip("script of util-linux, which makes a terminal, is not installed");
    }
    let project = Project::new("create table public.a (id int);");
    let start = project.launch.command(["start", "--dev", "--data-dir"]);
    let binary = start.get_program().to_str().unwrap().to_owned();
    let data = project.launch.data_dir();
    let typed = format!("exec {binary} start --dev --data-dir {}", data.display());
    let seen = project.launch.folder.path().join("seen");
    let mut command = Command::new("script");
    command.args(["-qefc", &typed]).arg(&seen).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.current_dir(project.launch.folder.path()).env("DUGOUT_DB_DURABILITY", "none").env("TERM", "xterm");
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    let text = loop {
        let text = std::fs::read(&seen).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        if text.contains("Ctrl-C stops.") || begun.elapsed() > Duration::from_secs(60) {
            break text;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
    let clear = "\r\u{1b}[2K";
    for step in ["starting PostgreSQL", "applying 1 migration", "starting services"] {
        assert!(text.contains(&format!("{clear}dugout: {step} …")), "{step} is not in:\n{text}");
    }
    let (_, after) = text.split_once("Dugout is ready.").unwrap();
    assert!(!after.contains(" …"), "the line stays:\n{text}");
    assert!(text.contains(&format!("{clear}Dugout is ready.")), "{text}");
}
