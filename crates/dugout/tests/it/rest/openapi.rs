//! The root: the exposed schema as OpenAPI 2.0. Source: src/PostgREST/Response/OpenAPI.hs.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, DataApi};

const SCHEMA: &str = "
    comment on schema api is E'The league\\n\\nEverything about it.\\nTwice.';
    create type mood as enum ('sad', 'fine');
    create domain short as varchar(5);
    create table team (id int primary key, name text default 'x y', size smallint default 3, tags text[],
        extra jsonb, at timestamptz default now(), feeling mood default 'fine', code varchar(7), little short);
    comment on table team is E'Teams\\n\\nAll of them.';
    comment on column team.name is 'What it is called.';
    create table player (id bigint primary key, team_id int not null references team);
    comment on column player.team_id is 'Whose.';
    create view names as select name from team;
    create view counts as select count(*) from team;
    create table hidden (id int);
    revoke all on hidden from anon;
    create table nothing ();
    create function feel(m mood, n numeric default 1) returns mood language sql stable as 'select m';
    comment on function feel(mood, numeric) is E'Feels.\\n\\nDeeply.';
    create function act(variadic v int[]) returns void language sql as '';
    create function f() returns int language sql stable as 'select 1';
    create function f(a int, b int) returns int language sql stable as 'select 1';
    create function f(a int) returns int language sql stable as 'select 1';
    create function secret() returns int language sql as 'select 1';
    revoke all on function secret() from public, anon;";

async fn root(s: &DataApi) -> Value {
    let answer = s.get("/").await.is(200);
    assert_eq!(answer.header("content-type"), "application/openapi+json; charset=utf-8");
    answer.json()
}

#[tokio::test]
async fn relations_are_described() {
    let s = DataApi::start(SCHEMA, &[]).await;
    let root = root(&s).await;
    assert_eq!(root["info"]["title"], "The league");
    assert_eq!(root["info"]["description"], "Everything about it.\nTwice.");
    assert_eq!(
        root["definitions"]["team"],
        json!({
            "description": "Teams\n\nAll of them.",
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": { "type": "integer", "format": "int32", "description": "Note:\nThis is a Primary Key.<pk/>" },
                "name": { "type": "string", "format": "text", "default": "x y", "description": "What it is called." },
                "size": { "type": "integer", "format": "int32", "default": 3 },
                "tags": { "type": "array", "format": "text[]", "items": { "type": "string" } },
                "extra": { "format": "jsonb" },
                "at": { "type": "string", "format": "timestamp with time zone", "default": "now()" },
                "feeling": { "type": "string", "format": "api.mood", "enum": ["sad", "fine"], "default": "fine" },
                "code": { "type": "string", "format": "character varying", "maxLength": 7 },
                "little": { "type": "string", "format": "character varying", "maxLength": 5 },
            },
        })
    );
    assert_eq!(
        root["definitions"]["player"]["properties"]["team_id"]["description"],
        "Whose.\n\nNote:\nThis is a Foreign Key to `team.id`.<fk table='team' column='id'/>"
    );
    assert_eq!(root["definitions"]["nothing"], json!({ "type": "object" }));
    let team = &root["paths"]["/team"];
    assert_eq!((&team["get"]["summary"], &team["get"]["description"]), (&json!("Teams"), &json!("All of them.")));
    assert_eq!(team["get"]["parameters"][0], json!({ "$ref": "#/parameters/rowFilter.team.id" }));
    assert_eq!(root["paths"]["/counts"].as_object().unwrap().len(), 1, "a read-only view");
    assert_eq!(root["paths"]["/names"].as_object().unwrap().len(), 4);
    let filter = json!({ "name": "name", "required": false, "in": "query", "type": "string",
        "description": "What it is called." });
    assert_eq!(root["parameters"]["rowFilter.team.name"], filter);
    assert!(root.get("security").is_none() && root.get("securityDefinitions").is_none());
}

