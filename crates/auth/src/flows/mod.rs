//! What the endpoints do: sign-up, sign-in, sessions, one-time tokens, second factors, identities, the OAuth server.

pub(crate) mod address_change;
pub(crate) mod administrator;
pub(crate) mod audit;
pub(crate) mod cleanup;
pub(crate) mod enumeration;
pub(crate) mod external;
pub(crate) mod fault_log;
pub(crate) mod first_party;
pub(crate) mod hooks;
pub(crate) mod limits;
pub(crate) mod mfa;
pub(crate) mod new_user;
pub(crate) mod notifications;
pub(crate) mod oauth_server;
pub(crate) mod one_time_tokens;
pub(crate) mod passkeys;
pub(crate) mod passwords;
pub(crate) mod post;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod signup;
pub(crate) mod tokens;
pub(crate) mod unknown_addresses;
pub(crate) mod verification;
