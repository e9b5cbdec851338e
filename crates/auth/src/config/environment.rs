//! Reads [`Config`] from environment variables.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gateway::client_ip::TrustedProxies;
use gateway::{PublicUrl, Secret};
use serde_json::Value;
use url::Url;

use super::reader::{Reader, or_default};
use super::{
    Config, ExternalConfig, JwtConfig, ListenConfig, OAuthServerConfig, PasswordConfig, Problem, SamlConfig,
    SecurityConfig, SessionsConfig, Web3Config, experimental, hooks, limits, mail, outside, providers, second_factors,
    sms,
};
use crate::model::redirect_pattern::Pattern;

const ALLOW_LIST: &str = "GOTRUE_URI_ALLOW_LIST";

impl Config {
    /// Reads GoTrue's variables. Returns the configuration and the names of the `GOTRUE_…` variables that this version
    /// ignores, for a warning.
    ///
    /// # Errors
    /// All problems at once.
    pub fn from_env(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(Self, Vec<String>), Vec<Problem>> {
        let mut reader = Reader::new(variables);
        let config = read(&mut reader);
        match config {
            Some(config) if reader.problems.is_empty() => {
                Ok((Config { printable: reader.printable(), ..config }, reader.unread()))
            }
            _ => Err(reader.problems),
        }
    }
}

/// `None` if no configuration can be built at all; the problems say why.
fn read(reader: &mut Reader) -> Option<Config> {
    let site_url = reader.required("GOTRUE_SITE_URL");
    if !site_url.is_empty() && Url::parse(&site_url).is_err() {
        reader.problem("GOTRUE_SITE_URL", Some(&site_url), "must be an address such as https://example.com");
    }
    let external_url = external_url(reader);
    let namespace = reader.text("DB_NAMESPACE").unwrap_or_else(|| "auth".to_owned());
    if namespace != "auth" {
        reader.problem("DB_NAMESPACE", Some(&namespace), "must be auth: no other schema is supported");
    }
    reader.text("GOTRUE_DB_DRIVER");
    Some(Config {
        redirect_patterns: redirect_patterns(reader),
        uri_allow_list: reader.list(ALLOW_LIST),
        disable_signup: reader.flag("GOTRUE_DISABLE_SIGNUP", false),
        max_request_duration: reader.duration("GOTRUE_API_MAX_REQUEST_DURATION", Duration::from_secs(10)),
        listen: ListenConfig {
            host: reader.text("GOTRUE_API_HOST").unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: reader.number("PORT", 8081),
            database_url: Secret::new(
                reader.secret("GOTRUE_DB_DATABASE_URL").or_else(|| reader.secret("DATABASE_URL")).unwrap_or_default(),
            ),
            trusted_proxies: trusted_proxies(reader),
            max_pool_size: reader.number("GOTRUE_DB_MAX_POOL_SIZE", 0),
        },
        jwt: jwt(reader),
        code_secret: None,
        external: external(reader),
        custom_oauth: providers::custom_oauth(reader),
        mailer: mail::mailer(reader, &site_url),
        sms: sms::sms(reader),
        password: PasswordConfig {
            min_length: reader.number("GOTRUE_PASSWORD_MIN_LENGTH", 0).max(6),
            required_characters: character_sets(
                &reader.text("GOTRUE_PASSWORD_REQUIRED_CHARACTERS").unwrap_or_default(),
            ),
            pwned: outside::pwned(reader),
        },
        sessions: SessionsConfig {
            timebox: reader.positive_duration("GOTRUE_SESSIONS_TIMEBOX"),
            inactivity_timeout: reader.positive_duration("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT"),
            allow_low_aal: reader.positive_duration("GOTRUE_SESSIONS_ALLOW_LOW_AAL"),
            single_per_user: reader.flag("GOTRUE_SESSIONS_SINGLE_PER_USER", false),
            tags: reader.list("GOTRUE_SESSIONS_TAGS"),
        },
        security: security(reader),
        encryption: second_factors::encryption(reader),
        mfa: second_factors::mfa(reader),
        passkey: second_factors::passkey(reader),
        webauthn: second_factors::webauthn(reader, &site_url),
        oauth_server: OAuthServerConfig::read(reader),
        saml: SamlConfig::read(reader, external_url.as_ref()),
        web3: Web3Config::read(reader),
        captcha: outside::captcha(reader),
        hooks: hooks::hooks(reader),
        rate_limits: limits::rate_limits(reader),
        audit_log_disable_postgres: reader.flag("GOTRUE_AUDIT_LOG_DISABLE_POSTGRES", false),
        cleanup: experimental::cleanup(reader),
        experimental: experimental::experimental(reader),
        printable: BTreeSet::new(),
        provider_linking_domains: linking_domains(reader),
        site_url,
        external_url: external_url?,
    })
}

fn trusted_proxies(reader: &mut Reader) -> TrustedProxies {
    const KEY: &str = "DUGOUT_TRUSTED_PROXIES";
    TrustedProxies::parse(&reader.list(KEY)).unwrap_or_else(|bad| {
        for text in bad {
            reader.problem(KEY, Some(&text), "must be a list of networks such as 10.0.0.0/8");
        }
        TrustedProxies::default()
    })
}

/// An allow list splits at commas, also inside braces.
fn redirect_patterns(reader: &mut Reader) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for glob in reader.list(ALLOW_LIST) {
        match Pattern::parse(&glob) {
            Some(pattern) => patterns.push(pattern),
            None => reader.problem(ALLOW_LIST, Some(&glob), "is no glob: a bracket or brace does not end"),
        }
    }
    patterns
}

