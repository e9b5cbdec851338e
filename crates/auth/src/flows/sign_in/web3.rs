//! Sign-in with a wallet: whether the signed message is meant for this server and for now, and the profile of its
//! signer.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use url::Url;

use crate::config::Config;
use crate::error::OAuthError;
use crate::model::chain::Chain;
use crate::model::redirects;
use crate::model::timestamp::after;
use crate::outside::providers::{Claims, Profile};
use crate::protocol::web3::SignedMessage;

/// Checks the message against the app's addresses and the time. It is valid for `validity` after its issue, and as long
/// before.
///
/// DEVIATION (safer): the expiration time of a wallet's Ethereum message is checked; GoTrue checks it only if the
/// message also has a "Not Before".
///
/// DEVIATION (safer): the domain of a wallet's message for `localhost` is checked, too; GoTrue does not check it then.
///
/// # Errors
/// One of the `Web3…` errors.
pub(crate) fn check(
    config: &Config,
    message: &SignedMessage,
    validity: Duration,
    now: DateTime<Utc>,
) -> Result<(), OAuthError> {
    let chain = message.chain;
    let uri = Url::parse(&message.uri).map_err(|_| OAuthError::Web3NotHttps(chain))?;
    let is_local = uri.host_str() == Some("localhost");
    if uri.scheme() != "https" && !is_local {
        return Err(OAuthError::Web3NotHttps(chain));
    }
    if !redirects::is_allowed(config, &message.uri) {
        return Err(OAuthError::Web3NotAllowed(chain));
    }
    let domain = format!("https://{}/", message.domain);
    let same = Url::parse(&domain).is_ok_and(|named| {
        named.host() == uri.host() && (is_local || named.port_or_known_default() == uri.port_or_known_default())
    });
    if !same || !(is_local || redirects::is_allowed(config, &domain)) {
        return Err(OAuthError::Web3Domain(chain));
    }
    if message.not_before.is_some_and(|start| now < start) {
        return Err(OAuthError::Web3NotYet(chain));
    }
    if message.expires_at.is_some_and(|end| now > end) {
        return Err(OAuthError::Web3Expired(chain));
    }
    if now > after(message.issued_at, validity) {
        return Err(OAuthError::Web3Old(chain));
    }
    if after(now, validity) < message.issued_at {
        return Err(OAuthError::Web3Future(chain));
    }
    Ok(())
}

impl SignedMessage {
    /// The subject of the identity at the provider `web3`.
    pub(crate) fn subject(&self) -> String {
        format!("web3:{}:{}", self.chain.name(), self.address)
    }

    /// The profile of the key's holder.
    pub(crate) fn profile(&self) -> Profile {
        let statement = match (&self.statement, self.chain) {
            (None, Chain::Ethereum) => Value::Null,
            (None, Chain::Solana) => json!(""),
            (Some(statement), _) => json!(statement),
        };
        let mut claims = Claims::of([("sub", self.subject().as_str())]);
        for (name, value) in [
            ("address", json!(self.address)),
            ("chain", json!(self.chain.name())),
            ("domain", json!(self.domain)),
            ("network", json!(self.network)),
            ("statement", statement),
        ] {
            claims.add_custom(name, value);
        }
        Profile { emails: Vec::new(), claims }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::chain::Chain;

    fn at(time: &str) -> DateTime<Utc> {
        format!("2026-09-30T{time}Z").parse().unwrap()
    }

    fn message(domain: &str, uri: &str) -> SignedMessage {
        SignedMessage {
            chain: Chain::Ethereum,
            raw: String::new(),
            domain: domain.to_owned(),
            address: String::new(),
            statement: None,
            uri: uri.to_owned(),
            network: String::new(),
            issued_at: at("12:00:00"),
            expires_at: None,
            not_before: None,
        }
    }

    fn verdict(message: &SignedMessage, now: &str) -> Result<(), String> {
        let variables = [
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("GOTRUE_URI_ALLOW_LIST", "https://*.x.test/**,http://localhost:3000/**,http://plain.test/**"),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let config = Config::from_env(variables).unwrap().0;
        let checked = check(&config, message, Duration::from_secs(600), at(now));
        checked.map_err(|error| error.message().split(' ').skip(2).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn only_apps_that_are_allowed() {
        let https = "message is using URI which does not use HTTPS";
        let other = "message is using URI which is not allowed on this server, message was signed for another app";
        let domain = "message is using a Domain that does not match the one in URI which is not allowed on this server";
        for (of, uri, refusal) in [
            ("app.test", "https://app.test/in", ""),
            ("a.x.test", "https://a.x.test/in", ""),
            ("localhost:3000", "http://localhost:3000/in", ""),
            ("plain.test", "http://plain.test/in", https),
            ("app.test", "/in", https),
            ("evil.test", "https://evil.test/", other),
            ("app.test", "https://app.test@evil.test/", other),
            ("app.test", "https://evil.test\\@app.test/", other),
            ("evil.test", "https://app.test/in", domain),
            ("b.x.test", "https://a.x.test/in", domain),
            ("app.test:8443", "https://app.test/in", domain),
            ("evil.test", "http://localhost:3000/in", domain),
        ] {
            let verdict = verdict(&message(of, uri), "12:00:00").err().unwrap_or_default();
            assert_eq!(verdict, refusal, "{of} {uri}");
        }
    }

    #[test]
    fn only_for_a_while() {
        let limited = SignedMessage {
            not_before: Some(at("12:01:00")),
            expires_at: Some(at("12:02:00")),
            ..message("app.test", "https://app.test/in")
        };
        let short = SignedMessage { not_before: None, ..limited.clone() };
        let plain = SignedMessage { expires_at: None, ..short.clone() };
        for (message, good, bad, refusal) in [
            (&limited, "12:01:00", "12:00:59", "message becomes valid in the future"),
            (&limited, "12:02:00", "12:02:01", "message is expired"),
            (&short, "12:02:00", "12:02:01", "message is expired"),
            (&plain, "12:10:00", "12:10:01", "was issued too long ago"),
            (&plain, "11:50:00", "11:49:59", "was issued too far in the future"),
        ] {
            assert_eq!(verdict(message, good), Ok(()), "{good}");
            assert_eq!(verdict(message, bad).unwrap_err(), refusal, "{bad}");
        }
    }
}
