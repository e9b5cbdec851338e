//! `/rpc/`. Sources: src/PostgREST/Plan.hs (findProc, callPlan), Plan/CallPlan.hs, Query/QueryBuilder.hs.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, DataApi, Request};

fn with(request: Request, kind: &str, body: &'static [u8]) -> Request {
    request.body(body).header("content-type", kind)
}

#[tokio::test]
async fn arguments_come_from_the_url_a_form_or_json() {
    let s = DataApi::start(
        "create function joined(variadic v text[] default '{}') returns text language sql stable
             as $$ select array_to_string(v, '|') $$;
         create function plus(a int, b int default 6) returns int language sql stable as 'select a + b';
         create function size(a int[]) returns int language sql stable as 'select cardinality(a)';
         create function wide(b bit(3), c char(3)) returns text language sql stable as 'select b::text || c'",
        &[],
    )
    .await;
    for (path, result) in [
        ("/rpc/joined", json!("")),
        ("/rpc/joined?v=a", json!("a")),
        ("/rpc/joined?v=a&v=b,c", json!("a|b,c")),
        ("/rpc/plus?a=1", json!(7)),
        ("/rpc/plus?a=1&b=2&a=3", json!(5)),
        ("/rpc/size?a=%7B1,2%7D", json!(2)),
        ("/rpc/wide?b=10111&c=abcdef", json!("10111abcdef")),
    ] {
        assert_eq!(s.get(path).await.is(200).json(), result, "{path}");
    }
    assert_eq!(
        s.get("/rpc/size?a=1&a=2").await.is(400).json()["code"],
        "22P02",
        "only variadic parameters may be repeated"
    );
    for (path, body, result) in [
        ("/rpc/joined", json!({ "v": ["a", "b"] }), json!("a|b")),
        ("/rpc/plus", json!({ "a": "1" }), json!(7)),
        ("/rpc/plus", json!([{ "a": 1 }, { "a": 3 }]), json!(7)),
        ("/rpc/plus?columns=a", json!({ "a": 1, "b": 2, "c": 3 }), json!(7)),
        ("/rpc/size", json!({ "a": [1, 2, 3] }), json!(3)),
    ] {
        assert_eq!(s.post(path, body.clone()).await.is(200).json(), result, "{path} {body}");
    }
    let form = "application/x-www-form-urlencoded";
    for (path, kind, body, result) in [
        ("/rpc/joined", form, &b"v=a&v=b"[..], json!("a|b")),
        ("/rpc/plus", form, b"a=1&a=2", json!(8)),
        ("/rpc/plus", "text/csv", b"a,b\n1,2\n3,4\n", json!(3)),
        ("/rpc/joined", "application/json", b"", json!("")),
    ] {
        assert_eq!(with(s.post(path, json!({})), kind, body).await.is(200).json(), result, "{path} {kind}");
    }
}

