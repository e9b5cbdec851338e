//! The configuration: GoTrue's variables with GoTrue's defaults.

pub(crate) mod cli;
mod environment;
mod experimental;
mod hooks;
mod keys;
mod limits;
mod mail;
mod oauth_server;
mod outside;
mod problem;
mod providers;
mod reader;
mod saml;
mod second_factors;
mod sms;
mod web3;
mod wording;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway::client_ip::TrustedProxies;
use gateway::{PublicUrl, Secret};
use lettre::message::Mailbox;
use serde_json::Value;
use url::Url;

use crate::model::email_kind::EmailKind;
use crate::model::encryption::Encryption;
use crate::model::redirect_pattern::Pattern;

use crate::protocol::template::Template;
pub use second_factors::{FactorSwitches, MfaConfig, PasskeyConfig, PhoneFactorConfig, WebAuthnConfig};

pub use hooks::{Hook, HookTarget, HooksConfig};
pub use limits::{Allowance, RateLimits};
pub use oauth_server::OAuthServerConfig;
pub use outside::{CaptchaConfig, CaptchaProvider, EmailValidationConfig, PwnedConfig};
pub use problem::Problem;
#[cfg(test)]
pub(crate) use providers::PROVIDER_NAMES;
pub use saml::SamlConfig;
pub use web3::{Web3ChainConfig, Web3Config};
pub(crate) use wording::{Body, Wording};

/// All settings of this service. Made by [`Config::from_env`].
///
/// Source of names and defaults: supabase/auth, `internal/conf/configuration.go`.
#[derive(Clone, Debug)]
pub struct Config {
    /// `GOTRUE_SITE_URL`: the app's address and the default redirect target. Required.
    pub site_url: String,
    /// `API_EXTERNAL_URL`: the public address of this service. Required.
    pub external_url: PublicUrl,
    /// `GOTRUE_URI_ALLOW_LIST`: globs of further allowed redirect targets.
    pub uri_allow_list: Vec<String>,
    /// The same globs, parsed.
    pub(crate) redirect_patterns: Vec<Pattern>,
    /// `GOTRUE_DISABLE_SIGNUP`: no new users.
    pub disable_signup: bool,
    /// `GOTRUE_API_MAX_REQUEST_DURATION`: the time limit of a request.
    pub max_request_duration: Duration,
    /// Where `dugout auth` listens and which database it uses.
    pub listen: ListenConfig,
    /// Access tokens.
    pub jwt: JwtConfig,
    /// The secret from which the key of one-time codes is derived. `None` derives it from `GOTRUE_JWT_SECRET`, whose
    /// holder can sign in as anyone anyway.
    pub code_secret: Option<Secret<String>>,
    /// Sign-in methods.
    pub external: ExternalConfig,
    /// OAuth and OIDC providers that administrators add.
    pub custom_oauth: CustomOauthConfig,
    /// Mails.
    pub mailer: MailerConfig,
    /// SMS and WhatsApp messages.
    pub sms: SmsConfig,
    /// Password rules.
    pub password: PasswordConfig,
    /// Session lifetimes.
    pub sessions: SessionsConfig,
    /// Refresh tokens and account changes.
    pub security: SecurityConfig,
    /// `GOTRUE_SECURITY_DB_ENCRYPTION_…`: encryption of secrets in the database.
    pub(crate) encryption: Encryption,
    /// Second factors.
    pub mfa: MfaConfig,
    /// Passkeys.
    pub passkey: PasskeyConfig,
    /// Our identity as a WebAuthn relying party.
    pub webauthn: WebAuthnConfig,
    /// Our OAuth server.
    pub oauth_server: OAuthServerConfig,
    /// SAML 2.0 single sign-on; `None` if it is off.
    pub saml: Option<SamlConfig>,
    /// Sign-in with wallets.
    pub web3: Web3Config,
    /// `GOTRUE_SECURITY_CAPTCHA_…`; `None` if it is off.
    pub captcha: Option<CaptchaConfig>,
    /// Hooks.
    pub hooks: HooksConfig,
    /// Rate limits for clients, and how many mails and messages are sent.
    pub rate_limits: RateLimits,
    /// `GOTRUE_AUDIT_LOG_DISABLE_POSTGRES`: write no rows to `auth.audit_log_entries`.
    pub audit_log_disable_postgres: bool,
    /// What is deleted automatically.
    pub cleanup: Cleanup,
    /// Settings that upstream calls experimental.
    pub experimental: ExperimentalConfig,
    /// Variables whose values may be shown to an operator: known ones that hold no secret.
    pub printable: BTreeSet<String>,
    /// `GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS`: maps a provider to the linking domain of its accounts.
    pub provider_linking_domains: BTreeMap<String, String>,
}

