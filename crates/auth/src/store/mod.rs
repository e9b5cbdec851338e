//! The tables of the schema `auth`: one file each, SQL beside it. This floor makes no decisions.

#[macro_use]
mod columns;

pub(crate) mod audit_log_entries;
pub(crate) mod cleanup;
pub(crate) mod custom_oauth_providers;
pub(crate) mod flow_state;
pub(crate) mod identities;
pub(crate) mod mfa_challenges;
pub(crate) mod mfa_factors;
pub(crate) mod oauth_authorizations;
pub(crate) mod oauth_client_states;
pub(crate) mod oauth_clients;
pub(crate) mod oauth_consents;
pub(crate) mod one_time_tokens;
pub(crate) mod refresh_tokens;
pub(crate) mod saml_relay_states;
pub(crate) mod sessions;
pub(crate) mod sso_providers;
pub(crate) mod users;
pub(crate) mod webauthn_challenges;
pub(crate) mod webauthn_credentials;

/// An unreadable row is a defect, like any other protocol error.
fn unreadable(error: tokio_postgres::Error) -> pg::Error {
    pg::Error::Protocol(error.to_string())
}
