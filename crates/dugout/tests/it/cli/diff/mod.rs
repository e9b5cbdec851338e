//! `dugout db diff`: every case is a manual change. After applying the printed SQL as a migration, no difference may remain.

mod cases;

use cases::{BASE, CASES};
use pg::bootstrap::Home;
use pg::{Target, bootstrap};
use workbench::diff::diff;

use super::{Project, text};
use crate::kit::{Database, connect};

/// Two copies of the base: `from` as the migrations create it, `to` with the manual changes.
struct Databases {
    from: Database,
    to: Database,
}

impl Databases {
    /// Copies of a database that `base` made; PostgreSQL copies it only while nobody is connected.
    async fn new(base: &Database) -> Self {
        Databases { from: base.copied().await, to: base.copied().await }
    }

    async fn difference(&self) -> String {
        let owner = |database: &Database| database.as_role("postgres");
        diff(&owner(&self.from), &owner(&self.to), &[]).await.unwrap()
    }
}

/// The schema of the cases.
async fn base() -> Database {
    let database = fresh().await;
    let superuser = database.connect().await;
    superuser
        .batch_execute(
            "create extension postgres_fdw with schema extensions; grant usage on foreign data wrapper postgres_fdw to postgres;
             do $$ begin
               if to_regrole('diff_owner') is null then create role diff_owner; grant diff_owner to postgres; end if;
             end $$;
             grant create on schema public to diff_owner",
        )
        .await
        .unwrap();
    drop(superuser);
    run(&database, BASE).await.unwrap();
    database
}

/// A database as `dugout start` sets it up.
async fn fresh() -> Database {
    let database = Database::empty().await;
    let schemas: Vec<_> = server::registry::SERVICES.iter().filter_map(|service| service.schema).collect();
    let homes: Vec<_> = schemas.iter().map(|schema| Home { schema: schema.name, owner: schema.owner }).collect();
    bootstrap::bootstrap(&database.target(), &homes, &[]).await.unwrap();
    for schema in schemas {
        bootstrap::run_service_migrations(&database.as_role(schema.owner), schema.migrations).await.unwrap();
    }
    database
}

/// Runs SQL like a migration.
async fn run(database: &Database, sql: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("{}.sql", uuid::Uuid::new_v4());
    std::fs::write(folder.path().join(&name), sql).unwrap();
    let ran = pg::migrations::seed(&database.as_role("postgres"), folder.path(), &[name]).await;
    ran.map(drop).map_err(|error| error.to_string())
}

#[tokio::test]
async fn every_difference_can_be_applied_and_leaves_none() {
    let base = base().await;
    assert_eq!(Databases::new(&base).await.difference().await, "");
    assert!(CASES.len() >= 20);
    let mut wrong = Vec::new();
    for (name, sql, parts) in CASES {
        wrong.extend(case(&base, sql, parts).await.map(|problem| format!("{name}: {problem}")));
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), CASES.len(), wrong.join("\n\n"));
}

/// Checks a case; `None` if it passes.
async fn case(base: &Database, sql: &str, parts: &[&str]) -> Option<String> {
    let databases = Databases::new(base).await;
    if let Err(error) = run(&databases.to, sql).await {
        return Some(format!("the case itself fails: {error}"));
    }
    let difference = databases.difference().await;
    let missing: Vec<_> = parts.iter().filter(|part| !difference.contains(**part)).collect();
    if !missing.is_empty() {
        return Some(format!("{missing:?} is missing in:\n{difference}"));
    }
    if let Err(error) = run(&databases.from, &difference).await {
        return Some(format!("{error}:\n{difference}"));
    }
    let rest = databases.difference().await;
    (!rest.is_empty()).then(|| format!("after\n{difference}\nthere remains\n{rest}"))
}

