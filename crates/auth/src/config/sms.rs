//! Settings of SMS and WhatsApp messages.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway::Secret;

use super::reader::{Reader, or_default, otp_length};
use super::{SmsConfig, SmsProvider};
use crate::model::addresses;
use crate::protocol::template::Template;

const TEMPLATE: &str = "GOTRUE_SMS_TEMPLATE";
const TEST_OTP: &str = "GOTRUE_SMS_TEST_OTP";

pub(super) fn sms(reader: &mut Reader) -> SmsConfig {
    let name = reader.text("GOTRUE_SMS_PROVIDER").unwrap_or_default();
    SmsConfig {
        autoconfirm: reader.flag("GOTRUE_SMS_AUTOCONFIRM", false),
        otp_exp: or_default(reader.number("GOTRUE_SMS_OTP_EXP", 0), 60),
        otp_length: otp_length(reader.number("GOTRUE_SMS_OTP_LENGTH", 0)),
        max_frequency: reader.duration("GOTRUE_SMS_MAX_FREQUENCY", Duration::from_secs(60)),
        template: template(reader),
        test_otps: test_otps(reader),
        test_otps_valid_until: test_otps_valid_until(reader),
        api_url: reader.parse(
            "GOTRUE_SMS_API_URL",
            None,
            "must be an address such as https://proxy.example.com",
            |text| url::Url::parse(text).ok().map(Some),
        ),
        provider: provider(reader, &name),
        provider_name: name,
    }
}

fn template(reader: &mut Reader) -> Template {
    let text = reader.text(TEMPLATE).unwrap_or_else(|| "Your code is {{ .Code }}".to_owned());
    Template::parse(&text).unwrap_or_else(|error| {
        reader.problem(TEMPLATE, Some(&text), &format!("is no template: {error}"));
        Template::default()
    })
}

/// `number:code,…`
fn test_otps(reader: &mut Reader) -> HashMap<String, Secret<String>> {
    let mut codes = HashMap::new();
    reader.hide(TEST_OTP);
    for pair in reader.list(TEST_OTP) {
        match pair.split_once([':', '=']) {
            Some((number, code)) => {
                codes.insert(addresses::plain_phone(number.trim()), Secret::new(code.trim().to_owned()));
            }
            None => reader.problem(TEST_OTP, None, "must be a list of number:code"),
        }
    }
    codes
}

fn test_otps_valid_until(reader: &mut Reader) -> Option<DateTime<Utc>> {
    reader.parse("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", None, "must be a time such as 2026-12-31T23:59:59Z", |text| {
        DateTime::parse_from_rfc3339(text).ok().map(|time| Some(time.to_utc()))
    })
}

/// Settings that hold the providers' credentials.
const SECRETS: [&str; 6] = [
    "GOTRUE_SMS_TWILIO_AUTH_TOKEN",
    "GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN",
    "GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY",
    "GOTRUE_SMS_TEXTLOCAL_API_KEY",
    "GOTRUE_SMS_VONAGE_API_KEY",
    "GOTRUE_SMS_VONAGE_API_SECRET",
];

/// The provider with its credentials. `None` if some are missing; requests for a message then fail with an error that
/// says so.
fn provider(reader: &mut Reader, chosen: &str) -> Option<SmsProvider> {
    for secret in SECRETS {
        reader.hide(secret);
    }
    let mut text = |name: &str| reader.text(&format!("GOTRUE_SMS_{name}"));
    let twilio_content = text("TWILIO_CONTENT_SID").unwrap_or_default();
    let [twilio_account, twilio_token, twilio_service] =
        ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_MESSAGE_SERVICE_SID"].map(&mut text);
    let [verify_account, verify_token, verify_service] =
        ["TWILIO_VERIFY_ACCOUNT_SID", "TWILIO_VERIFY_AUTH_TOKEN", "TWILIO_VERIFY_MESSAGE_SERVICE_SID"].map(&mut text);
    let [bird_key, bird_originator] = ["MESSAGEBIRD_ACCESS_KEY", "MESSAGEBIRD_ORIGINATOR"].map(&mut text);
    let [local_key, local_sender] = ["TEXTLOCAL_API_KEY", "TEXTLOCAL_SENDER"].map(&mut text);
    let [vonage_key, vonage_secret, vonage_from] =
        ["VONAGE_API_KEY", "VONAGE_API_SECRET", "VONAGE_FROM"].map(&mut text);
    Some(match chosen {
        "twilio" => SmsProvider::Twilio {
            account_sid: twilio_account?,
            auth_token: Secret::new(twilio_token?),
            message_service_sid: twilio_service?,
            content_sid: twilio_content,
        },
        "twilio_verify" => SmsProvider::TwilioVerify {
            account_sid: verify_account?,
            auth_token: Secret::new(verify_token?),
            message_service_sid: verify_service?,
        },
        "messagebird" => SmsProvider::Messagebird { access_key: Secret::new(bird_key?), originator: bird_originator? },
        "textlocal" => SmsProvider::Textlocal { api_key: Secret::new(local_key?), sender: local_sender? },
        "vonage" => {
            SmsProvider::Vonage { api_key: vonage_key?, api_secret: Secret::new(vonage_secret?), from: vonage_from? }
        }
        _ => return None,
    })
}
