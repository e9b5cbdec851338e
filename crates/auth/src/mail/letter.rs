//! What is said to whom, before it has words.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::State;
use crate::account::User;

/// The occasions on which mail is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LetterKind {
    Invite,
    Confirmation,
    Recovery,
    MagicLink,
    EmailChange,
    Reauthentication,
    PasswordChanged,
    EmailChanged,
    PhoneChanged,
    IdentityLinked,
    IdentityUnlinked,
    MfaFactorEnrolled,
    MfaFactorUnenrolled,
}

impl LetterKind {
    /// All of them.
    pub(crate) const ALL: [LetterKind; 13] = [
        LetterKind::Invite,
        LetterKind::Confirmation,
        LetterKind::Recovery,
        LetterKind::MagicLink,
        LetterKind::EmailChange,
        LetterKind::Reauthentication,
        LetterKind::PasswordChanged,
        LetterKind::EmailChanged,
        LetterKind::PhoneChanged,
        LetterKind::IdentityLinked,
        LetterKind::IdentityUnlinked,
        LetterKind::MfaFactorEnrolled,
        LetterKind::MfaFactorUnenrolled,
    ];

    /// Its name in settings (in capitals), in the header that `$messageType` fills, and in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            LetterKind::Invite => "invite",
            LetterKind::Confirmation => "confirmation",
            LetterKind::Recovery => "recovery",
            LetterKind::MagicLink => "magic_link",
            LetterKind::EmailChange => "email_change",
            LetterKind::Reauthentication => "reauthentication",
            LetterKind::PasswordChanged => "password_changed_notification",
            LetterKind::EmailChanged => "email_changed_notification",
            LetterKind::PhoneChanged => "phone_changed_notification",
            LetterKind::IdentityLinked => "identity_linked_notification",
            LetterKind::IdentityUnlinked => "identity_unlinked_notification",
            LetterKind::MfaFactorEnrolled => "mfa_factor_enrolled_notification",
            LetterKind::MfaFactorUnenrolled => "mfa_factor_unenrolled_notification",
        }
    }

    /// Whether it only tells of what has happened; such letters are sent where the project asks for them.
    pub(crate) fn is_notification(self) -> bool {
        self.name().ends_with("_notification")
    }
}

/// A letter to one person.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) kind: LetterKind,
    pub(crate) user_id: Uuid,
    pub(crate) to: String,
    /// What its template may name.
    pub(crate) fields: Value,
}

impl Letter {
    /// A letter to a user, with the fields that every one has.
    ///
    /// DEVIATION: numbers, lists and objects of `.Data` are written into a mail as JSON has them; GoTrue writes them as Go prints them
    /// (`1e+06`, `map[a:1]`).
    pub(crate) fn new(state: &State, kind: LetterKind, user: &User, to: &str) -> Self {
        let fields = json!({ "SiteURL": state.config.site_url, "Email": user.email, "Data": user.user_metadata });
        Letter { kind, user_id: user.id, to: to.to_owned(), fields }
    }

    /// Adds a field.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.fields[name] = json!(value);
        self
    }

    /// About how much memory it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        fn of(value: &Value) -> usize {
            const OVERHEAD: usize = 64;
            OVERHEAD
                + match value {
                    Value::String(text) => text.len(),
                    Value::Array(items) => items.iter().map(of).sum(),
                    Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + of(value)).sum(),
                    _ => 0,
                }
        }
        of(&self.fields) + self.to.len()
    }
}
