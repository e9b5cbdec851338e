//! SAML 2.0 single sign-on: we are the service provider, companies bring their identity providers.
//!
//! Source: supabase/auth, `internal/api/{sso,saml,samlacs,samlassertion,ssoadmin}.go`; OASIS saml-core-2.0,
//! saml-bindings-2.0, saml-profiles-2.0 and saml-metadata-2.0.

mod assertion;
mod certificate;
mod decryption;
mod keys;
mod mapping;
mod metadata;
mod names;
mod request;
mod response;
mod service_provider;
mod signature;
mod xml;

pub(crate) use assertion::Assertion;
pub(crate) use keys::own as own_key;
pub(crate) use mapping::AttributeMapping;
pub(crate) use metadata::Metadata;
pub(crate) use request::{AuthnRequest, new_id};
pub(crate) use response::{Expectation, Invalid, issuer as issuer_of_response, read as read_response};
pub(crate) use service_provider::{Purpose, ServiceProvider};

pub(crate) use names::NAME_ID_FORMATS;
#[cfg(test)]
use names::UNSPECIFIED;
use names::{ASSERTION, EMAIL_ADDRESS, PERSISTENT, PROTOCOL, TRANSIENT};
