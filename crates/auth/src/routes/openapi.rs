//! The OpenAPI description of this service, generated from the code; committed as `openapi/auth.json`.

use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::model::account::{Factor, Identity, UserBody};
use crate::routes;
use crate::routes::GenerateLinkBody;

#[derive(OpenApi)]
#[openapi(
    info(title = "Dugout auth", description = "Users, sessions and tokens, as GoTrue serves them under /auth/v1."),
    servers((url = "/auth/v1")),
    paths(
        routes::health, routes::settings, routes::jwks, routes::openid_configuration, routes::signup, routes::token,
        routes::otp, routes::magiclink, routes::recover, routes::resend, routes::reauthenticate, routes::follow,
        routes::verify, routes::get, routes::update, routes::logout, routes::invite, routes::generate_link,
        routes::oauth_authorization_server, routes::authorize, routes::authorization, routes::consent,
        routes::oauth_token, routes::userinfo, routes::clients_register, routes::oauth_grants,
        routes::revoke_oauth_grant, routes::list_oauth_clients, routes::create_oauth_client, routes::get_oauth_client,
        routes::update_oauth_client, routes::delete_oauth_client, routes::regenerate_oauth_client_secret, routes::sso,
        routes::saml_metadata, routes::saml_acs,
        routes::list_users, routes::create_user, routes::show_user, routes::change_user, routes::delete_user,
        routes::audit_log,
        routes::enroll, routes::challenge, routes::verify_factor, routes::unenroll, routes::list,
        routes::registration_options, routes::registration_verify, routes::authentication_options,
        routes::authentication_verify, routes::rename, routes::delete, routes::list_factors, routes::update_factor,
        routes::delete_factor, routes::list_passkeys, routes::delete_passkey,
        routes::authorize_external, routes::callback, routes::callback_post, routes::authorize_identity, routes::delete_identity,
        routes::service_provider_config, routes::resource_types, routes::schemas,
        routes::list_custom_providers, routes::create_custom_provider, routes::get_custom_provider,
        routes::update_custom_provider, routes::delete_custom_provider,
        routes::list_sso_providers, routes::create_sso_provider, routes::get_sso_provider, routes::update_sso_provider,
        routes::delete_sso_provider,
    ),
    components(schemas(UserBody, Identity, Factor, GenerateLinkBody)),
    modifiers(&Bearer, &Failures),
)]
struct Description;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("user", SecurityScheme::Http(bearer.clone()));
        components.add_security_scheme("admin", SecurityScheme::Http(bearer));
    }
}

/// Routes that need no database and answer at once.
const ALWAYS_THERE: [&str; 8] = [
    "/health",
    "/settings",
    "/.well-known/jwks.json",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/scim/v2/ServiceProviderConfig",
    "/scim/v2/ResourceTypes",
    "/scim/v2/Schemas",
];
/// Routes that report failures by a redirect.
const TOLD_BY_REDIRECT: [&str; 2] = ["/callback", "/verify"];

/// Failures of all other routes: a defect, an unavailable database, a timeout.
struct Failures;

impl Modify for Failures {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let paths = document.paths.paths.iter_mut();
        for (path, item) in paths.filter(|(path, _)| !ALWAYS_THERE.contains(&path.as_str())) {
            let get = item.get.iter_mut().map(|operation| (operation, TOLD_BY_REDIRECT.contains(&path.as_str())));
            let is_callback = path == "/callback";
            let others = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten();
            for (operation, redirects) in get.chain(others.map(|operation| (operation, is_callback))) {
                let statuses: &[&str] = if redirects { &["504"] } else { &["500", "503", "504"] };
                for status in statuses {
                    let response = ResponseBuilder::new().description("").build();
                    operation.responses.responses.insert((*status).to_owned(), response.into());
                }
            }
        }
    }
}

/// The description as pretty JSON, ending in a line feed.
pub fn openapi() -> String {
    let mut text = Description::openapi().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statuses of each route, one line each, so that a review sees any change.
    #[test]
    fn every_status_of_every_route() {
        let document: serde_json::Value = serde_json::from_str(&openapi()).unwrap();
        let mut lines: Vec<String> = Vec::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let statuses: Vec<&str> =
                    operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
                assert!(!statuses.contains(&"default"), "{method} {path}");
                lines.push(format!("{:<7} {path:<52} {}", method.to_uppercase(), statuses.join(" ")));
            }
        }
        lines.sort_by_key(|line| line.split_whitespace().nth(1).map(str::to_owned));
        insta::assert_snapshot!(lines.join("\n"));
    }

    /// `UPDATE_OPENAPI=1 cargo test -p auth openapi` writes the file.
    #[test]
    fn the_committed_description_is_that_of_the_code() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi/auth.json");
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(path, openapi()).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(committed == openapi(), "openapi/auth.json is stale: UPDATE_OPENAPI=1 cargo test -p auth openapi");
    }
}
