//! What a sign-in by SAML and by a wallet means for the accounts here.

pub(crate) mod saml;
pub(crate) mod web3_acceptance;
