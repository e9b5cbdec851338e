//! `GET /user`, `PUT /user` and below

mod get;
mod identities;
mod oauth_grants;
mod update;

pub(crate) use get::{__path_get, get};
pub(crate) use identities::{__path_authorize_identity, __path_delete_identity, authorize_identity, delete_identity};
pub(crate) use oauth_grants::{__path_oauth_grants, __path_revoke_oauth_grant, oauth_grants, revoke_oauth_grant};
pub(crate) use update::{__path_update, update};
