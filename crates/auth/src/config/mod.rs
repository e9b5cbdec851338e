//! What can be set: GoTrue's variables, with its defaults.

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

use crate::model::encryption::Encryption;
use crate::model::letter_kind::LetterKind;
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

/// Everything this service can be told. Made by [`Config::from_env`].
///
/// Source of names and defaults: supabase/auth, `internal/conf/configuration.go`.
#[derive(Clone, Debug)]
pub struct Config {
    /// `GOTRUE_SITE_URL`: the app; where people are sent when nothing better is known. Required.
    pub site_url: String,
    /// `API_EXTERNAL_URL`: where the world reaches this service. Required.
    pub external_url: PublicUrl,
    /// `GOTRUE_URI_ALLOW_LIST`: globs of further addresses people may be sent to.
    pub uri_allow_list: Vec<String>,
    /// The same, ready to be matched.
    pub(crate) redirect_patterns: Vec<Pattern>,
    /// `GOTRUE_DISABLE_SIGNUP`: nobody new.
    pub disable_signup: bool,
    /// `GOTRUE_API_MAX_REQUEST_DURATION`: how long a request may take.
    pub max_request_duration: Duration,
    /// Where `dugout auth` listens and which database it uses.
    pub listen: ListenConfig,
    /// Access tokens.
    pub jwt: JwtConfig,
    /// The secret from which the key of one-time codes is derived; `None` derives it from `GOTRUE_JWT_SECRET`, whose holder can
    /// sign in as anyone already.
    pub code_secret: Option<Secret<String>>,
    /// Ways to sign in.
    pub external: ExternalConfig,
    /// Providers that administrators add.
    pub custom_oauth: CustomOauthConfig,
    /// Mails.
    pub mailer: MailerConfig,
    /// Messages to phones.
    pub sms: SmsConfig,
    /// Rules for new passwords.
    pub password: PasswordConfig,
    /// How long sessions last.
    pub sessions: SessionsConfig,
    /// Refresh tokens and changes of accounts.
    pub security: SecurityConfig,
    /// `GOTRUE_SECURITY_DB_ENCRYPTION_…`: what the database keeps encrypted.
    pub(crate) encryption: Encryption,
    /// Second factors.
    pub mfa: MfaConfig,
    /// Signing in without a password.
    pub passkey: PasskeyConfig,
    /// Who we are to authenticators.
    pub webauthn: WebAuthnConfig,
    /// Our own OAuth server.
    pub oauth_server: OAuthServerConfig,
    /// Single sign-on by SAML 2.0; `None` when it is off.
    pub saml: Option<SamlConfig>,
    /// Signing in with wallets.
    pub web3: Web3Config,
    /// `GOTRUE_SECURITY_CAPTCHA_…`; `None` when it is off.
    pub captcha: Option<CaptchaConfig>,
    /// What the project does itself.
    pub hooks: HooksConfig,
    /// How often one client may ask, and how much is sent.
    pub rate_limits: RateLimits,
    /// `GOTRUE_AUDIT_LOG_DISABLE_POSTGRES`: no rows in `auth.audit_log_entries`.
    pub audit_log_disable_postgres: bool,
    /// What is deleted by itself.
    pub cleanup: Cleanup,
    /// What upstream may change.
    pub experimental: ExperimentalConfig,
    /// Variables whose values may be shown to an operator: those that are understood and hold no secret.
    pub printable: BTreeSet<String>,
    /// `GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS`: provider to the domain within which its accounts are linked.
    pub provider_linking_domains: BTreeMap<String, String>,
}

/// For `dugout auth`, which stands in for GoTrue's container; the server has its own.
#[derive(Clone, Debug)]
pub struct ListenConfig {
    /// `GOTRUE_API_HOST`: the address to bind; loopback when not set.
    ///
    /// DEVIATION: GoTrue binds every address unless told otherwise.
    pub host: String,
    /// `PORT`.
    pub port: u16,
    /// `DATABASE_URL`; empty when not set.
    pub database_url: Secret<String>,
    /// `DUGOUT_TRUSTED_PROXIES`: networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// `GOTRUE_DB_MAX_POOL_SIZE`: connections at most; 0 leaves it to the caller.
    pub max_pool_size: usize,
}

