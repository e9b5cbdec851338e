//! Passkeys: registration, sign-in, and invalid responses.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{claims, refused};
use crate::kit::{Answer, Authenticator, Calls, Server, User};

const ORIGIN: &str = "https://app.x.test";
const SETTINGS: [(&str, &str); 3] = [
    ("GOTRUE_WEBAUTHN_RP_ID", "x.test"),
    ("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "The App"),
    ("GOTRUE_WEBAUTHN_RP_ORIGINS", ORIGIN),
];
const REGISTRATION: &str = "/auth/v1/passkeys/registration";
const AUTHENTICATION: &str = "/auth/v1/passkeys/authentication";
const BITWARDEN: Uuid = Uuid::from_u128(0xd548826e_79b4_db40_a3d8_11116f7e8349);

async fn options(caller: &impl Calls, path: &str) -> Value {
    caller.post(&format!("{path}/options"), json!({})).await.is(200).json()
}

async fn answer(caller: &impl Calls, path: &str, asked: &Value, credential: Value) -> Answer {
    let body = json!({ "challenge_id": asked["challenge_id"], "credential": credential });
    caller.post(&format!("{path}/verify"), body).await
}

/// A new passkey in `device`.
async fn registered(user: &User, device: &mut Authenticator) -> Value {
    let asked = options(user, REGISTRATION).await;
    answer(user, REGISTRATION, &asked, device.create(&asked["options"])).await.is(200).json()
}

async fn sign_in(s: &Server, device: &mut Authenticator) -> Answer {
    let asked = options(s, AUTHENTICATION).await;
    answer(s, AUTHENTICATION, &asked, device.get(&asked["options"])).await
}

#[tokio::test]
async fn a_passkey_signs_its_user_in() {
    let s = Server::with(&SETTINGS).await;
    let mut device = Authenticator { aaguid: BITWARDEN, ..Authenticator::new(ORIGIN) };
    let ana = s.signed_up_with("ana@x.test", json!({ "name": "Ana" })).await;
    let asked = options(&ana, REGISTRATION).await;
    let creation = &asked["options"];
    assert_eq!(creation["user"]["displayName"], "Ana");
    assert_eq!(
        creation["authenticatorSelection"],
        json!({ "residentKey": "required", "userVerification": "preferred" })
    );
    assert!((asked["expires_at"].as_i64().unwrap() - s.clock.now().timestamp() - 300).abs() < 5);
    let passkey = answer(&ana, REGISTRATION, &asked, device.create(creation)).await.is(200).json();
    assert_eq!((&passkey["friendly_name"], passkey.get("last_used_at")), (&json!("Bitwarden"), None));

    let asked = options(&s, AUTHENTICATION).await;
    let request = &asked["options"];
    assert_eq!((request["rpId"].as_str(), request.get("allowCredentials")), (Some("x.test"), None));
    let response = device.get(request);
    let session = answer(&s, AUTHENTICATION, &asked, response.clone()).await.is(200).json();
    let again = User::of_session(&session, &s.url, &s.anon_key);
    let token = claims(&again.access_token);
    assert_eq!((again.id.as_str(), &token["aal"]), (ana.id.as_str(), &json!("aal1")));
    assert_eq!(token["amr"][0]["method"], "passkey");
    let words = "Challenge not found or already used";
    let replayed = answer(&s, AUTHENTICATION, &asked, response).await;
    refused(&replayed, 400, "webauthn_challenge_not_found", words);

    let list = again.get("/auth/v1/passkeys").await.is(200).json();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["id"]), (1, &passkey["id"]));
    assert!(list[0]["last_used_at"].is_string(), "{list}");
    let path = format!("/auth/v1/passkeys/{}", passkey["id"].as_str().unwrap());
    let renamed = again.patch(&path, json!({ "friendly_name": "Phone" })).await.is(200).json();
    assert_eq!(renamed["friendly_name"], "Phone");
    again.delete(&path).await.is(204);
    assert_eq!(again.get("/auth/v1/passkeys").await.is(200).json(), json!([]));
    let refusal = sign_in(&s, &mut device).await;
    refused(&refusal, 400, "webauthn_verification_failed", "Credential verification failed");
    again.get("/auth/v1/user").await.is(200);
    let sql = "select count(*) from auth.audit_log_entries where payload ->> 'action' like 'passkey%'";
    let entries: i64 = s.database.connect().await.query_one(sql, &[]).await.unwrap().get(0);
    assert_eq!(entries, 3);
}

