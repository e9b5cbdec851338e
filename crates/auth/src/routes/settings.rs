//! `GET /settings`

use actix_web::web::{self, Json};
use gateway::Anyone;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::state::State;

/// The names of external providers, in GoTrue's order.
const PROVIDERS: [&str; 22] = [
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "snapchat",
    "figma",
    "fly",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "kakao",
    "linkedin",
    "linkedin_oidc",
    "notion",
    "spotify",
    "slack",
    "slack_oidc",
    "workos",
    "twitch",
    "twitter",
];

/// Settings for a sign-in page.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsBody {
    /// Whether each provider is enabled, by name.
    #[schema(value_type = Object)]
    external: Map<String, Value>,
    disable_signup: bool,
    mailer_autoconfirm: bool,
    phone_autoconfirm: bool,
    sms_provider: String,
    saml_enabled: bool,
    saml_private_key_next_configured: bool,
    passkeys_enabled: bool,
}

/// The enabled sign-in methods.
#[utoipa::path(get, path = "/settings", tag = "service", responses((status = 200, body = SettingsBody)))]
pub(crate) async fn settings(_: Anyone, state: web::Data<State>) -> Json<SettingsBody> {
    let config = &state.config;
    let mut external = Map::new();
    external.insert("anonymous_users".to_owned(), json!(config.external.anonymous_users_enabled));
    let is_on = |name: &str| config.external.providers.get(name).is_some_and(|provider| provider.enabled);
    external.extend(PROVIDERS.iter().map(|name| ((*name).to_owned(), json!(is_on(name)))));
    external.insert("email".to_owned(), json!(config.external.email_enabled));
    external.insert("phone".to_owned(), json!(config.external.phone_enabled));
    external.insert("zoom".to_owned(), json!(is_on("zoom")));
    Json(SettingsBody {
        external,
        disable_signup: config.disable_signup,
        mailer_autoconfirm: config.mailer.autoconfirm,
        phone_autoconfirm: config.sms.autoconfirm,
        sms_provider: config.sms.provider_name.clone(),
        saml_enabled: config.saml.is_some(),
        // DEVIATION (words): `saml_private_key_next_configured` is false if there is no such key; GoTrue returns true.
        saml_private_key_next_configured: config.saml.as_ref().is_some_and(|saml| saml.service.has_next_key()),
        passkeys_enabled: config.passkey.enabled,
    })
}
