//! The SSO provider in a path.

use crate::error::fault::OrFault;
use crate::error::{AuthError, SamlError};
use crate::flows::administrator::Administrator;
use crate::store::sso_providers::{self, SsoProvider};
use uuid::Uuid;

pub(super) const FAILED: &str = "Database error finding SSO Identity Provider";

/// The provider in a path: by its id, or as `resource_…` by its resource id.
pub(super) async fn find(admin: &Administrator, name: &str) -> Result<SsoProvider, AuthError> {
    let db = admin.state().pool.get().await.or_fault(FAILED)?;
    let found = match name.strip_prefix("resource_") {
        // PostgreSQL cannot store U+0000.
        Some(resource_id) if resource_id.contains('\0') => None,
        Some(resource_id) => sso_providers::by_resource_id(&db, resource_id).await.or_fault(FAILED)?,
        None => match Uuid::parse_str(name) {
            Ok(id) => sso_providers::by_id(&db, id).await.or_fault(FAILED)?,
            Err(_) => None,
        },
    };
    found.ok_or(AuthError::Saml(SamlError::ProviderNotFound))
}