#[tokio::test]
async fn invalid_assertions_are_refused() {
    let s =
        Server::with(&[SETTINGS[0], SETTINGS[1], SETTINGS[2], ("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", "20")]).await;
    let mut device = Authenticator::new(ORIGIN);
    let ana = s.signed_up("ana@x.test").await;
    registered(&ana, &mut device).await;
    let failed = "Credential verification failed";
    let attempt = async |change: &dyn Fn(&mut Authenticator), spoil: &dyn Fn(&mut Value)| {
        let asked = options(&s, AUTHENTICATION).await;
        let mut device = Authenticator::new(ORIGIN);
        let ana = s.signed_in("ana@x.test").await;
        registered(&ana, &mut device).await;
        change(&mut device);
        let mut response = device.get(&asked["options"]);
        spoil(&mut response);
        answer(&s, AUTHENTICATION, &asked, response).await
    };
    let nothing = |_: &mut Authenticator| {};
    attempt(&nothing, &|_| {}).await.is(200);
    let evil = attempt(&|device| device.origin = "https://evil.test".to_owned(), &|_| {}).await;
    refused(&evil, 400, "webauthn_verification_failed", failed);
    let other_port = attempt(&|device| device.origin = format!("{ORIGIN}:8443"), &|_| {}).await;
    refused(&other_port, 400, "webauthn_verification_failed", failed);
    let below = attempt(&|device| device.origin = "https://a.app.x.test".to_owned(), &|_| {}).await;
    refused(&below, 400, "webauthn_verification_failed", failed);
    let nobody = attempt(&|device| device.credentials[0].user_handle = b"nobody".to_vec(), &|_| {}).await;
    refused(&nobody, 400, "webauthn_verification_failed", failed);
    let stranger = Uuid::new_v4().to_string().into_bytes();
    let unknown = attempt(&|device| device.credentials[0].user_handle.clone_from(&stranger), &|_| {}).await;
    refused(&unknown, 400, "webauthn_verification_failed", failed);
    let forged = attempt(&nothing, &|response| response["response"]["signature"] = json!("MEUCIQAA")).await;
    refused(&forged, 400, "webauthn_verification_failed", failed);
    let unreadable = attempt(&nothing, &|response| response["response"] = json!({})).await;
    refused(&unreadable, 400, "webauthn_verification_failed", "Invalid credential response");
    let typeless = attempt(&nothing, &|response| response["type"] = json!("password")).await;
    refused(&typeless, 400, "webauthn_verification_failed", "Invalid credential response");

    // A counter that does not increase indicates a clone.
    sign_in(&s, &mut device).await.is(200);
    device.credentials[0].counter = 0;
    refused(&sign_in(&s, &mut device).await, 400, "webauthn_verification_failed", failed);

    // Another user's challenge, and an expired one.
    let bo = s.signed_up("bo@x.test").await;
    let asked = options(&ana, REGISTRATION).await;
    let response = device.create(&asked["options"]);
    let gone = "Challenge not found or already used";
    refused(&answer(&bo, REGISTRATION, &asked, response.clone()).await, 400, "webauthn_challenge_not_found", gone);
    refused(&answer(&s, AUTHENTICATION, &asked, response.clone()).await, 400, "webauthn_challenge_not_found", gone);
    s.clock.advance(chrono::TimeDelta::seconds(301));
    let expired = answer(&ana, REGISTRATION, &asked, response).await;
    refused(&expired, 400, "webauthn_challenge_expired", "Challenge has expired");
}

