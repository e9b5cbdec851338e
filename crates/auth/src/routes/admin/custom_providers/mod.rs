//! `/admin/custom-providers`: OAuth and OpenID Connect providers that administrators add.
//!
//! Source: supabase/auth, `internal/api/custom_oauth_admin.go`.

mod create;
mod custom_provider;
mod delete;
mod get;
mod list;
mod params;
mod update;

pub(crate) use create::{__path_create_custom_provider, create_custom_provider};
pub(crate) use delete::{__path_delete_custom_provider, delete_custom_provider};
pub(crate) use get::{__path_get_custom_provider, get_custom_provider};
pub(crate) use list::{__path_list_custom_providers, list_custom_providers};
pub(crate) use update::{__path_update_custom_provider, update_custom_provider};

use custom_provider::{allowed, check_addresses, check_prefix, discover, find, forget, wrong};
