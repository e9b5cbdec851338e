//! Parses the message that a wallet shows and signs.

use chrono::{DateTime, Utc};
use url::Url;

use super::syntax;
use crate::model::chain::Chain;

/// A parsed message whose signature has not been checked.
#[derive(Clone, Debug)]
pub(crate) struct SignedMessage {
    pub(crate) chain: Chain,
    /// The signed text.
    pub(crate) raw: String,
    /// Host and optional port of the requesting app.
    pub(crate) domain: String,
    pub(crate) address: String,
    pub(crate) statement: Option<String>,
    /// As written: a URL, or a path, which is refused later.
    pub(crate) uri: String,
    /// The chain's name for the network; empty if absent.
    pub(crate) network: String,
    pub(crate) issued_at: DateTime<Utc>,
    pub(crate) expires_at: Option<DateTime<Utc>>,
    pub(crate) not_before: Option<DateTime<Utc>>,
}

/// Why a text is not such a message. The client sees it after the name of the format.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MessageError {
    #[error("message needs at least 6 lines")]
    TooShort,
    #[error("message first line does not end in \" wants you to sign in with your {0} account:\"")]
    Header(&'static str),
    #[error("domain in first line of message is not valid")]
    Domain,
    #[error("wallet address is not a valid Ethereum address")]
    EthereumAddress,
    #[error("wallet address is not in base58 format")]
    SolanaAddress,
    #[error("third line must be empty")]
    ThirdLine,
    #[error("encountered unparsable line at index {0}")]
    Line(usize),
    #[error("Resource at position {0} has invalid URI")]
    Resource(usize),
    #[error("URI is not valid")]
    Uri,
    #[error("Chain ID is not valid")]
    Network,
    #[error("{0} is not a valid ISO8601 timestamp")]
    Time(&'static str),
    #[error("Version value is not supported, expected 1 got {0:?}")]
    Version(String),
    #[error("Issued At is not specified")]
    IssuedAtMissing,
    #[error("URI is not specified")]
    UriMissing,
    #[error("Issued At is after Expiration Time")]
    IssuedAfterExpiry,
    #[error("Not Before is after Expiration Time")]
    NotBeforeAfterExpiry,
}

/// The fields below the statement that were read so far.
#[derive(Default)]
struct Fields {
    uri: Option<String>,
    version: String,
    network: String,
    issued_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    not_before: Option<DateTime<Utc>>,
}

impl SignedMessage {
    /// Parses a message. Ignores unknown fields, and also nonce, request id and resources, which concern only the app;
    /// resources must still be URIs.
    ///
    /// # Errors
    /// [`MessageError`]: the first error.
    pub(crate) fn parse(chain: Chain, raw: &str) -> Result<Self, MessageError> {
        let lines: Vec<&str> = raw.split('\n').collect();
        let [first, second, third, fourth, fifth, _, ..] = lines.as_slice() else { return Err(MessageError::TooShort) };
        let name = if chain == Chain::Ethereum { "Ethereum" } else { "Solana" };
        let header = format!(" wants you to sign in with your {name} account:");
        let domain = first.strip_suffix(&header).ok_or(MessageError::Header(name))?.trim();
        if !syntax::is_domain(domain) {
            return Err(MessageError::Domain);
        }
        let address = second.trim();
        match chain {
            Chain::Ethereum if !syntax::is_ethereum_address(address) => return Err(MessageError::EthereumAddress),
            Chain::Solana if syntax::solana_key(address).is_none() => return Err(MessageError::SolanaAddress),
            _ => {}
        }
        if !third.is_empty() {
            return Err(MessageError::ThirdLine);
        }
        let has_statement = !fourth.is_empty() && fifth.is_empty();
        let fields = Fields::read(chain, &lines, if has_statement { 5 } else { 3 })?;
        if fields.version != "1" {
            return Err(MessageError::Version(fields.version));
        }
        let message = SignedMessage {
            chain,
            raw: raw.to_owned(),
            domain: domain.to_owned(),
            address: address.to_owned(),
            statement: has_statement.then(|| (*fourth).to_owned()),
            issued_at: fields.issued_at.ok_or(MessageError::IssuedAtMissing)?,
            uri: fields.uri.ok_or(MessageError::UriMissing)?,
            network: fields.network,
            expires_at: fields.expires_at,
            not_before: fields.not_before,
        };
        let after = |time: Option<DateTime<Utc>>| time.zip(message.expires_at).is_some_and(|(time, end)| time > end);
        if after(Some(message.issued_at)) {
            return Err(MessageError::IssuedAfterExpiry);
        }
        if after(message.not_before) {
            return Err(MessageError::NotBeforeAfterExpiry);
        }
        Ok(message)
    }
}

impl Fields {
    fn read(chain: Chain, lines: &[&str], start: usize) -> Result<Self, MessageError> {
        let mut fields = Fields::default();
        let mut resources = None;
        for (index, line) in lines.iter().enumerate().skip(start) {
            let line = line.trim();
            if let (Some(count), Some(resource)) = (&mut resources, line.strip_prefix("- ")) {
                if !is_uri(resource.trim()) {
                    return Err(MessageError::Resource(*count));
                }
                *count += 1;
                continue;
            }
            resources = (line == "Resources:").then_some(0);
            if resources.is_some() || line.is_empty() {
                continue;
            }
            let (key, value) = line.split_once(':').ok_or(MessageError::Line(index))?;
            fields.take(chain, key, value.trim())?;
        }
        Ok(fields)
    }

    fn take(&mut self, chain: Chain, key: &str, value: &str) -> Result<(), MessageError> {
        match key {
            "URI" if is_uri(value) => self.uri = Some(value.to_owned()),
            "URI" => return Err(MessageError::Uri),
            "Version" => value.clone_into(&mut self.version),
            "Chain ID" => {
                let known = match chain {
                    Chain::Ethereum => syntax::is_ethereum_network(value),
                    Chain::Solana => value.is_empty() || syntax::is_solana_network(value),
                };
                if !known {
                    return Err(MessageError::Network);
                }
                value.clone_into(&mut self.network);
            }
            "Issued At" => self.issued_at = Some(time("Issued At", value)?),
            "Expiration Time" => self.expires_at = Some(time("Expiration Time", value)?),
            "Not Before" => self.not_before = Some(time("Not Before", value)?),
            _ => {}
        }
        Ok(())
    }
}

fn time(field: &'static str, value: &str) -> Result<DateTime<Utc>, MessageError> {
    let time = DateTime::parse_from_rfc3339(value).map_err(|_| MessageError::Time(field))?;
    Ok(time.with_timezone(&Utc))
}

/// GoTrue accepts a path as a URI, too.
fn is_uri(text: &str) -> bool {
    text.starts_with('/') || Url::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF";
    const SOLANA: &str = "4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS";

    /// A message with the given last lines; `\u{b6}` stands for a line break.
    fn ethereum(rest: &str) -> Result<SignedMessage, MessageError> {
        let head = format!("app.test wants you to sign in with your Ethereum account:\n{ADDRESS}\n\n");
        SignedMessage::parse(Chain::Ethereum, &format!("{head}{}", rest.replace('¶', "\n")))
    }

    #[test]
    fn every_field_is_read() {
        let message = ethereum(
            "Sign in, please: now¶¶URI: https://app.test/in¶Version: 1¶Chain ID: 1¶Nonce: 32891756¶\
             Issued At: 2026-09-30T16:25:24.5Z¶Expiration Time: 2026-09-30T18:25:24+02:00¶\
             Not Before: 2026-09-30T16:00:00Z¶Request ID: a¶Resources:¶- ipfs://x/¶- https://app.test/r",
        );
        // With its zone, the expiration is before the issue.
        assert_eq!(message.unwrap_err(), MessageError::IssuedAfterExpiry);
        let message = ethereum(
            "Sign in, please: now¶¶URI: https://app.test/in¶Version: 1¶Chain ID: 1¶Nonce: 32891756¶\
             Issued At: 2026-09-30T16:25:24.5Z¶Expiration Time: 2026-09-30T18:26:24+02:00¶Resources:¶- ipfs://x/",
        )
        .unwrap();
        assert_eq!((message.domain.as_str(), message.address.as_str()), ("app.test", ADDRESS));
        assert_eq!(message.statement.as_deref(), Some("Sign in, please: now"));
        assert_eq!((message.uri.as_str(), message.network.as_str()), ("https://app.test/in", "1"));
        assert_eq!(message.expires_at.unwrap() - message.issued_at, chrono::TimeDelta::milliseconds(59_500));
        assert_eq!(message.subject(), format!("web3:ethereum:{ADDRESS}"));
    }

    #[test]
    fn what_is_wrong_is_said_as_gotrue_says_it() {
        let good = "¶URI: https://app.test¶Version: 1¶Issued At: 2026-09-30T16:25:24Z";
        assert!(ethereum(good).unwrap().statement.is_none());
        for (rest, error) in [
            (
                "¶URI: https://app.test¶Version: 2¶Issued At: 2026-09-30T16:25:24Z",
                MessageError::Version("2".to_owned()),
            ),
            ("¶URI: https://app.test¶Version: 1¶Nonce: x", MessageError::IssuedAtMissing),
            ("¶Nonce: x¶Version: 1¶Issued At: 2026-09-30T16:25:24Z", MessageError::UriMissing),
            ("¶URI: nowhere¶Version: 1¶Issued At: 2026-09-30T16:25:24Z", MessageError::Uri),
            ("¶URI: https://app.test¶Version: 1¶Issued At: yesterday", MessageError::Time("Issued At")),
            ("¶URI: https://app.test¶Chain ID: 0¶Version: 1", MessageError::Network),
            ("¶URI: https://app.test¶Chain ID: mainnet¶Version: 1", MessageError::Network),
            ("¶URI: https://app.test¶just words¶", MessageError::Line(5)),
            ("¶URI: https://app.test¶Resources:¶- https://app.test¶- x", MessageError::Resource(1)),
            ("", MessageError::TooShort),
        ] {
            assert_eq!(ethereum(rest).unwrap_err(), error, "{rest}");
        }
    }

    #[test]
    fn the_first_lines_say_who_and_where() {
        let rest = "\nURI: https://app.test\nVersion: 1\nIssued At: 2026-09-30T16:25:24Z";
        let solana = |domain: &str, address: &str, third: &str| {
            let head = format!("{domain} wants you to sign in with your Solana account:\n{address}\n{third}\n");
            SignedMessage::parse(Chain::Solana, &format!("{head}{rest}"))
        };
        assert!(solana("app.test:8443", SOLANA, "").is_ok() && solana("localhost:3000", SOLANA, "").is_ok());
        for (domain, address, third, error) in [
            ("https://app.test", SOLANA, "", MessageError::Domain),
            ("good.test@evil", SOLANA, "", MessageError::Domain),
            ("app.test", ADDRESS, "", MessageError::SolanaAddress),
            // 32 base58 characters that do not decode to 32 bytes: Go's library panics here.
            ("app.test", &SOLANA[..32], "", MessageError::SolanaAddress),
            ("app.test", SOLANA, " ", MessageError::ThirdLine),
        ] {
            assert_eq!(solana(domain, address, third).unwrap_err(), error, "{domain} {address}");
        }
        let other = format!("app.test wants you to sign in with your Ethereum account:\n{SOLANA}\n\n{rest}");
        assert_eq!(SignedMessage::parse(Chain::Solana, &other).unwrap_err(), MessageError::Header("Solana"));
    }
}
