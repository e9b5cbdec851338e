//! SAML 2.0 settings.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gateway::PublicUrl;
use url::{Host, Url};

use super::reader::Reader;
use crate::protocol::saml::{ServiceProvider, own_key};

/// Default lifetime of a RelayState.
const USUAL: Duration = Duration::from_secs(120);

/// `GOTRUE_SAML_…`, where `ENABLED` is true.
#[derive(Clone, Debug)]
pub struct SamlConfig {
    /// `RELAY_STATE_VALIDITY_PERIOD`: how long a user may take to sign in at the identity provider.
    pub relay_state_validity: Duration,
    /// `PRIVATE_KEY`, `PRIVATE_KEY_NEXT`, `EXTERNAL_URL` and `ALLOW_ENCRYPTED_ASSERTIONS`: our side as service
    /// provider.
    pub(crate) service: Arc<ServiceProvider>,
}

impl SamlConfig {
    pub(super) fn read(reader: &mut Reader, api_external_url: Option<&PublicUrl>) -> Option<Self> {
        let is_on = reader.flag("GOTRUE_SAML_ENABLED", false);
        let key = reader.secret("GOTRUE_SAML_PRIVATE_KEY");
        let next = reader.secret("GOTRUE_SAML_PRIVATE_KEY_NEXT");
        let own_url = reader.text("GOTRUE_SAML_EXTERNAL_URL");
        let allow_encrypted = reader.flag("GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS", false);
        let validity = reader.duration("GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD", USUAL);
        if !is_on {
            return None;
        }
        let base = match own_url {
            None => api_external_url?.clone(),
            Some(text) => match PublicUrl::parse(&text) {
                Ok(url) => url,
                Err(reason) => {
                    let message = format!("must be the address of this service: {reason}");
                    reader.problem("GOTRUE_SAML_EXTERNAL_URL", Some(&text), &message);
                    return None;
                }
            },
        };
        let mut read = |name: &str, text: &str| {
            let der = BASE64_STANDARD.decode(text.trim()).map_err(|_| "must be in standard Base64");
            der.and_then(|der| own_key(&der)).map_err(|message| reader.problem(name, None, message)).ok()
        };
        let key = read("GOTRUE_SAML_PRIVATE_KEY", &key.unwrap_or_default())?;
        let next = match next {
            Some(text) => Some(read("GOTRUE_SAML_PRIVATE_KEY_NEXT", &text)?),
            None => None,
        };
        match ServiceProvider::new(base, &host(api_external_url?), key, next, allow_encrypted) {
            Ok(service) => Some(SamlConfig {
                relay_state_validity: if validity.is_zero() { USUAL } else { validity },
                service: Arc::new(service),
            }),
            Err(message) => {
                reader.problem("GOTRUE_SAML_PRIVATE_KEY", None, &message);
                None
            }
        }
    }
}

/// The host name for our certificate: the host of `API_EXTERNAL_URL` without its port, even if `EXTERNAL_URL` differs.
fn host(url: &PublicUrl) -> String {
    match Url::parse(url.as_str()).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv6(ip)) => ip.to_string(),
        Some(host) => host.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = include_str!("../protocol/saml/fixtures/key.b64");

    fn read(pairs: &[(&str, &str)]) -> (Option<SamlConfig>, Vec<(String, String)>) {
        let mut reader =
            Reader::new(pairs.iter().map(|(name, value)| (format!("GOTRUE_SAML_{name}"), (*value).to_owned())));
        let url = PublicUrl::parse("https://api.test:8443/auth/v1/").unwrap();
        let config = SamlConfig::read(&mut reader, Some(&url));
        (config, reader.problems.into_iter().map(|problem| (problem.key, problem.message)).collect())
    }

    #[test]
    fn it_is_off_until_it_is_switched_on() {
        let (config, problems) = read(&[("PRIVATE_KEY", "nonsense"), ("EXTERNAL_URL", "nowhere")]);
        assert!(config.is_none() && problems.is_empty());
        let (config, problems) =
            read(&[("ENABLED", "true"), ("PRIVATE_KEY", KEY), ("RELAY_STATE_VALIDITY_PERIOD", "0")]);
        let config = config.unwrap();
        assert_eq!((config.relay_state_validity, problems), (USUAL, vec![]));
        assert_eq!(config.service.acs(), "https://api.test:8443/auth/v1/sso/saml/acs");
        let moved = [("ENABLED", "true"), ("PRIVATE_KEY", KEY), ("EXTERNAL_URL", "https://sso.test")];
        assert_eq!(read(&moved).0.unwrap().service.entity_id(), "https://sso.test/sso/saml/metadata");
        assert!(!format!("{:?}", read(&moved).0).contains(&KEY[40..60]));
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let short = include_str!("../protocol/saml/fixtures/key_of_1024_bits.b64");
        for (changes, name, words) in [
            ([("PRIVATE_KEY", ""), ("X", "")], "PRIVATE_KEY", "must be an RSA key in PKCS#1 format"),
            ([("PRIVATE_KEY", "_"), ("X", "")], "PRIVATE_KEY", "must be in standard Base64"),
            ([("PRIVATE_KEY", short), ("X", "")], "PRIVATE_KEY", "must be an RSA key of 2048 bits or more"),
            (
                [("PRIVATE_KEY", KEY), ("PRIVATE_KEY_NEXT", "AAAA")],
                "PRIVATE_KEY_NEXT",
                "must be an RSA key in PKCS#1 format",
            ),
            (
                [("PRIVATE_KEY", KEY), ("RELAY_STATE_VALIDITY_PERIOD", "-1s")],
                "RELAY_STATE_VALIDITY_PERIOD",
                "must be a duration such as 1m30s",
            ),
        ] {
            let [first, second] = changes;
            let (_, problems) = read(&[("ENABLED", "true"), first, second]);
            assert_eq!(problems, [(format!("GOTRUE_SAML_{name}"), words.to_owned())]);
        }
        let (config, problems) = read(&[("ENABLED", "true"), ("PRIVATE_KEY", KEY), ("EXTERNAL_URL", "nowhere")]);
        assert!(config.is_none() && problems[0].1.starts_with("must be the address of this service: "));
    }
}
