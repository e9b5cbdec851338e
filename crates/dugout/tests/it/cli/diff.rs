//! `dugout db diff`: every case is a change made by hand. Its difference, as a migration, leaves none.

use pg::bootstrap::Home;
use pg::{Target, bootstrap};
use workbench::diff::diff;

use super::{Project, text};
use crate::kit::{Database, connect};

const BASE: &str = r#"
create type public.mood as enum ('sad', 'ok');
create type public.place as (street text, number int);
create domain public.email as text check (value like '%@%');
create sequence public.counter;
create function public.one() returns int language sql immutable as $$ select 1 $$;
create table public.teams (id bigint generated always as identity primary key, name text not null unique);
create table public.players (
    id serial primary key,
    team_id bigint references public.teams (id),
    name text default 'x',
    age int check (age > 0),
    mood public.mood default 'ok',
    doubled int generated always as (age * 2) stored,
    note varchar(10)
);
create index players_age on public.players (age);
create view public.adults as select id, name, age from public.players where age > 17;
create view public.names as select name from public.adults;
create materialized view public.counts as select team_id, count(*) as number from public.players group by team_id;
create unique index counts_team on public.counts (team_id);
create function public.touched() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger touched before update on public.players for each row execute function public.touched();
create policy own on public.players for select to authenticated using (age > 0);
create table public.old (id int primary key, player_id int references public.players (id));
comment on table public.players is 'people';
"#;

/// Each a change by hand, and what its difference must say.
const CASES: &[(&str, &str, &[&str])] = &[
    (
        "a table",
        "create table public.games (id int primary key, at date not null default now());",
        &["create table public.games"],
    ),
    ("a dropped table", "drop table public.old;", &["drop table public.old"]),
    (
        "a column",
        "alter table public.players add column nick text not null default '';",
        &["add column nick text default ''::text not null"],
    ),
    ("a dropped column", "alter table public.players drop column note;", &["drop column note"]),
    (
        "a type of a column under views",
        "drop view public.names, public.adults; drop policy own on public.players; alter table public.players drop column doubled; alter table public.players alter column age type bigint; alter table public.players add column doubled int generated always as (age * 2) stored; create policy own on public.players for select to authenticated using (age > 0); create view public.adults as select id, name, age from public.players where age > 17; create view public.names as select name from public.adults;",
        &["type bigint", "create view public.names"],
    ),
    (
        "a default",
        "alter table public.players alter column name set default 'y'; alter table public.players alter column mood drop default;",
        &["set default 'y'::text", "drop default"],
    ),
    (
        "not null",
        "alter table public.players alter column name set not null; alter table public.teams alter column name drop not null;",
        &["set not null", "drop not null"],
    ),
    (
        "constraints",
        "alter table public.players drop constraint players_age_check; alter table public.players add constraint young check (age < 200); alter table public.players drop constraint players_team_id_fkey; alter table public.players add foreign key (team_id) references public.teams on delete cascade;",
        &["CHECK ((age < 200))", "ON DELETE CASCADE", "drop constraint players_age_check"],
    ),
    (
        "indexes",
        "drop index public.players_age; create index players_name on public.players using btree (lower(name)) where age > 3;",
        &["drop index public.players_age", "CREATE INDEX players_name"],
    ),
    (
        "a view with another column",
        "create or replace view public.adults as select id, name, age, mood from public.players where age > 20;",
        &["create or replace view public.adults"],
    ),
    (
        "a view without a column, under another",
        "drop view public.names, public.adults; create view public.adults with (security_invoker = true) as select id, name from public.players; create view public.names as select name from public.adults;",
        &["drop view public.names", "drop view public.adults", "security_invoker=true"],
    ),
    (
        "a materialized view",
        "drop materialized view public.counts; create materialized view public.counts as select team_id, count(*) as number, max(age) as oldest from public.players group by team_id; create unique index counts_team on public.counts (team_id);",
        &["create materialized view public.counts", "counts_team"],
    ),
    (
        "a function's body",
        "create or replace function public.one() returns int language sql immutable as $$ select 2 $$;",
        &["CREATE OR REPLACE FUNCTION public.one()"],
    ),
    (
        "a function's result",
        "drop function public.one(); create function public.one() returns text language sql immutable as $$ select 'a' $$;",
        &["drop function public.one()", "RETURNS text"],
    ),
    (
        "a function over a new table",
        "create table public.games (id int); create function public.all_games() returns setof public.games language sql as $$ select * from public.games $$; create view public.g as select * from public.all_games();",
        &["public.all_games()"],
    ),
    (
        "triggers",
        "drop trigger touched on public.players; create trigger again after insert on public.players for each statement execute function public.touched(); alter table public.players disable trigger again;",
        &["drop trigger touched", "CREATE TRIGGER again", "disable trigger again"],
    ),
    (
        "policies",
        "drop policy own on public.players; create policy mine on public.players as restrictive for update to anon, authenticated using (age = 1) with check (public.one() = 1);",
        &["drop policy own", "as restrictive for update to anon, authenticated"],
    ),
    (
        "row level security",
        "alter table public.players enable row level security, force row level security;",
        &["enable row level security", "force row level security"],
    ),
    (
        "grants",
        "revoke insert on public.players from anon; grant select (name), update (name) on public.teams to service_role; revoke execute on function public.one() from public, anon; grant usage on schema public to authenticator;",
        &[
            "revoke insert on table public.players from anon",
            "select (name)",
            "revoke execute on function public.one() from",
        ],
    ),
    (
        "labels of an enum",
        "alter type public.mood add value 'great' after 'ok'; alter type public.mood add value 'awful' before 'sad';",
        &["add value 'great' after 'ok'", "add value 'awful' before 'sad'"],
    ),
    (
        "a new label of an enum that a default uses",
        "alter type public.mood add value 'great'; commit; alter table public.players alter column mood set default 'great';",
        &["add value 'great' after 'ok'", "commit", "set default 'great'::"],
    ),
    (
        "two new labels of an enum, of which a default uses the second",
        "alter type public.mood add value 'great'; alter type public.mood add value 'grand'; commit; alter table public.players alter column mood set default 'grand';",
        &["add value 'great' after 'ok'", "add value 'grand' after 'great'", "commit", "set default 'grand'::"],
    ),
    (
        "fewer labels of an enum",
        "alter table public.players alter column mood drop default; alter type public.mood rename to m; create type public.mood as enum ('ok'); alter table public.players alter column mood type public.mood using mood::text::public.mood; alter table public.players alter column mood set default 'ok'; drop type public.m;",
        &["create type public.mood as enum ('ok')", "using mood::text::public.mood"],
    ),
    (
        "composite types and domains",
        "alter type public.place drop attribute number; alter type public.place add attribute zip varchar(5); alter domain public.email set not null; alter domain public.email drop constraint email_check; alter domain public.email add constraint has_dot check (value like '%.%'); create type public.span as range (subtype = int);",
        &["drop attribute number cascade", "add attribute zip", "has_dot", "as range"],
    ),
    (
        "sequences",
        "alter sequence public.counter increment by 5 cycle; create sequence public.other as int start 7; create table public.serials (id serial);",
        &["increment by 5", "sequence public.other as integer", "owned by public.serials.id"],
    ),
    (
        "schemas and extensions",
        "create schema \"My app\"; create table \"My app\".\"T\" (\"I d\" int primary key); create extension citext with schema extensions; create table public.with_citext (c extensions.citext);",
        &["create schema \"My app\"", "create extension if not exists citext"],
    ),
    (
        "comments",
        "comment on table public.players is null; comment on column public.players.name is 'it''s'; comment on function public.one() is 'one'; comment on policy own on public.players is 'p';",
        &["comment on table public.players is null", "is 'it''s'", "comment on policy own"],
    ),
    (
        "generated and identity columns",
        "alter table public.players alter column doubled drop expression; alter table public.players add column tripled int generated always as (age * 3) stored; alter table public.teams alter column id set generated by default;",
        &["drop expression", "set generated by default"],
    ),
    (
        "partitions",
        "create table public.parts (id int, at date not null) partition by range (at); create table public.parts_1 partition of public.parts for values from ('2026-01-01') to ('2027-01-01'); create index parts_id on public.parts (id);",
        &["partition by RANGE (at)", "partition of public.parts"],
    ),
    (
        "a table that becomes a view",
        "drop table public.old; create view public.old as select 1 as id;",
        &["drop table public.old", "create view public.old"],
    ),
    (
        "default privileges",
        "alter default privileges in schema public revoke select on tables from anon;",
        &["in schema public revoke select on tables from anon"],
    ),
    (
        "tables that need each other",
        "create table public.a (id int primary key, b_id int); create table public.b (id int primary key, a_id int references public.a); alter table public.a add foreign key (b_id) references public.b;",
        &["create table public.a", "create table public.b"],
    ),
    (
        "everything at once away",
        "drop schema public cascade; create schema public; grant usage on schema public to anon, authenticated, service_role;",
        &["drop table public.players"],
    ),
];

