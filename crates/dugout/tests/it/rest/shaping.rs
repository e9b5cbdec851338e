//! The effect of a read's parameters on the response, byte for byte. Sources: src/library/PostgREST/Plan.hs,
//! src/library/PostgREST/Query/{QueryBuilder,SqlFragment}.hs.

use crate::kit::{Calls, DataApi};

const TEAMS: &str = "
    create table teams (id int primary key, name text, founded timestamp, motto text);
    create table players (id int primary key, team_id int references teams, full_name text, born date);
    create table fans (id int primary key, team_id int references teams, n text);
    insert into teams values (1, 'Owls', '1901-02-03 04:05', null), (2, 'Jays', null, 'a, \"b\"');
    insert into players values (10, 1, 'Ann', '1990-01-02'), (11, 1, 'Bo', null), (12, 2, 'Cy', null);
    insert into fans values (7, 2, 'z')";

#[tokio::test]
async fn bodies_are_equal_to_upstreams() {
    let s = DataApi::start(TEAMS, &[]).await;
    for (path, body) in [
        // Embeds are jsonb, with its key order and spaces.
        ("/players?select=id,teams(name,id)&id=eq.12", r#"[{"id":12,"teams":{"id": 2, "name": "Jays"}}]"#),
        (
            "/teams?select=name,players(full_name,id)&id=eq.1",
            r#"[{"name":"Owls","players":[{"id": 10, "full_name": "Ann"}, {"id": 11, "full_name": "Bo"}]}]"#,
        ),
        ("/teams?select=...players(id)&id=eq.1", r#"[{"id":[10, 11]}]"#),
        // The first of two orderings wins.
        ("/players?select=id&order=id.desc&order=id.asc&limit=1", r#"[{"id":12}]"#),
        // An embed that has parameters comes before its siblings.
        (
            "/teams?select=players(id),fans(id),id&id=eq.2&fans.order=id",
            "[{\"id\":2,\"fans\":[{\"id\": 7}],\"players\":[{\"id\": 12}]}]",
        ),
        // Types whose names are several words.
        (
            "/teams?select=f:founded::timestamp without time zone,h:founded::time without time zone&id=eq.1",
            r#"[{"f":"1901-02-03T04:05:00","h":"04:05:00"}]"#,
        ),
    ] {
        assert_eq!(s.get(path).await.is(200).body.replace(", \n ", ","), body, "{path}");
    }
}

#[tokio::test]
async fn csv_contains_nulls_quotes_and_embeds() {
    let s = DataApi::start(TEAMS, &[]).await;
    for (path, body) in [
        ("/teams?select=id,motto&order=id", "id,motto\n1,\n2,\"a, \"\"b\"\"\""),
        ("/players?select=id,teams(name)&id=eq.12", "id,teams\n12,\"{\"\"name\"\": \"\"Jays\"\"}\""),
        ("/teams?select=id,fans(n)&order=id", "id,fans\n1,[]\n2,\"[{\"\"n\"\": \"\"z\"\"}]\""),
        ("/teams?id=eq.0", "\n"),
    ] {
        assert_eq!(s.get(path).header("accept", "text/csv").await.is(200).body, body, "{path}");
    }
}

#[tokio::test]
async fn impossible_limits_and_offsets_are_postgresqls_errors() {
    let s = DataApi::start(TEAMS, &[]).await;
    for (path, status, code) in [
        ("/teams?limit=9223372036854775808", 400, "22003"),
        ("/teams?offset=99999999999999999999999999999999999999999999", 400, "22003"),
        ("/teams?select=id,players(id)&players.limit=-1", 400, "2201W"),
        ("/teams?select=id,players(id)&players.offset=-1", 400, "2201X"),
        ("/teams?limit=-1", 416, "PGRST103"),
        ("/teams?limit=0&offset=1", 416, "PGRST103"),
    ] {
        assert_eq!(s.get(path).await.is(status).json()["code"], code, "{path}");
    }
    for path in
        ["/teams?limit=x", "/teams?offset=-4&limit=9", "/teams?offset=-5&limit=5", "/teams?limit=9223372036854775807"]
    {
        s.get(path).await.is(200);
    }
}

#[tokio::test]
async fn of_several_unknown_paths_the_last_is_reported() {
    let s = DataApi::start(TEAMS, &[]).await;
    let answer = s.get("/teams?nope.id=eq.1&never.id=eq.1").await.is(400).json();
    assert_eq!(answer["message"], "'never' is not an embedded resource in this request");
}

#[tokio::test]
async fn a_set_of_one_scalar_can_be_read_as_one_object() {
    let s = DataApi::start(
        "create function ones() returns setof int stable language sql as $$ select 1 $$;
         create function one() returns int stable language sql as $$ select 1 $$",
        &[],
    )
    .await;
    for (path, body) in [("/rpc/ones", r#"{"pgrst_scalar":1}"#), ("/rpc/one", "1")] {
        let answer = s.get(path).header("accept", "application/vnd.pgrst.object+json").await.is(200);
        assert_eq!(answer.body, body, "{path}");
    }
}

#[tokio::test]
async fn embeds_and_logic_trees_nest_32_deep() {
    let s = DataApi::start(TEAMS, &[]).await;
    let nested = |depth: usize| {
        let names: Vec<&str> = ["teams(", "players("].into_iter().cycle().take(depth).collect();
        format!("/players?id=eq.12&select={}id{}", names.concat(), ")".repeat(depth))
    };
    let deep = s.get(&nested(32)).await.is(200).body;
    assert_eq!(deep.matches("players").count(), 16);
    let refused = s.get(&nested(33)).await.is(400).json();
    assert_eq!((&refused["code"], &refused["details"]), (&"PGRST100".into(), &"nested more than 32 deep".into()));

    let tree = |depth: usize| {
        format!("/teams?select=id&not.and=({}id.eq.1{})", "not.and(".repeat(depth - 1), ")".repeat(depth - 1))
    };
    assert_eq!(s.get(&tree(32)).await.is(200).body, r#"[{"id":1}]"#);
    let refused = s.get(&tree(33)).await.is(400).json();
    assert_eq!((&refused["code"], &refused["details"]), (&"PGRST100".into(), &"nested more than 32 deep".into()));
}
