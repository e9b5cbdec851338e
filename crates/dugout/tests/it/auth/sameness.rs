//! Whether an address has an account is nobody's business: the same answer, after the same work.

use serde_json::{Value, json};

use crate::kit::{Answer, Calls, Database, PASSWORD, Server, Wiretap};

const SLOW: &[(&str, &str)] = &[("GOTRUE_MAILER_AUTOCONFIRM", "false"), ("GOTRUE_SMTP_MAX_FREQUENCY", "1h")];

/// Status, code and the names of all fields.
fn shape(answer: &Answer) -> (u16, String, Vec<String>) {
    let body: Value = answer.json();
    let keys = body.as_object().unwrap().keys().cloned().collect();
    (answer.status, answer.header("x-sb-error-code").to_owned(), keys)
}

#[tokio::test]
async fn known_and_unknown_addresses_get_the_same_answer_after_the_same_statements() {
    let database = Database::cloned().await;
    let tap = Wiretap::on(&database, "supabase_auth_admin");
    // One connection for auth, so that what a connection learns once is learnt before the counting.
    let own = [("DATABASE_URL", tap.database_url.as_str()), ("DUGOUT_DB_POOL", "4")];
    let settings: Vec<(&str, &str)> = SLOW.iter().copied().chain(own).collect();
    let s = Server::over(database, &settings).await;
    let sign_up = |email: &str| s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD }));
    for email in ["known@x.test", "waiting@x.test"] {
        sign_up(email).await.is(200);
    }
    let db = s.database.connect().await;
    let confirm =
        "update auth.users set email_confirmed_at = now(), confirmation_sent_at = null where email = 'known@x.test'";
    db.execute(confirm, &[]).await.unwrap();
    db.execute("update auth.users set confirmation_sent_at = null where email = 'waiting@x.test'", &[]).await.unwrap();
    let challenge = "a".repeat(43);
    let email = |address: &str| json!({ "email": address });
    let pkce =
        |address: &str| json!({ "email": address, "code_challenge": challenge, "code_challenge_method": "plain" });
    let resend = |address: &str| json!({ "type": "signup", "email": address });
    let password = |address: &str| json!({ "email": address, "password": "a wrong password" });
    let body = |address: &str| json!({ "email": address, "password": PASSWORD, "data": { "a": 1 } });
    // (path, a body for a known address, the same for an unknown one, what the second time is answered)
    let cases = [
        ("/auth/v1/recover", email("known@x.test"), email("nobody@x.test"), 429),
        ("/auth/v1/recover", pkce("waiting@x.test"), pkce("nobody3@x.test"), 429),
        ("/auth/v1/resend", resend("waiting@x.test"), resend("nobody2@x.test"), 429),
        ("/auth/v1/token?grant_type=password", password("known@x.test"), password("nobody@x.test"), 400),
        ("/auth/v1/signup", body("known@x.test"), body("new@x.test"), 429),
    ];
    for (path, body) in [("recover", pkce("warm@x.test")), ("resend", resend("warm@x.test"))] {
        s.post(&format!("/auth/v1/{path}"), body).await.is(200);
    }
    for (path, known, unknown, second) in cases {
        for time in ["first", "second"] {
            // What was given up the time before is rolled back a moment after its answer.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            tap.statements();
            let one = s.post(path, known.clone()).await;
            let for_known = tap.statements();
            let other = s.post(path, unknown.clone()).await;
            let for_unknown = tap.statements();
            assert_eq!(shape(&one), shape(&other), "{path}, {time}: {} {}", one.body, other.body);
            if time == "second" {
                assert_eq!(one.status, second, "{path}: {}", one.body);
            } else {
                assert_eq!(for_known, for_unknown, "{path}: statements");
                assert!(for_known > 0, "the tap hears nothing");
            }
        }
    }
    let rows: i64 = db.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(rows, 3, "a stranger leaves nothing behind");
}

#[tokio::test]
async fn a_taken_address_looks_like_a_free_one_from_signing_up_to_asking_again() {
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
