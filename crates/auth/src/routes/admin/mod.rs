//! Admin endpoints: one file per resource.

mod audit;
mod custom_providers;
mod factors;
mod generate_link;
mod oauth_clients;
mod passkeys;
mod sso_providers;
mod users;

pub(crate) use audit::{__path_audit_log, audit_log};
pub(crate) use custom_providers::{
    __path_create_custom_provider, __path_delete_custom_provider, __path_get_custom_provider,
    __path_list_custom_providers, __path_update_custom_provider, create_custom_provider, delete_custom_provider,
    get_custom_provider, list_custom_providers, update_custom_provider,
};
pub(crate) use factors::{
    __path_delete_factor, __path_list_factors, __path_update_factor, delete_factor, list_factors, update_factor,
};
pub(crate) use generate_link::{__path_generate_link, GenerateLinkBody, generate_link};
pub(crate) use oauth_clients::{
    __path_create_oauth_client, __path_delete_oauth_client, __path_get_oauth_client, __path_list_oauth_clients,
    __path_regenerate_oauth_client_secret, __path_update_oauth_client, create_oauth_client, delete_oauth_client,
    get_oauth_client, list_oauth_clients, regenerate_oauth_client_secret, update_oauth_client,
};
pub(crate) use passkeys::{__path_delete_passkey, __path_list_passkeys, delete_passkey, list_passkeys};
pub(crate) use sso_providers::{
    __path_create_sso_provider, __path_delete_sso_provider, __path_get_sso_provider, __path_list_sso_providers,
    __path_update_sso_provider, create_sso_provider, delete_sso_provider, get_sso_provider, list_sso_providers,
    update_sso_provider,
};
pub(crate) use users::{
    __path_change_user, __path_create_user, __path_delete_user, __path_list_users, __path_show_user, change_user,
    create_user, delete_user, list_users, show_user,
};
