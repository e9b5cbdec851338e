//! The built-in mail texts.

use crate::model::email_kind::EmailKind;
use crate::protocol::template::Template;

/// Subject and body.
pub(super) fn templates(kind: EmailKind) -> (Template, Template) {
    let (subject, body) = texts(kind);
    let parse = |text| Template::parse(text).expect("a test reads every one of them");
    (parse(subject), parse(body))
}

fn texts(kind: EmailKind) -> (&'static str, &'static str) {
    match kind {
        EmailKind::Invite => ("You are invited", include_str!("defaults/invite.html")),
        EmailKind::Confirmation => ("Please confirm your address", include_str!("defaults/confirmation.html")),
        EmailKind::Recovery => ("Choose a new password", include_str!("defaults/recovery.html")),
        EmailKind::MagicLink => ("Your link to sign in", include_str!("defaults/magic_link.html")),
        EmailKind::EmailChange => {
            ("Please confirm the change of your address", include_str!("defaults/email_change.html"))
        }
        EmailKind::Reauthentication => ("{{ .Token }} is your code", include_str!("defaults/reauthentication.html")),
        EmailKind::PasswordChanged => ("Your password has changed", include_str!("defaults/password_changed.html")),
        EmailKind::EmailChanged => ("Your email address has changed", include_str!("defaults/email_changed.html")),
        EmailKind::PhoneChanged => ("Your phone number has changed", include_str!("defaults/phone_changed.html")),
        EmailKind::IdentityLinked => {
            ("There is a new way to sign in to your account", include_str!("defaults/identity_linked.html"))
        }
        EmailKind::IdentityUnlinked => {
            ("A way to sign in to your account is gone", include_str!("defaults/identity_unlinked.html"))
        }
        EmailKind::MfaFactorEnrolled => {
            ("Your account has a new second factor", include_str!("defaults/mfa_factor_enrolled.html"))
        }
        EmailKind::MfaFactorUnenrolled => {
            ("Your account has lost a second factor", include_str!("defaults/mfa_factor_unenrolled.html"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_words_and_names_its_fields() {
        for kind in EmailKind::ALL {
            let (subject, body) = templates(kind);
            let fields = serde_json::json!({
                "SiteURL": "https://x.test", "Email": "a@x.test", "ConfirmationURL": "https://x.test/verify", "Token": "123456",
                "NewEmail": "n@x.test", "OldEmail": "o@x.test", "Phone": "1", "OldPhone": "2", "Provider": "p", "FactorType": "f",
            });
            let (subject, body) = (subject.text(&fields).unwrap(), body.html(&fields).unwrap());
            assert!(!subject.is_empty() && body.starts_with("<h2>") && body.contains(" "), "{kind:?}");
            let asks = !kind.is_notification() && kind != EmailKind::Reauthentication;
            assert_eq!(body.contains("https://x.test/verify"), asks, "{kind:?}");
        }
    }
}
