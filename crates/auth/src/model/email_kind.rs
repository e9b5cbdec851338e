//! The kinds of mails.

/// The kinds of mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EmailKind {
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

impl EmailKind {
    /// All kinds.
    pub(crate) const ALL: [EmailKind; 13] = [
        EmailKind::Invite,
        EmailKind::Confirmation,
        EmailKind::Recovery,
        EmailKind::MagicLink,
        EmailKind::EmailChange,
        EmailKind::Reauthentication,
        EmailKind::PasswordChanged,
        EmailKind::EmailChanged,
        EmailKind::PhoneChanged,
        EmailKind::IdentityLinked,
        EmailKind::IdentityUnlinked,
        EmailKind::MfaFactorEnrolled,
        EmailKind::MfaFactorUnenrolled,
    ];

    /// The name in settings (in capitals), in the header that `$messageType` fills, and in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EmailKind::Invite => "invite",
            EmailKind::Confirmation => "confirmation",
            EmailKind::Recovery => "recovery",
            EmailKind::MagicLink => "magic_link",
            EmailKind::EmailChange => "email_change",
            EmailKind::Reauthentication => "reauthentication",
            EmailKind::PasswordChanged => "password_changed_notification",
            EmailKind::EmailChanged => "email_changed_notification",
            EmailKind::PhoneChanged => "phone_changed_notification",
            EmailKind::IdentityLinked => "identity_linked_notification",
            EmailKind::IdentityUnlinked => "identity_unlinked_notification",
            EmailKind::MfaFactorEnrolled => "mfa_factor_enrolled_notification",
            EmailKind::MfaFactorUnenrolled => "mfa_factor_unenrolled_notification",
        }
    }

    /// True for mails that only report a change; they are sent if the project enables them.
    pub(crate) fn is_notification(self) -> bool {
        self.name().ends_with("_notification")
    }
}
