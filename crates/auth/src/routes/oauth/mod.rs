//! `/oauth/…`: the endpoints of OAuth clients and of the app's consent page.

mod authorization;
mod authorize;
mod clients_register;
mod consent;
mod token;
mod userinfo;

pub(crate) use authorization::{__path_authorization, authorization};
pub(crate) use authorize::{__path_authorize, authorize};
pub(super) use clients_register::register;
pub(crate) use clients_register::{__path_clients_register, clients_register};
pub(crate) use consent::{__path_consent, consent};
pub(crate) use token::{__path_oauth_token, oauth_token};
pub(crate) use userinfo::{__path_userinfo, userinfo};
