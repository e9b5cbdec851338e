//! The blockchains whose wallets can sign in.

use std::fmt;

/// The blockchain of a wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    Ethereum,
    Solana,
}

impl Chain {
    /// The chain with this name in a request.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Chain::Ethereum, Chain::Solana].into_iter().find(|chain| chain.name() == name)
    }

    /// The name in requests and identities.
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
