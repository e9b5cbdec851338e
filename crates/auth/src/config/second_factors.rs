//! Settings of second factors, passkeys, and the encryption keys of their secrets.

use std::time::Duration;

use url::Url;

use super::reader::{Reader, otp_length};
use crate::model::encryption::Encryption;
use crate::protocol::template::Template;

/// `GOTRUE_MFA_…`
#[derive(Clone, Debug)]
pub struct MfaConfig {
    /// `MAX_ENROLLED_FACTORS`: maximum number of factors per user, verified or not.
    pub max_enrolled_factors: usize,
    /// `MAX_VERIFIED_FACTORS`
    pub max_verified_factors: usize,
    /// `CHALLENGE_EXPIRY_DURATION`, in seconds; at least five minutes.
    pub challenge_expiry: Duration,
    /// `FACTOR_EXPIRY_DURATION`: how long a factor without any challenge is kept; at least five minutes.
    pub factor_expiry: Duration,
    /// `TOTP_…`: authenticator apps.
    pub totp: FactorSwitches,
    /// `PHONE_…`: codes by SMS.
    pub phone: PhoneFactorConfig,
    /// `WEB_AUTHN_…`: security keys.
    pub webauthn: FactorSwitches,
}

/// What is enabled for one type of factor.
#[derive(Clone, Copy, Debug)]
pub struct FactorSwitches {
    /// `ENROLL_ENABLED`: new factors can be enrolled.
    pub enroll: bool,
    /// `VERIFY_ENABLED`: enrolled factors can be verified.
    pub verify: bool,
}

/// `GOTRUE_MFA_PHONE_…`
#[derive(Clone, Debug)]
pub struct PhoneFactorConfig {
    /// Whether phone factors are enabled.
    pub switches: FactorSwitches,
    /// `OTP_LENGTH`: digits of a code, 6 to 10.
    pub otp_length: usize,
    /// `MAX_FREQUENCY`: minimum time between two messages to one factor.
    pub max_frequency: Duration,
    /// `TEMPLATE`: the text of a message, with `{{ .Code }}`.
    pub(crate) template: Template,
}

/// `GOTRUE_PASSKEY_…`
#[derive(Clone, Copy, Debug)]
pub struct PasskeyConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `MAX_PASSKEYS_PER_USER`
    pub max_per_user: usize,
}

/// `GOTRUE_WEBAUTHN_…`: the relying party (WebAuthn level 3, section 1.2).
///
/// DEVIATION (more): missing `GOTRUE_WEBAUTHN_…` settings default to values from the site URL; GoTrue then answers
/// passkey requests with 500.
#[derive(Clone, Debug)]
pub struct WebAuthnConfig {
    /// `RP_ID`: the domain that credentials are scoped to.
    pub rp_id: String,
    /// `RP_DISPLAY_NAME`
    pub rp_display_name: String,
    /// `RP_ORIGINS`: origins of pages that may use the credentials, such as `https://app.example.com`.
    pub rp_origins: Vec<Url>,
    /// `CHALLENGE_EXPIRY_DURATION`, for passkeys.
    pub challenge_expiry: Duration,
}

const LEAST: Duration = Duration::from_secs(300);
const TEMPLATE: &str = "GOTRUE_MFA_PHONE_TEMPLATE";

pub(super) fn mfa(reader: &mut Reader) -> MfaConfig {
    let challenge_expiry: f64 = reader.number("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", 300.0);
    let max_frequency = reader.duration("GOTRUE_MFA_PHONE_MAX_FREQUENCY", Duration::ZERO);
    MfaConfig {
        max_enrolled_factors: reader.number("GOTRUE_MFA_MAX_ENROLLED_FACTORS", 10),
        max_verified_factors: reader.number("GOTRUE_MFA_MAX_VERIFIED_FACTORS", 10),
        challenge_expiry: Duration::try_from_secs_f64(challenge_expiry.trunc()).unwrap_or(LEAST).max(LEAST),
        factor_expiry: reader.duration("GOTRUE_MFA_FACTOR_EXPIRY_DURATION", LEAST).max(LEAST),
        totp: switches(reader, "TOTP", true),
        phone: PhoneFactorConfig {
            switches: switches(reader, "PHONE", false),
            otp_length: otp_length(reader.number("GOTRUE_MFA_PHONE_OTP_LENGTH", 0)),
            max_frequency: if max_frequency.is_zero() { Duration::from_secs(60) } else { max_frequency },
            template: template(reader),
        },
        webauthn: switches(reader, "WEB_AUTHN", false),
    }
}

