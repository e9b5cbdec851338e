//! `/passkeys` and below

mod authentication_options;
mod authentication_verify;
mod delete;
mod list;
mod registration_options;
mod registration_verify;
mod rename;

pub(crate) use authentication_options::{__path_authentication_options, authentication_options};
pub(crate) use authentication_verify::{__path_authentication_verify, authentication_verify};
pub(crate) use delete::{__path_delete, delete};
pub(crate) use list::{__path_list, list};
pub(crate) use registration_options::{__path_registration_options, registration_options};
pub(crate) use registration_verify::{__path_registration_verify, registration_verify};
pub(crate) use rename::{__path_rename, rename};
