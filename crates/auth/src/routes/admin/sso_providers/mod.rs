//! `/admin/sso/providers`: identity providers that administrators add.
//!
//! Source: supabase/auth, `internal/api/ssoadmin.go`.

mod create;
mod delete;
mod get;
mod list;
mod params;
mod update;

use uuid::Uuid;

use crate::error::AuthError;
use crate::error::SamlError;
use crate::error::fault::OrFault;
use crate::state::State;
use crate::store::sso_providers::{self, SsoProvider};

pub(crate) use create::{__path_create_sso_provider, create_sso_provider};
pub(crate) use delete::{__path_delete_sso_provider, delete_sso_provider};
pub(crate) use get::{__path_get_sso_provider, get_sso_provider};
pub(crate) use list::{__path_list_sso_providers, list_sso_providers};
pub(crate) use update::{__path_update_sso_provider, update_sso_provider};

const FAILED: &str = "Database error finding SSO Identity Provider";

/// The provider that a path names: by its id, or as `resource_…` by the administrator's own name for it.
async fn find(state: &State, name: &str) -> Result<SsoProvider, AuthError> {
    let db = state.pool.get().await.or_fault(FAILED)?;
    let found = match name.strip_prefix("resource_") {
        // The database takes no such character.
        Some(resource_id) if resource_id.contains('\0') => None,
        Some(resource_id) => sso_providers::by_resource_id(&db, resource_id).await.or_fault(FAILED)?,
        None => match Uuid::parse_str(name) {
            Ok(id) => sso_providers::by_id(&db, id).await.or_fault(FAILED)?,
            Err(_) => None,
        },
    };
    found.ok_or(AuthError::Saml(SamlError::ProviderNotFound))
}
