//! The schema cache. Source: src/PostgREST/SchemaCache.hs. What it knows of keys and relationships shows in the OpenAPI
//! description at the root and in embeddings.

use serde_json::{Value, json};

use crate::kit::{Calls, DataApi};

/// Tables with keys in a schema that is not exposed, and views that expose them in every way.
const VIEWS: &str = "
    create schema hidden;
    create table hidden.teams (id int primary key, code text unique, name text);
    create table hidden.people (id int, at int, team int references hidden.teams, captain_of int unique references hidden.teams,
        primary key (id, at));
    create table hidden.likes (one int references hidden.teams, other int references hidden.teams, primary key (one, other));
    insert into hidden.teams values (1, 'a', 'Ants'), (2, 'b', 'Bees');
    insert into hidden.people values (7, 1, 1, 2);
    insert into hidden.likes values (1, 2);
    create view hidden.between as select id as nr, at as moment, team as side from hidden.people;
    create view teams as select id as team_id, name from hidden.teams;
    create view renamed as select id as person, at as happened, team as belongs_to from hidden.people;
    create view partial as select id, team from hidden.people;
    create view twice as select id, id as again, at, team, team as team_too from hidden.people;
    create view outer_view as select person, happened, belongs_to as side from renamed;
    create view through as select nr, moment, side from hidden.between;
    create view with_cte as with p as (select id, at, team from hidden.people) select * from p;
    create view subselect as select x.id, x.at, x.team from (select * from hidden.people offset 0) x;
    create view united as select id, at, team from hidden.people union all select id, at, team from hidden.people;
    create view computed as select id + 0 as id, at, team from hidden.people;
    create view joined as select p.id, p.at, t.id as team_id from hidden.people p join hidden.teams t on t.id = p.team;
    create view sorted as select id, team from hidden.people order by at;
    create materialized view frozen as select id, at, team from hidden.people;
    create view captains as select id, at, captain_of from hidden.people;
    create view fans as select one, other from hidden.likes;
    create view classes as select oid, relname from pg_catalog.pg_class;
    grant select on hidden.between to anon";

/// The catalog also follows views through views of these schemas.
const EXTRA: (&str, &str) = ("PGRST_DB_EXTRA_SEARCH_PATH", "public,hidden");

fn notes<'a>(description: &'a Value, relation: &str, note: &str) -> Vec<&'a str> {
    let properties = description["definitions"][relation]["properties"].as_object().unwrap();
    let text = |property: &'a Value| property["description"].as_str().unwrap_or_default();
    let mut names: Vec<&str> = properties
        .iter()
        .filter(|(_, property)| text(property).contains(note))
        .map(|(name, _)| name.as_str())
        .collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn views_have_the_keys_that_they_contain_completely() {
    let s = DataApi::start(VIEWS, &[EXTRA]).await;
    let description = s.get("/").await.is(200).json();
    for (view, primary, foreign) in [
        ("teams", &["team_id"][..], &[][..]),
        ("renamed", &["happened", "person"], &["belongs_to"]),
        ("partial", &[], &["team"]),
        ("twice", &["at", "id"], &["team", "team_too"]),
        ("outer_view", &["happened", "person"], &["side"]),
        ("through", &["moment", "nr"], &["side"]),
        ("with_cte", &["at", "id"], &["team"]),
        ("subselect", &["at", "id"], &["team"]),
        ("united", &[], &[]),
        ("computed", &[], &["team"]),
        ("joined", &["at", "id", "team_id"], &[]),
        ("sorted", &[], &["team"]),
        ("frozen", &["at", "id"], &["team"]),
        ("captains", &["at", "id"], &["captain_of"]),
        ("classes", &["oid"], &[]),
    ] {
        assert_eq!(notes(&description, view, "<pk/>"), primary, "{view}");
        assert_eq!(notes(&description, view, "<fk "), foreign, "{view}");
    }
}

#[tokio::test]
async fn views_embed_each_other_by_keys_of_hidden_tables() {
    let s = DataApi::start(VIEWS, &[EXTRA]).await;
    let ants = json!({ "name": "Ants" });
    for (path, expected) in [
        ("/outer_view?select=teams(name)", json!([{ "teams": ants }])),
        ("/through?select=teams(name)", json!([{ "teams": ants }])),
        ("/twice?select=teams!team(name)", json!([{ "teams": ants }])),
        ("/captains?select=teams(name)", json!([{ "teams": { "name": "Bees" } }])),
        ("/teams?select=captains(id)&order=team_id", json!([{ "captains": null }, { "captains": { "id": 7 } }])),
        ("/teams?select=renamed(person)&team_id=eq.1", json!([{ "renamed": [{ "person": 7 }] }])),
        ("/fans?select=teams!one(name)", json!([{ "teams": ants }])),
    ] {
        assert_eq!(s.get(path).await.is(200).json(), expected, "{path}");
    }
    for (path, status, code) in [
        ("/twice?select=teams(name)", 300, "PGRST201"),
        ("/united?select=teams(name)", 400, "PGRST200"),
        ("/computed?select=people(id)", 400, "PGRST200"),
    ] {
        assert_eq!(s.get(path).await.is(status).json()["code"], code, "{path}");
    }
}

#[tokio::test]
async fn a_partition_is_embedded_by_its_own_keys() {
    let s = DataApi::start(
        "create table places (id int primary key);
         create table parts (id int, place int, at int) partition by list (id);
         create table part_1 partition of parts for values in (1);
         alter table part_1 add foreign key (place) references places;
         insert into places values (5); insert into parts values (1, 5, 9)",
        &[],
    )
    .await;
    let answer = s.get("/places?select=part_1(at)").await.is(200);
    assert_eq!(answer.json(), json!([{ "part_1": [{ "at": 9 }] }]));
    assert_eq!(s.get("/part_1").await.is(404).json()["code"], "PGRST205", "a partition itself is not exposed");
    assert_eq!(s.get("/places?select=parts(at)").await.is(400).json()["code"], "PGRST200");
}

#[tokio::test]
async fn computed_relationships_override_detected_ones_and_have_a_cardinality() {
    let s = DataApi::start(
        "create table teams (id int primary key, name text);
         create table people (id int primary key, team_id int references teams);
         insert into teams values (1, 'Ants'), (2, 'Bees'); insert into people values (7, 1);
         create function teams(people) returns setof teams rows 1 language sql stable as 'select * from api.teams where id = 2';
         create function members(teams) returns setof people language sql stable as 'select * from api.people';
         create function best(teams) returns people language sql stable as 'select * from api.people limit 1'",
        &[],
    )
    .await;
    for (path, expected) in [
        ("/people?select=teams(name)", json!([{ "teams": { "name": "Bees" } }])),
        ("/teams?select=members(id)&id=eq.2", json!([{ "members": [{ "id": 7 }] }])),
        ("/teams?select=best(id)&id=eq.2", json!([{ "best": { "id": 7 } }])),
    ] {
        assert_eq!(s.get(path).await.is(200).json(), expected, "{path}");
    }
}

#[tokio::test]
async fn unnamed_parameters_among_named_ones_are_described() {
    let s = DataApi::start("create function mixed(int, b text) returns int language sql as 'select 1'", &[]).await;
    let error = s.post("/rpc/mixed", json!({ "b": "x" })).await.is(404).json();
    assert_eq!(error["hint"], "Perhaps you meant to call the function api.mixed(, b)");
}
