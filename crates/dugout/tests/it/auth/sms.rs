//! Phones: sign-up, sign-in and changes of numbers, with messages sent by a provider.

use serde_json::json;

use super::{claims, refused};
use crate::kit::{Calls, HttpCatcher, PASSWORD, Server};

const SENT: &str = r#"{"sid":"SM1","status":"queued"}"#;
const ACCOUNT: [(&str, &str); 6] = [
    ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
    ("GOTRUE_SMS_AUTOCONFIRM", "false"),
    ("GOTRUE_SMS_PROVIDER", "twilio"),
    ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "AC1"),
    ("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "secret"),
    ("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "MG1"),
];

async fn server(twilio: &HttpCatcher, more: &[(&str, &str)]) -> Server {
    let own = [("GOTRUE_SMS_API_URL", twilio.url.as_str()), ("GOTRUE_SMS_MAX_FREQUENCY", "1ns")];
    let all: Vec<(&str, &str)> = ACCOUNT.iter().chain(&own).chain(more).copied().collect();
    Server::with(&all).await
}

#[track_caller]
fn code(twilio: &HttpCatcher, to: &str) -> String {
    let caught = twilio.caught();
    let [message] = caught.as_slice() else { panic!("not one message: {caught:?}") };
    assert_eq!((message.line.as_str(), message.field("To")), ("POST /2010-04-01/Accounts/AC1/Messages.json", to));
    assert_eq!(message.authorization, "Basic QUMxOnNlY3JldA==");
    message.field("Body").strip_prefix("Your code is ").expect("the default text").to_owned()
}

#[tokio::test]
async fn a_number_signs_up_signs_in_and_changes() {
    let twilio = HttpCatcher::start(201, SENT);
    let s = server(&twilio, &[]).await;
    let user = s.post("/auth/v1/signup", json!({ "phone": "+49 12345678", "password": PASSWORD })).await.is(200).json();
    assert_eq!((&user["phone"], &user["email"]), (&json!("4912345678"), &json!("")));
    let verify = |kind: &str, phone: &str, code: &str| {
        s.post("/auth/v1/verify", json!({ "type": kind, "phone": phone, "token": code }))
    };
    let wrong = "Token has expired or is invalid";
    let first = code(&twilio, "+4912345678");
    refused(&verify("sms", "4912345678", "000").await, 403, "otp_expired", wrong);
    let session = verify("sms", "4912345678", &first).await.is(200).json();
    assert_eq!(session["user"]["app_metadata"]["provider"], "phone");
    assert_eq!(claims(session["access_token"].as_str().unwrap())["amr"][0]["method"], "otp");
    refused(&verify("sms", "4912345678", &first).await, 403, "otp_expired", wrong);
    s.post("/auth/v1/token?grant_type=password", json!({ "phone": "4912345678", "password": PASSWORD })).await.is(200);

    assert_eq!(s.post("/auth/v1/otp", json!({ "phone": "4912345678" })).await.is(200).json(), json!({}));
    verify("sms", "4912345678", &code(&twilio, "+4912345678")).await.is(200);

    let token = session["access_token"].as_str().unwrap();
    let change = s.put("/auth/v1/user", json!({ "phone": "4987654321" })).bearer(token).await.is(200).json();
    assert_eq!((&change["phone"], &change["new_phone"]), (&json!("4912345678"), &json!("4987654321")));
    s.post("/auth/v1/resend", json!({ "type": "phone_change", "phone": "4912345678" })).await.is(200);
    let [_, again] = twilio.caught().try_into().expect("one message, and once more");
    let new = again.field("Body").trim_start_matches("Your code is ");
    let user = verify("phone_change", "4987654321", new).await.is(200).json()["user"].clone();
    assert_eq!(
        (&user["phone"], &user["identities"][0]["identity_data"]["phone"]),
        (&json!("4987654321"), &json!("4987654321"))
    );

    s.get("/auth/v1/reauthenticate").bearer(token).await.is(200);
    code(&twilio, "+4987654321");
}

/// A pending change of the number is independent of other confirmations; a new password revokes it.
#[tokio::test]
async fn a_pending_change_of_the_number_survives_other_confirmations() {
    let twilio = HttpCatcher::start(201, SENT);
    let own = [
        ("GOTRUE_SMS_API_URL", twilio.url.as_str()),
        ("GOTRUE_SMS_MAX_FREQUENCY", "1ns"),
        ("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false"),
    ];
    let all: Vec<(&str, &str)> = ACCOUNT.iter().chain(&own).copied().collect();
    let (s, mails) = Server::with_mails(&all).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    let ana = s.signed_in("ana@x.test").await;
    let verify = |phone: &str, code: &str| {
        s.post("/auth/v1/verify", json!({ "type": "phone_change", "phone": phone, "token": code }))
    };
    let pending = "select count(*) from auth.one_time_tokens where token_type = 'phone_change_token'";
    let db = s.database.connect().await;
    let is_pending = async || db.query_one(pending, &[]).await.unwrap().get::<_, i64>(0);

    ana.put("/auth/v1/user", json!({ "phone": "4912345678", "email": "new@x.test" })).await.is(200);
    let sent = code(&twilio, "+4912345678");
    s.get(&mails.to("new@x.test").await.path()).await.is(303);
    s.post("/auth/v1/recover", json!({ "email": "new@x.test" })).await.is(200);
    s.get(&mails.to("new@x.test").await.path()).await.is(303);
    assert_eq!(is_pending().await, 1);
    let user = verify("4912345678", &sent).await.is(200).json()["user"].clone();
    assert_eq!((&user["phone"], &user["email"]), (&json!("4912345678"), &json!("new@x.test")));
    assert_eq!(is_pending().await, 0);

    ana.put("/auth/v1/user", json!({ "phone": "4987654321" })).await.is(200);
    let sent = code(&twilio, "+4987654321");
    ana.put("/auth/v1/user", json!({ "password": "another password" })).await.is(200);
    assert_eq!(is_pending().await, 0);
    refused(&verify("4987654321", &sent).await, 403, "otp_expired", "Token has expired or is invalid");
}

#[tokio::test]
async fn after_a_refused_delivery_a_code_can_be_requested_at_once() {
    let twilio = HttpCatcher::start(401, r#"{"message":"Authenticate","more_info":"https://t.test/20003"}"#);
    let s = server(&twilio, &[("GOTRUE_SMS_MAX_FREQUENCY", "1h")]).await;
    let sign_up = || s.post("/auth/v1/signup", json!({ "phone": "4912345678", "password": PASSWORD }));
    let said = "Error sending confirmation OTP to provider: Authenticate More information: https://t.test/20003";
    refused(&sign_up().await, 422, "sms_send_failed", said);
    // As if the sign-up had never happened: there is no user to resend to.
    assert_eq!(s.get("/auth/v1/admin/users").bearer(&s.service_role_key).await.is(200).header("x-total-count"), "0");
    s.post("/auth/v1/resend", json!({ "type": "sms", "phone": "4912345678" })).await.is(200);
    twilio.answers(201, SENT);
    sign_up().await.is(200);
    let soon = sign_up().await.is(429);
    assert_eq!(soon.header("x-sb-error-code"), "over_sms_send_rate_limit", "{}", soon.body);
    s.clock.advance(chrono::TimeDelta::minutes(61));
    sign_up().await.is(200);
}

#[tokio::test]
async fn test_numbers_need_no_provider_until_they_expire() {
    let twilio = HttpCatcher::start(500, "");
    let until = (chrono::Utc::now() + chrono::TimeDelta::hours(1)).to_rfc3339();
    let s = server(
        &twilio,
        &[("GOTRUE_SMS_TEST_OTP", "+49 111:123456,49222:654321"), ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", &until)],
    )
    .await;
    s.post("/auth/v1/signup", json!({ "phone": "49111", "password": PASSWORD })).await.is(200);
    let verify = |code: &str| s.post("/auth/v1/verify", json!({ "type": "sms", "phone": "49111", "token": code }));
    verify("654321").await.is(403);
    verify("123456").await.is(200);
    let again = s.post("/auth/v1/otp", json!({ "phone": "49111" })).await.is(200).json();
    assert_eq!(again, json!({ "message_id": "test-otp" }));
    s.clock.advance(chrono::TimeDelta::hours(2));
    verify("123456").await.is(403);
    s.post("/auth/v1/otp", json!({ "phone": "49111" })).await.is(422);
    assert_eq!(twilio.caught().len(), 1, "only the last message was sent through the provider");
}

#[tokio::test]
async fn twilio_verify_creates_and_checks_the_codes() {
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
    s.post("/auth/v1/otp", json!({ "phone": "4912345678", "channel": "whatsapp" })).await.is(200);
    let sent = twilio.caught();
    assert_eq!((sent[0].line.as_str(), sent[0].field("Channel")), ("POST /v2/Services/VA1/Verifications", "whatsapp"));
    let verify = || s.post("/auth/v1/verify", json!({ "type": "sms", "phone": "4912345678", "token": "777777" }));
    twilio.answers(200, r#"{"status":"pending","valid":false}"#);
    refused(&verify().await, 403, "otp_expired", "Token has expired or is invalid");
    twilio.answers(200, r#"{"status":"approved","valid":true}"#);
    verify().await.is(200);
    let checks = twilio.caught();
    assert_eq!((checks.len(), checks[1].field("Code")), (2, "777777"), "one check for each attempt");
}

#[tokio::test]
async fn without_a_provider_codes_are_refused() {
    let s = Server::with(&[("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"), ("GOTRUE_SMS_AUTOCONFIRM", "false")]).await;
    let answer = s.post("/auth/v1/signup", json!({ "phone": "4912345678", "password": PASSWORD })).await.is(500);
    assert_eq!(answer.json()["msg"], "Unable to get SMS provider");
    let count: i64 = s.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(count, 0);
}
