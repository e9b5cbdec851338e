//! The identifiers of SAML 2.0.

/// The name id formats that may be requested.
pub(crate) const NAME_ID_FORMATS: [&str; 4] = [PERSISTENT, EMAIL_ADDRESS, TRANSIENT, UNSPECIFIED];

pub(super) const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
pub(super) const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";

pub(super) const PERSISTENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
pub(super) const EMAIL_ADDRESS: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
pub(super) const TRANSIENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
pub(super) const UNSPECIFIED: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";