#[tokio::test]
async fn whole_projects_are_made() {
    let awkward = fresh().await;
    run(&awkward, include_str!("../gen_types/awkward.sql")).await.unwrap();
    for (name, empty, whole) in
        [("the app", fresh().await, Database::cloned().await), ("awkward", fresh().await, awkward)]
    {
        let databases = Databases { from: empty, to: whole };
        let difference = databases.difference().await;
        assert!(difference.len() > 1_000, "{name}: {difference}");
        run(&databases.from, &difference).await.unwrap_or_else(|error| panic!("{name}: {error}\n{difference}"));
        let rest = databases.difference().await;
        assert_eq!(rest, "", "{name}: after\n{difference}");
    }
}

/// Creates objects that belong to the whole cluster, and those that only a superuser can create.
async fn change_the_cluster(project: &Project) {
    let superuser = Target::unix(&project.launch.data_dir().join("run"), project.db_port, "supabase_admin", "postgres");
    connect(&superuser)
        .await
        .batch_execute(
            "create role watcher nologin; grant watcher to postgres; grant select on public.players to watcher;
             create role one_watcher login in role watcher connection limit 3; create role idle login;
             create function public.watch() returns event_trigger language plpgsql as 'begin end';
             alter function public.watch() owner to postgres;
             create event trigger watch on ddl_command_end when tag in ('CREATE TABLE') execute function public.watch();
             alter event trigger watch disable;",
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn the_command_compares_with_the_migrations() {
    let begin =
        "create extension postgres_fdw with schema extensions; create role diff_owner; grant diff_owner to postgres;
        grant create on schema public to diff_owner;";
    let base = [begin, BASE].concat();
    let project = Project::new(&base);
    let dugout = project.launch.start().await;
    let output = project.run(&["db", "diff"]);
    let (said, errors) = text(&output);
    assert!(output.status.success() && said.is_empty() && errors.contains("No schema changes found"), "{said}{errors}");

    let client = connect(&Target::parse(&format!("{}?sslmode=disable", project.url())).unwrap()).await;
    client.batch_execute("alter table public.players add column nick text; create schema app;").await.unwrap();
    change_the_cluster(&project).await;
    let difference = project.said(&["db", "diff"]);
    for part in [
        "alter table public.players add column nick text;",
        "create role watcher with nologin",
        "connection limit 3",
        "grant watcher to one_watcher",
        "create event trigger watch on ddl_command_end when tag in ('CREATE TABLE') execute function public.watch()",
        "alter event trigger watch disable",
    ] {
        assert!(difference.contains(part), "{part} is missing in\n{difference}");
    }
    assert!(!difference.contains("role idle"), "{difference}");
    assert!(!project.said(&["db", "diff", "--schema", "public"]).contains("create schema app"));
    let bad = project.run(&["db", "diff", "-f", "../../evil"]);
    assert!(!bad.status.success(), "{}", text(&bad).1);
    project.said(&["db", "diff", "-f", "nicks"]);
    let types = project.said(&["gen", "types"]);
    drop(dugout);

    // A new project with both migrations is the same.
    let second = Project::new(&base);
    let folder = project.launch.folder.path().join("supabase/migrations");
    let saved = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .find(|file| file.file_name().to_string_lossy().ends_with("_nicks.sql"));
    let saved = saved.unwrap();
    second.write(
        &format!("supabase/migrations/{}", saved.file_name().display()),
        &std::fs::read_to_string(saved.path()).unwrap(),
    );
    let _dugout = second.launch.start().await;
    assert_eq!(second.said(&["gen", "types"]), types);
    assert_eq!(second.said(&["db", "diff"]), "");

    // A migration that fails is named, and no cluster stays behind.
    second.write("supabase/migrations/20990101000000_broken.sql", "select nothing_there();");
    let temporary = second.launch.folder.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = second.launch.command(["db", "diff", "--data-dir"]);
    let broken = command.arg(second.launch.data_dir()).env("TMPDIR", &temporary).output().unwrap();
    let (_, errors) = text(&broken);
    assert!(!broken.status.success() && errors.contains("20990101000000_broken.sql"), "{errors}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}