/// `GOTRUE_JWT_…`
#[derive(Clone, Debug)]
pub struct JwtConfig {
    /// `SECRET`: verifies HS256 tokens, and signs them unless `KEYS` has a signing key. Required.
    pub secret: Secret<String>,
    /// `EXP`: how long an access token is good, in seconds.
    pub exp: i64,
    /// `AUD`: the audience of users who name no other.
    pub aud: String,
    /// `ISSUER`.
    pub issuer: String,
    /// `ADMIN_ROLES`: roles in a token that may do everything.
    pub admin_roles: Vec<String>,
    /// `ADMIN_GROUP_NAME`: the role of users who may change their own `app_metadata`.
    pub admin_group_name: String,
    /// `DEFAULT_GROUP_NAME`: the role of new users.
    pub default_group_name: String,
    /// `KEYS`: a list of JWKs, of which one can sign.
    pub keys: Secret<Vec<Value>>,
}

/// `GOTRUE_EXTERNAL_…`
#[derive(Clone, Debug)]
pub struct ExternalConfig {
    /// `EMAIL_ENABLED`
    pub email_enabled: bool,
    /// `EMAIL_MAGIC_LINK_ENABLED`: one can sign in by mail.
    pub magic_link_enabled: bool,
    /// `EMAIL_AUTHORIZED_ADDRESSES`: if any, mail goes to these only.
    pub authorized_addresses: Vec<String>,
    /// `PHONE_ENABLED`
    pub phone_enabled: bool,
    /// `ANONYMOUS_USERS_ENABLED`
    pub anonymous_users_enabled: bool,
    /// `FLOW_STATE_EXPIRY_DURATION`: how long the code of a PKCE flow can be traded; five minutes at least.
    pub flow_state_expiry: Duration,
    /// `<NAME>_…`: the providers that are set up, by name.
    pub providers: BTreeMap<&'static str, ProviderConfig>,
    /// `IOS_BUNDLE_ID`: Apple's name for the app on phones, which its ID tokens may be for.
    pub ios_bundle_id: String,
    /// `ALLOWED_ID_TOKEN_ISSUERS`: whose ID tokens are taken with nothing but a client id.
    pub allowed_id_token_issuers: Vec<String>,
    /// `REDIRECTURL`: where everybody goes after signing in, whatever they asked for; empty for where they asked.
    pub redirect_url: String,
    /// `OIDC_PROVIDER_CACHE_TTL`: how long what issuers publish of themselves is kept.
    pub oidc_provider_cache_ttl: Duration,
}

/// `GOTRUE_EXTERNAL_<NAME>_…`: an external provider.
#[derive(Clone, Debug)]
pub struct ProviderConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `CLIENT_ID`: our names there. The first is used in browsers; ID tokens may be for any.
    pub client_ids: Vec<String>,
    /// `SECRET`
    pub secret: Secret<String>,
    /// `REDIRECT_URI`: our `/callback`, as the provider knows it.
    pub redirect_uri: String,
    /// `URL`: takes the place of the provider's own address, for those that one can run oneself.
    pub url: Option<String>,
    /// `SKIP_NONCE_CHECK`: ID tokens are taken whatever nonce they have.
    pub skip_nonce_check: bool,
    /// `EMAIL_OPTIONAL`: who has no address there may sign in.
    pub email_optional: bool,
}

/// `GOTRUE_CUSTOM_OAUTH_…`: providers that administrators add.
#[derive(Clone, Debug)]
pub struct CustomOauthConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `MAX_PROVIDERS`: 0 is no limit.
    pub max_providers: i64,
    /// `EXTERNAL_URL`: takes the place of `API_EXTERNAL_URL` in the address of `/callback`.
    pub external_url: Option<PublicUrl>,
    /// `ALLOW_PRIVATE_ADDRESSES`, which GoTrue does not have: also plain HTTP, and hosts that are not on the public internet.
    pub allow_private_addresses: bool,
}

