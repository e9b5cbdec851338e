//! Long responses: forwarded while PostgreSQL sends them, whatever the client does.

use std::time::{Duration, Instant};

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{PATIENCE, PATIENCE_SQL};
use crate::kit::{Calls, DataApi, DataProcess};

/// 100,000 rows; as JSON 28 MB.
const ROWS: &str = "create table readings as
    select n as id, repeat(md5(n::text), 8) as text from generate_series(1, 100000) n;";

/// 150 MB as JSON, fast to create.
const LONG: &str =
    "create table long as select n as id, repeat('0123456789', 100000) as text from generate_series(1, 150) n;";

async fn long(settings: &[(&str, &str)]) -> DataApi {
    DataApi::start(&format!("{PATIENCE_SQL} {LONG}"), settings).await
}

/// A request on a raw socket, which reads only when told to.
async fn ask(url: &str, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap();
    socket.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut start = [0; 15];
    socket.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200 OK");
    socket
}

/// Waits until `expected` of the server's connections match a condition on `pg_stat_activity`.
async fn activity(s: &DataApi, condition: &str, expected: i64, patience: Duration) {
    let client = s.database.connect().await;
    let sql = format!(
        "select count(*) from pg_stat_activity
         where usename = 'authenticator' and datname = current_database() and query ilike '%select%' and {condition}"
    );
    let begun = Instant::now();
    while client.query_one(&sql, &[]).await.unwrap().get::<_, i64>(0) != expected {
        assert!(begun.elapsed() < patience, "never {expected} connections with {condition}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_long_body_arrives_complete_in_every_format() {
    let s = DataApi::start(
        &format!(
            "{PATIENCE_SQL} {ROWS}
             create domain \"application/octet-stream\" as bytea;
             create function noise() returns \"application/octet-stream\" language sql stable
             as $$ select string_agg(sha256(n::text::bytea), '' order by n)::bytea from generate_series(1, 50000) n $$;"
        ),
        &[PATIENCE],
    )
    .await;
    let client = s.database.connect().await;
    let sum = async |sql: &str| client.query_one(sql, &[]).await.unwrap().get::<_, String>(0);

    for attempt in 0..2 {
        let json = s.get("/readings?order=id").header("prefer", "count=exact").await.is(200);
        assert_eq!(json.header("content-range"), "0-99999/100000");
        assert_eq!(json.header("content-type"), "application/json; charset=utf-8");
        assert_eq!(json.header("content-length"), json.body.len().to_string(), "attempt {attempt}");
        let expected = "select md5(json_agg(r)::text) from (select * from api.readings order by id) r";
        assert_eq!(md5(&client, json.body.as_bytes()).await, sum(expected).await);
    }
    let csv = s.get("/readings?order=id").header("accept", "text/csv").await.is(200);
    assert_eq!(csv.body.lines().count(), 100_001);
    assert_eq!(csv.body.lines().last().unwrap().split(',').next(), Some("100000"));

    let noise = reqwest::Client::new()
        .get(format!("{}/rpc/noise", s.url))
        .header("accept", "application/octet-stream")
        .send()
        .await
        .unwrap();
    assert_eq!((noise.status().as_u16(), noise.content_length()), (200, Some(1_600_000)));
    let noise = noise.bytes().await.unwrap();
    assert_eq!(md5(&client, &noise).await, sum("select md5(api.noise())").await);

    let singular = s.get("/readings?limit=2").header("accept", "application/vnd.pgrst.object+json").await;
    assert_eq!(singular.is(406).json()["code"], "PGRST116");
    s.request(Method::HEAD, "/readings").await.is(200);
    activity(&s, "state <> 'idle'", 0, Duration::from_secs(5)).await;
}

async fn md5(client: &tokio_postgres::Client, bytes: &[u8]) -> String {
    client.query_one("select md5($1::bytea)", &[&bytes]).await.unwrap().get(0)
}

#[tokio::test]
async fn a_long_body_takes_little_memory() {
    let s = DataProcess::start(&format!("{PATIENCE_SQL} {ROWS} {LONG}"), &[PATIENCE]).await;
    for path in ["/readings", "/long"] {
        s.get("/readings?limit=1").await.is(200);
        let before = memory(s.pid(), "VmRSS");
        forget_peak(s.pid());
        let mut answer = reqwest::get(format!("{}{path}", s.url)).await.unwrap();
        let mut length = 0;
        while let Some(piece) = answer.chunk().await.unwrap() {
            length += piece.len();
        }
        assert!(length > 28_000_000, "{length}");
        let extra = memory(s.pid(), "VmHWM").saturating_sub(before);
        assert!(extra < 32 * 1024, "{path}: {length} bytes took {extra} kB");
    }
}

/// A value of `/proc/<pid>/status`, in kB.
fn memory(pid: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Resets `VmHWM`.
fn forget_peak(pid: u32) {
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
}

#[tokio::test]
async fn a_client_that_disconnects_releases_its_connection() {
    let s = long(&[PATIENCE, ("PGRST_DB_POOL", "1")]).await;
    for _ in 0..3 {
        let mut socket = ask(&s.url, "/long").await;
        socket.read_exact(&mut vec![0; 1_000_000]).await.unwrap();
        activity(&s, "state = 'active'", 1, Duration::from_secs(5)).await;
        drop(socket);
        activity(&s, "state <> 'idle'", 0, Duration::from_secs(10)).await;
        s.get("/long?select=id&limit=1").await.is(200);
    }
}

#[tokio::test]
async fn a_client_that_stops_reading_is_disconnected_after_30_seconds() {
    let s = long(&[PATIENCE, ("PGRST_DB_POOL", "1")]).await;
    let mut socket = ask(&s.url, "/long").await;
    activity(&s, "state = 'active'", 1, Duration::from_secs(5)).await;
    // The connection is held for that long, and then released.
    tokio::time::sleep(Duration::from_secs(20)).await;
    activity(&s, "state = 'active'", 1, Duration::from_secs(1)).await;
    activity(&s, "state <> 'idle'", 0, Duration::from_secs(15)).await;
    s.get("/long?select=id&limit=1").await.is(200);
    // The client receives fewer bytes than Content-Length announces, so it cannot take the response for complete.
    let mut rest = Vec::new();
    let ended = socket.read_to_end(&mut rest).await;
    let head = String::from_utf8_lossy(&rest[..200]).to_lowercase();
    let length: usize = head.split("content-length: ").nth(1).unwrap().split('\r').next().unwrap().parse().unwrap();
    assert!(length > 150_000_000 && rest.len() < 20_000_000, "{} of {length} bytes, {ended:?}", rest.len());
}

#[tokio::test]
async fn an_incomplete_response_closes_the_connection() {
    let s = long(&[PATIENCE]).await;
    let mut socket = ask(&s.url, "/long").await;
    let client = s.database.connect().await;
    let kill = "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
                where usename = 'authenticator' and datname = current_database() and state = 'active'";
    assert_eq!(client.query_one(kill, &[]).await.unwrap().get::<_, i64>(0), 1);
    let mut rest = Vec::new();
    let _ = socket.read_to_end(&mut rest).await;
    assert!(rest.len() < 150_000_000, "{}", rest.len());
    s.get("/long?select=id&limit=1").await.is(200);
}

#[tokio::test]
async fn rows_of_a_rolled_back_transaction_are_sent() {
    let s =
        DataApi::start(&format!("{PATIENCE_SQL} {ROWS}"), &[PATIENCE, ("PGRST_DB_TX_END", "rollback-allow-override")])
            .await;
    let whole = s.get("/readings").await.is(200).body.len();
    assert_eq!(s.get("/readings").header("prefer", "tx=commit").await.is(200).body.len(), whole);
    let written = s.request(Method::PATCH, "/readings").header("prefer", "return=representation");
    let written = written.header("content-type", "application/json").body(r#"{"text":"x"}"#).await.is(200);
    assert_eq!(written.json().as_array().unwrap().len(), 100_000);
    assert_eq!(s.get("/readings").await.is(200).body.len(), whole);
    activity(&s, "state <> 'idle'", 0, Duration::from_secs(5)).await;
}
