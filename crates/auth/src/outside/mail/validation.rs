//! Validates addresses before mail is sent: by a list of invalid addresses that people type, by the DNS, and by a
//! service that the project configures. Bounced mails harm the sender's reputation.
//!
//! Source: supabase/auth, `internal/mailer/validateclient/`.

use std::time::Duration;

use gateway::HttpClient;
use serde::Deserialize;
use serde_json::json;

use super::exchangers::Exchangers;
use crate::config::EmailValidationConfig;
use crate::error::AuthError;

/// Time limit of the DNS and the service, which are asked concurrently.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum size of the service's answer, in bytes.
const LIMIT: usize = 1024;
/// Addresses that people type as examples.
const NOBODY: [&str; 4] = ["test@gmail.com", "example@gmail.com", "someone@gmail.com", "test@email.com"];
/// Hosts that take no mail.
const NOWHERE: [&str; 13] = [
    "test",
    "example",
    "invalid",
    "local",
    "localhost",
    "test.com",
    "example.com",
    "example.net",
    "example.org",
    "gamil.com",
    "gamai.com",
    "anonymous.com",
    "email.com",
];
/// RFC 2606 section 2, and names of the local network.
const RESERVED: [&str; 5] = [".test", ".example", ".invalid", ".local", ".localhost"];
/// Minimum length of a name at Gmail.
const GMAIL_LEAST: usize = 6;

/// The checks. Clones share connections.
#[derive(Clone)]
pub(crate) struct Validation {
    config: EmailValidationConfig,
    client: HttpClient,
    /// Present if the check is enabled.
    exchangers: Option<Exchangers>,
}

/// The service's answer; a missing field means valid.
#[derive(Deserialize)]
struct Verdict {
    valid: Option<bool>,
}

impl Validation {
    /// The configured checks.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(config: &EmailValidationConfig) -> std::io::Result<Self> {
        let exchangers = config.extended.then(|| Exchangers::new(&config.blocked_mx));
        Ok(Validation { config: config.clone(), client: HttpClient::new(TIMEOUT)?, exchangers })
    }

    /// Checks a recipient's address.
    ///
    /// # Errors
    /// [`AuthError::AddressInvalid`]. An unreachable service or name server does not invalidate an address.
    pub(crate) async fn check(&self, address: &str) -> Result<(), AuthError> {
        let refused = || Err(AuthError::AddressInvalid(format!("{address:?}")));
        if self.config.extended && !is_deliverable(address) {
            return refused();
        }
        let (arrives, is_agreeable) = tokio::join!(self.arrives(address), self.is_agreeable(address));
        if arrives && is_agreeable { Ok(()) } else { refused() }
    }

    async fn arrives(&self, address: &str) -> bool {
        let (Some(exchangers), Some((_, host))) = (&self.exchangers, address.rsplit_once('@')) else { return true };
        tokio::time::timeout(TIMEOUT, exchangers.take_mail_for(host)).await.unwrap_or(true)
    }

    async fn is_agreeable(&self, address: &str) -> bool {
        let Some(url) = &self.config.service_url else { return true };
        let headers: Vec<(&str, &str)> =
            self.config.service_headers.iter().map(|(name, value)| (name.as_str(), value.reveal().as_str())).collect();
        let body = json!({ "email": address }).to_string();
        match self.client.post_json(url, &headers, body, LIMIT).await {
            Ok(reply) if (200..300).contains(&reply.status) => {
                serde_json::from_slice(&reply.body).ok().and_then(|verdict: Verdict| verdict.valid).unwrap_or(true)
            }
            _ => true,
        }
    }
}

fn is_deliverable(address: &str) -> bool {
    let Some((name, host)) = address.rsplit_once('@') else { return false };
    let is_short = host == "gmail.com" && name.len() < GMAIL_LEAST;
    !NOBODY.contains(&address)
        && !NOWHERE.contains(&host)
        && !RESERVED.iter().any(|suffix| host.ends_with(suffix))
        && host.contains('.')
        && !is_short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_in_vain_is_known() {
        for (address, is) in [
            ("ana@supabase.io", true),
            ("longer@gmail.com", true),
            ("short@gmail.com", false),
            ("test@gmail.com", false),
            ("ana@example.com", false),
            ("ana@my.example.com", true),
            ("ana@here.local", false),
            ("ana@localhost", false),
            ("ana@company", false),
        ] {
            assert_eq!(is_deliverable(address), is, "{address}");
        }
    }
}