fn switches(reader: &mut Reader, kind: &str, default: bool) -> FactorSwitches {
    FactorSwitches {
        enroll: reader.flag(&format!("GOTRUE_MFA_{kind}_ENROLL_ENABLED"), default),
        verify: reader.flag(&format!("GOTRUE_MFA_{kind}_VERIFY_ENABLED"), default),
    }
}

fn template(reader: &mut Reader) -> Template {
    let text = reader.text(TEMPLATE).unwrap_or_else(|| "Your code is {{ .Code }}".to_owned());
    Template::parse(&text).unwrap_or_else(|error| {
        reader.problem(TEMPLATE, Some(&text), &format!("is no template: {error}"));
        Template::default()
    })
}

pub(super) fn passkey(reader: &mut Reader) -> PasskeyConfig {
    PasskeyConfig {
        enabled: reader.flag("GOTRUE_PASSKEY_ENABLED", false),
        max_per_user: reader.number("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", 10),
    }
}

pub(super) fn webauthn(reader: &mut Reader, site_url: &str) -> WebAuthnConfig {
    let key = "GOTRUE_WEBAUTHN_RP_ORIGINS";
    let site = Url::parse(site_url).ok().filter(Url::has_host);
    let host = site.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
    let rp_id = reader.text("GOTRUE_WEBAUTHN_RP_ID").unwrap_or(host);
    let mut rp_origins = Vec::new();
    for origin in reader.list(key) {
        match Url::parse(&origin) {
            Ok(url) => rp_origins.push(url),
            Err(_) => reader.problem(key, Some(&origin), "must be a list of origins such as https://app.example.com"),
        }
    }
    if rp_origins.is_empty() {
        rp_origins.extend(site.and_then(|site| Url::parse(&site.origin().ascii_serialization()).ok()));
    }
    WebAuthnConfig {
        rp_display_name: reader.text("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME").unwrap_or_else(|| rp_id.clone()),
        rp_id,
        rp_origins,
        challenge_expiry: reader.duration("GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION", LEAST),
    }
}