#[tokio::test]
async fn functions_are_described() {
    let s = DataApi::start(SCHEMA, &[]).await;
    let root = root(&s).await;
    let feel = &root["paths"]["/rpc/feel"];
    assert_eq!((&feel["get"]["summary"], &feel["post"]["description"]), (&json!("Feels."), &json!("Deeply.")));
    assert_eq!(
        feel["get"]["parameters"],
        json!([
            { "name": "m", "in": "query", "required": true, "type": "string", "format": "mood" },
            { "name": "n", "in": "query", "required": false, "type": "number", "format": "numeric" },
        ])
    );
    let body = &feel["post"]["parameters"][0]["schema"];
    assert_eq!((&body["required"], &body["description"]), (&json!(["m"]), &json!("Feels.\n\nDeeply.")));
    let act = &root["paths"]["/rpc/act"];
    assert!(act.get("get").is_none(), "a volatile function has no GET");
    let of_overloads = &root["paths"]["/rpc/f"]["get"]["parameters"];
    assert_eq!(of_overloads.as_array().unwrap().len(), 2, "the longest");
}

#[tokio::test]
async fn the_description_depends_on_the_mode_and_the_role() {
    let s = DataApi::start(SCHEMA, &[]).await;
    let shown = root(&s).await;
    assert!(shown["paths"].get("/hidden").is_none() && shown["paths"].get("/rpc/secret").is_none());
    let s = DataApi::start(SCHEMA, &[("PGRST_OPENAPI_MODE", "ignore-privileges")]).await;
    let all = root(&s).await;
    assert!(all["definitions"].get("hidden").is_some() && all["paths"].get("/rpc/secret").is_some());
    // When privileges are ignored, types are written as the catalog writes them.
    assert_eq!(all["paths"]["/rpc/feel"]["get"]["parameters"][0]["format"], "api.mood");
    let s = DataApi::start(SCHEMA, &[("PGRST_OPENAPI_MODE", "disabled")]).await;
    for method in [Method::GET, Method::POST, Method::OPTIONS] {
        let gone = s.request(method, "/").await.is(404).json();
        assert_eq!(
            (&gone["code"], &gone["message"]),
            (&json!("PGRST126"), &json!("Root endpoint metadata is disabled"))
        );
    }
}

#[tokio::test]
async fn settings_add_address_and_security_to_the_description() {
    let settings = [
        ("PGRST_OPENAPI_SERVER_PROXY_URI", "https://api.x.test/v1"),
        ("PGRST_OPENAPI_SECURITY_ACTIVE", "true"),
        ("PGRST_DB_SCHEMAS", "api,public"),
    ];
    let s = DataApi::start("create table t (id int)", &settings).await;
    let answer = s.get("/").await.is(200);
    assert_eq!(answer.header("content-profile"), "api");
    let root = answer.json();
    assert_eq!((&root["host"], &root["basePath"]), (&json!("api.x.test:443"), &json!("/v1")));
    assert_eq!(root["schemes"], json!(["https"]));
    assert_eq!(root["security"], json!([{ "JWT": [] }]));
    assert_eq!(root["securityDefinitions"]["JWT"]["name"], "Authorization");
    assert_eq!(root["info"]["title"], "PostgREST API");
    let of_public = s.get("/").header("accept-profile", "public").await.is(200);
    assert_eq!(of_public.header("content-profile"), "public");
    assert!(of_public.json()["definitions"].get("t").is_none());
    for (accept, status) in [
        ("application/json", 200),
        ("application/openapi+json;q=0.1, text/html", 200),
        ("*/*", 200),
        ("text/html", 406),
        ("text/csv", 406),
    ] {
        s.get("/").header("accept", accept).await.is(status);
    }
    let head = s.request(Method::HEAD, "/").await.is(200);
    assert_eq!((head.body.as_str(), head.header("content-length")), ("", ""));
}

#[tokio::test]
async fn a_configured_function_can_replace_the_description() {
    let sql = "create function home() returns json language sql stable as $$ select '{\"hi\":1}'::json $$;
         create function home(json) returns json language sql as $$ select $1 $$";
    let s = DataApi::start(sql, &[("PGRST_DB_ROOT_SPEC", "home")]).await;
    assert_eq!(s.get("/").await.is(200).json(), json!({ "hi": 1 }));
    assert_eq!(s.post("/", json!({ "a": 1 })).await.is(200).json(), json!({ "a": 1 }));
    assert_eq!(s.delete("/").await.is(405).json()["code"], "PGRST101");
}
