//! Checks passwords against a list of leaked ones. The list is asked for all hashes with a common prefix, so it never
//! learns which password is meant (k-anonymity).
//!
//! Source: the range API of haveibeenpwned.com; supabase/auth, `internal/api/password.go`.

use std::time::Duration;

use gateway::HttpClient;
use gateway::events::{Event, Events};
use sha1::{Digest, Sha1};
use url::Url;

use crate::config::PwnedConfig;
use crate::error::AuthError;

/// Time limit of the list's answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of the list's answer, in bytes; it is about 40 kB.
const LIMIT: usize = 1 << 20;
/// Hexadecimal digits of the hash that are sent.
const SHOWN: usize = 5;

/// The list. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Pwned {
    url: Url,
    config: PwnedConfig,
    client: HttpClient,
    events: Events,
}

impl Pwned {
    /// The configured list, if any.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(config: Option<&PwnedConfig>, events: &Events) -> std::io::Result<Option<Self>> {
        let Some(config) = config else { return Ok(None) };
        let url = Url::parse("https://api.pwnedpasswords.com").map_err(std::io::Error::other)?;
        Ok(Some(Pwned {
            url: config.api_url.clone().unwrap_or(url),
            config: config.clone(),
            client: HttpClient::new(TIMEOUT)?,
            events: events.clone(),
        }))
    }

    /// True if the password is on the list. Without an answer false, unless the settings fail closed.
    ///
    /// # Errors
    /// A fault if the list cannot be reached and the settings fail closed.
    pub(crate) async fn lists(&self, password: &str) -> Result<bool, AuthError> {
        const FAILED: &str = "Unable to perform password strength check with HaveIBeenPwned.org.";
        let digest: String = Sha1::digest(password).iter().map(|byte| format!("{byte:02X}")).collect();
        let (beginning, rest) = digest.split_at(SHOWN);
        match self.range(beginning).await {
            Ok(text) => Ok(text.lines().any(|line| is_entry(line, rest))),
            Err(reason) if self.config.fail_closed => Err(AuthError::internal(FAILED, reason)),
            Err(reason) => {
                self.events.emit(Event::Outage { name: "haveibeenpwned", reason: &reason });
                Ok(false)
            }
        }
    }

    async fn range(&self, beginning: &str) -> Result<String, String> {
        let mut url = self.url.clone();
        url.set_path(&format!("/range/{beginning}"));
        let headers = [("user-agent", self.config.user_agent.as_str())];
        let reply = self.client.get_with(&url, &headers, LIMIT).await.map_err(|error| error.to_string())?;
        if reply.status != 200 {
            return Err(format!("its server answered {}", reply.status));
        }
        String::from_utf8(reply.body).map_err(|_| "its answer is not text".to_owned())
    }
}

/// True if a line `REST:COUNT` matches this hash. Padding lines have a count of zero.
fn is_entry(line: &str, rest: &str) -> bool {
    line.trim()
        .split_once(':')
        .is_some_and(|(hash, count)| hash == rest && count.trim().parse().is_ok_and(|count: u64| count > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_entries_count() {
        let rest = "1E4C9B93F3F0682250B6CF8331B7EE68FD8";
        for (line, is) in [
            ("1E4C9B93F3F0682250B6CF8331B7EE68FD8:3", true),
            ("1E4C9B93F3F0682250B6CF8331B7EE68FD8:3\r", true),
            ("1E4C9B93F3F0682250B6CF8331B7EE68FD8:0", false),
            ("1E4C9B93F3F0682250B6CF8331B7EE68FD9:3", false),
            ("1E4C9B93F3F0682250B6CF8331B7EE68FD8", false),
            ("", false),
        ] {
            assert_eq!(is_entry(line, rest), is, "{line}");
        }
    }
}
