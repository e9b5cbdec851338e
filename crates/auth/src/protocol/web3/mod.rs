//! Signing in with a wallet: the message a user signs, who signed it, and whether it was meant for this server.
//!
//! Source: ERC-4361 (Sign-In with Ethereum), its Solana sibling, and supabase/auth, `internal/api/web3.go`.

mod message;
mod signature;
mod syntax;

use std::fmt;

use serde_json::{Value, json};

use crate::outside::providers::{Claims, Profile};

pub(crate) use message::SignedMessage;
pub(crate) use signature::Signature;

/// Whose wallet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    Ethereum,
    Solana,
}

impl Chain {
    /// The one of that name in a request.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Chain::Ethereum, Chain::Solana].into_iter().find(|chain| chain.name() == name)
    }

    /// As requests and identities have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Chain::Ethereum => "ethereum",
            Chain::Solana => "solana",
        }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Chain::Ethereum => "Ethereum",
            Chain::Solana => "Solana",
        })
    }
}

impl SignedMessage {
    /// What the provider `web3` calls the holder of the key.
    fn subject(&self) -> String {
        format!("web3:{}:{}", self.chain.name(), self.address)
    }

    /// What becomes known of the holder of the key.
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
