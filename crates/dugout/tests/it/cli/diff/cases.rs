//! A schema, and manual changes to it.

/// The schema that the migrations create.
pub(super) const BASE: &str = r#"
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
create aggregate public.largest(int) (sfunc = int4larger, stype = int, sortop = operator(pg_catalog.>));
create operator public.~~~ (function = int4eq, leftarg = int, rightarg = int);
create server far foreign data wrapper postgres_fdw options (host 'a', dbname 'd');
create foreign table public.distant (id int) server far options (table_name 't');
create publication published for table public.teams, public.old;
create table public.given (id int);
alter table public.given owner to diff_owner;
"#;

/// Each a change by hand, and what its difference must say.
pub(super) const CASES: &[(&str, &str, &[&str])] = &[
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
        "a view of a union with constants that have no name",
        "create view public.kinds as select 'a' as kind, null::date as at union all select 'b', null;",
        &["view public.kinds"],
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
        "expressions that PostgreSQL prints in another way when it reads them again",
        "alter table public.players add constraint nested check (age between 1 and 90 and name <> 'a  b' or (age in (91, 92) and note is null or id = 1)); create index players_nested on public.players (id) where age between 1 and 5 and id > 3; create policy nested on public.players using (id > 0 and (age between 1 and 2 and id > 4)); create view public.nested as select id from public.players where age between 1 and 2 and id > 3 and (name = 'x' or (name = 'y' or name = E'a\\'b')); alter domain public.email add constraint nested check (length(value) between 3 and 9 and value <> 'x'); alter table public.teams alter column name set default case when 2 between 1 and 3 and true then 'a' end;",
        &["add constraint nested", "create view public.nested"],
    ),
    (
        "aggregates",
        "create function public.times(int, int) returns int language sql immutable as $$ select $1 * $2 $$; create aggregate public.product(int) (sfunc = public.times, stype = int, initcond = '1', combinefunc = public.times, parallel = safe); comment on aggregate public.product(int) is 'all'; revoke execute on function public.product(int) from public; create aggregate public.number(*) (sfunc = int8inc, stype = int8, initcond = '0'); create view public.products as select public.product(age) from public.players; create or replace aggregate public.largest(int) (sfunc = int4larger, stype = int, sortop = operator(pg_catalog.>), initcond = '7');",
        &[
            "create aggregate public.product(integer)",
            "create aggregate public.number(*)",
            "comment on aggregate",
            "initcond = '7'",
        ],
    ),
    ("a dropped aggregate", "drop aggregate public.largest(int);", &["drop aggregate public.largest(integer)"]),
    (
        "operators",
        "create function public.same(text, text) returns boolean language sql immutable as $$ select $1 = $2 $$; create function public.other(text, text) returns boolean language sql immutable as $$ select $1 <> $2 $$; create operator public.=== (function = public.same, leftarg = text, rightarg = text, commutator = operator(public.===), negator = operator(public.<!>), restrict = eqsel, join = eqjoinsel, hashes); create operator public.<!> (function = public.other, leftarg = text, rightarg = text, negator = operator(public.===)); create operator public.!!! (function = int4um, rightarg = int); create view public.compared as select id from public.players where name operator(public.===) 'x'; drop operator public.~~~ (int, int); comment on operator public.=== (text, text) is 'same';",
        &["create operator public.===", "drop operator public.~~~(integer,integer)", "comment on operator"],
    ),
    (
        "casts and collations",
        "create function public.to_place(int) returns public.place language sql immutable as $$ select row('x', $1)::public.place $$; create cast (int as public.place) with function public.to_place(int) as assignment; create cast (public.mood as text) with inout as implicit; create collation public.numeric (provider = icu, locale = 'en-u-kn-true', deterministic = false); create table public.sorted (name text collate public.numeric); comment on cast (int as public.place) is 'c';",
        &[
            "create cast (integer as public.place) with function",
            "with inout as implicit",
            "create collation public",
            "deterministic = false",
        ],
    ),
    (
        "foreign servers and tables",
        "alter server far options (set host 'b', drop dbname, add port '5433'); create server near foreign data wrapper postgres_fdw; grant usage on foreign server near to service_role; create foreign table public.more (id int options (column_name 'the id') not null, name text default 'x') server near options (table_name 'more'); comment on column public.more.id is 'i'; alter foreign table public.distant options (set table_name 'u'); alter foreign table public.distant add column note text; create view public.of_distant as select note from public.distant;",
        &[
            "set host 'b'",
            "create server near",
            "grant usage on foreign server near",
            "create foreign table public.more",
        ],
    ),
    ("a dropped foreign server", "drop server far cascade;", &["drop server far", "drop foreign table public.distant"]),
    (
        "publications",
        "create publication mine for table public.players (id, age) where (age between 1 and 9 and id > 3), public.teams with (publish = 'insert, delete'); alter publication published set (publish = 'update'); alter publication published drop table public.old; alter publication published add table public.players; create publication everything for all tables with (publish = 'insert'); alter publication supabase_realtime add table public.teams; comment on publication mine is 'p';",
        &[
            "create publication mine",
            "alter publication published set (publish = 'update'",
            "create publication everything for all tables",
            "alter publication supabase_realtime add table",
        ],
    ),
    (
        "a published table that is made anew",
        "drop table public.old; create table public.old (id int) partition by list (id); alter publication published add table public.old;",
        &["drop table public.old", "alter publication published add table"],
    ),
    ("a dropped publication", "drop publication published;", &["drop publication published"]),
    (
        "owners",
        "grant create on schema public to diff_owner; alter table public.players owner to diff_owner; alter function public.one() owner to diff_owner; alter view public.adults owner to diff_owner; alter type public.mood owner to diff_owner; alter sequence public.counter owner to diff_owner; create schema theirs authorization diff_owner; create table theirs.t (id serial); alter table theirs.t owner to diff_owner;",
        &[
            "alter table public.players owner to diff_owner",
            "alter function public.one() owner to diff_owner",
            "alter schema theirs owner to diff_owner",
        ],
    ),
    (
        "an owner who gives it back",
        "alter table public.given owner to postgres;",
        &["alter table public.given owner to postgres"],
    ),
    (
        "everything at once away",
        "drop schema public cascade; create schema public; grant usage on schema public to anon, authenticated, service_role;",
        &["drop table public.players"],
    ),
];
