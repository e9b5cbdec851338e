//! Whether a mail to an address could ever arrive, as far as that can be told beforehand: by a list of what people type in
//! vain, by the DNS, and by a service of the project's choice. Mails that come back harm whoever sent them.
//!
//! Source: supabase/auth, `internal/mailer/validateclient/`.

use std::time::Duration;

use gateway::HttpClient;
use serde::Deserialize;
use serde_json::json;

use super::exchangers::Exchangers;
use crate::config::EmailValidationConfig;
use crate::error::AuthError;

/// How long the DNS and the service may take, which are asked at once.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How much it may say, in bytes.
const LIMIT: usize = 1024;
/// Addresses that are examples to those who type them.
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
/// Google gives nobody a shorter name.
const GMAIL_LEAST: usize = 6;

/// What is asked of addresses. Cloning shares its connections.
#[derive(Clone)]
pub(crate) struct Validation {
    config: EmailValidationConfig,
    client: HttpClient,
    /// Present where they are asked for.
    exchangers: Option<Exchangers>,
}

/// What the service says; silence is consent.
#[derive(Deserialize)]
struct Verdict {
    valid: Option<bool>,
}

impl Validation {
    /// The rules of the settings.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub(crate) fn new(config: &EmailValidationConfig) -> std::io::Result<Self> {
        let exchangers = config.extended.then(|| Exchangers::new(&config.blocked_mx));
        Ok(Validation { config: config.clone(), client: HttpClient::new(TIMEOUT)?, exchangers })
    }

    /// Checks an address to which a mail is to go.
    ///
    /// # Errors
    /// [`AuthError::AddressInvalid`]. A service or a name server that cannot be asked has nothing against anybody.
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
