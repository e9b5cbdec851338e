//! Malformed and hostile requests, byte by byte, against the real binary. Each has the status, code, message, details
//! and hint that PostgREST's source gives it. Where PostgREST has none, because a server in front of it would answer,
//! the table states ours.

mod expected;
mod requests;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::kit::{Calls, DataProcess};
use expected::Expected;
use requests::{Hostile, requests};

const SECRET: &str = "a secret of thirty-two characters";
const SQL: &str = "create table t (id int primary key, v text, data jsonb, n numeric);
    insert into t values (1, 'one', '{}', 1), (2, 'two', '{}', 2);
    create table \"naïve ⚾\" (\"größe\" int);
    create function add(a int, b int) returns int language sql immutable as $$ select a + b $$;";

/// The response to raw bytes: status, raw headers, body.
async fn send(url: &str, bytes: &[u8]) -> (u16, String, String) {
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).await.unwrap();
    // The server may close the connection before everything is sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let patience = std::time::Duration::from_secs(20);
    let _ = tokio::time::timeout(patience, stream.read_to_end(&mut answer)).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    // The rest of a request's body may have been answered as another request.
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(body.len());
    (status, head.to_owned(), body.get(..length).unwrap_or(body).to_owned())
}

fn as_expected(request: &Hostile, (status, head, body): &(u16, String, String)) -> Result<(), String> {
    let seen = || format!("{}: {status} {body}\n{head}", request.name);
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let matches = match &request.expected {
        Expected::Ok(expected) => status == expected,
        Expected::Refused(expected) => {
            status == expected && ["PGRST100", "PGRST102"].map(Value::from).contains(&json["code"])
        }
        Expected::Code(expected, code) => status == expected && json["code"] == *code,
        Expected::Error(expected, code, message, details, hint) => {
            let wanted = json!({ "code": code, "message": message, "details": details, "hint": hint });
            status == expected && json == wanted && head.contains(&format!("proxy-status: PostgREST; error={code}"))
        }
    };
    if matches { Ok(()) } else { Err(seen()) }
}

#[tokio::test]
async fn hostile_requests_get_upstreams_responses() {
    let s = DataProcess::start(SQL, &[("PGRST_JWT_SECRET", SECRET)]).await;
    let mut wrong = Vec::new();
    let all = requests();
    for request in &all {
        let answer = send(&s.url, &request.bytes).await;
        wrong.extend(as_expected(request, &answer).err());
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n\n"));
    // The data is unchanged.
    assert_eq!(s.get("/t?select=id&id=in.(1,2)&order=id").await.is(200).json(), json!([{ "id": 1 }, { "id": 2 }]));

    // Without a database to connect to, every check that precedes the database still fails as before.
    s.cut_off_database().await;
    s.get("/t").await.is(503);
    let mut asked = Vec::new();
    let before = all.iter().filter(|request| request.is_answered_alone());
    assert!(before.clone().count() > 40, "most of these need no database");
    for request in before {
        let answer = send(&s.url, &request.bytes).await;
        asked.extend(as_expected(request, &answer).err());
    }
    assert!(asked.is_empty(), "these ask the database:\n{}", asked.join("\n\n"));
}
