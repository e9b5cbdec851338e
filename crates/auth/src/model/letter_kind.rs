//! The kinds of mails.

/// The kinds of mails.
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
    /// All kinds.
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

    /// The name in settings (in capitals), in the header that `$messageType` fills, and in the log.
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

    /// True for mails that only report a change; they are sent if the project enables them.
    pub(crate) fn is_notification(self) -> bool {
        self.name().ends_with("_notification")
    }
}