/// `GOTRUE_MAILER_…` and `GOTRUE_SMTP_…`
#[derive(Clone, Debug)]
pub struct MailerConfig {
    /// `AUTOCONFIRM`: addresses count as confirmed without a mail.
    pub autoconfirm: bool,
    /// `ALLOW_UNVERIFIED_EMAIL_SIGN_INS`: who comes from an external provider may confirm their address later.
    pub allow_unverified_email_sign_ins: bool,
    /// `SECURE_EMAIL_CHANGE_ENABLED`: a change is confirmed from the old address, too.
    pub secure_email_change_enabled: bool,
    /// `OTP_EXP`: how long a mailed code is good, in seconds.
    pub otp_exp: i64,
    /// `OTP_LENGTH`: digits of a mailed code, 6 to 10.
    pub otp_length: usize,
    /// `GOTRUE_SMTP_MAX_FREQUENCY`: the least time between two mails of a kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_SMTP_…`: the mail server; `None` without `GOTRUE_SMTP_HOST`.
    pub smtp: Option<SmtpConfig>,
    /// `EMAIL_VALIDATION_…`: to whom mail is sent at all.
    pub validation: EmailValidationConfig,
    /// `URLPATHS_…`: where links lead.
    pub link_paths: LinkPaths,
    /// `SUBJECTS_…` and `TEMPLATES_…`.
    pub(crate) wordings: HashMap<LetterKind, Wording>,
    /// `NOTIFICATIONS_…_ENABLED`: what users are told of afterwards.
    pub(crate) notifications: HashSet<LetterKind>,
}

/// `GOTRUE_SMTP_…`
#[derive(Clone, Debug)]
pub struct SmtpConfig {
    /// `HOST`
    pub host: String,
    /// `PORT`; 465 begins with TLS, others begin it where the server offers it.
    pub port: u16,
    /// `USER`; empty signs in nowhere.
    pub user: String,
    /// `PASS`
    pub password: Secret<String>,
    /// `ADMIN_EMAIL` and `SENDER_NAME`.
    pub from: Mailbox,
    /// `HEADERS`: further headers with their values; `$messageType` in one becomes the kind of mail.
    pub headers: Vec<(String, Vec<String>)>,
}

/// `GOTRUE_MAILER_URLPATHS_…`: a path, or an address; `None` is `/verify` of this service.
#[derive(Clone, Debug, Default)]
pub struct LinkPaths {
    /// `INVITE`
    pub invite: Option<String>,
    /// `CONFIRMATION`
    pub confirmation: Option<String>,
    /// `RECOVERY`, also for links to sign in.
    pub recovery: Option<String>,
    /// `EMAIL_CHANGE`
    pub email_change: Option<String>,
}

/// `GOTRUE_SMS_…`
#[derive(Clone, Debug)]
pub struct SmsConfig {
    /// `AUTOCONFIRM`: numbers count as confirmed without a message.
    pub autoconfirm: bool,
    /// `PROVIDER`: shown by `/settings`.
    pub provider_name: String,
    /// The provider with its credentials; `None` when there is none or it lacks some.
    pub provider: Option<SmsProvider>,
    /// `API_URL`: takes the place of scheme, host and port of the provider: a proxy of yours.
    pub api_url: Option<Url>,
    /// `OTP_EXP`: how long a code is good, in seconds.
    pub otp_exp: i64,
    /// `OTP_LENGTH`: digits of a code, 6 to 10.
    pub otp_length: usize,
    /// `MAX_FREQUENCY`: the least time between two messages of a kind to one user.
    pub max_frequency: Duration,
    /// `TEMPLATE`: the text of a message, with `{{ .Code }}`.
    pub(crate) template: Template,
    /// `TEST_OTP`: numbers to which nothing is sent, each with the code that is good for it.
    pub test_otps: HashMap<String, Secret<String>>,
    /// `TEST_OTP_VALID_UNTIL`
    pub test_otps_valid_until: Option<DateTime<Utc>>,
}

/// Who carries messages to phones: `GOTRUE_SMS_<NAME>_…`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the providers' own words")]
pub enum SmsProvider {
    /// Programmable Messaging.
    Twilio { account_sid: String, auth_token: Secret<String>, message_service_sid: String, content_sid: String },
    /// Verify, which makes and checks the codes itself.
    TwilioVerify { account_sid: String, auth_token: Secret<String>, message_service_sid: String },
    /// Bird's older API.
    Messagebird { access_key: Secret<String>, originator: String },
    /// Of India.
    Textlocal { api_key: Secret<String>, sender: String },
    /// Once Nexmo.
    Vonage { api_key: String, api_secret: Secret<String>, from: String },
}

