//! Settings of hooks.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gateway::Secret;
use url::Url;

use super::reader::Reader;

/// `GOTRUE_HOOK_…`; `None` if a hook is off.
#[derive(Clone, Debug, Default)]
pub struct HooksConfig {
    /// `CUSTOM_ACCESS_TOKEN`: writes the claims of each access token.
    pub custom_access_token: Option<Hook>,
    /// `SEND_EMAIL`: sends mails instead of the mail server.
    pub send_email: Option<Hook>,
    /// `SEND_SMS`: sends messages to phones instead of an SMS provider.
    pub send_sms: Option<Hook>,
    /// `MFA_VERIFICATION_ATTEMPT`: called after each attempt.
    pub mfa_verification_attempt: Option<Hook>,
    /// `PASSWORD_VERIFICATION_ATTEMPT`: called after each attempt.
    pub password_verification_attempt: Option<Hook>,
    /// `BEFORE_USER_CREATED`: called before a user is created.
    pub before_user_created: Option<Hook>,
    /// `AFTER_USER_CREATED`: called after a user was created.
    pub after_user_created: Option<Hook>,
}

/// One hook.
#[derive(Clone, Debug)]
pub struct Hook {
    /// `URI` as configured.
    pub uri: String,
    /// What to call.
    pub target: HookTarget,
    /// `SECRETS`, decoded. Every request carries one signature for each of them.
    pub secrets: Vec<Secret<Vec<u8>>>,
}

/// The target of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookTarget {
    /// A database function that takes and returns JSON.
    Function {
        /// Its schema.
        schema: String,
        /// Its name.
        name: String,
    },
    /// An HTTP server that follows Standard Webhooks.
    Http(Url),
}

pub(super) fn hooks(reader: &mut Reader) -> HooksConfig {
    let mut hook = |name: &str| hook(reader, name);
    HooksConfig {
        custom_access_token: hook("CUSTOM_ACCESS_TOKEN"),
        send_email: hook("SEND_EMAIL"),
        send_sms: hook("SEND_SMS"),
        mfa_verification_attempt: hook("MFA_VERIFICATION_ATTEMPT"),
        password_verification_attempt: hook("PASSWORD_VERIFICATION_ATTEMPT"),
        before_user_created: hook("BEFORE_USER_CREATED"),
        after_user_created: hook("AFTER_USER_CREATED"),
    }
}

fn hook(reader: &mut Reader, name: &str) -> Option<Hook> {
    let [enabled, uri, secrets] = ["ENABLED", "URI", "SECRETS"].map(|setting| format!("GOTRUE_HOOK_{name}_{setting}"));
    let (is_on, text) = (reader.flag(&enabled, false), reader.text(&uri));
    let given = reader.secret(&secrets).unwrap_or_default();
    // Settings of a disabled hook must be valid too, as in GoTrue.
    let target = match text.as_deref().map(target) {
        None if is_on => {
            reader.problem(&uri, None, "is required, as the hook is on");
            return None;
        }
        None => return None,
        Some(Ok(target)) => target,
        Some(Err(message)) => {
            reader.problem(&uri, text.as_deref(), message);
            return None;
        }
    };
    let mut keys = Vec::new();
    for secret in given.split('|').filter(|secret| !secret.is_empty()) {
        match key(secret) {
            Some(key) => keys.push(Secret::new(key)),
            // DEVIATION (stricter): asymmetric secrets of hooks (`v1a,…`) are refused at startup; GoTrue accepts them
            // and fails at every call.
            None => reader.problem(&secrets, None, "must be a list of v1,whsec_<base64>, separated by |"),
        }
    }
    is_on.then(|| Hook { uri: text.unwrap_or_default(), target, secrets: keys })
}