/// `GOTRUE_SECURITY_DB_ENCRYPTION_…`: `ENCRYPT`, `ENCRYPTION_KEY_ID`, `ENCRYPTION_KEY`, and `DECRYPTION_KEYS` as `id:key,…`.
pub(super) fn encryption(reader: &mut Reader) -> Encryption {
    let prefix = "GOTRUE_SECURITY_DB_ENCRYPTION";
    let encrypt = reader.flag(&format!("{prefix}_ENCRYPT"), false);
    let key_id = reader.text(&format!("{prefix}_ENCRYPTION_KEY_ID"));
    let key = reader.secret(&format!("{prefix}_ENCRYPTION_KEY"));
    let decryption_keys = format!("{prefix}_DECRYPTION_KEYS");
    reader.hide(&decryption_keys);
    let pairs = reader.list(&decryption_keys);
    let mut keys: Vec<(String, String)> = Vec::new();
    for pair in pairs {
        match pair.split_once(':') {
            Some((id, key)) => keys.push((id.trim().to_owned(), key.trim().to_owned())),
            None => reader.problem(&decryption_keys, None, "must be a list of id:key"),
        }
    }
    let encrypt_with = match (encrypt, key_id, key) {
        (false, ..) => None,
        (true, Some(id), Some(key)) => {
            if keys.iter().any(|(known, same)| *known == id && *same != key) {
                reader.problem(&decryption_keys, None, "must hold the same key as ENCRYPTION_KEY under its name");
            }
            Some(id)
        }
        (true, id, _) => {
            let missing = if id.is_none() { "ENCRYPTION_KEY_ID" } else { "ENCRYPTION_KEY" };
            reader.problem(&format!("{prefix}_{missing}"), None, "is required to encrypt");
            None
        }
    };
    Encryption::new(encrypt_with, keys).unwrap_or_else(|message| {
        reader.problem(&decryption_keys, None, &message);
        Encryption::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "pwFoiPyybQMqNmYVN0gUnpbfpGQV2sDv9vp0ZAxi_Y4";

    fn reader(pairs: &[(&str, &str)]) -> Reader {
        Reader::new(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn defaults_are_gotrues() {
        let config = mfa(&mut reader(&[]));
        assert_eq!((config.max_enrolled_factors, config.max_verified_factors), (10, 10));
        assert_eq!((config.challenge_expiry, config.factor_expiry), (LEAST, LEAST));
        assert!(config.totp.enroll && config.totp.verify && !config.phone.switches.enroll && !config.webauthn.verify);
        assert_eq!((config.phone.otp_length, config.phone.max_frequency), (6, Duration::from_secs(60)));
        assert!(!passkey(&mut reader(&[])).enabled);
        let short = mfa(&mut reader(&[("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", "10.5")]));
        assert_eq!(short.challenge_expiry, LEAST);
        let long = mfa(&mut reader(&[("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", "600")]));
        assert_eq!(long.challenge_expiry, Duration::from_secs(600));
    }

    #[test]
    fn the_relying_party_is_the_site_unless_told_otherwise() {
        let party = |pairs: &[(&str, &str)], site: &str| {
            let config = webauthn(&mut reader(pairs), site);
            let origins: Vec<String> = config.rp_origins.iter().map(Url::to_string).collect();
            (config.rp_id, config.rp_display_name, origins.join(" "))
        };
        let own = |id: &str, name: &str, origins: &str| (id.to_owned(), name.to_owned(), origins.to_owned());
        let site = own("app.x.test", "app.x.test", "https://app.x.test:8443/");
        assert_eq!(party(&[], "https://app.x.test:8443/start?x=1"), site);
        let given = [
            ("GOTRUE_WEBAUTHN_RP_ID", "x.test"),
            ("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "X"),
            ("GOTRUE_WEBAUTHN_RP_ORIGINS", "https://a.x.test,https://b.x.test"),
        ];
        assert_eq!(party(&given, "https://y.test"), own("x.test", "X", "https://a.x.test/ https://b.x.test/"));
        assert_eq!(party(&[], "myapp:start"), own("", "", ""));
        let mut wrong = reader(&[("GOTRUE_WEBAUTHN_RP_ORIGINS", "x.test")]);
        webauthn(&mut wrong, "https://x.test");
        assert_eq!(wrong.problems.len(), 1);
    }

    #[test]
    fn encryption_needs_its_keys_and_tells_none() {
        const ON: (&str, &str) = ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT", "true");
        const ID: (&str, &str) = ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY_ID", "abc");
        const OWN: (&str, &str) = ("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY", KEY);
        const LIST: &str = "GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS";
        let right = format!("abc:{KEY}");
        for (pairs, problem) in [
            (vec![], None),
            (vec![ON, ID, OWN, (LIST, right.as_str())], None),
            (vec![ID, OWN], None),
            (vec![ON], Some("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY_ID")),
            (vec![ON, ID], Some("GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY")),
            (vec![ON, ID, OWN], Some(LIST)),
            (vec![(LIST, "abc:short")], Some(LIST)),
            (vec![(LIST, KEY)], Some(LIST)),
        ] {
            let mut reader = reader(&pairs);
            encryption(&mut reader);
            let named = reader.problems.first().map(|problem| problem.key.as_str());
            assert_eq!(named, problem, "{pairs:?}");
            assert!(!format!("{:?}", reader.problems).contains(KEY));
        }
    }
}