fn external(reader: &mut Reader) -> ExternalConfig {
    const LEAST: Duration = Duration::from_secs(300);
    ExternalConfig {
        email_enabled: reader.flag("GOTRUE_EXTERNAL_EMAIL_ENABLED", true),
        magic_link_enabled: reader.flag("GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", true),
        authorized_addresses: reader.list("GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES"),
        phone_enabled: reader.flag("GOTRUE_EXTERNAL_PHONE_ENABLED", false),
        anonymous_users_enabled: reader.flag("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", false),
        flow_state_expiry: reader.duration("GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", LEAST).max(LEAST),
        providers: providers::providers(reader),
        ios_bundle_id: reader.text("GOTRUE_EXTERNAL_IOS_BUNDLE_ID").unwrap_or_default(),
        allowed_id_token_issuers: providers::allowed_id_token_issuers(reader),
        redirect_url: reader.text("GOTRUE_EXTERNAL_REDIRECTURL").unwrap_or_default(),
        oidc_provider_cache_ttl: reader.duration("GOTRUE_EXTERNAL_OIDC_PROVIDER_CACHE_TTL", Duration::from_secs(3600)),
    }
}

fn external_url(reader: &mut Reader) -> Option<PublicUrl> {
    let key = "API_EXTERNAL_URL";
    let text = reader.text("GOTRUE_API_API_EXTERNAL_URL").unwrap_or_else(|| reader.required(key));
    if text.is_empty() {
        return None;
    }
    match PublicUrl::parse(&text) {
        Ok(url) => Some(url),
        Err(reason) => {
            reader.problem(key, Some(&text), &format!("must be the address of this service: {reason}"));
            None
        }
    }
}

fn jwt(reader: &mut Reader) -> JwtConfig {
    let keys = match reader.secret("GOTRUE_JWT_KEYS").map(|text| serde_json::from_str::<Vec<Value>>(&text)) {
        None => Vec::new(),
        Some(Ok(keys)) => keys,
        Some(Err(_)) => {
            reader.problem("GOTRUE_JWT_KEYS", None, "must be a JSON list of JSON Web Keys");
            Vec::new()
        }
    };
    let admin_roles = reader.list("GOTRUE_JWT_ADMIN_ROLES");
    let secret_key = reader.hide("GOTRUE_JWT_SECRET");
    let jwt = JwtConfig {
        secret: Secret::new(reader.required(secret_key)),
        exp: or_default(reader.number("GOTRUE_JWT_EXP", 0), 3600),
        aud: reader.text("GOTRUE_JWT_AUD").unwrap_or_default(),
        issuer: reader.text("GOTRUE_JWT_ISSUER").unwrap_or_default(),
        admin_roles: if admin_roles.is_empty() {
            vec!["service_role".to_owned(), "supabase_admin".to_owned()]
        } else {
            admin_roles
        },
        admin_group_name: reader.text("GOTRUE_JWT_ADMIN_GROUP_NAME").unwrap_or_else(|| "admin".to_owned()),
        default_group_name: reader.text("GOTRUE_JWT_DEFAULT_GROUP_NAME").unwrap_or_default(),
        keys: Secret::new(keys),
    };
    if let Err(message) = jwt.check_keys() {
        reader.problem("GOTRUE_JWT_KEYS", None, &message);
    }
    jwt
}

fn security(reader: &mut Reader) -> SecurityConfig {
    let prefix = "GOTRUE_SECURITY_";
    let key = format!("{prefix}REFRESH_TOKEN_ALGORITHM_VERSION");
    let version: i64 = reader.number(&key, 0);
    if !matches!(version, 0..=2) {
        reader.problem(&key, Some(&version.to_string()), "must be 0, 1 (stored refresh tokens) or 2 (signed ones)");
    }
    let key = format!("{prefix}REFRESH_TOKEN_UPGRADE_PERCENTAGE");
    let upgraded: u32 = reader.number(&key, 0);
    if upgraded > 100 {
        reader.problem(&key, Some(&upgraded.to_string()), "must be a number from 0 to 100");
    }
    SecurityConfig {
        refresh_token_rotation_enabled: reader.flag(&format!("{prefix}REFRESH_TOKEN_ROTATION_ENABLED"), true),
        refresh_token_reuse_interval: reader.number(&format!("{prefix}REFRESH_TOKEN_REUSE_INTERVAL"), 0),
        refresh_token_allow_reuse: reader.flag(&format!("{prefix}REFRESH_TOKEN_ALLOW_REUSE"), false),
        refresh_token_algorithm_version: version,
        refresh_token_upgrade_percentage: upgraded,
        manual_linking_enabled: reader.flag(&format!("{prefix}MANUAL_LINKING_ENABLED"), false),
        update_password_require_reauthentication: reader
            .flag(&format!("{prefix}UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"), false),
        update_password_require_current_password: reader
            .flag(&format!("{prefix}UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"), false),
    }
}

