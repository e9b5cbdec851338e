//! Functions in Rust, with one that is registered for these tests only.

use std::sync::Once;

use reqwest::Method;
use serde_json::json;
use server::functions::native::{Call, Native, NativeError, Reply, register};

use crate::kit::{Calls, Request, Server};

const NATIVES: &[Native] = &[Native { name: "native-test", verify_jwt: true, handler: |call| Box::pin(work(call)) }];

/// Tells what it sees, and does what the path asks for.
async fn work(call: &Call<'_>) -> Result<Reply, NativeError> {
    use pg::pool::Query;
    let row = call.transaction.query_one("select current_user::text, auth.uid()::text", &[]).await?;
    match call.path {
        "/rename" => {
            let name = String::from_utf8_lossy(call.body).into_owned();
            let sql = "update public.users set full_name = $1 where id = auth.uid()";
            call.transaction.execute(sql, &[&name]).await?;
            if call.query == "fail" {
                return Err(NativeError::bad_request("on purpose"));
            }
            Ok(Reply { status: 201, body: json!(name) })
        }
        "/forbidden" => {
            call.transaction.execute("delete from auth.users", &[]).await?;
            Ok(Reply::ok(json!(null)))
        }
        path => Ok(Reply::ok(json!({
            "role": row.get::<_, String>(0), "user": row.get::<_, Option<String>>(1), "method": call.method, "path": path,
            "query": call.query, "length": call.body.len(),
        }))),
    }
}

async fn server() -> Server {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| register(NATIVES));
    Server::start().await
}

const AT: &str = "/functions/v1/native-test";

#[tokio::test]
async fn a_native_function_works_in_the_role_of_its_caller() {
    let s = server().await;
    let ana = s.signed_up("ana@x.test").await;
    let seen = ana.post(&format!("{AT}/a?b=c"), json!([1, 2])).await.is(200);
    assert_eq!(seen.header("access-control-allow-origin"), "*");
    let wanted = json!({
        "role": "authenticated", "user": ana.id, "method": "POST", "path": "/a", "query": "b=c", "length": 5,
    });
    assert_eq!(seen.json(), wanted);
    // The API key alone stands for anon.
    assert_eq!(s.get(AT).await.is(200).json()["role"], "anon");
    let nobody = Request::of(Method::POST, &format!("{}{AT}", s.url)).await.is(401);
    assert_eq!(nobody.json(), json!({ "msg": "Error: Missing authorization header" }));
    let preflight = Request::of(Method::OPTIONS, &format!("{}{AT}", s.url));
    let preflight = preflight.header("origin", "https://x.test").header("access-control-request-method", "POST");
    assert_eq!(preflight.await.is(204).header("access-control-allow-methods"), "POST");
}

#[tokio::test]
async fn its_work_is_kept_after_a_reply_and_undone_after_an_error() {
    let s = server().await;
    let ana = s.signed_up("ana@x.test").await;
    let rename =
        |query: &str, name: &str| ana.request(Method::POST, &format!("{AT}/rename{query}")).body(name.to_owned());
    let name = async || ana.get("/rest/v1/users?select=full_name").await.is(200).json()[0]["full_name"].clone();
    rename("", "Ana Kept").await.is(201);
    assert_eq!(name().await, "Ana Kept");
    let failed = rename("?fail", "Ana Undone").await.is(400);
    assert_eq!(failed.json(), json!({ "code": "BAD_REQUEST", "message": "on purpose" }));
    assert_eq!(name().await, "Ana Kept");
    let forbidden = ana.get(&format!("{AT}/forbidden")).await.is(403).json();
    assert_eq!(forbidden["code"], "42501");
    let limit = gateway::body::DEFAULT_LIMIT;
    for (length, status) in [(limit, 200), (limit + 1, 413)] {
        ana.request(Method::POST, AT).body("x".repeat(length)).await.is(status);
    }
}
