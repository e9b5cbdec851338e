//! `/admin/users` and `/admin/users/{user_id}`
//!
//! Source: supabase/auth, `internal/api/admin.go`.

mod create;
mod delete;
mod get;
mod list;
mod update;
mod user_params;

pub(crate) use create::{__path_create_user, create_user};
pub(crate) use delete::{__path_delete_user, delete_user};
pub(crate) use get::{__path_show_user, show_user};
pub(crate) use list::{__path_list_users, list_users};
pub(crate) use update::{__path_change_user, change_user};

pub(crate) use user_params::{AdminUserParams, named};
use user_params::{Ban, about, add_identity};
