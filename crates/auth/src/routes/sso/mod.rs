//! `/sso…`: single sign-on by SAML 2.0.

mod acs;
mod begin;
mod metadata;

use crate::config::SamlConfig;
use crate::error::AuthError;
use crate::state::State;

pub(crate) use acs::{__path_saml_acs, saml_acs};
pub(crate) use begin::{__path_sso, sso};
pub(crate) use metadata::{__path_saml_metadata, saml_metadata};

/// The settings, if SAML is enabled.
fn config(state: &State) -> Result<&SamlConfig, AuthError> {
    state.config.saml.as_ref().ok_or(AuthError::SamlDisabled)
}
