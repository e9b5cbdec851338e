//! Check 13: no endpoint reveals whether an address has an account, or a banned one. The response and the work are the same.

use serde_json::{Value, json};

use crate::kit::{Answer, Calls, Database, PASSWORD, Request, Server, Wiretap, free_port};

const SLOW: &[(&str, &str)] = &[("GOTRUE_MAILER_AUTOCONFIRM", "false"), ("GOTRUE_SMTP_MAX_FREQUENCY", "1h")];

/// Status, code and the names of all fields.
fn shape(answer: &Answer) -> (u16, String, Vec<String>) {
    let body: Value = answer.json();
    let keys = body.as_object().unwrap().keys().cloned().collect();
    (answer.status, answer.header("x-sb-error-code").to_owned(), keys)
}

const KNOWN: &[&str] =
    &["known0@x.test", "known@x.test", "known2@x.test", "known3@x.test", "known4@x.test", "known5@x.test"];
const WAITING: &[&str] = &["waiting@x.test", "waiting2@x.test", "waiting3@x.test", "waiting4@x.test"];
const BANNED: &[&str] = &["banned@x.test", "banned2@x.test", "banned3@x.test", "banned4@x.test"];

/// (path, a body for a known address, the same for an unknown one, the status of the second request)
fn cases() -> Vec<(&'static str, Value, Value, u16)> {
    let challenge = "a".repeat(43);
    let email = |address: &str| json!({ "email": address });
    let pkce =
        |address: &str| json!({ "email": address, "code_challenge": challenge, "code_challenge_method": "plain" });
    let resend = |address: &str| json!({ "type": "signup", "email": address });
    let password = |address: &str| json!({ "email": address, "password": "a wrong password" });
    let body = |address: &str| json!({ "email": address, "password": PASSWORD, "data": { "a": 1 } });
    vec![
        ("/auth/v1/recover", email("known@x.test"), email("nobody@x.test"), 429),
        ("/auth/v1/recover", pkce("waiting@x.test"), pkce("nobody3@x.test"), 429),
        ("/auth/v1/resend", resend("waiting@x.test"), resend("nobody2@x.test"), 429),
        ("/auth/v1/token?grant_type=password", password("known@x.test"), password("nobody@x.test"), 400),
        ("/auth/v1/signup", body("known@x.test"), body("new@x.test"), 429),
        ("/auth/v1/signup", body("waiting2@x.test"), body("new2@x.test"), 429),
        ("/auth/v1/otp", email("known2@x.test"), email("new3@x.test"), 429),
        ("/auth/v1/otp", pkce("known3@x.test"), pkce("new4@x.test"), 429),
        ("/auth/v1/otp", email("waiting3@x.test"), email("new5@x.test"), 429),
        ("/auth/v1/magiclink", email("known4@x.test"), email("new6@x.test"), 429),
        ("/auth/v1/resend", resend("known5@x.test"), resend("nobody4@x.test"), 429),
        ("/auth/v1/token?grant_type=password", password("waiting4@x.test"), password("nobody@x.test"), 400),
        ("/auth/v1/recover", email("banned@x.test"), email("nobody5@x.test"), 429),
        ("/auth/v1/resend", resend("banned2@x.test"), resend("nobody6@x.test"), 429),
        ("/auth/v1/token?grant_type=password", password("banned@x.test"), password("nobody@x.test"), 400),
        ("/auth/v1/signup", body("banned3@x.test"), body("new7@x.test"), 429),
        ("/auth/v1/otp", email("banned4@x.test"), email("new8@x.test"), 429),
    ]
}

/// How many passwords have been hashed.
async fn hashes(admin: &str) -> usize {
    let metrics = Request::to_get(&format!("{admin}/metrics")).await.is(200).body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(r#"dugout_events_total{name="password_hashed"} "#));
    line.map_or(0, |count| count.parse().unwrap())
}

#[tokio::test]
async fn known_and_unknown_addresses_get_the_same_response_after_the_same_statements() {
    let database = Database::cloned().await;
    let tap = Wiretap::on(&database, "supabase_auth_admin");
    // One connection for auth, so that its statements are prepared before the counting.
    let port = free_port().to_string();
    let admin = format!("http://127.0.0.1:{port}");
    let url = tap.database_url.as_str();
    let own = [("DATABASE_URL", url), ("DUGOUT_DB_POOL", "4"), ("DUGOUT_ADMIN_PORT", &port)];
    let settings: Vec<(&str, &str)> = SLOW.iter().copied().chain(own).collect();
    let s = Server::over(database, &settings).await;
    let sign_up = |email: &str| s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD }));
    for email in KNOWN.iter().chain(WAITING).chain(BANNED) {
        sign_up(email).await.is(200);
    }
    let db = s.database.connect().await;
    let confirm =
        "update auth.users set email_confirmed_at = now(), confirmation_sent_at = null where email ~ '^(known|banned)'";
    db.execute(confirm, &[]).await.unwrap();
    let ban = "update auth.users set banned_until = now() + interval '1 year' where email ~ '^banned'";
    assert_eq!(db.execute(ban, &[]).await.unwrap(), 4);
    db.execute("update auth.users set confirmation_sent_at = null where email ~ '^waiting'", &[]).await.unwrap();
    let challenge = "a".repeat(43);
    let pkce =
        |address: &str| json!({ "email": address, "code_challenge": challenge, "code_challenge_method": "plain" });
    for (path, body) in
        [("recover", pkce("warm@x.test")), ("resend", json!({ "type": "signup", "email": "warm@x.test" }))]
    {
        s.post(&format!("/auth/v1/{path}"), body).await.is(200);
    }
    for address in ["known0@x.test", "warm2@x.test"] {
        s.post("/auth/v1/otp", pkce(address)).await.is(200);
    }
    for (path, known, unknown, second) in cases() {
        for time in ["first", "second"] {
            // The previous request's transaction is rolled back a moment after its answer.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            let before = hashes(&admin).await;
            tap.statements();
            let one = s.post(path, known.clone()).await;
            let for_known = (tap.statements(), hashes(&admin).await - before);
            let other = s.post(path, unknown.clone()).await;
            let for_unknown = (tap.statements(), hashes(&admin).await - before - for_known.1);
            assert_eq!(shape(&one), shape(&other), "{path} {known}, {time}: {} {}", one.body, other.body);
            if time == "second" {
                assert_eq!(one.status, second, "{path}: {}", one.body);
            } else {
                assert_eq!(for_known, for_unknown, "{path} {known}: statements and hashes");
                assert!(for_known.0 > 0, "the wiretap sees no statement");
            }
        }
    }
    let rows: i64 = db.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(rows, 23, "14 users signed up before, 9 are new, and unknown addresses create no rows");
}

#[tokio::test]
async fn a_taken_address_looks_like_a_free_one_from_sign_up_to_resend() {
    let s = Server::with(SLOW).await;
    let sign_up = |email: &str| s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD }));
    sign_up("taken@x.test").await.is(200);
    let db = s.database.connect().await;
    db.execute("update auth.users set email_confirmed_at = now(), confirmation_sent_at = null", &[]).await.unwrap();
    let (taken, free) = (sign_up("taken@x.test").await.is(200), sign_up("free@x.test").await.is(200));
    assert_eq!(shape(&taken), shape(&free));
    for email in ["taken@x.test", "free@x.test"] {
        let again = s.post("/auth/v1/resend", json!({ "type": "signup", "email": email })).await.is(429);
        assert!(again.json()["msg"].as_str().unwrap().starts_with("For security purposes"), "{}", again.body);
    }
}