/// `provider=domain,…`. Also reads the older list of providers that are domains of their own.
fn linking_domains(reader: &mut Reader) -> BTreeMap<String, String> {
    let key = "GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS";
    let own = reader.list("GOTRUE_EXPERIMENTAL_PROVIDERS_WITH_OWN_LINKING_DOMAIN");
    let mut domains: BTreeMap<String, String> = own.into_iter().map(|name| (name.clone(), name)).collect();
    for pair in reader.list(key) {
        match pair.split_once('=').map(|(provider, domain)| (provider.trim(), domain.trim())) {
            Some((provider, domain)) if !provider.is_empty() && !domain.is_empty() => {
                domains.insert(provider.to_owned(), domain.to_owned());
            }
            _ => reader.problem(key, Some(&pair), "must be a list of provider=domain"),
        }
    }
    domains
}

/// Sets separated by colons. A backslash before a colon makes the colon part of the set.
fn character_sets(text: &str) -> Vec<String> {
    let mut sets: Vec<String> = Vec::new();
    let mut joined = false;
    for part in text.split(':') {
        let (part, continues) = match part.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (part, false),
        };
        match sets.last_mut().filter(|_| joined) {
            Some(last) => {
                last.push(':');
                last.push_str(part);
            }
            None => sets.push(part.to_owned()),
        }
        joined = continues;
    }
    sets.retain(|set| !set.is_empty());
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    const LEAST: [(&str, &str); 3] = [
        ("GOTRUE_SITE_URL", "http://localhost:3000"),
        ("API_EXTERNAL_URL", "http://localhost:9999"),
        ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
    ];

    #[test]
    fn defaults_are_gotrues() {
        let (config, unread) = Config::from_env(variables(&LEAST)).unwrap();
        assert_eq!((config.jwt.exp, config.jwt.aud.as_str()), (3600, ""));
        assert_eq!(config.jwt.admin_roles, ["service_role", "supabase_admin"]);
        assert_eq!((config.mailer.otp_exp, config.mailer.otp_length), (86_400, 6));
        assert_eq!(config.mailer.max_frequency, Duration::from_secs(60));
        assert_eq!((config.password.min_length, config.security.refresh_token_reuse_interval), (6, 0));
        assert!(config.external.email_enabled && config.security.refresh_token_rotation_enabled);
        assert!(!config.mailer.autoconfirm && unread.is_empty());
    }

    #[test]
    fn every_problem_is_named_and_no_secret_shown() {
        let problems = Config::from_env(variables(&[
            ("GOTRUE_SITE_URL", "nowhere"),
            ("GOTRUE_JWT_KEYS", "[{\"kty\": \"secret\"}]"),
            ("GOTRUE_JWT_EXP", "soon"),
            ("GOTRUE_MAILER_AUTOCONFIRM", "yes"),
            ("GOTRUE_SESSIONS_TIMEBOX", "0s"),
            ("GOTRUE_SECURITY_CAPTCHA_ENABLED", "true"),
            ("GOTRUE_HOOK_SEND_SMS_ENABLED", "true"),
            ("GOTRUE_SAML_ENABLED", "true"),
            ("GOTRUE_SAML_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS", "google"),
        ]))
        .unwrap_err();
        let mut keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            [
                "API_EXTERNAL_URL",
                "GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS",
                "GOTRUE_HOOK_SEND_SMS_URI",
                "GOTRUE_JWT_EXP",
                "GOTRUE_JWT_KEYS",
                "GOTRUE_JWT_SECRET",
                "GOTRUE_MAILER_AUTOCONFIRM",
                "GOTRUE_SAML_PRIVATE_KEY",
                "GOTRUE_SECURITY_CAPTCHA_SECRET",
                "GOTRUE_SESSIONS_TIMEBOX",
                "GOTRUE_SITE_URL",
            ]
        );
        assert!(!format!("{problems:?}").contains("kty"), "{problems:?}");
    }

    #[test]
    fn variables_without_effect_are_named() {
        let mut all = variables(&LEAST);
        all.extend(variables(&[("GOTRUE_NOT_THERE", "true"), ("HOME", "/")]));
        let (_, unread) = Config::from_env(all).unwrap();
        assert_eq!(unread, ["GOTRUE_NOT_THERE"]);
    }

    #[test]
    fn colons_separate_sets_unless_escaped() {
        assert_eq!(character_sets("abc:012"), ["abc", "012"]);
        assert_eq!(character_sets(r"abc:;\:!:012"), ["abc", ";:!", "012"]);
        assert!(character_sets("").is_empty());
    }
}
