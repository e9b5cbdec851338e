//! Second factors with codes sent to a phone.

use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Answer, Calls, HttpCatcher, Server, User};

const SENT: &str = r#"{"sid":"SM1","status":"queued"}"#;
const SETTINGS: [(&str, &str); 7] = [
    ("GOTRUE_MFA_PHONE_ENROLL_ENABLED", "true"),
    ("GOTRUE_MFA_PHONE_VERIFY_ENABLED", "true"),
    ("GOTRUE_MFA_PHONE_TEMPLATE", "{{ .Code }} it is"),
    ("GOTRUE_SMS_PROVIDER", "twilio"),
    ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "AC1"),
    ("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "secret"),
    ("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "MG1"),
];

async fn server(twilio: &HttpCatcher, more: &[(&str, &str)]) -> Server {
    let own = [("GOTRUE_SMS_API_URL", twilio.url.as_str()), ("GOTRUE_MFA_PHONE_MAX_FREQUENCY", "1m")];
    let all: Vec<(&str, &str)> = SETTINGS.iter().chain(&own).chain(more).copied().collect();
    Server::with(&all).await
}

async fn enroll(user: &User, phone: &str) -> Answer {
    let body = json!({ "factor_type": "phone", "phone": phone, "friendly_name": phone });
    user.post("/auth/v1/factors", body).await
}

async fn challenge(user: &User, factor: &Value, body: Value) -> Answer {
    user.post(&format!("/auth/v1/factors/{}/challenge", factor["id"].as_str().unwrap()), body).await
}

async fn verify(user: &User, factor: &Value, challenge: &Value, code: &str) -> Answer {
    let path = format!("/auth/v1/factors/{}/verify", factor["id"].as_str().unwrap());
    user.post(&path, json!({ "challenge_id": challenge["id"], "code": code })).await
}

#[track_caller]
fn code(twilio: &HttpCatcher) -> String {
    let caught = twilio.caught();
    let [message] = caught.as_slice() else { panic!("not one message: {caught:?}") };
    assert_eq!(message.field("To"), "+4912345678");
    message.field("Body").strip_suffix(" it is").expect("the text of the template").to_owned()
}

#[tokio::test]
async fn a_phone_code_raises_the_session_to_aal2() {
    let twilio = HttpCatcher::start(201, SENT);
    let s = server(&twilio, &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let required = "Phone number required to enroll Phone factor";
    refused(&enroll(&ana, "").await, 400, "validation_failed", required);
    let invalid = "Invalid phone number format (E.164 required)";
    refused(&enroll(&ana, "abc").await, 400, "validation_failed", invalid);
    enroll(&ana, "4912345678").await.is(200);
    // The same number again replaces the first attempt.
    let factor = enroll(&ana, "+49 12345678").await.is(200).json();
    assert_eq!((&factor["type"], &factor["phone"]), (&json!("phone"), &json!("+49 12345678")));
    let user = ana.get("/auth/v1/user").await.is(200).json();
    assert_eq!((user["factors"].as_array().unwrap().len(), &user["factors"][0]["phone"]), (1, &json!("4912345678")));

    let bad = challenge(&ana, &factor, json!({ "channel": "pigeon" })).await.is(400);
    assert!(bad.body.contains("Invalid channel"), "{}", bad.body);
    let asked = challenge(&ana, &factor, json!({})).await.is(200).json();
    let sent = code(&twilio);
    assert_eq!((&asked["type"], sent.len()), (&json!("phone"), 6));
    let soon = challenge(&ana, &factor, json!({})).await.is(429);
    assert_eq!(soon.header("x-sb-error-code"), "over_sms_send_rate_limit", "{}", soon.body);
    let wrong = if sent == "000000" { "111111" } else { "000000" };
    let words = "Invalid MFA Phone code entered";
    refused(&verify(&ana, &factor, &asked, wrong).await, 422, "mfa_verification_failed", words);
    let session = verify(&ana, &factor, &asked, &sent).await.is(200).json();
    let strong = User::of_session(&session, &s.url, &s.anon_key);
    let after = claims(&strong.access_token);
    assert_eq!((&after["aal"], &after["amr"][0]["method"]), (&json!("aal2"), &json!("mfa/phone")));
    let exists = "A verified phone factor already exists, unenroll the existing factor to continue";
    refused(&enroll(&strong, "+4912345678").await, 422, "mfa_verified_factor_exists", exists);
}

#[tokio::test]
async fn after_a_failed_delivery_a_code_can_be_requested_at_once() {
    let twilio = HttpCatcher::start(401, r#"{"message":"Authenticate"}"#);
    let keys = "abc:pwFoiPyybQMqNmYVN0gUnpbfpGQV2sDv9vp0ZAxi_Y4";
    let s = server(
        &twilio,
        &[
            ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT", "true"),
            ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY_ID", "abc"),
            ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY", &keys[4..]),
            ("GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS", keys),
        ],
    )
    .await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "4912345678").await.is(200).json();
    let failed = challenge(&ana, &factor, json!({})).await.is(500);
    assert_eq!(failed.json()["msg"], "error sending message");
    let db = s.database.connect().await;
    let count: i64 = db.query_one("select count(*) from auth.mfa_challenges", &[]).await.unwrap().get(0);
    assert_eq!((count, twilio.caught().len()), (0, 1));
    twilio.answers(201, SENT);
    let asked = challenge(&ana, &factor, json!({ "channel": "sms" })).await.is(200).json();
    let stored: String = db.query_one("select otp_code from auth.mfa_challenges", &[]).await.unwrap().get(0);
    assert!(stored.starts_with(r#"{"key_id":"abc""#), "{stored}");
    verify(&ana, &factor, &asked, &code(&twilio)).await.is(200);
}

#[tokio::test]
async fn of_many_concurrent_requests_one_sends_a_code() {
    let twilio = HttpCatcher::start(201, SENT);
    let s = server(&twilio, &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "4912345678").await.is(200).json();
    let all = (0..6).map(|_| challenge(&ana, &factor, json!({})));
    let mut statuses: Vec<u16> = futures_util::future::join_all(all).await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!((statuses.as_slice(), twilio.caught().len()), (&[200, 429, 429, 429, 429, 429][..], 1));
}

#[tokio::test]
async fn a_provider_with_its_own_codes_verifies_them() {
    let twilio = HttpCatcher::start(201, r#"{"sid":"VE1","status":"pending"}"#);
    let s = server(
        &twilio,
        &[
            ("GOTRUE_SMS_PROVIDER", "twilio_verify"),
            ("GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID", "AC1"),
            ("GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN", "secret"),
            ("GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID", "VA1"),
        ],
    )
    .await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "4912345678").await.is(200).json();
    let asked = challenge(&ana, &factor, json!({ "channel": "whatsapp" })).await.is(200).json();
    assert_eq!(twilio.caught()[0].field("Channel"), "whatsapp");
    twilio.answers(200, r#"{"status":"pending","valid":false}"#);
    let words = "Token has expired or is invalid";
    refused(&verify(&ana, &factor, &asked, "777777").await, 403, "otp_expired", words);
    twilio.answers(200, r#"{"status":"approved","valid":true}"#);
    verify(&ana, &factor, &asked, "777777").await.is(200);
}

#[tokio::test]
async fn without_a_provider_codes_are_refused() {
    let s = Server::with(&SETTINGS[..2]).await;
    let ana = s.signed_up("ana@x.test").await;
    let factor = enroll(&ana, "4912345678").await.is(200).json();
    let failed = challenge(&ana, &factor, json!({})).await.is(500);
    assert_eq!(failed.json()["msg"], "Failed to get SMS provider");
}