/// For `dugout auth`, which replaces GoTrue's container; under `dugout start` the server's own settings apply.
#[derive(Clone, Debug)]
pub struct ListenConfig {
    /// `GOTRUE_API_HOST`: the address to bind; loopback if not set.
    ///
    /// DEVIATION (safer): without `GOTRUE_API_HOST` the service binds loopback only; GoTrue binds every address.
    pub host: String,
    /// `PORT`.
    pub port: u16,
    /// `DATABASE_URL`; empty if not set.
    pub database_url: Secret<String>,
    /// `DUGOUT_TRUSTED_PROXIES`: networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// `GOTRUE_DB_MAX_POOL_SIZE`: maximum number of connections; 0 lets the caller choose.
    pub max_pool_size: usize,
}

/// `GOTRUE_JWT_…`
#[derive(Clone, Debug)]
pub struct JwtConfig {
    /// `SECRET`: verifies HS256 tokens, and signs them unless `KEYS` has a signing key. Required.
    pub secret: Secret<String>,
    /// `EXP`: lifetime of an access token, in seconds.
    pub exp: i64,
    /// `AUD`: the default audience of users.
    pub aud: String,
    /// `ISSUER`.
    pub issuer: String,
    /// `ADMIN_ROLES`: roles in a token that make its holder an administrator.
    pub admin_roles: Vec<String>,
    /// `ADMIN_GROUP_NAME`: the role of users who may change their own `app_metadata`.
    pub admin_group_name: String,
    /// `DEFAULT_GROUP_NAME`: the role of new users.
    pub default_group_name: String,
    /// `KEYS`: a list of JWKs; exactly one of them can sign.
    pub keys: Secret<Vec<Value>>,
}

/// `GOTRUE_EXTERNAL_…`
#[derive(Clone, Debug)]
pub struct ExternalConfig {
    /// `EMAIL_ENABLED`
    pub email_enabled: bool,
    /// `EMAIL_MAGIC_LINK_ENABLED`: users can sign in by mail.
    pub magic_link_enabled: bool,
    /// `EMAIL_AUTHORIZED_ADDRESSES`: if not empty, mail goes to these addresses only.
    pub authorized_addresses: Vec<String>,
    /// `PHONE_ENABLED`
    pub phone_enabled: bool,
    /// `ANONYMOUS_USERS_ENABLED`
    pub anonymous_users_enabled: bool,
    /// `FLOW_STATE_EXPIRY_DURATION`: how long a PKCE code can be exchanged; at least five minutes.
    pub flow_state_expiry: Duration,
    /// `<NAME>_…`: the configured providers, by name.
    pub providers: BTreeMap<&'static str, ProviderConfig>,
    /// `IOS_BUNDLE_ID`: Apple's identifier of the mobile app, accepted as audience of Apple's ID tokens.
    pub ios_bundle_id: String,
    /// `ALLOWED_ID_TOKEN_ISSUERS`: issuers whose ID tokens are accepted with only a client id.
    pub allowed_id_token_issuers: Vec<String>,
    /// `REDIRECTURL`: where every provider sign-in ends, whatever the request asked for; empty honours the request.
    pub redirect_url: String,
    /// `OIDC_PROVIDER_CACHE_TTL`: how long discovery documents and keys of issuers are cached.
    pub oidc_provider_cache_ttl: Duration,
}

/// `GOTRUE_EXTERNAL_<NAME>_…`: an external provider.
#[derive(Clone, Debug)]
pub struct ProviderConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `CLIENT_ID`: our client ids at the provider. The browser flow uses the first; ID tokens may be for any of them.
    pub client_ids: Vec<String>,
    /// `SECRET`
    pub secret: Secret<String>,
    /// `REDIRECT_URI`: our `/callback`, as registered with the provider.
    pub redirect_uri: String,
    /// `URL`: replaces the provider's address, for providers that can be self-hosted.
    pub url: Option<String>,
    /// `SKIP_NONCE_CHECK`: accept ID tokens with any nonce.
    pub skip_nonce_check: bool,
    /// `EMAIL_OPTIONAL`: users without an e-mail address at the provider may sign in.
    pub email_optional: bool,
}

