//! TOTP second factors.

use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Answer, AuthProcess, Calls, Database, PASSWORD, Server, User};

const KEY: &str = "pwFoiPyybQMqNmYVN0gUnpbfpGQV2sDv9vp0ZAxi_Y4";
/// Settings without the limits that a test with many attempts would reach.
const PATIENT: [(&str, &str); 1] = [("GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "10000")];

/// The code that an authenticator app shows now.
pub(super) fn code(s: &Server, secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(s.clock.now().timestamp()).unwrap()).to_string()
}

pub(super) async fn enroll(user: &User, name: &str) -> Answer {
    user.post("/auth/v1/factors", json!({ "factor_type": "totp", "friendly_name": name })).await
}

pub(super) async fn challenge(user: &User, factor: &Value) -> Value {
    let path = format!("/auth/v1/factors/{}/challenge", factor["id"].as_str().unwrap());
    user.post(&path, json!({})).await.is(200).json()
}

pub(super) async fn verify(user: &User, factor: &Value, challenge: &Value, code: &str) -> Answer {
    let path = format!("/auth/v1/factors/{}/verify", factor["id"].as_str().unwrap());
    user.post(&path, json!({ "challenge_id": challenge["id"], "code": code })).await
}

/// Moves the clock to the beginning of the next time step. Its code then stays the current one for 30 seconds.
fn next_step(s: &Server) {
    let step = 30_000;
    let into = s.clock.now().timestamp_millis().rem_euclid(step);
    s.clock.advance(chrono::TimeDelta::milliseconds(step - into));
}

/// A verified factor; the user continues with the session that verified it.
async fn verified(s: &Server, user: &mut User, name: &str) -> Value {
    let factor = enroll(user, name).await.is(200).json();
    prove(s, user, &factor).await;
    factor
}

async fn prove(s: &Server, user: &mut User, factor: &Value) -> Value {
    // A new code, because each is accepted once.
    next_step(s);
    let secret = factor["totp"]["secret"].as_str().unwrap();
    let asked = challenge(user, factor).await;
    let session = verify(user, factor, &asked, &code(s, secret)).await.is(200).json();
    *user = User::of_session(&session, &s.url, &s.anon_key);
    session
}

#[tokio::test]
async fn a_totp_code_raises_the_session_to_aal2() {
    let s = Server::with(&PATIENT).await;
    let mut ana = s.signed_up("ana@x.test").await;
    let other = s.signed_in("ana@x.test").await;
    let before = claims(&ana.access_token);
    let factor = enroll(&ana, "my app").await.is(200).json();
    assert_eq!((&factor["type"], &factor["friendly_name"]), (&json!("totp"), &json!("my app")));
    let (secret, uri) = (factor["totp"]["secret"].as_str().unwrap(), factor["totp"]["uri"].as_str().unwrap());
    let host = "127.0.0.1:54321";
    let expected =
        format!("otpauth://totp/{host}:ana@x.test?algorithm=SHA1&digits=6&issuer={host}&period=30&secret={secret}");
    assert_eq!((uri, secret.len()), (expected.as_str(), 32));
    let qr_code = factor["totp"]["qr_code"].as_str().unwrap();
    assert!(qr_code.contains("<svg") && !qr_code.contains('#'), "the QR code must be usable in a data URL: {qr_code}");

    let asked = challenge(&ana, &factor).await;
    assert_eq!(asked["type"], "totp");
    assert!((asked["expires_at"].as_i64().unwrap() - s.clock.now().timestamp() - 300).abs() < 5);
    let wrong = if code(&s, secret) == "000000" { "111111" } else { "000000" };
    let invalid = "Invalid TOTP code entered";
    refused(&verify(&ana, &factor, &asked, wrong).await, 422, "mfa_verification_failed", invalid);
    assert_eq!(claims(&ana.access_token)["aal"], "aal1");

    let (first_refresh_token, first_token) = (ana.refresh_token.clone(), ana.access_token.clone());
    let session = verify(&ana, &factor, &asked, &code(&s, secret)).await.is(200).json();
    ana = User::of_session(&session, &s.url, &s.anon_key);
    let after = claims(&ana.access_token);
    assert_eq!((&after["aal"], &after["session_id"]), (&json!("aal2"), &before["session_id"]));
    let methods: Vec<&Value> = after["amr"].as_array().unwrap().iter().map(|entry| &entry["method"]).collect();
    assert_eq!(methods, ["totp", "password"], "newest first");
    assert_ne!(ana.refresh_token, first_refresh_token);
    assert_eq!(
        (&session["token_type"], &session["user"]["factors"][0]["status"]),
        (&json!("bearer"), &json!("verified"))
    );

    // The `aal1` sessions have ended; this session's earlier token still names a valid session.
    let gone = "Session from session_id claim in JWT does not exist";
    refused(&other.get("/auth/v1/user").await, 403, "session_not_found", gone);
    s.get("/auth/v1/user").bearer(&first_token).await.is(200);
    let elsewhere = "Challenge and verify IP addresses mismatch.";
    let again = verify(&ana, &factor, &asked, &code(&s, secret)).await;
    refused(&again, 422, "mfa_ip_address_mismatch", elsewhere);
    assert_eq!(ana.refresh().await.is(200).json()["user"]["id"], ana.id.as_str());
    assert_eq!(claims(&ana.access_token)["aal"], "aal2");
}

#[tokio::test]
async fn sensitive_operations_need_the_second_factor() {
    let s = Server::with(&PATIENT).await;
    let mut ana = s.signed_up("ana@x.test").await;
    let factor = verified(&s, &mut ana, "").await;
    let mut weak = s.signed_in("ana@x.test").await;
    assert_eq!(claims(&weak.access_token)["aal"], "aal1");
    let words = "AAL2 session is required to update email or password when MFA is enabled.";
    for change in
        [json!({ "password": "another horse" }), json!({ "email": "b@x.test" }), json!({ "phone": "49123456" })]
    {
        refused(&weak.put("/auth/v1/user", change).await, 401, "insufficient_aal", words);
    }
    weak.put("/auth/v1/user", json!({ "data": { "a": 1 } })).await.is(200);
    refused(&enroll(&weak, "second").await, 403, "insufficient_aal", "AAL2 required to enroll a new factor");
    let path = format!("/auth/v1/factors/{}", factor["id"].as_str().unwrap());
    let refusal = weak.delete(&path).await;
    refused(&refusal, 422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    let refusal = weak.post("/auth/v1/passkeys/registration/options", json!({})).await;
    let passkeys = "AAL2 session is required to manage passkeys when MFA is enabled";
    refused(&refusal, 403, "insufficient_aal", passkeys);

    prove(&s, &mut weak, &factor).await;
    let second = enroll(&weak, "second").await.is(200).json();
    assert_ne!(second["id"], factor["id"]);
    weak.put("/auth/v1/user", json!({ "password": "another horse" })).await.is(200);

    // Without the factor every session is `aal1` again.
    assert_eq!(weak.delete(&path).await.is(200).json(), json!({ "id": factor["id"] }));
    weak.refresh().await.is(200);
    let after = claims(&weak.access_token);
    assert_eq!((&after["aal"], &after["amr"][0]["method"]), (&json!("aal1"), &json!("password")));
    let left = weak.get("/auth/v1/user").await.is(200).json();
    assert_eq!(left["factors"].as_array().unwrap().len(), 1, "{left}");
    let unverified = format!("/auth/v1/factors/{}", second["id"].as_str().unwrap());
    weak.delete(&unverified).await.is(200);
    let none = weak.get("/auth/v1/user").await.is(200).json();
    assert_eq!(none.get("factors"), None);

    let actions: Vec<String> = s
        .database
        .connect()
        .await
        .query("select distinct payload ->> 'action' from auth.audit_log_entries where payload ->> 'log_type' = 'factor' order by 1", &[])
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    assert_eq!(actions, ["challenge_created", "factor_in_progress", "factor_unenrolled", "verification_attempted"]);
}

#[tokio::test]
async fn challenges_expire_and_belong_to_a_factor_and_an_ip_address() {
    let s = Server::with(&[PATIENT[0], ("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let bo = s.signed_up("bo@x.test").await;
    let factor = enroll(&ana, "").await.is(200).json();
    let secret = factor["totp"]["secret"].as_str().unwrap();
    let (id, path) = (factor["id"].as_str().unwrap(), "/auth/v1/factors");
    let asked = challenge(&ana, &factor).await;
    let other = enroll(&bo, "").await.is(200).json();
    let unknown = "MFA factor with the provided challenge ID not found";
    refused(&verify(&bo, &other, &asked, "123456").await, 422, "mfa_factor_not_found", unknown);
    refused(&verify(&bo, &factor, &asked, "123456").await, 404, "mfa_factor_not_found", "Factor not found");
    let refusal = bo.post(&format!("{path}/x/challenge"), json!({})).await;
    refused(&refusal, 404, "validation_failed", "factor_id must be an UUID");

    let body = json!({ "challenge_id": asked["id"], "code": code(&s, secret) });
    let elsewhere = ana.post(&format!("{path}/{id}/verify"), body).header("x-forwarded-for", "203.0.113.7").await;
    refused(&elsewhere, 422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
    s.clock.advance(chrono::TimeDelta::seconds(301));
    let expired = verify(&ana, &factor, &asked, &code(&s, secret)).await;
    let id = asked["id"].as_str().unwrap();
    let words = format!("MFA challenge {id} has expired, verify against another challenge or create a new challenge.");
    refused(&expired, 422, "mfa_challenge_expired", &words);
    refused(&verify(&ana, &factor, &asked, "123456").await, 422, "mfa_factor_not_found", unknown);
    let asked = challenge(&ana, &factor).await;
    verify(&ana, &factor, &asked, &code(&s, secret)).await.is(200);
}

#[tokio::test]
async fn of_two_concurrent_answers_one_is_accepted() {
    let s = Server::with(&PATIENT).await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await.is(200).json();
    let (asked, code) = (challenge(&ana, &factor).await, code(&s, factor["totp"]["secret"].as_str().unwrap()));
    let answers = futures_util::future::join_all((0..6).map(|_| verify(&ana, &factor, &asked, &code))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422, 422, 422, 422, 422]);
}

#[tokio::test]
async fn a_code_is_accepted_once_for_all_challenges() {
    let s = Server::with(&PATIENT).await;
    let mut ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await.is(200).json();
    let secret = factor["totp"]["secret"].as_str().unwrap();
    prove(&s, &mut ana, &factor).await;
    // An attacker who knows the password has seen the code.
    let thief = s.signed_in("ana@x.test").await;
    let seen = code(&s, secret);
    let asked = challenge(&thief, &factor).await;
    let wrong = "Invalid TOTP code entered";
    refused(&verify(&thief, &factor, &asked, &seen).await, 422, "mfa_verification_failed", wrong);
    // The same in the next time step, in which the code would otherwise still be valid.
    s.clock.advance(chrono::TimeDelta::seconds(30));
    refused(&verify(&thief, &factor, &asked, &seen).await, 422, "mfa_verification_failed", wrong);
    // The attempt does not use up the challenge.
    let other = s.signed_in("ana@x.test").await;
    let again = challenge(&other, &factor).await;
    let fresh = code(&s, secret);
    // Of two challenges answered concurrently with one code, only one succeeds.
    let (one, two) = tokio::join!(verify(&thief, &factor, &asked, &fresh), verify(&other, &factor, &again, &fresh));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert!(matches!(statuses, [200, 401 | 403 | 422]), "{} {}", one.body, two.body);
}

#[tokio::test]
async fn the_unused_code_of_an_earlier_time_step_is_refused() {
    let s = Server::with(&PATIENT).await;
    let mut ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await.is(200).json();
    let secret = factor["totp"]["secret"].as_str().unwrap();
    let unused = code(&s, secret);
    // This uses the code of the next time step, in which the unused one is still within the tolerance.
    prove(&s, &mut ana, &factor).await;
    let thief = s.signed_in("ana@x.test").await;
    let asked = challenge(&thief, &factor).await;
    let wrong = "Invalid TOTP code entered";
    refused(&verify(&thief, &factor, &asked, &unused).await, 422, "mfa_verification_failed", wrong);
    s.clock.advance(chrono::TimeDelta::seconds(30));
    verify(&thief, &factor, &asked, &code(&s, secret)).await.is(200);
}

#[tokio::test]
async fn a_code_is_used_up_for_all_processes() {
    let s = Server::with(&PATIENT).await;
    let ana = s.signed_up("ana@x.test").await;
    let url = s.database.as_role("supabase_auth_admin").url();
    let other = AuthProcess::over(Database::cloned().await, &url, &PATIENT).await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let session = other.post("/token?grant_type=password", body).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    let factor = enroll(&ana, "").await.is(200).json();
    let path = format!("/factors/{}", factor["id"].as_str().unwrap());
    let asked = challenge(&ana, &factor).await;
    let elsewhere = other.post(&format!("{path}/challenge"), json!({})).bearer(token).await.is(200).json();
    let code = code(&s, factor["totp"]["secret"].as_str().unwrap());
    // The other session would end with the first verification; this test is only about the code.
    let keep = "update auth.sessions set aal = 'aal2'";
    s.database.connect().await.execute(keep, &[]).await.unwrap();
    verify(&ana, &factor, &asked, &code).await.is(200);
    let body = json!({ "challenge_id": elsewhere["id"], "code": code });
    let answer = other.post(&format!("{path}/verify"), body).bearer(token).await;
    refused(&answer, 422, "mfa_verification_failed", "Invalid TOTP code entered");
}

#[tokio::test]
async fn refusals_have_this_precedence() {
    let s = Server::with(&[PATIENT[0], ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let factors = |body: Value| ana.post("/auth/v1/factors", body);
    let kinds = "factor_type needs to be totp, phone, or webauthn";
    refused(&factors(json!({})).await, 400, "validation_failed", kinds);
    refused(&factors(json!({ "factor_type": "TOTP" })).await, 400, "validation_failed", kinds);
    let off = "MFA enroll is disabled for Phone";
    refused(&factors(json!({ "factor_type": "phone" })).await, 422, "mfa_phone_enroll_not_enabled", off);
    enroll(&ana, "one").await.is(200);
    let taken = r#"A factor with the friendly name "one" for this user already exists"#;
    refused(&enroll(&ana, "one").await, 422, "mfa_factor_name_conflict", taken);
    let unnamed = enroll(&ana, "").await.is(200).json();
    let taken = r#"A factor with the friendly name "" for this user already exists"#;
    refused(&enroll(&ana, "").await, 422, "mfa_factor_name_conflict", taken);

    let verify = format!("/auth/v1/factors/{}/verify", unnamed["id"].as_str().unwrap());
    let verify = |body: Value| ana.post(&verify, body);
    refused(&verify(json!({})).await, 400, "validation_failed", "Code needs to be non-empty");
    let length = "Could not parse request body as JSON: uuid: incorrect UUID length 1 in string \"x\"";
    refused(&verify(json!({ "challenge_id": "x", "code": "1" })).await, 400, "bad_json", length);
    let unknown = "MFA factor with the provided challenge ID not found";
    refused(&verify(json!({ "code": "1" })).await, 422, "mfa_factor_not_found", unknown);

    let nobody = s.post("/auth/v1/signup", json!({})).await.is(200).json();
    let nobody = User::of_session(&nobody, &s.url, &s.anon_key);
    let words = "Anonymous user not allowed to perform these actions";
    refused(&enroll(&nobody, "").await, 403, "no_authorization", words);
    refused(&nobody.post("/auth/v1/passkeys/registration/options", json!({})).await, 403, "no_authorization", words);
    s.post("/auth/v1/factors", json!({})).await.is(401);
}

#[tokio::test]
async fn factors_are_limited_and_unverified_ones_are_replaced() {
    let s =
        Server::with(&[PATIENT[0], ("GOTRUE_MFA_MAX_ENROLLED_FACTORS", "3"), ("GOTRUE_MFA_MAX_VERIFIED_FACTORS", "2")])
            .await;
    let mut ana = s.signed_up("ana@x.test").await;
    let words = "Maximum number of verified factors reached, unenroll to continue";
    for name in ["a", "b", "c"] {
        enroll(&ana, name).await.is(200);
    }
    refused(&enroll(&ana, "d").await, 422, "too_many_enrolled_mfa_factors", words);
    s.clock.advance(chrono::TimeDelta::seconds(301));
    let first = verified(&s, &mut ana, "d").await;
    let user = ana.get("/auth/v1/user").await.is(200).json();
    assert_eq!(user["factors"].as_array().unwrap().len(), 1, "{user}");
    // Verifying a factor deletes the unverified ones of its kind.
    enroll(&ana, "e").await.is(200);
    prove(&s, &mut ana, &first).await;
    let user = ana.get("/auth/v1/user").await.is(200).json();
    assert_eq!(user["factors"].as_array().unwrap().len(), 1, "{user}");
    verified(&s, &mut ana, "f").await;
    refused(&enroll(&ana, "g").await, 422, "too_many_enrolled_mfa_factors", words);
}

#[tokio::test]
async fn secrets_are_encrypted_if_configured() {
    let keys = format!("abc:{KEY}");
    let s = Server::with(&[
        ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT", "true"),
        ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY_ID", "abc"),
        ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY", KEY),
        ("GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS", &keys),
    ])
    .await;
    let db = s.database.connect().await;
    let stored = async || -> String { db.query_one("select secret from auth.mfa_factors", &[]).await.unwrap().get(0) };
    let mut ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await.is(200).json();
    let secret = factor["totp"]["secret"].as_str().unwrap();
    assert!(stored().await.starts_with(r#"{"key_id":"abc","alg":"aes-gcm-hkdf""#), "{}", stored().await);
    assert!(!stored().await.contains(secret));
    prove(&s, &mut ana, &factor).await;

    // A plain secret from before is accepted, and encrypted from then on.
    db.execute("update auth.mfa_factors set secret = $1", &[&secret]).await.unwrap();
    prove(&s, &mut ana, &factor).await;
    assert!(stored().await.starts_with(r#"{"key_id":"abc""#), "{}", stored().await);
}

#[tokio::test]
async fn users_are_notified_of_added_and_removed_factors() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_ENROLLED_ENABLED", "true"),
        ("GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_UNENROLLED_ENABLED", "true"),
    ])
    .await;
    let mut ana = s.signed_up("ana@x.test").await;
    let factor = verified(&s, &mut ana, "").await;
    let mail = mails.to("ana@x.test").await;
    assert!(mail.html.contains("totp"), "{}", mail.html);
    prove(&s, &mut ana, &factor).await;
    ana.delete(&format!("/auth/v1/factors/{}", factor["id"].as_str().unwrap())).await.is(200);
    let mail = mails.to("ana@x.test").await;
    assert!(mail.subject.contains("lost") && mail.html.contains("totp"), "{}: {}", mail.subject, mail.html);
}
