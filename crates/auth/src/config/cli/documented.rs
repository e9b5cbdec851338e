//! The variables that config.toml has a name for, or that the CLI sets, as docs/settings.md shows them. Defaults are the CLI's; an
//! empty one is GoTrue's own.

use gateway::settings::{Setting, setting};

/// The table. `<KIND>`, `<NAME>` and `<PROVIDER>` stand for what the project chooses.
pub(crate) const VARIABLES: &[Setting] = &[
    setting("GOTRUE_SITE_URL", "http://127.0.0.1:3000", "The app's address, where people are sent when nothing better is known").config("auth.site_url"),
    setting("API_EXTERNAL_URL", "", "Where the world reaches this service; without it the server's own address and `/auth/v1`").config("auth.external_url"),
    setting("GOTRUE_URI_ALLOW_LIST", "", "Globs of further addresses that people may be sent to, separated by commas").config("auth.additional_redirect_urls"),
    setting("GOTRUE_JWT_EXP", "3600", "How long an access token is good, in seconds").config("auth.jwt_expiry"),
    setting("GOTRUE_JWT_ISSUER", "", "The issuer of access tokens; without it the service's address").config("auth.jwt_issuer"),
    setting("GOTRUE_DISABLE_SIGNUP", "", "Whether nobody new may sign up (config.toml says the opposite)").config("auth.enable_signup"),
    setting("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "", "Whether people can sign in without any address").config("auth.enable_anonymous_sign_ins"),
    setting("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "", "Whether users may link further identities to their account").config("auth.enable_manual_linking"),
    setting("GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "", "Whether a replayed refresh token revokes its session").config("auth.enable_refresh_token_rotation"),
    setting("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "10", "How long a refresh token may be used again, in seconds").config("auth.refresh_token_reuse_interval"),
    setting("GOTRUE_PASSWORD_MIN_LENGTH", "", "Bytes of a password at least; never under 6").config("auth.minimum_password_length"),
    setting("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", "", "Sets of characters separated by colons, of each of which a password needs one (config.toml has names for them)").config("auth.password_requirements"),
    setting("GOTRUE_EXTERNAL_EMAIL_ENABLED", "true", "Whether people can sign up and in with an email address").config("auth.email.enable_signup"),
    setting("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "", "Whether a new address is confirmed from the old one, too").config("auth.email.double_confirm_changes"),
    setting("GOTRUE_MAILER_AUTOCONFIRM", "true", "Whether addresses count as confirmed without a mail (config.toml says the opposite)").config("auth.email.enable_confirmations"),
    setting("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "", "Whether changing the password needs a recent sign-in or a mailed code").config("auth.email.secure_password_change"),
    setting("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "", "Whether changing the password needs the current one").config("auth.email.require_current_password"),
    setting("GOTRUE_SMTP_MAX_FREQUENCY", "", "The least time between two mails of a kind to one user, such as 1m").config("auth.email.max_frequency"),
    setting("GOTRUE_MAILER_OTP_LENGTH", "", "Digits of a mailed code, from 6 to 10").config("auth.email.otp_length"),
    setting("GOTRUE_MAILER_OTP_EXP", "", "Lifetime of a mailed code, in seconds").config("auth.email.otp_expiry"),
    setting("GOTRUE_EXTERNAL_PHONE_ENABLED", "false", "Whether people can sign up and in with a phone number").config("auth.sms.enable_signup"),
    setting("GOTRUE_SMS_AUTOCONFIRM", "true", "Whether numbers count as confirmed without a message (config.toml says the opposite)").config("auth.sms.enable_confirmations"),
    setting("GOTRUE_SMS_MAX_FREQUENCY", "", "The least time between two messages of a kind to one user, such as 1m").config("auth.sms.max_frequency"),
    setting("GOTRUE_SMS_TEMPLATE", "", "The text of a message, with `{{ .Code }}`").config("auth.sms.template"),
    setting("GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED", "", "Whether people can sign in with an Ethereum wallet").config("auth.web3.ethereum.enabled"),
    setting("GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED", "", "Whether people can sign in with a Solana wallet").config("auth.web3.solana.enabled"),
    setting("GOTRUE_OAUTH_SERVER_ENABLED", "", "Whether this is an OAuth server for other apps").config("auth.oauth_server.enabled"),
    setting("GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", "", "Path of the app's consent page").config("auth.oauth_server.authorization_url_path"),
    setting("GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION", "", "Whether clients may register themselves").config("auth.oauth_server.allow_dynamic_registration"),
    setting("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "", "Anonymous sign-ups of one client in an hour").config("auth.rate_limit.anonymous_users"),
    setting("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "", "Requests for tokens of one client in five minutes").config("auth.rate_limit.token_refresh"),
    setting("GOTRUE_RATE_LIMIT_OTP", "", "Sign-ups, and requests that send a code, of one client in five minutes").config("auth.rate_limit.sign_in_sign_ups"),
    setting("GOTRUE_RATE_LIMIT_VERIFY", "", "Codes and links that one client verifies in five minutes").config("auth.rate_limit.token_verifications"),
    setting("GOTRUE_RATE_LIMIT_SMS_SENT", "", "Messages to phones in an hour, or such as 10/1m").config("auth.rate_limit.sms_sent"),
    setting("GOTRUE_RATE_LIMIT_WEB3", "", "Sign-ins with wallets of one client in five minutes").config("auth.rate_limit.web3"),
    setting("GOTRUE_SECURITY_CAPTCHA_ENABLED", "", "Whether signing up and in needs a captcha").config("auth.captcha.enabled"),
    setting("GOTRUE_SECURITY_CAPTCHA_PROVIDER", "", "`hcaptcha` or `turnstile`").config("auth.captcha.provider"),
    setting("GOTRUE_SECURITY_CAPTCHA_SECRET", "", "The captcha provider's secret key").config("auth.captcha.secret").secret(),
    setting("GOTRUE_SESSIONS_TIMEBOX", "", "How long a session lasts from the sign-in, such as 24h").config("auth.sessions.timebox"),
    setting("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "", "How long a session lasts from the last refresh, such as 8h").config("auth.sessions.inactivity_timeout"),
    setting("GOTRUE_MFA_MAX_ENROLLED_FACTORS", "", "Second factors of one user at most").config("auth.mfa.max_enrolled_factors"),
    setting("GOTRUE_MFA_TOTP_ENROLL_ENABLED", "false", "Whether authenticator apps can be enrolled").config("auth.mfa.totp.enroll_enabled"),
    setting("GOTRUE_MFA_TOTP_VERIFY_ENABLED", "false", "Whether authenticator apps can be used").config("auth.mfa.totp.verify_enabled"),
    setting("GOTRUE_MFA_PHONE_ENROLL_ENABLED", "", "Whether phones can be enrolled as second factors").config("auth.mfa.phone.enroll_enabled"),
    setting("GOTRUE_MFA_PHONE_VERIFY_ENABLED", "", "Whether phones can be used as second factors").config("auth.mfa.phone.verify_enabled"),
    setting("GOTRUE_MFA_PHONE_OTP_LENGTH", "", "Digits of a second factor's code").config("auth.mfa.phone.otp_length"),
    setting("GOTRUE_MFA_PHONE_TEMPLATE", "", "The text of a second factor's message, with `{{ .Code }}`").config("auth.mfa.phone.template"),
    setting("GOTRUE_MFA_PHONE_MAX_FREQUENCY", "5s", "The least time between two messages of a second factor, such as 5s").config("auth.mfa.phone.max_frequency"),
    setting("GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", "", "Whether security keys can be enrolled as second factors").config("auth.mfa.web_authn.enroll_enabled"),
    setting("GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED", "", "Whether security keys can be used as second factors").config("auth.mfa.web_authn.verify_enabled"),
    setting("GOTRUE_PASSKEY_ENABLED", "", "Whether people can sign in with passkeys").config("auth.passkey.enabled"),
    setting("GOTRUE_WEBAUTHN_RP_ID", "", "The domain that passkeys and security keys belong to; without it the site's").config("auth.webauthn.rp_id"),
    setting("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "", "The name that authenticators show").config("auth.webauthn.rp_display_name"),
    setting("GOTRUE_WEBAUTHN_RP_ORIGINS", "", "Origins that may use them, separated by commas; without them the site's").config("auth.webauthn.rp_origins"),
    setting("GOTRUE_JWT_AUD", "authenticated", "The audience of tokens of users who name no other"),
    setting("GOTRUE_JWT_DEFAULT_GROUP_NAME", "authenticated", "The role of new users"),
    setting("GOTRUE_JWT_ADMIN_ROLES", "service_role", "Roles in a token that may do everything, separated by commas"),
    setting("GOTRUE_RATE_LIMIT_EMAIL_SENT", "360000", "Mails in an hour, or such as 10/1m; 30 with a mail server of the project's own").config("auth.rate_limit.email_sent"),
    setting("GOTRUE_SMTP_HOST", "", "The mail server; without it mails go nowhere, and with `--dev` into the mailbox").config("auth.email.smtp.host"),
    setting("GOTRUE_SMTP_PORT", "", "Its port; 465 begins with TLS, others begin it where the server offers it").config("auth.email.smtp.port"),
    setting("GOTRUE_SMTP_USER", "", "User name at the mail server").config("auth.email.smtp.user"),
    setting("GOTRUE_SMTP_PASS", "", "Password at the mail server").config("auth.email.smtp.pass").secret(),
    setting("GOTRUE_SMTP_ADMIN_EMAIL", "", "The sender's address").config("auth.email.smtp.admin_email"),
    setting("GOTRUE_SMTP_SENDER_NAME", "", "The sender's name").config("auth.email.smtp.sender_name"),
    setting("GOTRUE_MAILER_SUBJECTS_<KIND>", "", "The subject of a kind of mail, such as INVITE").config("auth.email.template.<kind>.subject"),
    setting("GOTRUE_MAILER_TEMPLATES_<KIND>", "", "The template of a kind of mail: a file or an address").config("auth.email.template.<kind>.content_path"),
    setting("GOTRUE_HOOK_<NAME>_ENABLED", "", "Whether a hook is called, such as SEND_EMAIL").config("auth.hook.<name>.enabled"),
    setting("GOTRUE_HOOK_<NAME>_URI", "", "Address of the hook: `https://…` or `pg-functions://postgres/<schema>/<function>`").config("auth.hook.<name>.uri"),
    setting("GOTRUE_HOOK_<NAME>_SECRETS", "", "Secrets that sign calls to the hook").config("auth.hook.<name>.secrets").secret(),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_ENABLED", "", "Whether people can sign in with a provider, such as GITHUB").config("auth.external.<provider>.enabled"),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_CLIENT_ID", "", "OAuth client id at the provider; several are separated by commas").config("auth.external.<provider>.client_id"),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_SECRET", "", "OAuth client secret at the provider").config("auth.external.<provider>.secret").secret(),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_REDIRECT_URI", "", "The redirect URI registered at the provider: this server's `/callback`").config("auth.external.<provider>.redirect_uri"),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_URL", "", "Replaces the provider's own base URL").config("auth.external.<provider>.url"),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_SKIP_NONCE_CHECK", "", "Whether ID tokens are taken with any nonce").config("auth.external.<provider>.skip_nonce_check"),
    setting("GOTRUE_EXTERNAL_<PROVIDER>_EMAIL_OPTIONAL", "", "Whether accounts without an e-mail address may sign in").config("auth.external.<provider>.email_optional"),
    setting("GOTRUE_SMS_PROVIDER", "", "The SMS provider: `twilio`, `twilio_verify`, `messagebird`, `textlocal` or `vonage`").config("auth.sms.<provider>.enabled"),
    setting("GOTRUE_SMS_<PROVIDER>_<KEY>", "", "A value of the SMS provider, such as GOTRUE_SMS_TWILIO_ACCOUNT_SID").config("auth.sms.<provider>.<key>").secret(),
    setting("GOTRUE_SMS_TEST_OTP", "", "Numbers with a fixed code, to which no message is sent: `number:code`, separated by commas").config("auth.sms.test_otp").secret(),
    setting("GOTRUE_MAILER_NOTIFICATIONS_<NAME>_ENABLED", "", "Whether users are told of a change of their account, such as PASSWORD_CHANGED").config("auth.email.notification.<name>.enabled"),
];

#[cfg(test)]
mod tests {
    use super::VARIABLES;
    use crate::config::cli::{CLI_DEFAULTS, TRANSLATION};

    #[test]
    fn everything_that_is_translated_is_documented() {
        let documented = |name: &str| VARIABLES.iter().find(|variable| variable.key == name);
        for (path, name, _) in TRANSLATION {
            let variable = documented(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(variable.config == Some(*path) || *path == "auth.email.enabled", "{name} at {path}");
        }
        for (name, default) in CLI_DEFAULTS {
            let variable = documented(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert_eq!(variable.default, *default, "{name}");
        }
    }
}
