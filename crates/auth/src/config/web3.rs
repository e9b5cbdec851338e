//! Settings of sign-in with wallets.

use std::time::Duration;

use super::reader::Reader;
use crate::model::chain::Chain;

/// `GOTRUE_EXTERNAL_WEB3_…`
#[derive(Clone, Debug)]
pub struct Web3Config {
    /// `ETHEREUM_…`
    pub ethereum: Web3ChainConfig,
    /// `SOLANA_…`
    pub solana: Web3ChainConfig,
}

/// `GOTRUE_EXTERNAL_WEB3_<CHAIN>_…`
#[derive(Clone, Debug)]
pub struct Web3ChainConfig {
    /// `ENABLED`
    pub enabled: bool,
    /// `MAXIMUM_VALIDITY_DURATION`: how long after its issue a message can be used to sign in.
    pub maximum_validity: Duration,
}

impl Web3Config {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let mut chain = |name: &str| Web3ChainConfig {
            enabled: reader.flag(&format!("GOTRUE_EXTERNAL_WEB3_{name}_ENABLED"), false),
            maximum_validity: reader
                .duration(&format!("GOTRUE_EXTERNAL_WEB3_{name}_MAXIMUM_VALIDITY_DURATION"), Duration::from_secs(600)),
        };
        Web3Config { ethereum: chain("ETHEREUM"), solana: chain("SOLANA") }
    }

    /// The settings of one chain.
    pub(crate) fn chain(&self, chain: Chain) -> &Web3ChainConfig {
        match chain {
            Chain::Ethereum => &self.ethereum,
            Chain::Solana => &self.solana,
        }
    }
}