/// The base in two databases: what the migrations make, and what people change.
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
    run(&database, BASE).await.unwrap();
    database
}

/// What `dugout start` makes of an empty cluster.
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

async fn run(database: &Database, sql: &str) -> Result<(), String> {
    let client = connect(&database.as_role("postgres")).await;
    let ran = client.batch_execute(sql).await;
    ran.map_err(|error| error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string))
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

/// What is wrong with the difference.
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
    run(&awkward, include_str!("gen_types/awkward.sql")).await.unwrap();
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

#[tokio::test]
async fn the_command_compares_with_the_migrations() {
    let project = Project::new(BASE);
    let dugout = project.launch.start().await;
    let output = project.run(&["db", "diff"]);
    let (said, errors) = text(&output);
    assert!(output.status.success() && said.is_empty() && errors.contains("No schema changes found"), "{said}{errors}");

    let client = connect(&Target::parse(&format!("{}?sslmode=disable", project.url())).unwrap()).await;
    client.batch_execute("alter table public.players add column nick text; create schema app;").await.unwrap();
    let difference = project.said(&["db", "diff"]);
    assert!(difference.contains("alter table public.players add column nick text;"), "{difference}");
    assert!(!project.said(&["db", "diff", "--schema", "public"]).contains("create schema app"));
    let bad = project.run(&["db", "diff", "-f", "../../evil"]);
    assert!(!bad.status.success(), "{}", text(&bad).1);
    project.said(&["db", "diff", "-f", "nicks"]);
    let types = project.said(&["gen", "types"]);
    drop(dugout);

    // A new project with both migrations is the same.
    let second = Project::new(BASE);
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
