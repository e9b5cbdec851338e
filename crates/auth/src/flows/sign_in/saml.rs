//! Maps a SAML assertion to a profile for sign-in.
//!
//! Source: supabase/auth, `internal/api/samlacs.go`.

use serde_json::Value;

use crate::error::{AuthError, SamlError};
use crate::outside::providers::{Claims, Profile};
use crate::protocol::saml::Assertion;
use crate::store::sso_providers::SamlProvider;

const MISFIT: &str = "Mapped claims from provider could not be deserialized from JSON";

/// The profile of the assertion, by the administrator's mapping. Its e-mail address counts as verified.
///
/// # Errors
/// [`SamlError::NoUserId`], [`SamlError::NoEmail`]; if the mapping gives a claim the wrong type.
pub(crate) fn profile(assertion: &Assertion, provider: &SamlProvider) -> Result<Profile, AuthError> {
    let user_id = assertion.user_id().ok_or(AuthError::Saml(SamlError::NoUserId))?;
    let mut mapped = assertion.claims(&provider.attribute_mapping);
    let mapped_email = mapped.get("email").and_then(Value::as_str).filter(|email| !email.is_empty());
    let email = mapped_email.or_else(|| assertion.email()).unwrap_or_default().to_owned();
    if email.is_empty() {
        return Err(AuthError::Saml(SamlError::NoEmail));
    }
    mapped.insert("email".to_owned(), Value::String(email.clone()));
    let mut claims = Claims::read(&mapped).map_err(|misfit| AuthError::internal(MISFIT, misfit))?;
    claims.set("sub", &user_id);
    claims.set("iss", &provider.entity_id);
    claims.set_email(&email, true);
    mapped.retain(|name, _| !Claims::knows(name));
    Ok(Profile::with_email(claims.with_custom(mapped), &email, true))
}
