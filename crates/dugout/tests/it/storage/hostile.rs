//! Uploads that stall, race and take memory.

use std::time::{Duration, Instant};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Calls, Server, Socket};

/// Additional time for a loaded machine.
const SLACK: Duration = Duration::from_secs(20);

/// Every signed-in user may add objects and see all of them, but change only their own. A trigger counts the attempted rows; its
/// sequence keeps its value when a transaction is rolled back.
const SHARED: &str = "
    create sequence public.tried;
    create function public.count_tries() returns trigger language plpgsql security definer as $$
      begin perform nextval('public.tried'); return new; end $$;
    create trigger count_tries before insert on storage.objects
      for each row execute function public.count_tries();
    insert into storage.buckets (id, name) values ('shared', 'shared');
    create policy add on storage.objects for insert to authenticated with check (bucket_id = 'shared');
    create policy see on storage.objects for select to authenticated using (bucket_id = 'shared');
    create policy change on storage.objects for update to authenticated using (owner_id = auth.uid()::text);";

/// An upload of five bytes whose first two were sent.
struct Begun(Socket);

impl Begun {
    /// Begins the upload and waits until its permission has been checked.
    async fn new(s: &Server, head: &str) -> Self {
        let db = s.database.connect().await;
        let tried = async || -> i64 {
            let row =
                db.query_one("select case when is_called then last_value else 0 end from public.tried", &[]).await;
            row.unwrap().get(0)
        };
        let before = tried().await;
        let mut socket = Socket::open(&s.url).await;
        socket.send(format!("{head}host: x\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nth")).await;
        let begun = Instant::now();
        while tried().await == before {
            assert!(begun.elapsed() < SLACK, "the permission is not decided before the body");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Begun(socket)
    }

    /// Sends the rest and returns the answer.
    async fn end(mut self) -> String {
        self.0.send("ief").await;
        self.0.until("}").await
    }
}

#[track_caller]
fn says(answer: &str, status: &str, code: &str) {
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.contains(&format!("\"statusCode\":\"{status}\"")), "{answer}");
    assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
}

#[tokio::test]
async fn a_stalled_upload_cannot_change_objects_of_others() {
    let s = Server::start().await;
    s.database.connect().await.batch_execute(SHARED).await.unwrap();
    let (ana, ben) = (s.signed_up("ana@storage.test").await, s.signed_up("ben@storage.test").await);
    let read = async |name: &str| ana.get(&format!("/storage/v1/object/shared/{name}")).await.is(200).body;
    let put = async |name: &str| -> Answer {
        ana.request(Method::POST, &format!("/storage/v1/object/shared/{name}")).body("owner").await.is(200)
    };
    let head = |name: &str, more: &str| {
        let token = &ben.access_token;
        format!("POST /storage/v1/object/shared/{name} HTTP/1.1\r\nauthorization: Bearer {token}\r\n{more}")
    };

    let stalled = Begun::new(&s, &head("new.txt", "")).await;
    put("new.txt").await;
    says(&stalled.end().await, "409", "KeyAlreadyExists");
    assert_eq!(read("new.txt").await, "owner");

    // With upsert, replacing the object that has appeared needs the permission to change it.
    let stalled = Begun::new(&s, &head("over.txt", "x-upsert: true\r\n")).await;
    put("over.txt").await;
    says(&stalled.end().await, "403", "AccessDenied");
    assert_eq!(read("over.txt").await, "owner");

    // A user's own object may be replaced, whatever happened meanwhile.
    let stalled = Begun::new(&s, &head("own.txt", "x-upsert: true\r\n")).await;
    let own = ben.request(Method::POST, "/storage/v1/object/shared/own.txt").body("first");
    own.await.is(200);
    assert!(stalled.end().await.starts_with("HTTP/1.1 200"));
    assert_eq!(read("own.txt").await, "thief");

    // Nor may it add an object that its policies refuse by now.
    let db = s.database.connect().await;
    for (name, more) in [("late.txt", ""), ("late-over.txt", "x-upsert: true\r\n")] {
        let stalled = Begun::new(&s, &head(name, more)).await;
        db.batch_execute("alter policy add on storage.objects with check (bucket_id = 'none')").await.unwrap();
        says(&stalled.end().await, "403", "AccessDenied");
        ana.get(&format!("/storage/v1/object/shared/{name}")).await.is(400);
        db.batch_execute("alter policy add on storage.objects with check (bucket_id = 'shared')").await.unwrap();
    }

    // A signed URL permits no more than its token says.
    let service = |path: &str| s.as_service(Method::POST, &format!("/storage/v1{path}"));
    let signed = service("/object/upload/sign/shared/signed.txt").await.is(200).json();
    let url = signed["url"].as_str().unwrap();
    let stalled = Begun::new(&s, &format!("PUT /storage/v1{url} HTTP/1.1\r\n")).await;
    put("signed.txt").await;
    says(&stalled.end().await, "409", "KeyAlreadyExists");
    assert_eq!(read("signed.txt").await, "owner");
    let signed = service("/object/upload/sign/shared/signed.txt").header("x-upsert", "true").await.is(200).json();
    let url = signed["url"].as_str().unwrap();
    s.request(Method::PUT, &format!("/storage/v1{url}")).body("again").await.is(200);
    assert_eq!(read("signed.txt").await, "again");
}

/// The start of a form with this metadata, and the header of its file.
fn form(metadata: &str) -> String {
    format!(
        "--b\r\ncontent-disposition: form-data; name=\"metadata\"\r\n\r\n{metadata}\r\n--b\r\n\
         content-disposition: form-data; name=\"\"; filename=\"a\"\r\ncontent-type: text/plain\r\n\r\n"
    )
}

