//! Mail settings.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use gateway::Secret;
use lettre::Address;
use lettre::message::Mailbox;
use lettre::message::header::HeaderName;
use url::Url;

use super::reader::{Reader, or_default, otp_length};
use super::{LinkPaths, MailerConfig, SmtpConfig, outside};
use crate::config::{Body, Wording};
use crate::model::email_kind::EmailKind;
use crate::protocol::template::Template;

/// Maximum size of a template file, in bytes.
const MAX_TEMPLATE: u64 = 1_000_000;

pub(super) fn mailer(reader: &mut Reader, site_url: &str) -> MailerConfig {
    MailerConfig {
        autoconfirm: reader.flag("GOTRUE_MAILER_AUTOCONFIRM", false),
        allow_unverified_email_sign_ins: reader.flag("GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", false),
        secure_email_change_enabled: reader.flag("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", true),
        otp_exp: or_default(reader.number("GOTRUE_MAILER_OTP_EXP", 0), 86_400),
        otp_length: otp_length(reader.number("GOTRUE_MAILER_OTP_LENGTH", 0)),
        max_frequency: reader.duration("GOTRUE_SMTP_MAX_FREQUENCY", Duration::from_secs(60)),
        smtp: smtp(reader),
        validation: outside::email_validation(reader),
        link_paths: LinkPaths {
            invite: reader.text("GOTRUE_MAILER_URLPATHS_INVITE"),
            confirmation: reader.text("GOTRUE_MAILER_URLPATHS_CONFIRMATION"),
            recovery: reader.text("GOTRUE_MAILER_URLPATHS_RECOVERY"),
            email_change: reader.text("GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE"),
        },
        wordings: wordings(reader, site_url),
        notifications: notifications(reader),
    }
}

/// `None` without a host.
fn smtp(reader: &mut Reader) -> Option<SmtpConfig> {
    const FROM: &str = "GOTRUE_SMTP_ADMIN_EMAIL";
    let host = reader.text("GOTRUE_SMTP_HOST");
    let port = reader.number("GOTRUE_SMTP_PORT", 587);
    let user = reader.text("GOTRUE_SMTP_USER").unwrap_or_default();
    let password = Secret::new(reader.secret("GOTRUE_SMTP_PASS").unwrap_or_default());
    let (address, name) = (reader.text(FROM), reader.text("GOTRUE_SMTP_SENDER_NAME"));
    let headers = headers(reader);
    let host = host?;
    let Ok(from) = address.as_deref().unwrap_or_default().parse::<Address>() else {
        reader.problem(
            FROM,
            address.as_deref(),
            "must be the address that mails come from, as there is an SMTP server",
        );
        return None;
    };
    Some(SmtpConfig { host, port, user, password, from: Mailbox::new(name, from), headers })
}

