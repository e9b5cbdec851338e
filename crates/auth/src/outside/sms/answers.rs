//! Reads the answers of SMS providers.

use serde_json::Value;

use super::SmsError;
use crate::config::SmsProvider;

/// Checks that the message was accepted.
pub(super) fn message(provider: &SmsProvider, status: u16, body: &[u8]) -> Result<(), SmsError> {
    let answer: Value = serde_json::from_slice(body).map_err(|_| SmsError::Answer(status))?;
    let refused = |text: String| Err(SmsError::Refused(text));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match provider {
        SmsProvider::Twilio { .. } | SmsProvider::TwilioVerify { .. } => {
            twilio(status, &answer)?;
            match answer["status"].as_str() {
                Some("failed" | "undelivered") => refused(format!(
                    "twilio error: {} {} for message {}",
                    text(&answer["error_message"]),
                    text(&answer["error_code"]),
                    text(&answer["sid"])
                )),
                _ => Ok(()),
            }
        }
        SmsProvider::Messagebird { .. } => match (&answer["errors"][0]["description"], status) {
            (Value::String(description), 400 | 401 | 403 | 422) => refused(description.clone()),
            (_, 400 | 401 | 403 | 422) => Err(SmsError::Answer(status)),
            _ if answer["recipients"]["totalSentCount"].as_i64().unwrap_or_default() == 0 => {
                refused("messagebird error: total sent count is 0".to_owned())
            }
            _ => Ok(()),
        },
        SmsProvider::Textlocal { .. } => match answer["status"].as_str() {
            Some("success") => Ok(()),
            _ => {
                let error = &answer["errors"][0];
                let id = answer["messages"][0]["id"].as_str().unwrap_or_default();
                refused(format!("textlocal error: {} (code: {}) message {id}", text(&error["message"]), error["code"]))
            }
        },
        SmsProvider::Vonage { .. } => match &answer["messages"][0] {
            Value::Null => refused("vonage error: Internal Error".to_owned()),
            first if first["status"] == "0" => Ok(()),
            first => refused(format!(
                "vonage error: {} (status: {}) for message {}",
                text(&first["error-text"]),
                text(&first["status"]),
                text(&first["message-id"])
            )),
        },
    }
}

/// Checks that the code was right.
pub(super) fn check(status: u16, body: &[u8]) -> Result<(), SmsError> {
    let answer: Value = serde_json::from_slice(body).map_err(|_| SmsError::Answer(status))?;
    twilio(status, &answer)?;
    if answer["status"] == "approved" && answer["valid"] == true {
        return Ok(());
    }
    Err(SmsError::Refused("twilio verification error".to_owned()))
}

fn twilio(status: u16, answer: &Value) -> Result<(), SmsError> {
    if matches!(status, 200 | 201) {
        return Ok(());
    }
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    Err(SmsError::Refused(format!("{} More information: {}", text("message"), text("more_info"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gateway::Secret;

    #[test]
    fn only_a_clear_yes_is_one() {
        let secret = || Secret::new(String::new());
        let twilio = SmsProvider::Twilio {
            account_sid: String::new(),
            auth_token: secret(),
            message_service_sid: String::new(),
            content_sid: String::new(),
        };
        let bird = SmsProvider::Messagebird { access_key: secret(), originator: String::new() };
        let local = SmsProvider::Textlocal { api_key: secret(), sender: String::new() };
        let vonage = SmsProvider::Vonage { api_key: String::new(), api_secret: secret(), from: String::new() };
        for (provider, status, body, said) in [
            (&twilio, 201, r#"{"sid":"SM1","status":"queued"}"#, ""),
            (
                &twilio,
                201,
                r#"{"sid":"SM1","status":"failed","error_message":"no","error_code":7}"#,
                "twilio error: no 7 for message SM1",
            ),
            (
                &twilio,
                401,
                r#"{"message":"Authenticate","more_info":"https://t"}"#,
                "Authenticate More information: https://t",
            ),
            (&twilio, 502, "<html>", "the provider's answer cannot be understood (status 502)"),
            (&bird, 201, r#"{"id":"1","recipients":{"totalSentCount":1}}"#, ""),
            (&bird, 201, r#"{"recipients":{}}"#, "messagebird error: total sent count is 0"),
            (&bird, 422, r#"{"errors":[{"description":"bad number"}]}"#, "bad number"),
            (&bird, 422, "{}", "the provider's answer cannot be understood (status 422)"),
            (&local, 200, r#"{"status":"success"}"#, ""),
            (
                &local,
                200,
                r#"{"status":"failure","errors":[{"code":3,"message":"no"}]}"#,
                "textlocal error: no (code: 3) message ",
            ),
            (&local, 200, "{}", "textlocal error: null (code: null) message "),
            (&vonage, 200, r#"{"messages":[{"status":"0"}]}"#, ""),
            (
                &vonage,
                200,
                r#"{"messages":[{"status":"2","error-text":"no","message-id":"m"}]}"#,
                "vonage error: no (status: 2) for message m",
            ),
            (&vonage, 200, "{}", "vonage error: Internal Error"),
        ] {
            let outcome = message(provider, status, body.as_bytes());
            assert_eq!(outcome.map_err(|error| error.to_string()).err().unwrap_or_default(), said, "{body}");
        }
        assert!(check(200, br#"{"status":"approved","valid":true}"#).is_ok());
        for body in [r#"{"status":"pending","valid":false}"#, r#"{"status":"approved","valid":false}"#, "{}"] {
            assert!(check(200, body.as_bytes()).is_err(), "{body}");
        }
    }
}
