//! `/object`

pub(crate) mod copy;
pub(crate) mod delete;
pub(crate) mod delete_many;
pub(crate) mod get;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod list_v2;
pub(crate) mod lookup;
pub(crate) mod public;
pub(crate) mod rename;
pub(crate) mod sign;
pub(crate) mod sign_many;
pub(crate) mod signed;
pub(crate) mod upload;
pub(crate) mod upload_sign;
pub(crate) mod upload_signed;
