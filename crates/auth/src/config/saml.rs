//! Single sign-on by SAML 2.0.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gateway::PublicUrl;
use url::{Host, Url};

use super::reader::Reader;
use crate::saml::{ServiceProvider, own_key};

/// How long somebody may stay at their identity provider, unless it is said otherwise.
const USUAL: Duration = Duration::from_secs(120);

/// `GOTRUE_SAML_…`, where `ENABLED` is true.
#[derive(Clone, Debug)]
pub struct SamlConfig {
    /// `RELAY_STATE_VALIDITY_PERIOD`: how long somebody may stay at their identity provider.
    pub relay_state_validity: Duration,
    /// `PRIVATE_KEY`, `PRIVATE_KEY_NEXT`, `EXTERNAL_URL` and `ALLOW_ENCRYPTED_ASSERTIONS`: who we are there.
    pub(crate) service: Arc<ServiceProvider>,
}

impl SamlConfig {
    pub(super) fn read(reader: &mut Reader, api_external_url: Option<&PublicUrl>) -> Option<Self> {
        let is_on = reader.flag("GOTRUE_SAML_ENABLED", false);
        let key = reader.text("GOTRUE_SAML_PRIVATE_KEY");
        let next = reader.text("GOTRUE_SAML_PRIVATE_KEY_NEXT");
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

/// As certificates name it: whatever `EXTERNAL_URL` is, the host of `API_EXTERNAL_URL`, without a port.
fn host(url: &PublicUrl) -> String {
    match Url::parse(url.as_str()).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv6(ip)) => ip.to_string(),
        Some(host) => host.to_string(),
        None => String::new(),
    }
}
