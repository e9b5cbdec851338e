//! Builds the requests to SMS providers.

use gateway::http_client::Credentials;
use serde_json::json;
use url::Url;

use super::{Channel, SmsError};
use crate::config::SmsProvider;

/// A form and its target.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) url: Url,
    pub(super) credentials: Given,
    pub(super) fields: Vec<(&'static str, String)>,
}

/// Our credentials at the provider.
pub(super) enum Given {
    InFields,
    Basic(String, String),
    Header(String),
}

impl std::fmt::Debug for Given {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl Given {
    pub(super) fn borrowed(&self) -> Credentials<'_> {
        match self {
            Given::InFields => Credentials::None,
            Given::Basic(user, password) => Credentials::Basic { user, password },
            Given::Header(value) => Credentials::Header(value.clone()),
        }
    }
}

/// The request that sends a message.
pub(super) fn message(
    provider: &SmsProvider,
    phone: &str,
    text: &str,
    channel: Channel,
    code: &str,
) -> Result<Request, SmsError> {
    let name = match provider {
        SmsProvider::Twilio { .. } | SmsProvider::TwilioVerify { .. } => "Twilio",
        SmsProvider::Messagebird { .. } => "Messagebird",
        SmsProvider::Textlocal { .. } => "TextLocal",
        SmsProvider::Vonage { .. } => "Vonage",
    };
    if channel != Channel::Sms && name != "Twilio" {
        return Err(SmsError::Channel(channel.as_str(), name));
    }
    let owned =
        |fields: &[(&'static str, &str)]| fields.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    Ok(match provider {
        SmsProvider::Twilio { account_sid, auth_token, message_service_sid, content_sid } => Request {
            url: url(&format!("https://api.twilio.com/2010-04-01/Accounts/{account_sid}/Messages.json"))?,
            credentials: Given::Basic(account_sid.clone(), auth_token.reveal().clone()),
            fields: twilio(phone, text, channel, code, message_service_sid, content_sid),
        },
        SmsProvider::TwilioVerify { account_sid, auth_token, message_service_sid } => Request {
            url: url(&format!("https://verify.twilio.com/v2/Services/{message_service_sid}/Verifications"))?,
            credentials: Given::Basic(account_sid.clone(), auth_token.reveal().clone()),
            fields: vec![("To", format!("+{phone}")), ("Channel", channel.as_str().to_owned())],
        },
        SmsProvider::Messagebird { access_key, originator } => Request {
            url: url("https://rest.messagebird.com/messages")?,
            credentials: Given::Header(format!("AccessKey {}", access_key.reveal())),
            fields: owned(&[
                ("originator", originator),
                ("body", text),
                ("recipients", phone),
                ("type", "sms"),
                ("datacoding", "unicode"),
            ]),
        },
        SmsProvider::Textlocal { api_key, sender } => Request {
            url: url("https://api.textlocal.in/send")?,
            credentials: Given::InFields,
            fields: owned(&[("sender", sender), ("apikey", api_key.reveal()), ("message", text), ("numbers", phone)]),
        },
        SmsProvider::Vonage { api_key, api_secret, from } => {
            let secret = api_secret.reveal();
            let mut fields: Vec<(&'static str, String)> =
                owned(&[("from", from), ("to", phone), ("text", text), ("api_key", api_key), ("api_secret", secret)]);
            if !text.is_ascii() {
                fields.push(("type", "unicode".to_owned()));
            }
            Request { url: url("https://rest.nexmo.com/sms/json")?, credentials: Given::InFields, fields }
        }
    })
}

fn twilio(
    phone: &str,
    text: &str,
    channel: Channel,
    code: &str,
    sender: &str,
    content_sid: &str,
) -> Vec<(&'static str, String)> {
    let channel_field = ("Channel", channel.as_str().to_owned());
    if channel == Channel::Sms {
        let to = format!("+{phone}");
        return vec![("To", to), channel_field, ("From", sender.to_owned()), ("Body", text.to_owned())];
    }
    let is_number = crate::model::addresses::phone(sender).is_ok();
    let from = if is_number { format!("whatsapp:{sender}") } else { sender.to_owned() };
    let mut fields = vec![("To", format!("whatsapp:+{phone}")), channel_field, ("From", from)];
    if content_sid.is_empty() {
        fields.push(("Body", text.to_owned()));
    } else {
        fields.push(("ContentSid", content_sid.to_owned()));
        fields.push(("ContentVariables", json!({ "1": code }).to_string()));
    }
    fields
}

/// The request that checks a code.
pub(super) fn check(provider: &SmsProvider, phone: &str, code: &str) -> Result<Request, SmsError> {
    let SmsProvider::TwilioVerify { account_sid, auth_token, message_service_sid } = provider else {
        return Err(SmsError::Refused("VerifyOTP is not supported".to_owned()));
    };
    Ok(Request {
        url: url(&format!("https://verify.twilio.com/v2/Services/{message_service_sid}/VerificationCheck"))?,
        credentials: Given::Basic(account_sid.clone(), auth_token.reveal().clone()),
        fields: vec![("To", format!("+{phone}")), ("Code", code.to_owned())],
    })
}

fn url(text: &str) -> Result<Url, SmsError> {
    Url::parse(text).map_err(|_| SmsError::Refused("the account's id cannot be part of an address".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gateway::Secret;

    fn secret(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    fn twilio_with(content_sid: &str, sender: &str) -> SmsProvider {
        SmsProvider::Twilio {
            account_sid: "AC1".to_owned(),
            auth_token: secret("t"),
            message_service_sid: sender.to_owned(),
            content_sid: content_sid.to_owned(),
        }
    }

    #[test]
    fn every_provider_is_asked_in_its_own_words() {
        let verify = SmsProvider::TwilioVerify {
            account_sid: "AC1".to_owned(),
            auth_token: secret("t"),
            message_service_sid: "VA1".to_owned(),
        };
        let bird = SmsProvider::Messagebird { access_key: secret("k"), originator: "App".to_owned() };
        let local = SmsProvider::Textlocal { api_key: secret("k"), sender: "App".to_owned() };
        let vonage = SmsProvider::Vonage { api_key: "k".to_owned(), api_secret: secret("s"), from: "App".to_owned() };
        for (provider, channel, url, fields) in [
            (
                twilio_with("", "MG1"),
                Channel::Sms,
                "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
                "To=+49123 Channel=sms From=MG1 Body=Code é 123456",
            ),
            (
                twilio_with("HX1", "49555"),
                Channel::Whatsapp,
                "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
                "To=whatsapp:+49123 Channel=whatsapp From=whatsapp:49555 ContentSid=HX1 ContentVariables={\"1\":\"123456\"}",
            ),
            (verify, Channel::Sms, "https://verify.twilio.com/v2/Services/VA1/Verifications", "To=+49123 Channel=sms"),
            (
                bird,
                Channel::Sms,
                "https://rest.messagebird.com/messages",
                "originator=App body=Code é 123456 recipients=49123 type=sms datacoding=unicode",
            ),
            (
                local,
                Channel::Sms,
                "https://api.textlocal.in/send",
                "sender=App apikey=k message=Code é 123456 numbers=49123",
            ),
            (
                vonage,
                Channel::Sms,
                "https://rest.nexmo.com/sms/json",
                "from=App to=49123 text=Code é 123456 api_key=k api_secret=s type=unicode",
            ),
        ] {
            let request = message(&provider, "49123", "Code é 123456", channel, "123456").unwrap();
            let form: Vec<String> = request.fields.iter().map(|(key, value)| format!("{key}={value}")).collect();
            assert_eq!((request.url.as_str(), form.join(" ").as_str()), (url, fields));
        }
    }

    #[test]
    fn only_twilio_has_whatsapp() {
        let local = SmsProvider::Textlocal { api_key: secret("k"), sender: "App".to_owned() };
        let refused = message(&local, "49123", "x", Channel::Whatsapp, "1").unwrap_err();
        assert_eq!(refused.to_string(), "channel type \"whatsapp\" is not supported for TextLocal");
    }
}
