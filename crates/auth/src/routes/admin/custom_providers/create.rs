//! `POST /admin/custom-providers`

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use gateway::Secret;
use pg::OnConstraint;
use serde_json::Map;
use uuid::Uuid;

use super::params::CustomProviderParams;
use super::{allowed, check_addresses, discover, wrong};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::administrator::AdminToken;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::store::custom_oauth_providers::{self, CustomOauthProvider, ProviderType};

const FAILED: &str = "Error creating custom OAuth provider";

/// Adds a provider. For OpenID Connect, fetches its discovery document first.
#[utoipa::path(post, path = "/admin/custom-providers", tag = "admin", security(("admin" = [])),
    request_body = CustomProviderParams,
    responses((status = 201, body = CustomOauthProvider), (status = 400), (status = 401), (status = 403), (status = 404), (status = 413)))]
pub(crate) async fn create_custom_provider(token: AdminToken, body: Body) -> Result<HttpResponse, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    allowed(state)?;
    let params: CustomProviderParams = body.parse()?;
    let kind = params.check_complete()?;
    params.check_rules()?;
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let most = state.config.custom_oauth.max_providers;
    if most > 0 && custom_oauth_providers::count(&db).await.or_fault("Error checking provider quota")? >= most {
        return Err(AuthError::External(ExternalError::CustomQuota));
    }
    let known = custom_oauth_providers::by_identifier(&db, &params.identifier).await;
    let known = known.or_fault("Error checking for existing provider")?.is_some();
    // Release the connection first: names are resolved and the issuer is asked.
    drop(db);
    check_addresses(state, params.addresses(kind)).await?;
    if known {
        return Err(AuthError::External(ExternalError::CustomExists));
    }
    let mut provider = new(kind, &params.identifier, timestamp::now(&state.clock));
    let secret = state.config.encryption.seal(provider.id, &params.client_secret);
    provider.client_secret = Secret::new(secret);
    params.apply(&mut provider);
    provider.discovery_document = discover(state, &provider).await?;
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    custom_oauth_providers::upsert(&db, &provider)
        .await
        .on_constraint("custom_oauth_providers_identifier_key", || AuthError::External(ExternalError::CustomExists))?
        .on_constraint("custom_oauth_providers_identifier_format", || wrong(IDENTIFIER))?
        .on_constraint("custom_oauth_providers_name_length", || wrong("name must have 1 to 100 characters"))?
        .on_constraint("custom_oauth_providers_client_id_length", || wrong("client_id must have 1 to 512 characters"))?
        .on_constraint("custom_oauth_providers_oidc_issuer_https", || wrong("URL must use HTTPS"))?
        .on_constraint("custom_oauth_providers_oidc_discovery_url_https", || wrong("URL must use HTTPS"))?
        .or_fault(FAILED)?;
    Ok(HttpResponse::Created().json(provider))
}

/// DEVIATION (words): values that do not fit the columns of a custom provider are refused with 400 and the reason;
/// GoTrue answers 500.
const IDENTIFIER: &str = "identifier may have lower case letters, digits, colons and hyphens, ends with a letter or digit, and is no longer than 50";

fn new(kind: ProviderType, identifier: &str, now: DateTime<Utc>) -> CustomOauthProvider {
    CustomOauthProvider {
        id: Uuid::new_v4(),
        provider_type: kind,
        identifier: identifier.to_owned(),
        name: String::new(),
        client_id: String::new(),
        client_secret: Secret::default(),
        acceptable_client_ids: Vec::new(),
        scopes: Vec::new(),
        pkce_enabled: true,
        attribute_mapping: Map::new(),
        custom_claims_allowlist: Vec::new(),
        authorization_params: Map::new(),
        enabled: true,
        email_optional: false,
        issuer: None,
        discovery_url: None,
        skip_nonce_check: false,
        discovery_document: None,
        authorization_url: None,
        token_url: None,
        userinfo_url: None,
        jwks_uri: None,
        created_at: now,
        updated_at: now,
    }
}
