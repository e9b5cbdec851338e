//! Formats and checks of the protocols. Pure: no database, no network, no clock.

pub(crate) mod body;
pub(crate) mod discovery;
pub(crate) mod password_hash;
pub(crate) mod refresh_token;
pub(crate) mod saml;
pub(crate) mod template;
pub(crate) mod web3;
pub(crate) mod webauthn;
