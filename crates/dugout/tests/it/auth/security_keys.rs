//! Security keys as second factors.

use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Answer, Authenticator, Calls, Server, User};

const ORIGIN: &str = "https://app.x.test";
const SETTINGS: [(&str, &str); 4] = [
    ("GOTRUE_WEBAUTHN_RP_ID", "x.test"),
    ("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "The App"),
    ("GOTRUE_WEBAUTHN_RP_ORIGINS", ORIGIN),
    ("GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "10000"),
];

async fn enroll(user: &User, name: &str) -> Value {
    let body = json!({ "factor_type": "webauthn", "friendly_name": name });
    user.post("/auth/v1/factors", body).await.is(200).json()
}

async fn challenge(user: &User, factor: &Value) -> Value {
    let path = format!("/auth/v1/factors/{}/challenge", factor["id"].as_str().unwrap());
    let body = json!({ "webauthn": { "rpId": "evil.test", "rpOrigins": ["https://evil.test"] } });
    user.post(&path, body).await.is(200).json()
}

async fn verify(user: &User, factor: &Value, asked: &Value, kind: &str, response: Value) -> Answer {
    let path = format!("/auth/v1/factors/{}/verify", factor["id"].as_str().unwrap());
    let webauthn = json!({ "type": kind, "credential_response": response });
    user.post(&path, json!({ "challenge_id": asked["id"], "webauthn": webauthn })).await
}

#[tokio::test]
async fn a_key_is_enrolled_and_verified() {
    let s = Server::with(&SETTINGS).await;
    let mut key = Authenticator::new(ORIGIN);
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "my key").await;
    assert_eq!((&factor["type"], factor.get("totp")), (&json!("webauthn"), None));
    let asked = challenge(&ana, &factor).await;
    assert_eq!((&asked["type"], &asked["webauthn"]["type"]), (&json!("webauthn"), &json!("create")));
    let options = &asked["webauthn"]["credential_options"]["publicKey"];
    assert_eq!(options["rp"], json!({ "name": "The App", "id": "x.test" }));
    assert_eq!((&options["user"]["name"], &options["timeout"]), (&json!("ana@x.test"), &json!(300_000)));
    let session = verify(&ana, &factor, &asked, "create", key.create(options)).await.is(200).json();
    let strong = User::of_session(&session, &s.url, &s.anon_key);
    let after = claims(&strong.access_token);
    assert_eq!((&after["aal"], &after["amr"][0]["method"]), (&json!("aal2"), &json!("mfa/webauthn")));
    let shown = &session["user"]["factors"][0];
    assert_eq!(
        (&shown["status"], &shown["last_webauthn_challenge_data"]["type"]),
        (&json!("verified"), &json!("create"))
    );
    assert_eq!(shown["last_webauthn_challenge_data"]["challenge"]["challenge_id"], asked["id"]);

    let weak = s.signed_in("ana@x.test").await;
    let asked = challenge(&weak, &factor).await;
    assert_eq!(asked["webauthn"]["type"], "request");
    let options = asked["webauthn"]["credential_options"]["publicKey"].clone();
    assert_eq!((&options["rpId"], options["allowCredentials"].as_array().unwrap().len()), (&json!("x.test"), 1));
    let response = key.get(&options);
    let session = verify(&weak, &factor, &asked, "request", response.clone()).await.is(200).json();
    assert_eq!(claims(session["access_token"].as_str().unwrap())["aal"], "aal2");
    let words = "MFA factor with the provided challenge ID not found";
    refused(&verify(&weak, &factor, &asked, "request", response).await, 422, "mfa_factor_not_found", words);
    let (stored, model): (Value, Option<uuid::Uuid>) = {
        let sql = "select web_authn_credential, web_authn_aaguid from auth.mfa_factors";
        let row = s.database.connect().await.query_one(sql, &[]).await.unwrap();
        (row.get(0), row.get(1))
    };
    assert_eq!((stored["authenticator"]["signCount"].as_u64(), model), (Some(1), Some(uuid::Uuid::nil())));
    assert_eq!(stored["transport"], json!(["internal", "hybrid"]));

    // A second use with an old counter indicates a clone.
    let asked = challenge(&weak, &factor).await;
    key.credentials[0].counter = 0;
    let copied =
        verify(&weak, &factor, &asked, "request", key.get(&asked["webauthn"]["credential_options"]["publicKey"])).await;
    assert_eq!((copied.status, &copied.json()["msg"]), (500, &json!("Failed to validate WebAuthn MFA response")));
}

#[tokio::test]
async fn invalid_signatures_are_refused() {
    let s = Server::with(&SETTINGS).await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await;
    let path = format!("/auth/v1/factors/{}/verify", factor["id"].as_str().unwrap());
    for (webauthn, words) in [
        (Value::Null, "WebAuthn config required"),
        (json!({}), "WebAuthn type must be create or request"),
        (json!({ "type": "create" }), "credential_response required"),
    ] {
        let answer = ana.post(&path, json!({ "challenge_id": factor["id"], "webauthn": webauthn })).await;
        refused(&answer, 400, "validation_failed", words);
    }
    let mut key = Authenticator::new(ORIGIN);
    let options = |asked: &Value| asked["webauthn"]["credential_options"]["publicKey"].clone();
    let asked = challenge(&ana, &factor).await;
    let unreadable = verify(&ana, &factor, &asked, "create", json!({ "id": "AQ", "type": "public-key" })).await;
    refused(&unreadable, 400, "validation_failed", "Invalid credential_response");
    // Another page, another challenge, another relying party: none of them is accepted, and the challenge stays.
    let mut elsewhere = Authenticator::new("https://evil.test");
    let stolen = elsewhere.create(&options(&asked));
    verify(&ana, &factor, &asked, "create", stolen).await.is(500);
    let earlier = options(&challenge(&ana, &factor).await);
    verify(&ana, &factor, &asked, "create", key.create(&earlier)).await.is(500);
    let mut foreign = options(&asked);
    foreign["rp"]["id"] = json!("evil.test");
    verify(&ana, &factor, &asked, "create", key.create(&foreign)).await.is(500);
    verify(&ana, &factor, &asked, "create", key.create(&options(&asked))).await.is(200);

    // Another user's key does not open this account, and a new key does not replace the first.
    let weak = s.signed_in("ana@x.test").await;
    let asked = challenge(&weak, &factor).await;
    let mut other = Authenticator::new(ORIGIN);
    let mut creation = options(&asked);
    creation["rp"] = json!({ "id": "x.test" });
    creation["user"] = json!({ "id": "AQID" });
    let replacement = other.create(&creation);
    verify(&weak, &factor, &asked, "create", replacement).await.is(500);
    let forged = other.get(&options(&asked));
    verify(&weak, &factor, &asked, "request", forged).await.is(500);
    assert_eq!(claims(&weak.access_token)["aal"], "aal1");
    verify(&weak, &factor, &asked, "request", key.get(&options(&asked))).await.is(200);
}

#[tokio::test]
async fn keys_can_be_disabled() {
    let s = Server::with(&[("GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", "false")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "").await;
    let path = format!("/auth/v1/factors/{}", factor["id"].as_str().unwrap());
    let words = "MFA verification is disabled for WebAuthn";
    let asked = ana.post(&format!("{path}/challenge"), json!({})).await;
    refused(&asked, 422, "mfa_webauthn_verify_not_enabled", words);
    // GoTrue uses the code of enrolment here.
    let answered = ana.post(&format!("{path}/verify"), json!({})).await;
    refused(&answered, 422, "mfa_webauthn_enroll_not_enabled", words);
}
