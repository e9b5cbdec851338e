//! Neither the log nor a response contains a secret.

use serde_json::json;

use crate::kit::{Account, Calls, Launch, PASSWORD, Server, secrets};

#[tokio::test]
async fn the_log_contains_no_secret() {
    let launch = Launch::new(Account::Ours).env("DUGOUT_LOG", "debug");
    let mut dugout = launch.start().await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let session = dugout.post("/auth/v1/signup", body.clone()).await.is(200).json();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let (access, refresh) = (text(&session["access_token"]), text(&session["refresh_token"]));
    dugout.get("/auth/v1/user").bearer(&access).await.is(200);
    dugout.get("/rest/v1/users?select=id").bearer(&access).await.is(200);
    dugout.get(&format!("/rest/v1/users?email=eq.{access}")).bearer("not.a.token").await.is(401);
    let refreshed = json!({ "refresh_token": refresh });
    dugout.post("/auth/v1/token?grant_type=refresh_token", refreshed).await.is(200);
    dugout
        .post("/auth/v1/token?grant_type=password", json!({ "email": "ana@x.test", "password": "wrong one" }))
        .await
        .is(400);

    let status = launch.command(["status", "-o", "json", "--data-dir"]).arg(launch.data_dir()).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    dugout.stop().await;
    let log = dugout.log();
    assert!(log.contains("/auth/v1/signup"), "the log is on: {log}");
    for (what, secret) in [
        ("password", PASSWORD.to_owned()),
        ("wrong password", "wrong one".to_owned()),
        ("access token", access),
        ("refresh token", refresh),
        ("JWT secret", text(&status["JWT_SECRET"])),
        ("service_role key", text(&status["SERVICE_ROLE_KEY"])),
        ("secret key", text(&status["SECRET_KEY"])),
    ] {
        assert!(!log.contains(&secret), "the {what} is in the log");
    }
}

#[tokio::test]
async fn secret_files_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let launch = Launch::new(Account::Ours);
    let _dugout = launch.start().await;
    let mut seen = 0;
    for entry in std::fs::read_dir(launch.data_dir()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.ends_with(".json") {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 2, "secrets.json and state.json are there");
}

/// The tests search the log for every secret they learn. This shows that they would find one.
#[tokio::test]
async fn a_leak_planted_in_the_log_is_found_once() {
    use base64::Engine;
    let mut s = Server::start().await;
    let mut ana = s.signed_up("ana@x.test").await;
    ana.refresh().await.is(200);
    // A secret that no other test has: all servers of this process share one log.
    let own = "a phrase of this test alone";
    ana.put("/auth/v1/user", json!({ "password": own })).await.is(200);
    assert_eq!(s.leaks(), []);
    let token = &ana.refresh_token;
    let plain = format!("trading {token} in");
    let base64 = base64::prelude::BASE64_STANDARD.encode(format!("{{\"refresh_token\":\"{token}\"}}"));
    let password: String = url::form_urlencoded::byte_serialize(own.as_bytes()).collect();
    for (planted, secret) in [(plain, token.as_str()), (base64, token), (format!("?password={password}"), own)] {
        tracing::info!(planted);
        let leaks = s.leaks();
        assert_eq!(leaks.len(), 1, "{leaks:?}");
        assert_eq!(leaks[0].secret, secret);
        assert_eq!(s.leaks(), [], "and only once");
    }
    secrets::learn(&s.url, "something else that is secret");
    tracing::debug!("nothing to see here");
    assert_eq!(s.leaks(), []);
}