fn headers(reader: &mut Reader) -> Vec<(String, Vec<String>)> {
    const KEY: &str = "GOTRUE_SMTP_HEADERS";
    let Some(text) = reader.text(KEY) else { return Vec::new() };
    let headers: HashMap<String, Vec<String>> = serde_json::from_str(&text).unwrap_or_else(|_| {
        reader.problem(KEY, Some(&text), r#"must be JSON such as {"X-Header": ["value"]}"#);
        HashMap::new()
    });
    for name in headers.keys() {
        if HeaderName::new_from_ascii(name.clone()).is_err() {
            reader.problem(KEY, Some(name), "is no name of a header");
        }
    }
    let mut headers: Vec<_> = headers.into_iter().collect();
    headers.sort();
    headers
}

fn wordings(reader: &mut Reader, site_url: &str) -> HashMap<EmailKind, Wording> {
    let mut wordings = HashMap::new();
    for kind in EmailKind::ALL {
        let name = kind.name().to_uppercase();
        let key = format!("GOTRUE_MAILER_SUBJECTS_{name}");
        let subject = reader.text(&key).and_then(|text| template(reader, &key, &text));
        let key = format!("GOTRUE_MAILER_TEMPLATES_{name}");
        let body = match reader.text(&key) {
            None => Body::Default,
            Some(place) => body(reader, &key, &place, site_url),
        };
        wordings.insert(kind, Wording { subject, body });
    }
    wordings
}

/// Reads a template from where its setting points: `file:///…` is read now, `http…` when the mail is sent, and a path
/// is relative to the app's site URL.
///
/// DEVIATION (more): a mail template may be a file (`file:///path`); GoTrue only loads templates from the web.
fn body(reader: &mut Reader, key: &str, place: &str, site_url: &str) -> Body {
    if let Some(path) = place.strip_prefix("file://") {
        let fits = std::fs::metadata(path).map(|file| file.len() <= MAX_TEMPLATE);
        let text = match fits {
            Ok(true) => std::fs::read_to_string(path).map_err(|error| error.to_string()),
            Ok(false) => Err(format!("it is longer than {MAX_TEMPLATE} bytes")),
            Err(error) => Err(error.to_string()),
        };
        return match text {
            Ok(text) => template(reader, key, &text).map_or(Body::Default, Body::Given),
            Err(reason) => {
                reader.problem(key, Some(path), &format!("cannot be read: {reason}"));
                Body::Default
            }
        };
    }
    let place = if place.starts_with("http") { place.to_owned() } else { format!("{site_url}{place}") };
    Url::parse(&place).map(Body::At).unwrap_or_else(|_| {
        reader.problem(key, Some(&place), "must be the address of a template");
        Body::Default
    })
}

fn template(reader: &mut Reader, key: &str, text: &str) -> Option<Template> {
    let parsed = Template::parse(text);
    parsed.map_err(|error| reader.problem(key, None, &format!("is no template: {error}"))).ok()
}

fn notifications(reader: &mut Reader) -> HashSet<EmailKind> {
    let wanted = |kind: &EmailKind| {
        let name = kind.name().trim_end_matches("_notification").to_uppercase();
        kind.is_notification() && reader.flag(&format!("GOTRUE_MAILER_NOTIFICATIONS_{name}_ENABLED"), false)
    };
    EmailKind::ALL.into_iter().filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::config::Body;
    use crate::model::email_kind::EmailKind;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        let least = [
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let all = least.iter().chain(pairs).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::from_env(all)
            .map(|(config, unread)| {
                assert!(unread.is_empty(), "{unread:?}");
                config
            })
            .map_err(|problems| {
                problems.iter().map(|problem| format!("{}: {}", problem.key, problem.message)).collect()
            })
    }

    #[test]
    fn mail_servers_and_words() {
        let file = std::env::temp_dir().join(format!("dugout-template-{}.html", std::process::id()));
        std::fs::write(&file, "<p>{{ .Token }}</p>").unwrap();
        let place = format!("file://{}", file.display());
        let config = read(&[
            ("GOTRUE_SMTP_HOST", "mail.test"),
            ("GOTRUE_SMTP_ADMIN_EMAIL", "post@app.test"),
            ("GOTRUE_SMTP_SENDER_NAME", "The App"),
            ("GOTRUE_SMTP_PASS", "geheim"),
            ("GOTRUE_SMTP_HEADERS", r#"{"X-Kind":["$messageType"]}"#),
            ("GOTRUE_MAILER_SUBJECTS_CONFIRMATION", "Hello {{ .Email }}"),
            ("GOTRUE_MAILER_TEMPLATES_CONFIRMATION", &place),
            ("GOTRUE_MAILER_TEMPLATES_INVITE", "/mails/invite.html"),
            ("GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", "true"),
        ])
        .unwrap();
        std::fs::remove_file(file).unwrap();
        let smtp = config.mailer.smtp.as_ref().unwrap();
        assert_eq!((smtp.port, smtp.from.to_string().as_str()), (587, "The App <post@app.test>"));
        assert!(!format!("{config:?}").contains("geheim"));
        assert!(config.mailer.wordings[&EmailKind::Confirmation].subject.is_some());
        assert!(matches!(config.mailer.wordings[&EmailKind::Confirmation].body, Body::Given(_)));
        let Body::At(url) = &config.mailer.wordings[&EmailKind::Invite].body else { panic!() };
        assert_eq!(url.as_str(), "https://app.test/mails/invite.html");
        assert!(config.mailer.notifications.contains(&EmailKind::PasswordChanged));
        assert_eq!(config.mailer.notifications.len(), 1);
    }

    #[test]
    fn mistakes_are_named() {
        let said = read(&[
            ("GOTRUE_SMTP_HOST", "mail.test"),
            ("GOTRUE_SMTP_HEADERS", "x"),
            ("GOTRUE_MAILER_SUBJECTS_INVITE", "{{ if }}"),
            ("GOTRUE_MAILER_TEMPLATES_INVITE", "file:///not/there"),
        ])
        .unwrap_err();
        assert_eq!(said.len(), 4, "{said:?}");
        assert!(said.iter().any(|text| text.starts_with("GOTRUE_MAILER_SUBJECTS_INVITE: is no template: line 1")));
    }
}
