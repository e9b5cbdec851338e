//! The API of each SMS provider. Twilio has its own file.

use serde_json::json;

use super::refused;
use crate::kit::{Calls, Caught, HttpCatcher, Server};

async fn server(api: &HttpCatcher, provider: &[(&str, &str)]) -> Server {
    let own = [
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_SMS_AUTOCONFIRM", "false"),
        ("GOTRUE_SMS_MAX_FREQUENCY", "1ns"),
        ("GOTRUE_SMS_TEMPLATE", "Grüße: {{ .Code }}"),
        ("GOTRUE_SMS_API_URL", api.url.as_str()),
    ];
    let all: Vec<(&str, &str)> = own.iter().chain(provider).copied().collect();
    Server::with(&all).await
}

/// Requests a code and signs in with it; returns the request that carried it, with its text in `field`.
async fn round_trip(s: &Server, api: &HttpCatcher, field: &str) -> Caught {
    s.post("/auth/v1/otp", json!({ "phone": "+4912345678" })).await.is(200);
    let [sent] = api.caught().try_into().expect("one message");
    let code = sent.field(field).strip_prefix("Grüße: ").expect("the text of the template").to_owned();
    let body = json!({ "type": "sms", "phone": "+4912345678", "token": code });
    s.post("/auth/v1/verify", body).await.is(200);
    sent
}

async fn fails(s: &Server, said: &str) {
    let answer = s.post("/auth/v1/otp", json!({ "phone": "+4912345678" })).await;
    refused(&answer, 422, "sms_send_failed", &format!("Error sending confirmation OTP to provider: {said}"));
}

async fn has_no_whatsapp(s: &Server) {
    let answer = s.post("/auth/v1/otp", json!({ "phone": "+4912345678", "channel": "whatsapp" })).await.is(400);
    assert_eq!(answer.header("x-sb-error-code"), "validation_failed");
}

#[tokio::test]
async fn messagebird() {
    let api = HttpCatcher::start(201, r#"{"id":"1","recipients":{"totalSentCount":1}}"#);
    let provider = [
        ("GOTRUE_SMS_PROVIDER", "messagebird"),
        ("GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY", "key"),
        ("GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR", "App"),
    ];
    let s = server(&api, &provider).await;
    let sent = round_trip(&s, &api, "body").await;
    assert_eq!((sent.line.as_str(), sent.authorization.as_str()), ("POST /messages", "AccessKey key"));
    let fields = ["originator", "recipients", "type", "datacoding"].map(|name| sent.field(name));
    assert_eq!(fields, ["App", "4912345678", "sms", "unicode"]);
    api.answers(201, r#"{"id":"1","recipients":{"totalSentCount":0}}"#);
    fails(&s, "messagebird error: total sent count is 0").await;
    api.answers(401, r#"{"errors":[{"code":2,"description":"Request not allowed"}]}"#);
    fails(&s, "Request not allowed").await;
    has_no_whatsapp(&s).await;
}

#[tokio::test]
async fn textlocal() {
    let api = HttpCatcher::start(200, r#"{"status":"success","messages":[{"id":"1"}]}"#);
    let provider = [
        ("GOTRUE_SMS_PROVIDER", "textlocal"),
        ("GOTRUE_SMS_TEXTLOCAL_API_KEY", "key"),
        ("GOTRUE_SMS_TEXTLOCAL_SENDER", "App"),
    ];
    let s = server(&api, &provider).await;
    let sent = round_trip(&s, &api, "message").await;
    assert_eq!(sent.line, "POST /send");
    assert_eq!(["sender", "apikey", "numbers"].map(|name| sent.field(name)), ["App", "key", "4912345678"]);
    api.answers(200, r#"{"status":"failure","errors":[{"code":3,"message":"Invalid login"}]}"#);
    fails(&s, "textlocal error: Invalid login (code: 3) message ").await;
    has_no_whatsapp(&s).await;
}

#[tokio::test]
async fn vonage() {
    let api = HttpCatcher::start(200, r#"{"messages":[{"status":"0","message-id":"1"}]}"#);
    let provider = [
        ("GOTRUE_SMS_PROVIDER", "vonage"),
        ("GOTRUE_SMS_VONAGE_API_KEY", "key"),
        ("GOTRUE_SMS_VONAGE_API_SECRET", "secret"),
        ("GOTRUE_SMS_VONAGE_FROM", "App"),
    ];
    let s = server(&api, &provider).await;
    let sent = round_trip(&s, &api, "text").await;
    assert_eq!(sent.line, "POST /sms/json");
    let fields = ["from", "to", "api_key", "api_secret", "type"].map(|name| sent.field(name));
    assert_eq!(fields, ["App", "4912345678", "key", "secret", "unicode"]);
    api.answers(200, r#"{"messages":[{"status":"4","error-text":"Bad Credentials","message-id":"m"}]}"#);
    fails(&s, "vonage error: Bad Credentials (status: 4) for message m").await;
    has_no_whatsapp(&s).await;
}

#[tokio::test]
async fn twilio_sends_whatsapp_messages_with_a_template() {
    let api = HttpCatcher::start(201, r#"{"sid":"SM1","status":"queued"}"#);
    let provider = [
        ("GOTRUE_SMS_PROVIDER", "twilio"),
        ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "AC1"),
        ("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "secret"),
        ("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "+49111"),
        ("GOTRUE_SMS_TWILIO_CONTENT_SID", "HX1"),
    ];
    let s = server(&api, &provider).await;
    s.post("/auth/v1/otp", json!({ "phone": "+4912345678", "channel": "whatsapp" })).await.is(200);
    let [sent] = api.caught().try_into().expect("one message");
    let fields = ["To", "From", "Channel", "ContentSid", "Body"].map(|name| sent.field(name));
    assert_eq!(fields, ["whatsapp:+4912345678", "whatsapp:+49111", "whatsapp", "HX1", ""]);
    let variables: serde_json::Value = serde_json::from_str(sent.field("ContentVariables")).unwrap();
    let body = json!({ "type": "sms", "phone": "4912345678", "token": variables["1"] });
    s.post("/auth/v1/verify", body).await.is(200);
    api.answers(200, r#"{"sid":"SM1","status":"undelivered","error_message":"blocked","error_code":63016}"#);
    fails(&s, "twilio error: blocked 63016 for message SM1").await;
}