/// Uploads a file with this metadata in a form.
async fn upload(s: &Server, key: &str, metadata: &str) -> Answer {
    let path = format!("/storage/v1/object/pub/{key}");
    let request = s.as_service(Method::POST, &path).body(form(metadata) + "hello\r\n--b--\r\n");
    request.header("x-upsert", "true").header("content-type", "multipart/form-data; boundary=b").await
}

async fn bucket(s: &Server) {
    s.as_service(Method::POST, "/storage/v1/bucket").json(&json!({ "name": "pub" })).await.is(200);
}

#[tokio::test]
async fn metadata_has_a_limit_and_is_stored_as_sent() {
    const LIMIT: usize = 1024 * 1024;
    let s = Server::start().await;
    bucket(&s).await;
    let stored = async |metadata: &str| -> Value {
        upload(&s, "a", metadata).await.is(200);
        s.as_service(Method::GET, "/storage/v1/object/info/pub/a").await.is(200).json()["metadata"].clone()
    };
    for metadata in [json!({ "b": [1, { "a": "ü\u{1f980}" }], "a": null }), json!({ "n": -1.5e3, "t": "\"\\/\n" })] {
        assert_eq!(stored(&metadata.to_string()).await, metadata);
    }
    // Anything that is not JSON is ignored, as is JSON that is nested too deeply.
    for metadata in ["{", "{} {}", "nul", "", "{\"a\":\"\\ud800\"}", "[1e999]", &"[".repeat(100_000)] {
        assert_eq!(stored(metadata).await, json!({}), "{metadata:.20}");
    }
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    assert_eq!(stored(&deep).await, json!({}));
    let of_length = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
    assert_eq!(stored(&of_length(LIMIT)).await["a"].as_str().unwrap().len(), LIMIT - 8);
    let too_long = upload(&s, "a", &of_length(LIMIT + 1)).await.is(400).json();
    assert_eq!(too_long["message"], "The user_metadata exceeded the maximum allowed size");
    // Other fields of a form have a short limit.
    let typed = async |length: usize| {
        let form =
            form("{}").replace("\"metadata\"\r\n\r\n{}", &format!("\"cacheControl\"\r\n\r\n{}", "9".repeat(length)));
        let request = s.as_service(Method::POST, "/storage/v1/object/pub/c").body(form + "hello\r\n--b--\r\n");
        request.header("x-upsert", "true").header("content-type", "multipart/form-data; boundary=b").await
    };
    typed(1024).await.is(200);
    let too_long = typed(1025).await.is(400).json();
    assert_eq!(too_long["message"], "The cacheControl exceeded the maximum allowed size");
}

#[tokio::test]
async fn stalled_metadata_uses_budget_for_its_length_only() {
    let s = Server::with(&[("DUGOUT_BUFFER_MEMORY", "4000000")]).await;
    bucket(&s).await;
    let metadata = format!("[{}0]", "0,".repeat(500_000));
    let stalled = async || {
        let mut socket = Socket::open(&s.url).await;
        let head = format!(
            "POST /storage/v1/object/pub/a HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: 40000000\r\n\r\n",
            s.service_role_key
        );
        socket.send(head).await;
        socket.send(form(&metadata)).await;
        socket
    };
    let mut held = Vec::new();
    let begun = Instant::now();
    let refused = loop {
        held.push(stalled().await);
        let answer = upload(&s, "b", &metadata).await;
        if answer.status != 200 {
            break answer;
        }
        assert!(held.len() < 20 && begun.elapsed() < SLACK, "the metadata of {} uploads is not counted", held.len());
    };
    assert_eq!((refused.status, refused.header("retry-after")), (503, "1"), "{}", refused.body);
    assert!(held.len() >= 3, "{} uploads fill a budget for three", held.len());
    upload(&s, "b", "{}").await.is(200);
    drop(held);
    let begun = Instant::now();
    while upload(&s, "b", &metadata).await.status != 200 {
        assert!(begun.elapsed() < SLACK, "the budget was not released");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Anonymous uploads have the limit of anonymous bodies.
    let s = Server::with(&[("DUGOUT_ANON_BODY_LIMIT", "1000")]).await;
    bucket(&s).await;
    let anonymous = async |length: usize| {
        let request = s.request(Method::POST, "/storage/v1/object/pub/a").bearer(&s.anon_key);
        let request = request.body(form(&"x".repeat(length)) + "hello\r\n--b--\r\n");
        request.header("content-type", "multipart/form-data; boundary=b").await.is(400).json()
    };
    assert_eq!(anonymous(1000).await["code"], "AccessDenied");
    assert_eq!(anonymous(1001).await["code"], "EntityTooLarge");
}

#[tokio::test]
async fn an_unknown_role_is_refused() {
    let s = Server::start().await;
    for role in ["service_role ", "nobody", ""] {
        let claims = json!({ "role": role, "exp": s.clock.unix() + 60 });
        let key = EncodingKey::from_secret(s.jwt_secret.as_bytes());
        let token = encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap();
        for (method, path) in [(Method::GET, "/storage/v1/bucket"), (Method::POST, "/storage/v1/object/pub/a")] {
            let answer = s.request(method, path).bearer(&token).await;
            assert!((400..500).contains(&answer.status), "{role:?} at {path}: {} {}", answer.status, answer.body);
            if !role.is_empty() && path.ends_with("bucket") {
                let message = format!("role \"{role}\" does not exist");
                let wanted =
                    json!({ "statusCode": "403", "error": "Unauthorized", "message": message, "code": "AccessDenied" });
                assert_eq!(answer.json(), wanted);
            }
        }
    }
}
