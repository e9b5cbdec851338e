//! `/admin/sso/providers`: identity providers that administrators add.
//!
//! Source: supabase/auth, `internal/api/ssoadmin.go`.

mod create;
mod delete;
mod get;
mod list;
mod named;
mod params;
mod update;

pub(crate) use create::{__path_create_sso_provider, create_sso_provider};
pub(crate) use delete::{__path_delete_sso_provider, delete_sso_provider};
pub(crate) use get::{__path_get_sso_provider, get_sso_provider};
pub(crate) use list::{__path_list_sso_providers, list_sso_providers};
pub(crate) use update::{__path_update_sso_provider, update_sso_provider};

use named::find;
