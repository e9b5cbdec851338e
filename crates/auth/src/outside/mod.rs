//! Everything that leaves the process or its threads: mail, SMS, hooks, captchas, identity providers, password hashing.

pub(crate) mod captcha;
pub(crate) mod hashing;
pub(crate) mod hooks;
pub(crate) mod mail;
pub(crate) mod providers;
pub(crate) mod pwned;
pub(crate) mod saml_metadata;
pub(crate) mod sms;
pub(crate) mod turns;
