//! What a sign-in by SAML and by a wallet says of its user.

pub(crate) mod saml;
pub(crate) mod web3;
