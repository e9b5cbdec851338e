//! User profiles from SAML assertions and from wallet messages.

pub(crate) mod saml;
pub(crate) mod web3;
