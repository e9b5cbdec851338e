//! The authentication methods, with their names in `amr`.
//!
//! Source: supabase/auth, `internal/models/factor.go`.

/// How a user authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuthenticationMethod {
    Password,
    Anonymous,
    /// By code, or by link without PKCE.
    Otp,
    // By link in a PKCE flow.
    EmailSignup,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// At an external provider.
    OAuth,
    Saml,
    Web3,
    Passkey,
    /// By a client of our OAuth server.
    AuthorizationCode,
    // Second factors.
    Totp,
    MfaPhone,
    MfaWebAuthn,
}

const ALL: [AuthenticationMethod; 16] = [
    AuthenticationMethod::Password,
    AuthenticationMethod::Anonymous,
    AuthenticationMethod::Otp,
    AuthenticationMethod::EmailSignup,
    AuthenticationMethod::Invite,
    AuthenticationMethod::Recovery,
    AuthenticationMethod::MagicLink,
    AuthenticationMethod::EmailChange,
    AuthenticationMethod::OAuth,
    AuthenticationMethod::Saml,
    AuthenticationMethod::Web3,
    AuthenticationMethod::Passkey,
    AuthenticationMethod::AuthorizationCode,
    AuthenticationMethod::Totp,
    AuthenticationMethod::MfaPhone,
    AuthenticationMethod::MfaWebAuthn,
];

impl AuthenticationMethod {
    /// The name in `amr`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            AuthenticationMethod::Password => "password",
            AuthenticationMethod::Anonymous => "anonymous",
            AuthenticationMethod::Otp => "otp",
            AuthenticationMethod::EmailSignup => "email/signup",
            AuthenticationMethod::Invite => "invite",
            AuthenticationMethod::Recovery => "recovery",
            AuthenticationMethod::MagicLink => "magiclink",
            AuthenticationMethod::EmailChange => "email_change",
            AuthenticationMethod::OAuth => "oauth",
            AuthenticationMethod::Saml => "sso/saml",
            AuthenticationMethod::Web3 => "web3",
            AuthenticationMethod::Passkey => "passkey",
            AuthenticationMethod::AuthorizationCode => "oauth_provider/authorization_code",
            AuthenticationMethod::Totp => "totp",
            AuthenticationMethod::MfaPhone => "mfa/phone",
            AuthenticationMethod::MfaWebAuthn => "mfa/webauthn",
        }
    }

    /// The method of a link of this type.
    pub(crate) fn of_link(kind: &str) -> Option<Self> {
        let name = if kind == "signup" { "email/signup" } else { kind };
        Self::of_flow(name)
    }

    /// The method with this name, as stored with a flow.
    pub(crate) fn of_flow(name: &str) -> Option<Self> {
        ALL.into_iter().find(|method| method.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name() {
        for method in ALL {
            assert_eq!(AuthenticationMethod::of_flow(method.as_str()), Some(method));
        }
        assert_eq!(AuthenticationMethod::of_link("signup"), Some(AuthenticationMethod::EmailSignup));
        assert_eq!(AuthenticationMethod::of_flow("token_refresh"), None);
    }
}