/// `GOTRUE_CUSTOM_OAUTH_…`: OAuth and OIDC providers that administrators add.
#[derive(Clone, Debug)]
pub struct CustomOauthConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `MAX_PROVIDERS`: 0 means no limit.
    pub max_providers: i64,
    /// `EXTERNAL_URL`: replaces `API_EXTERNAL_URL` in the address of `/callback`.
    pub external_url: Option<PublicUrl>,
    /// `ALLOW_PRIVATE_ADDRESSES`, unknown to GoTrue: also allows plain HTTP and hosts outside the public internet.
    pub allow_private_addresses: bool,
}

/// `GOTRUE_MAILER_…` and `GOTRUE_SMTP_…`
#[derive(Clone, Debug)]
pub struct MailerConfig {
    /// `AUTOCONFIRM`: addresses count as confirmed without a mail.
    pub autoconfirm: bool,
    /// `ALLOW_UNVERIFIED_EMAIL_SIGN_INS`: users of an external provider may confirm their address later.
    pub allow_unverified_email_sign_ins: bool,
    /// `SECURE_EMAIL_CHANGE_ENABLED`: a change must be confirmed from the old address, too.
    pub secure_email_change_enabled: bool,
    /// `OTP_EXP`: lifetime of a mailed code, in seconds.
    pub otp_exp: i64,
    /// `OTP_LENGTH`: digits of a mailed code, 6 to 10.
    pub otp_length: usize,
    /// `GOTRUE_SMTP_MAX_FREQUENCY`: minimum time between two mails of one kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_SMTP_…`: the mail server; `None` without `GOTRUE_SMTP_HOST`.
    pub smtp: Option<SmtpConfig>,
    /// `EMAIL_VALIDATION_…`: which addresses get mail.
    pub validation: EmailValidationConfig,
    /// `URLPATHS_…`: the targets of links.
    pub link_paths: LinkPaths,
    /// `SUBJECTS_…` and `TEMPLATES_…`.
    pub(crate) wordings: HashMap<EmailKind, Wording>,
    /// `NOTIFICATIONS_…_ENABLED`: changes of an account that its user is notified of.
    pub(crate) notifications: HashSet<EmailKind>,
}

/// `GOTRUE_SMTP_…`
#[derive(Clone, Debug)]
pub struct SmtpConfig {
    /// `HOST`
    pub host: String,
    /// `PORT`; 465 starts with TLS, other ports use STARTTLS if the server offers it.
    pub port: u16,
    /// `USER`; empty skips authentication.
    pub user: String,
    /// `PASS`
    pub password: Secret<String>,
    /// `ADMIN_EMAIL` and `SENDER_NAME`.
    pub from: Mailbox,
    /// `HEADERS`: additional headers with their values; `$messageType` in a value becomes the kind of mail.
    pub headers: Vec<(String, Vec<String>)>,
}

/// `GOTRUE_MAILER_URLPATHS_…`: a path or an address; `None` means `/verify` of this service.
#[derive(Clone, Debug, Default)]
pub struct LinkPaths {
    /// `INVITE`
    pub invite: Option<String>,
    /// `CONFIRMATION`
    pub confirmation: Option<String>,
    /// `RECOVERY`, also for magic links.
    pub recovery: Option<String>,
    /// `EMAIL_CHANGE`
    pub email_change: Option<String>,
}

/// `GOTRUE_SMS_…`
#[derive(Clone, Debug)]
pub struct SmsConfig {
    /// `AUTOCONFIRM`: phone numbers count as confirmed without a message.
    pub autoconfirm: bool,
    /// `PROVIDER`: the name that `/settings` shows.
    pub provider_name: String,
    /// The provider with its credentials; `None` without a provider or with incomplete credentials.
    pub provider: Option<SmsProvider>,
    /// `API_URL`: replaces scheme, host and port of the provider's API, for a proxy of your own.
    pub api_url: Option<Url>,
    /// `OTP_EXP`: lifetime of a code, in seconds.
    pub otp_exp: i64,
    /// `OTP_LENGTH`: digits of a code, 6 to 10.
    pub otp_length: usize,
    /// `MAX_FREQUENCY`: minimum time between two messages of one kind to one user.
    pub max_frequency: Duration,
    /// `TEMPLATE`: the text of a message, with `{{ .Code }}`.
    pub(crate) template: Template,
    /// `TEST_OTP`: numbers that get no message, each with its fixed code.
    pub test_otps: HashMap<String, Secret<String>>,
    /// `TEST_OTP_VALID_UNTIL`
    pub test_otps_valid_until: Option<DateTime<Utc>>,
}

