//! Translates `[auth…]` of `supabase/config.toml` into GoTrue's environment variables, as the Supabase CLI does.

mod documented;
mod sections;
mod unset;

use std::collections::BTreeMap;

use gateway::settings::{Origin, Report, Resolved, cli_env};

pub(crate) use documented::VARIABLES;

/// GoTrue's variables, each with its value and where it came from.
pub(crate) type Variables = BTreeMap<String, (String, Origin)>;

/// How a value is translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// Unchanged.
    Same,
    /// Negated: the CLI enables what GoTrue disables, or the reverse.
    Not,
    /// The CLI names sets of characters, GoTrue lists them.
    PasswordRequirements,
}

/// (path in config.toml, variable of GoTrue, how)
const TRANSLATION: &[(&str, &str, As)] = &[
    ("auth.site_url", "GOTRUE_SITE_URL", As::Same),
    ("auth.external_url", "API_EXTERNAL_URL", As::Same),
    ("auth.additional_redirect_urls", "GOTRUE_URI_ALLOW_LIST", As::Same),
    ("auth.jwt_expiry", "GOTRUE_JWT_EXP", As::Same),
    ("auth.jwt_issuer", "GOTRUE_JWT_ISSUER", As::Same),
    ("auth.enable_signup", "GOTRUE_DISABLE_SIGNUP", As::Not),
    ("auth.enable_anonymous_sign_ins", "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", As::Same),
    ("auth.enable_manual_linking", "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", As::Same),
    ("auth.enable_refresh_token_rotation", "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", As::Same),
    ("auth.refresh_token_reuse_interval", "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", As::Same),
    ("auth.minimum_password_length", "GOTRUE_PASSWORD_MIN_LENGTH", As::Same),
    ("auth.password_requirements", "GOTRUE_PASSWORD_REQUIRED_CHARACTERS", As::PasswordRequirements),
    ("auth.email.enable_signup", "GOTRUE_EXTERNAL_EMAIL_ENABLED", As::Same),
    // The CLI's newer name for the same.
    ("auth.email.enabled", "GOTRUE_EXTERNAL_EMAIL_ENABLED", As::Same),
    ("auth.email.double_confirm_changes", "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", As::Same),
    ("auth.email.enable_confirmations", "GOTRUE_MAILER_AUTOCONFIRM", As::Not),
    ("auth.email.secure_password_change", "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", As::Same),
    ("auth.email.require_current_password", "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", As::Same),
    ("auth.email.max_frequency", "GOTRUE_SMTP_MAX_FREQUENCY", As::Same),
    ("auth.email.otp_length", "GOTRUE_MAILER_OTP_LENGTH", As::Same),
    ("auth.email.otp_expiry", "GOTRUE_MAILER_OTP_EXP", As::Same),
    ("auth.sms.enable_signup", "GOTRUE_EXTERNAL_PHONE_ENABLED", As::Same),
    ("auth.sms.enable_confirmations", "GOTRUE_SMS_AUTOCONFIRM", As::Not),
    ("auth.sms.max_frequency", "GOTRUE_SMS_MAX_FREQUENCY", As::Same),
    ("auth.sms.template", "GOTRUE_SMS_TEMPLATE", As::Same),
    ("auth.web3.ethereum.enabled", "GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED", As::Same),
    ("auth.web3.solana.enabled", "GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED", As::Same),
    ("auth.oauth_server.enabled", "GOTRUE_OAUTH_SERVER_ENABLED", As::Same),
    ("auth.oauth_server.authorization_url_path", "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", As::Same),
    ("auth.oauth_server.allow_dynamic_registration", "GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION", As::Same),
    ("auth.rate_limit.anonymous_users", "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", As::Same),
    ("auth.rate_limit.token_refresh", "GOTRUE_RATE_LIMIT_TOKEN_REFRESH", As::Same),
    ("auth.rate_limit.sign_in_sign_ups", "GOTRUE_RATE_LIMIT_OTP", As::Same),
    ("auth.rate_limit.token_verifications", "GOTRUE_RATE_LIMIT_VERIFY", As::Same),
    ("auth.rate_limit.sms_sent", "GOTRUE_RATE_LIMIT_SMS_SENT", As::Same),
    ("auth.rate_limit.web3", "GOTRUE_RATE_LIMIT_WEB3", As::Same),
    ("auth.captcha.enabled", "GOTRUE_SECURITY_CAPTCHA_ENABLED", As::Same),
    ("auth.captcha.provider", "GOTRUE_SECURITY_CAPTCHA_PROVIDER", As::Same),
    ("auth.captcha.secret", "GOTRUE_SECURITY_CAPTCHA_SECRET", As::Same),
    ("auth.sessions.timebox", "GOTRUE_SESSIONS_TIMEBOX", As::Same),
    ("auth.sessions.inactivity_timeout", "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", As::Same),
    ("auth.mfa.max_enrolled_factors", "GOTRUE_MFA_MAX_ENROLLED_FACTORS", As::Same),
    ("auth.mfa.totp.enroll_enabled", "GOTRUE_MFA_TOTP_ENROLL_ENABLED", As::Same),
    ("auth.mfa.totp.verify_enabled", "GOTRUE_MFA_TOTP_VERIFY_ENABLED", As::Same),
    ("auth.mfa.phone.enroll_enabled", "GOTRUE_MFA_PHONE_ENROLL_ENABLED", As::Same),
    ("auth.mfa.phone.verify_enabled", "GOTRUE_MFA_PHONE_VERIFY_ENABLED", As::Same),
    ("auth.mfa.phone.otp_length", "GOTRUE_MFA_PHONE_OTP_LENGTH", As::Same),
    ("auth.mfa.phone.template", "GOTRUE_MFA_PHONE_TEMPLATE", As::Same),
    ("auth.mfa.phone.max_frequency", "GOTRUE_MFA_PHONE_MAX_FREQUENCY", As::Same),
    ("auth.mfa.web_authn.enroll_enabled", "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", As::Same),
    ("auth.mfa.web_authn.verify_enabled", "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", As::Same),
    ("auth.passkey.enabled", "GOTRUE_PASSKEY_ENABLED", As::Same),
    ("auth.webauthn.rp_id", "GOTRUE_WEBAUTHN_RP_ID", As::Same),
    ("auth.webauthn.rp_display_name", "GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", As::Same),
    ("auth.webauthn.rp_origins", "GOTRUE_WEBAUTHN_RP_ORIGINS", As::Same),
];

