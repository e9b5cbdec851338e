//! Large requests, and the named limits.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PATIENCE, PATIENCE_SQL};
use crate::kit::{Calls, DataApi};

const NUMBERS: &str = "create table numbers (id int primary key);
    insert into numbers select generate_series(0, 99999);
    create function among(ids int[]) returns setof numbers language sql stable
    as $$ select * from numbers where id = any(ids) $$;";

#[tokio::test]
async fn ten_thousand_ids_are_one_parameter() {
    let s = DataApi::start(&format!("{PATIENCE_SQL} {NUMBERS}"), &[PATIENCE]).await;
    let ids: Vec<String> = (0..10_000).map(|n| (n * 5).to_string()).collect();
    let found = s.get(&format!("/numbers?select=id&id=in.({})", ids.join(","))).await.is(200);
    assert_eq!(found.json().as_array().unwrap().len(), 10_000);
    // Node fails at 16 kB of headers.
    assert_eq!(found.header("content-location"), "");
    let ids: Vec<usize> = (0..10_000).map(|n| n * 5).collect();
    let found = s.post("/rpc/among", json!({ "ids": ids })).await.is(200);
    assert_eq!(found.json().as_array().unwrap().len(), 10_000);
    let deleted =
        s.delete(&format!("/numbers?id=in.({})", ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")));
    assert_eq!(deleted.header("prefer", "count=exact").await.is(204).header("content-range"), "*/10000");
}

#[tokio::test]
async fn urls_have_a_limit() {
    let s = DataApi::start(&format!("{PATIENCE_SQL} {NUMBERS}"), &[PATIENCE]).await;
    let path = "/numbers?id=eq.1&id=in.(1";
    for (extra, status) in [(0, 200), (1, 414)] {
        // The question mark does not count.
        let filler = ",1".repeat((60_000 - path.len()) / 2) + &"0".repeat((60_000 - path.len()) % 2);
        let url = format!("{path}{filler}{})", "0".repeat(extra));
        assert_eq!(url.len() - 1, 60_000 + extra);
        let answer = s.get(&url).await.is(status);
        if status == 414 {
            let hint = "Long lists of values can be sent as the argument of a function, by POST.";
            let body = json!({
                "code": "PGRST100", "message": "The URL is longer than 60000 bytes", "details": null, "hint": hint,
            });
            assert_eq!(answer.json(), body);
        }
    }
}

#[tokio::test]
async fn filters_have_a_limit() {
    let s = DataApi::start(&format!("{PATIENCE_SQL} {NUMBERS}"), &[PATIENCE]).await;
    let url = |filters: usize| format!("/numbers?{}", vec!["id=gt.9"; filters].join("&"));
    s.get(&url(1000)).await.is(200);
    let answer = s.get(&url(1001)).await.is(400).json();
    assert_eq!(answer["message"], "The query has more than 1000 filters");
}

#[tokio::test]
async fn embeds_have_a_depth() {
    let s = DataApi::start("create table t (id int primary key, up int references t);", &[]).await;
    let url = |depth: usize| format!("/t?select={}id{}", "up(".repeat(depth), ")".repeat(depth));
    s.get(&url(32)).await.is(200);
    assert_eq!(s.get(&url(33)).await.is(400).json()["code"], "PGRST100");
}

#[tokio::test]
async fn bodies_have_a_limit() {
    const LIMIT: usize = 64 * 1024 * 1024;
    let s = DataApi::start(&format!("{PATIENCE_SQL} create table t (v text);"), &[PATIENCE]).await;
    let frame = r#"[{"v":""}]"#.len();
    for (length, status) in [(LIMIT, 201), (LIMIT + 1, 413)] {
        let body = format!(r#"[{{"v":"{}"}}]"#, "x".repeat(length - frame));
        let answer = s.request(Method::POST, "/t").body(body).await.is(status);
        if status == 413 {
            assert_eq!(answer.json()["message"], "The request body is larger than 67108864 bytes");
        }
    }
    // A method that ignores its body has no limit, and the request after the body is still parsed.
    for _ in 0..2 {
        s.request(Method::GET, "/t?limit=1&select=count:v").body("x".repeat(LIMIT + 1)).await.is(200);
    }
    let client = s.database.connect().await;
    let stored: i64 = client.query_one("select sum(length(v)) from api.t", &[]).await.unwrap().get(0);
    assert_eq!(stored, i64::try_from(LIMIT - frame).unwrap());
}

#[tokio::test]
async fn bulk_inserts_pass_as_json_and_csv() {
    let s =
        DataApi::start(&format!("{PATIENCE_SQL} create table t (id int, name text, note text);"), &[PATIENCE]).await;
    let client = s.database.connect().await;
    let json: Vec<Value> =
        (0..20_000).map(|n| json!({ "id": n, "name": format!("n{n}"), "note": "a,\"b\"\n⚾" })).collect();
    let csv: String = (0..20_000).map(|n| format!("{n},n{n},\"a,\"\"b\"\"\n⚾\"\n")).collect();
    for (content_type, body) in
        [("application/json", Value::Array(json).to_string()), ("text/csv", format!("id,name,note\n{csv}"))]
    {
        s.request(Method::POST, "/t").body(body).header("content-type", content_type).await.is(201);
        let sum = "select count(*), sum(id), count(distinct name), min(note) from api.t";
        let row = client.query_one(sum, &[]).await.unwrap();
        assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1), row.get::<_, i64>(2)), (20_000, 199_990_000, 20_000));
        assert_eq!(row.get::<_, &str>(3), "a,\"b\"\n⚾");
        client.batch_execute("truncate api.t").await.unwrap();
    }
}
