//! Settings of external services that check people, addresses and passwords.

use std::collections::BTreeMap;
use std::time::Duration;

use gateway::Secret;
use url::Url;

use super::reader::Reader;

/// `GOTRUE_SECURITY_CAPTCHA_…`
#[derive(Clone, Debug)]
pub struct CaptchaConfig {
    /// `PROVIDER`
    pub provider: CaptchaProvider,
    /// `SECRET`
    pub secret: Secret<String>,
    /// `TIMEOUT`: time limit of a call to the provider.
    pub timeout: Duration,
    /// `API_URL`: replaces scheme, host and port of the provider's API, for a proxy of your own.
    pub api_url: Option<Url>,
}

/// The captcha provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// hCaptcha.
    Hcaptcha,
    /// Cloudflare Turnstile.
    Turnstile,
}

/// `GOTRUE_PASSWORD_HIBP_…`: the list of leaked passwords at haveibeenpwned.com.
#[derive(Clone, Debug)]
pub struct PwnedConfig {
    /// `FAIL_CLOSED`: if the list cannot be reached, refuse every new password.
    pub fail_closed: bool,
    /// `USER_AGENT`: how we identify ourselves, as the list requires.
    pub user_agent: String,
    /// `API_URL`: replaces scheme, host and port of the list, for a mirror of your own.
    pub api_url: Option<Url>,
}

/// `GOTRUE_MAILER_EMAIL_VALIDATION_…`
#[derive(Clone, Debug)]
pub struct EmailValidationConfig {
    /// `EXTENDED`: refuse impossible addresses, and addresses at hosts that take no mail.
    pub extended: bool,
    /// `BLOCKED_MX`: names and addresses of mail exchangers; addresses that use one are refused, too.
    pub blocked_mx: Vec<String>,
    /// `SERVICE_URL`: a service to ask about each address.
    pub service_url: Option<Url>,
    /// `SERVICE_HEADERS`: headers of requests to that service.
    pub service_headers: Vec<(String, Secret<String>)>,
}

pub(super) fn email_validation(reader: &mut Reader) -> EmailValidationConfig {
    const HEADERS: &str = "GOTRUE_MAILER_EMAIL_VALIDATION_SERVICE_HEADERS";
    let text = reader.secret(HEADERS).unwrap_or_else(|| "{}".to_owned());
    let headers: BTreeMap<String, Vec<String>> = serde_json::from_str(&text).unwrap_or_else(|_| {
        reader.problem(HEADERS, None, r#"must be JSON such as {"apikey": ["value"]}"#);
        BTreeMap::new()
    });
    let pairs =
        headers.into_iter().filter_map(|(name, values)| Some((name, Secret::new(values.into_iter().next_back()?))));
    let blocked_mx = reader.parse(
        "GOTRUE_MAILER_EMAIL_VALIDATION_BLOCKED_MX",
        Vec::new(),
        r#"must be JSON such as ["mx.example.com"]"#,
        |text| serde_json::from_str(text).ok(),
    );
    EmailValidationConfig {
        blocked_mx,
        extended: reader.flag("GOTRUE_MAILER_EMAIL_VALIDATION_EXTENDED", false),
        service_url: address(reader, "GOTRUE_MAILER_EMAIL_VALIDATION_SERVICE_URL"),
        service_headers: pairs.collect(),
    }
}

/// `None` if it is off.
pub(super) fn captcha(reader: &mut Reader) -> Option<CaptchaConfig> {
    const PROVIDER: &str = "GOTRUE_SECURITY_CAPTCHA_PROVIDER";
    let is_on = reader.flag("GOTRUE_SECURITY_CAPTCHA_ENABLED", false);
    let name = reader.text(PROVIDER).unwrap_or_else(|| "hcaptcha".to_owned());
    let secret = reader.secret("GOTRUE_SECURITY_CAPTCHA_SECRET").unwrap_or_default().trim().to_owned();
    let timeout = reader.positive_duration("GOTRUE_SECURITY_CAPTCHA_TIMEOUT");
    let api_url = address(reader, "GOTRUE_SECURITY_CAPTCHA_API_URL");
    if !is_on {
        return None;
    }
    if secret.is_empty() {
        reader.problem("GOTRUE_SECURITY_CAPTCHA_SECRET", None, "is required, as captchas are on");
    }
    let provider = match name.as_str() {
        "hcaptcha" => CaptchaProvider::Hcaptcha,
        "turnstile" => CaptchaProvider::Turnstile,
        other => {
            reader.problem(PROVIDER, Some(other), "must be hcaptcha or turnstile");
            return None;
        }
    };
    let timeout = timeout.unwrap_or(Duration::from_secs(10));
    Some(CaptchaConfig { provider, secret: Secret::new(secret), timeout, api_url })
}

/// `None` if it is off.
pub(super) fn pwned(reader: &mut Reader) -> Option<PwnedConfig> {
    let prefix = "GOTRUE_PASSWORD_HIBP_";
    let is_on = reader.flag(&format!("{prefix}ENABLED"), false);
    let config = PwnedConfig {
        fail_closed: reader.flag(&format!("{prefix}FAIL_CLOSED"), false),
        user_agent: reader
            .text(&format!("{prefix}USER_AGENT"))
            .unwrap_or_else(|| concat!("dugout/", env!("CARGO_PKG_VERSION")).to_owned()),
        api_url: address(reader, &format!("{prefix}API_URL")),
    };
    // GoTrue caches answers in a Bloom filter. We accept these settings and ignore them.
    for name in ["ENABLED", "ITEMS", "FALSE_POSITIVES"] {
        reader.text(&format!("{prefix}BLOOM_{name}"));
    }
    is_on.then_some(config)
}

fn address(reader: &mut Reader, key: &str) -> Option<Url> {
    let message = "must be an address such as https://proxy.example.com";
    reader.parse(key, None, message, |text| Url::parse(text).ok().filter(Url::has_host).map(Some))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> (Option<CaptchaConfig>, Vec<String>) {
        let prefix = "GOTRUE_SECURITY_CAPTCHA_";
        let all = pairs.iter().map(|(name, value)| (format!("{prefix}{name}"), (*value).to_owned()));
        let mut reader = Reader::new(all);
        let config = captcha(&mut reader);
        (config, reader.problems.into_iter().map(|problem| problem.key.replace(prefix, "")).collect())
    }

    #[test]
    fn captchas_need_a_provider_and_a_secret() {
        let (config, problems) = read(&[("ENABLED", "true"), ("SECRET", " geheim "), ("PROVIDER", "turnstile")]);
        let config = config.unwrap();
        assert!(problems.is_empty() && config.secret.reveal() == "geheim" && config.timeout.as_secs() == 10);
        assert_eq!(config.provider, CaptchaProvider::Turnstile);
        assert!(!format!("{config:?}").contains("geheim"));
        assert_eq!(read(&[("ENABLED", "true")]).1, ["SECRET"]);
        assert_eq!(read(&[("ENABLED", "true"), ("SECRET", "x"), ("PROVIDER", "recaptcha")]).1, ["PROVIDER"]);
        assert!(read(&[("PROVIDER", "recaptcha")]).1.is_empty(), "disabled settings are not validated, as in GoTrue");
    }
}