#[tokio::test]
async fn a_whole_body_is_the_only_argument() {
    let s = DataApi::start(
        "create function j(json) returns json language sql stable as 'select $1';
         create function b(jsonb) returns jsonb language sql stable as 'select $1';
         create function t(text) returns text language sql stable as 'select $1';
         create function x(xml) returns text language sql stable as 'select $1::text';
         create function o(bytea) returns text language sql stable as 'select $1::text';
         create function d(json default '{\"d\":1}') returns json language sql stable as 'select $1'",
        &[],
    )
    .await;
    let (json, octets) = ("application/json", "application/octet-stream");
    for (name, kind, body, result) in [
        ("j", json, &br#"{"a":1}"#[..], json!({ "a": 1 })),
        ("j", json, b"", json!({})),
        ("j", json, b"7", json!([])),
        ("b", json, br#"{"a":1}"#, json!({ "a": 1 })),
        ("d", json, b"{}", json!({})),
        ("t", "text/plain; charset=utf-8", "hé \"x\"".as_bytes(), json!("hé \"x\"")),
        ("t", "text/plain", b"", json!("")),
        ("x", "text/xml", b"<a/>", json!("<a/>")),
        ("o", octets, b"\x00\xff\n", json!("\\x00ff0a")),
    ] {
        let answer = with(s.post(&format!("/rpc/{name}"), json!({})), kind, body).await.is(200);
        assert_eq!(answer.json(), result, "{name} {kind}");
    }
    for (name, kind, body, code) in [
        ("j", json, &b"[1]"[..], "PGRST102"),
        ("x", "text/xml", b"<a", "2200N"),
        ("t", "text/plain", b"a\x00b", "22021"),
        ("t", "text/html", b"a", "PGRST102"),
    ] {
        let answer = with(s.post(&format!("/rpc/{name}"), json!({})), kind, body).await.is(400);
        assert_eq!(answer.json()["code"], code, "{name} {kind}");
    }
    for (name, kind, message, details) in [
        ("j", "text/plain", "api.j in", "api.j with a single unnamed text parameter, but"),
        ("t", "text/xml", "api.t in", "api.t with a single unnamed xml parameter, but"),
        ("t", octets, "api.t in", "api.t with a single unnamed bytea parameter, but"),
        ("t", json, "api.t(a) in", "api.t with parameter a or with a single unnamed json/jsonb parameter, but"),
        ("j", "text/csv", "api.j(a) in", "api.j with parameter a, but"),
    ] {
        let body: &[u8] = if kind == "text/csv" { b"a\n1" } else { br#"{"a":1}"# };
        let missing = with(s.post(&format!("/rpc/{name}"), json!({})), kind, body).await.is(404).json();
        assert_eq!(missing["message"], format!("Could not find the function {message} the schema cache"));
        let wanted = format!("Searched for the function {details} no matches were found in the schema cache.");
        assert_eq!((&missing["details"], &missing["hint"]), (&json!(wanted), &Value::Null));
    }
    let big = vec![0xa5_u8; 1 << 20];
    let length = with(s.post("/rpc/o?select=*", json!({})), octets, Box::leak(big.into_boxed_slice())).await.is(200);
    assert_eq!(length.body.len(), 2 + 3 + (2 << 20), "a megabyte within the time limit");
}

#[tokio::test]
async fn results_of_every_shape_are_returned() {
    let s = DataApi::start(
        "create table thing (id int primary key, name text);
         create table part (id int primary key, thing_id int references thing);
         insert into thing values (1, 'a'), (2, 'b'), (3, 'c');
         insert into part values (1, 1), (2, 1), (3, 2);
         create domain small as int check (value < 10);
         create function one_row(i int) returns thing language sql stable as 'select * from thing where id = i';
         create function rows_() returns setof thing language sql stable as 'select * from thing';
         create function table_() returns table (id int, name text) language sql stable as 'select * from thing';
         create function outs(out a int, out b text) language sql stable as $$ select 1, 'x' $$;
         create function out_one(out a int) language sql stable as 'select 1';
         create function inout_(inout a int, out b text) language sql stable as $$ select a, 'x' $$;
         create function numbers() returns setof int language sql stable as 'select generate_series(1, 5)';
         create function nothing() returns void language sql stable as '';
         create function null_() returns int language sql stable as 'select null::int';
         create function small_(a small) returns small language sql stable as 'select a'",
        &[],
    )
    .await;
    for (path, result) in [
        ("/rpc/one_row?i=1&select=name,part(id)", json!({ "name": "a", "part": [{ "id": 1 }, { "id": 2 }] })),
        ("/rpc/one_row?i=9", json!({ "id": null, "name": null })),
        (
            "/rpc/rows_?select=id,part(id)&part.id=gt.1&id=lt.3",
            json!([
                { "id": 1, "part": [{ "id": 2 }] }, { "id": 2, "part": [{ "id": 3 }] },
            ]),
        ),
        ("/rpc/table_?select=name&order=name.desc&limit=1", json!([{ "name": "c" }])),
        ("/rpc/outs", json!({ "a": 1, "b": "x" })),
        ("/rpc/outs?select=b", json!({ "b": "x" })),
        ("/rpc/out_one", json!({ "a": 1 })),
        ("/rpc/inout_?a=3", json!({ "a": 3, "b": "x" })),
        ("/rpc/numbers?limit=2&offset=1", json!([2, 3])),
        ("/rpc/null_", Value::Null),
        ("/rpc/small_?a=7", json!(7)),
    ] {
        assert_eq!(s.get(path).await.is(200).json(), result, "{path}");
    }
    assert_eq!(s.get("/rpc/small_?a=70").await.is(400).json()["code"], "23514");
    let void = s.get("/rpc/nothing").header("prefer", "count=exact").await.is(204);
    assert_eq!((void.header("content-type"), void.header("content-range")), ("", "0-0/1"));
    let part = s.get("/rpc/numbers?limit=2").header("prefer", "count=exact").await.is(206);
    assert_eq!(part.header("content-range"), "0-1/5");
    let past = s.get("/rpc/numbers?offset=7").header("prefer", "count=exact").await.is(416).json();
    assert_eq!(past["details"], "An offset of 7 was requested, but there are only 5 rows.");
    let none = s.request(Method::HEAD, "/rpc/one_row?i=1&name=eq.z").await.is(200);
    assert_eq!(none.header("content-range"), "*/0");
    let single = s.get("/rpc/numbers").header("accept", "application/vnd.pgrst.object+json").await.is(406).json();
    assert_eq!(single["details"], "The result contains 5 rows");
    let csv = s.get("/rpc/table_?limit=1").header("accept", "text/csv").await.is(200);
    assert_eq!(csv.body, "id,name\n1,a");
}

#[tokio::test]
async fn counts_of_functions_are_exact() {
    let sql = "create function numbers() returns setof int language sql stable as 'select generate_series(1, 9)'";
    let s = DataApi::start(sql, &[("PGRST_DB_MAX_ROWS", "2")]).await;
    for (count, range) in [("exact", "0-1/9"), ("estimated", "0-1/9"), ("planned", "0-1/*")] {
        let answer = s.get("/rpc/numbers").header("prefer", &format!("count={count}")).await;
        assert_eq!((answer.header("content-range"), answer.json()), (range, json!([1, 2])), "{count}");
    }
}

#[tokio::test]
async fn overloads_are_chosen_by_parameter_names_only() {
    let s = DataApi::start(
        "create function f() returns text language sql stable as $$ select 'none' $$;
         create function f(a int) returns text language sql stable as $$ select 'a' $$;
         create function f(a int, b int) returns text language sql stable as $$ select 'a b' $$;
         create function f(json) returns text language sql stable as $$ select 'json' $$;
         create function g(a int) returns int language sql stable as 'select 1';
         create function g(a text) returns int language sql stable as 'select 1';
         create function g(a int, b int default 1) returns int language sql stable as 'select 1'",
        &[],
    )
    .await;
    for (body, result) in
        [(json!({}), "none"), (json!({ "a": 1 }), "a"), (json!({ "b": 1, "a": 2 }), "a b"), (json!({ "z": 1 }), "json")]
    {
        assert_eq!(s.post("/rpc/f", body.clone()).await.is(200).json(), result, "{body}");
    }
    let several = s.get("/rpc/g?a=1").await.is(300).json();
    assert_eq!(
        several["message"],
        "Could not choose the best candidate function between: api.g(a => integer), api.g(a => text), \
         api.g(a => integer, b => integer)"
    );
    for (path, hint) in [
        ("/rpc/g?b=1", json!("Perhaps you meant to call the function api.g(a, b)")),
        ("/rpc/g?zzz=1", Value::Null),
        ("/rpc/h", Value::Null),
    ] {
        assert_eq!(s.get(path).await.is(404).json()["hint"], hint, "{path}");
    }
}

#[tokio::test]
async fn only_volatile_functions_may_write() {
    let s = DataApi::start(
        "create table log (id int generated always as identity, who text);
         create function note() returns text language sql as
             $$ insert into log (who) values ('x') returning current_setting('transaction_read_only') $$;
         create function look() returns text language sql stable as $$ select current_setting('transaction_read_only') $$;
         create function lie() returns int language plpgsql stable as
             $$ begin execute 'insert into api.log default values'; return 1; end $$",
        &[],
    )
    .await;
    assert_eq!(s.post("/rpc/note", json!({})).await.is(200).json(), "off");
    assert_eq!(s.post("/rpc/look", json!({})).await.is(200).json(), "on");
    assert_eq!(s.get("/rpc/look").await.is(200).json(), "on");
    assert_eq!(s.get("/rpc/note").await.is(405).json()["code"], "25006");
    assert_eq!(s.post("/rpc/lie", json!({})).await.is(400).json()["code"], "0A000");
    assert_eq!(s.get("/log?select=who").await.json(), json!([{ "who": "x" }]));
    let strict = "handling=strict, max-affected=9";
    let single = s.post("/rpc/note", json!({})).header("prefer", strict).await.is(400).json();
    assert_eq!(single["code"], "PGRST128");
}
