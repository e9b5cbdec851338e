//! `/sso…`: single sign-on by SAML 2.0, which this version does not have; it says so as GoTrue does where it is off.
//!
//! DEVIATION: SAML 2.0 is always off, and `GOTRUE_SAML_ENABLED` refused: the libraries in Rust that check XML signatures
//! without C code (bergshamra and saml-rs) are young, and nobody has audited them.

use actix_web::HttpResponse;
use gateway::Anyone;

use crate::error::AuthError;

/// Begins a sign-in at an identity provider: not here.
#[utoipa::path(post, path = "/sso", tag = "sso", responses((status = 404), (status = 429)))]
pub(crate) async fn sso(_: Anyone) -> Result<HttpResponse, AuthError> {
    Err(AuthError::SamlDisabled)
}

/// What identity providers must know: nothing.
#[utoipa::path(get, path = "/sso/saml/metadata", tag = "sso", responses((status = 404)))]
pub(crate) async fn saml_metadata(_: Anyone) -> Result<HttpResponse, AuthError> {
    Err(AuthError::SamlDisabled)
}

/// What identity providers send: nothing is taken.
#[utoipa::path(post, path = "/sso/saml/acs", tag = "sso", responses((status = 404), (status = 429)))]
pub(crate) async fn saml_acs(_: Anyone) -> Result<HttpResponse, AuthError> {
    Err(AuthError::SamlDisabled)
}