/// The CLI's defaults, where they differ from GoTrue's.
const CLI_DEFAULTS: &[(&str, &str)] = &[
    ("GOTRUE_SITE_URL", "http://127.0.0.1:3000"),
    ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
    ("GOTRUE_SMS_AUTOCONFIRM", "true"),
    ("GOTRUE_EXTERNAL_EMAIL_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_PHONE_ENABLED", "false"),
    ("GOTRUE_JWT_AUD", "authenticated"),
    ("GOTRUE_JWT_DEFAULT_GROUP_NAME", "authenticated"),
    ("GOTRUE_JWT_ADMIN_ROLES", "service_role"),
    ("GOTRUE_JWT_EXP", "3600"),
    ("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "10"),
    ("GOTRUE_MFA_TOTP_ENROLL_ENABLED", "false"),
    ("GOTRUE_MFA_TOTP_VERIFY_ENABLED", "false"),
    ("GOTRUE_MFA_PHONE_MAX_FREQUENCY", "5s"),
    // Without a mail server, mails stay in the mailbox of this machine; with one, GoTrue's own limit is set below.
    ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "360000"),
];

/// GoTrue's variables: the CLI's defaults < config.toml < environment. With `is_dev`, providers without a secret are off.
pub(crate) fn variables(resolved: &Resolved, is_dev: bool, report: &mut Report) -> Variables {
    let mut variables: Variables =
        CLI_DEFAULTS.iter().map(|(name, text)| ((*name).to_owned(), ((*text).to_owned(), Origin::Default))).collect();
    let (env, config) = (&resolved.env, &resolved.config);
    for (path, name, how) in TRANSLATION {
        let given = match env.get(&cli_env(path)).filter(|text| !text.is_empty()) {
            Some(text) => Some((text, Origin::Env(cli_env(path)))),
            None => config.values.get(*path).map(|text| (text, Origin::File(config.path.clone(), (*path).to_owned()))),
        };
        if let Some((text, origin)) = given {
            variables.insert((*name).to_owned(), (how.apply(text), origin));
        }
    }
    variables.extend(sections::variables(config, env));
    for (name, text) in env {
        if name.starts_with("GOTRUE_") || name == "API_EXTERNAL_URL" {
            variables.insert(name.clone(), (text.clone(), Origin::Env(name.clone())));
        }
    }
    unset::leave_out(&mut variables, is_dev, report);
    variables
}

impl As {
    /// The value in GoTrue's words; an unreadable one is handed on as it is, for GoTrue's own check to name.
    fn apply(self, value: &str) -> String {
        match (self, value) {
            (As::Not, "true") => "false".to_owned(),
            (As::Not, "false") => "true".to_owned(),
            (As::PasswordRequirements, name) => character_sets(name).unwrap_or(name).to_owned(),
            _ => value.to_owned(),
        }
    }
}

/// GoTrue takes sets separated by colons; a backslash escapes the colon that is itself a symbol.
fn character_sets(name: &str) -> Option<&'static str> {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789";
    const CASES: &str = "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789";
    const SYMBOLS: &str =
        r#"abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'\\:"|<>?,./`~"#;
    match name {
        "" => Some(""),
        "letters_digits" => Some(LETTERS),
        "lower_upper_letters_digits" => Some(CASES),
        "lower_upper_letters_digits_symbols" => Some(SYMBOLS),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_change_their_sense_where_the_words_do() {
        for (how, value, translated) in [
            (As::Not, "true", "false"),
            (As::Not, "false", "true"),
            (As::Not, "perhaps", "perhaps"),
            (As::Same, "true", "true"),
            (As::PasswordRequirements, "", ""),
            (As::PasswordRequirements, "nonsense", "nonsense"),
        ] {
            assert_eq!(how.apply(value), translated);
        }
    }
}