/// `GOTRUE_PASSWORD_…`
#[derive(Clone, Debug)]
pub struct PasswordConfig {
    /// `MIN_LENGTH`: bytes at least; never under 6.
    pub min_length: usize,
    /// `REQUIRED_CHARACTERS`: sets separated by colons, of each of which a password needs one.
    pub required_characters: Vec<String>,
    /// `HIBP_…`; `None` when it is off.
    pub pwned: Option<PwnedConfig>,
}

/// `GOTRUE_SESSIONS_…`
#[derive(Clone, Debug, Default)]
pub struct SessionsConfig {
    /// `TIMEBOX`: from the sign-in.
    pub timebox: Option<Duration>,
    /// `INACTIVITY_TIMEOUT`: from the last refresh.
    pub inactivity_timeout: Option<Duration>,
    /// `ALLOW_LOW_AAL`: how long a user with a second factor may go without it.
    pub allow_low_aal: Option<Duration>,
    /// `SINGLE_PER_USER`: only the session refreshed last goes on.
    pub single_per_user: bool,
    /// `TAGS`: kinds of sessions, each of which has its own last one.
    pub tags: Vec<String>,
}

/// `GOTRUE_SECURITY_…`
#[derive(Clone, Debug)]
pub struct SecurityConfig {
    /// `REFRESH_TOKEN_ROTATION_ENABLED`: a token that comes back too late ends its session.
    pub refresh_token_rotation_enabled: bool,
    /// `REFRESH_TOKEN_REUSE_INTERVAL`: for how long a traded token is good once more, in seconds.
    pub refresh_token_reuse_interval: i64,
    /// `REFRESH_TOKEN_ALLOW_REUSE`: signed tokens are good for as long as their session.
    pub refresh_token_allow_reuse: bool,
    /// `REFRESH_TOKEN_ALGORITHM_VERSION`: 2 for signed tokens, less for stored ones.
    pub refresh_token_algorithm_version: i64,
    /// `REFRESH_TOKEN_UPGRADE_PERCENTAGE`: of how many sessions in a hundred stored tokens are traded for signed ones.
    pub refresh_token_upgrade_percentage: u32,
    /// `UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: a day after the sign-in a new password needs a nonce.
    pub update_password_require_reauthentication: bool,
    /// `MANUAL_LINKING_ENABLED`: users may link and unlink identities themselves.
    pub manual_linking_enabled: bool,
    /// `UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`
    pub update_password_require_current_password: bool,
}

/// `GOTRUE_DB_CLEANUP_ENABLED`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// Nothing: something else does it.
    Off,
    /// Sessions, tokens, states and challenges a day or so after their end.
    Expired,
    /// Those, and anonymous users of more than 30 days, where there can be such users.
    ExpiredAndAnonymous,
}

/// `GOTRUE_EXPERIMENTAL_…`
#[derive(Clone, Debug)]
pub struct ExperimentalConfig {
    /// `CURSOR_PAGINATION_ENABLED`: lists of users are paged by cursors when no page is named.
    pub cursor_pagination: bool,
    /// `CREATE_EMAIL_IDENTITY_ON_PASSWORD_SET_ENABLED`: a first password brings the identity of the confirmed address.
    pub email_identity_on_password_set: bool,
    /// `SCIM_ENABLED`: `/scim/v2` describes itself.
    pub scim: bool,
}

impl SecurityConfig {
    /// Whether new sessions have signed refresh tokens.
    pub(crate) fn refresh_tokens_are_signed(&self) -> bool {
        self.refresh_token_algorithm_version == 2
    }
}

impl Config {
    /// Whether providers are linked by e-mail address with everybody else's accounts.
    pub(crate) fn isolated_providers(&self) -> Vec<String> {
        let isolated = |(provider, domain): (&String, &String)| (domain != "default").then(|| provider.clone());
        self.provider_linking_domains.iter().filter_map(isolated).collect()
    }
}