/// The SMS provider: `GOTRUE_SMS_<NAME>_…`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the providers' own words")]
pub enum SmsProvider {
    /// Twilio Programmable Messaging.
    Twilio { account_sid: String, auth_token: Secret<String>, message_service_sid: String, content_sid: String },
    /// Twilio Verify, which generates and checks the codes itself.
    TwilioVerify { account_sid: String, auth_token: Secret<String>, message_service_sid: String },
    /// MessageBird's API, the older one of Bird.
    Messagebird { access_key: Secret<String>, originator: String },
    /// Textlocal (India).
    Textlocal { api_key: Secret<String>, sender: String },
    /// Vonage, formerly Nexmo.
    Vonage { api_key: String, api_secret: Secret<String>, from: String },
}

/// `GOTRUE_PASSWORD_…`
#[derive(Clone, Debug)]
pub struct PasswordConfig {
    /// `MIN_LENGTH`: minimum length in bytes; never less than 6.
    pub min_length: usize,
    /// `REQUIRED_CHARACTERS`: sets separated by colons; a password needs a character of each.
    pub required_characters: Vec<String>,
    /// `HIBP_…`; `None` if it is off.
    pub pwned: Option<PwnedConfig>,
}

/// `GOTRUE_SESSIONS_…`
#[derive(Clone, Debug, Default)]
pub struct SessionsConfig {
    /// `TIMEBOX`: maximum age of a session since sign-in.
    pub timebox: Option<Duration>,
    /// `INACTIVITY_TIMEOUT`: maximum time since the last refresh.
    pub inactivity_timeout: Option<Duration>,
    /// `ALLOW_LOW_AAL`: how long a user with a second factor may stay at AAL1.
    pub allow_low_aal: Option<Duration>,
    /// `SINGLE_PER_USER`: only the most recently refreshed session of a user stays valid.
    pub single_per_user: bool,
    /// `TAGS`: client tags; `SINGLE_PER_USER` applies to each tag separately.
    pub tags: Vec<String>,
}

/// `GOTRUE_SECURITY_…`
#[derive(Clone, Debug)]
pub struct SecurityConfig {
    /// `REFRESH_TOKEN_ROTATION_ENABLED`: reuse of a token after the reuse interval ends its session.
    pub refresh_token_rotation_enabled: bool,
    /// `REFRESH_TOKEN_REUSE_INTERVAL`: how long a rotated token is still accepted, in seconds.
    pub refresh_token_reuse_interval: i64,
    /// `REFRESH_TOKEN_ALLOW_REUSE`: signed tokens stay valid as long as their session.
    pub refresh_token_allow_reuse: bool,
    /// `REFRESH_TOKEN_ALGORITHM_VERSION`: 2 issues signed tokens, less issues stored ones.
    pub refresh_token_algorithm_version: i64,
    /// `REFRESH_TOKEN_UPGRADE_PERCENTAGE`: the percentage of sessions whose stored tokens are replaced by signed ones
    /// at a refresh.
    pub refresh_token_upgrade_percentage: u32,
    /// `UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: a new password needs a nonce if the sign-in is older than a day.
    pub update_password_require_reauthentication: bool,
    /// `MANUAL_LINKING_ENABLED`: users may link and unlink identities themselves.
    pub manual_linking_enabled: bool,
    /// `UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`
    pub update_password_require_current_password: bool,
}

/// `GOTRUE_DB_CLEANUP_ENABLED`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// Nothing: another process cleans up.
    Off,
    /// Sessions, tokens, flow states and challenges, about a day after they expire.
    Expired,
    /// Also anonymous users older than 30 days, if anonymous sign-ins are enabled.
    ExpiredAndAnonymous,
}

/// `GOTRUE_EXPERIMENTAL_…`
#[derive(Clone, Debug)]
pub struct ExperimentalConfig {
    /// `CURSOR_PAGINATION_ENABLED`: lists of users are paged by cursor unless the request names a page.
    pub cursor_pagination: bool,
    /// `CREATE_EMAIL_IDENTITY_ON_PASSWORD_SET_ENABLED`: setting a first password creates the identity of the confirmed
    /// e-mail address.
    pub email_identity_on_password_set: bool,
    /// `SCIM_ENABLED`: `/scim/v2` serves its discovery endpoints.
    pub scim: bool,
}

impl SecurityConfig {
    /// True if new sessions get signed refresh tokens.
    pub(crate) fn refresh_tokens_are_signed(&self) -> bool {
        self.refresh_token_algorithm_version == 2
    }
}

impl Config {
    /// The providers whose accounts are not linked by e-mail address with those of the default domain.
    pub(crate) fn isolated_providers(&self) -> Vec<String> {
        let isolated = |(provider, domain): (&String, &String)| (domain != "default").then(|| provider.clone());
        self.provider_linking_domains.iter().filter_map(isolated).collect()
    }
}