fn target(text: &str) -> Result<HookTarget, &'static str> {
    const KINDS: &str = "must begin with pg-functions:// or https://, or with http:// on this machine";
    let url = Url::parse(text).map_err(|_| KINDS)?;
    match url.scheme() {
        "pg-functions" => {
            let mut parts = url.path().split('/').skip(1);
            match (parts.next(), parts.next()) {
                (Some(schema), Some(name)) if is_name(schema) && is_name(name) => {
                    Ok(HookTarget::Function { schema: schema.to_owned(), name: name.to_owned() })
                }
                _ => Err("must name a function, as in pg-functions://postgres/public/my_hook"),
            }
        }
        "https" => Ok(HookTarget::Http(url)),
        "http" if is_local(&url) => Ok(HookTarget::Http(url)),
        _ => Err(KINDS),
    }
}

fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1" | "[::1]" | "host.docker.internal")
}

/// An identifier that needs no quotes.
fn is_name(text: &str) -> bool {
    let first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.len() <= 63
        && text.bytes().next().is_some_and(first)
        && text.bytes().all(|byte| first(byte) || byte.is_ascii_digit())
}

fn key(secret: &str) -> Option<Vec<u8>> {
    let encoded = secret.strip_prefix("v1,whsec_").filter(|encoded| (32..=88).contains(&encoded.len()))?;
    BASE64_STANDARD.decode(encoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> (Option<Hook>, Vec<String>) {
        let variables = pairs.iter().map(|(name, value)| (format!("GOTRUE_HOOK_SEND_SMS_{name}"), (*value).to_owned()));
        let mut reader = Reader::new(variables);
        let hook = hooks(&mut reader).send_sms;
        (hook, reader.problems.into_iter().map(|problem| problem.key).collect())
    }

    #[test]
    fn hooks_are_functions_or_servers() {
        let function = HookTarget::Function { schema: "public".to_owned(), name: "_f1".to_owned() };
        for (uri, expected) in [
            ("pg-functions://postgres/public/_f1", Some(function)),
            ("pg-functions://postgres/public", None),
            ("pg-functions://postgres/public/f;drop", None),
            ("https://x.test/a", Some(HookTarget::Http(Url::parse("https://x.test/a").unwrap()))),
            ("http://[::1]:9/a", Some(HookTarget::Http(Url::parse("http://[::1]:9/a").unwrap()))),
            ("http://x.test/a", None),
            ("ftp://x.test", None),
            ("nonsense", None),
        ] {
            let (hook, problems) = read(&[("ENABLED", "true"), ("URI", uri)]);
            assert_eq!(hook.map(|hook| hook.target), expected, "{uri}");
            assert_eq!(problems.is_empty(), expected.is_some(), "{uri}");
            // Settings of a disabled hook must be valid too.
            assert_eq!(read(&[("URI", uri)]).1.is_empty(), expected.is_some(), "{uri}");
        }
        assert_eq!(read(&[("ENABLED", "true")]).1, ["GOTRUE_HOOK_SEND_SMS_URI"]);
        assert!(read(&[]).0.is_none());
    }

    #[test]
    fn secrets_are_a_list_and_never_shown() {
        let one = format!("v1,whsec_{}", BASE64_STANDARD.encode([7; 24]));
        let two = format!("v1,whsec_{}", BASE64_STANDARD.encode([9; 32]));
        let with = |secrets: &str| read(&[("ENABLED", "true"), ("URI", "https://x.test"), ("SECRETS", secrets)]);
        let (hook, problems) = with(&format!("{one}|{two}"));
        let hook = hook.unwrap();
        assert!(problems.is_empty() && hook.secrets.len() == 2 && hook.secrets[0].reveal() == &[7; 24]);
        assert!(!format!("{hook:?}").contains("BwcH"));
        for bad in ["v1,whsec_short", "v1a,whpk_x:whsk_y", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"] {
            assert_eq!(with(bad).1, ["GOTRUE_HOOK_SEND_SMS_SECRETS"], "{bad}");
        }
    }
}