#[tokio::test]
async fn passkeys_have_an_owner_a_name_and_a_limit() {
    let s = Server::with(&[SETTINGS[0], SETTINGS[1], SETTINGS[2], ("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", "2")]).await;
    let (ana, bo) = (s.signed_up("ana@x.test").await, s.signed_up("bo@x.test").await);
    let mut device = Authenticator::new(ORIGIN);
    let first = registered(&ana, &mut device).await;
    assert_eq!(first["friendly_name"], "Passkey");
    // The same credential again, from any user.
    let asked = options(&bo, REGISTRATION).await;
    let mut copied = device.create(&asked["options"]);
    answer(&bo, REGISTRATION, &asked, copied.clone()).await.is(200);
    let asked = options(&ana, REGISTRATION).await;
    let exclude = asked["options"]["excludeCredentials"].as_array().unwrap();
    assert_eq!(exclude.len(), 1, "only her own");
    let fresh = Authenticator::new(ORIGIN).create(&asked["options"]);
    copied["response"]["clientDataJSON"] = fresh["response"]["clientDataJSON"].clone();
    let twice = answer(&ana, REGISTRATION, &asked, copied).await;
    refused(&twice, 422, "webauthn_credential_exists", "This credential is already registered");

    let late = options(&ana, REGISTRATION).await;
    registered(&ana, &mut device).await;
    let words = "Maximum number of passkeys reached";
    refused(&ana.post(&format!("{REGISTRATION}/options"), json!({})).await, 422, "too_many_passkeys", words);
    let one_too_many = answer(&ana, REGISTRATION, &late, device.create(&late["options"])).await;
    refused(&one_too_many, 422, "too_many_passkeys", words);

    let path = format!("/auth/v1/passkeys/{}", first["id"].as_str().unwrap());
    let name = |name: &str| json!({ "friendly_name": name });
    refused(&ana.patch(&path, name("")).await, 400, "validation_failed", "friendly_name is required");
    ana.patch(&path, name(&"n".repeat(120))).await.is(200);
    let long = "friendly_name must be 120 characters or less";
    refused(&ana.patch(&path, name(&"n".repeat(121))).await, 400, "validation_failed", long);
    for (path, user) in [(path.as_str(), &bo), ("/auth/v1/passkeys/x", &ana)] {
        refused(&user.patch(path, name("a")).await, 404, "validation_failed", "Passkey not found");
        refused(&user.delete(path).await, 404, "validation_failed", "Passkey not found");
    }
    for (body, words) in [
        (json!({}), "challenge_id is required"),
        (json!({ "challenge_id": "x" }), "credential is required"),
        (json!({ "challenge_id": "x", "credential": {} }), "challenge_id must be a valid UUID"),
    ] {
        refused(&ana.post(&format!("{REGISTRATION}/verify"), body.clone()).await, 400, "validation_failed", words);
        refused(&s.post(&format!("{AUTHENTICATION}/verify"), body).await, 400, "validation_failed", words);
    }
}

#[tokio::test]
async fn users_who_may_not_sign_in_cannot_use_passkeys() {
    let s = Server::with(&SETTINGS).await;
    let mut device = Authenticator::new(ORIGIN);
    let ana = s.signed_up("ana@x.test").await;
    registered(&ana, &mut device).await;
    let db = s.database.connect().await;
    for (change, undo, code, words) in [
        ("banned_until = now() + interval '1 day'", "banned_until = null", "user_banned", "User is banned"),
        ("email_confirmed_at = null", "email_confirmed_at = now()", "email_not_confirmed", "Email not confirmed"),
        ("phone = '49123'", "phone = null", "phone_not_confirmed", "Phone not confirmed"),
    ] {
        db.batch_execute(&format!("update auth.users set {change}")).await.unwrap();
        refused(&sign_in(&s, &mut device).await, 403, code, words);
        db.batch_execute(&format!("update auth.users set {undo}")).await.unwrap();
    }
    sign_in(&s, &mut device).await.is(200);
    db.batch_execute("update auth.users set is_sso_user = true").await.unwrap();
    let refusal = ana.post(&format!("{REGISTRATION}/options"), json!({})).await;
    refused(&refusal, 422, "validation_failed", "SSO users cannot register passkeys");
}

#[tokio::test]
async fn passkeys_can_be_disabled() {
    let s = Server::with(&[("GOTRUE_PASSKEY_ENABLED", "false")]).await;
    let words = "Passkeys are disabled";
    refused(&s.post(&format!("{AUTHENTICATION}/options"), json!({})).await, 404, "passkey_disabled", words);
    refused(&s.post(&format!("{AUTHENTICATION}/verify"), json!({})).await, 404, "passkey_disabled", words);
    let ana = s.signed_up("ana@x.test").await;
    refused(&ana.get("/auth/v1/passkeys").await, 404, "passkey_disabled", words);
    assert_eq!(s.get("/auth/v1/settings").await.is(200).json()["passkeys_enabled"], false);
    let on = Server::with(&SETTINGS).await;
    assert_eq!(on.get("/auth/v1/settings").await.is(200).json()["passkeys_enabled"], true);
}
