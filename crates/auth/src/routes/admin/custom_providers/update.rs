//! `PUT /admin/custom-providers/{identifier}`

use actix_web::web::{Json, Path};
use gateway::Secret;

use super::params::CustomProviderParams;
use super::{allowed, check_addresses, check_prefix, discover, find, forget};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::AdminToken;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::store::custom_oauth_providers::{self, CustomOauthProvider};

/// Changes a provider: absent or empty fields keep their value, lists and maps are replaced.
#[utoipa::path(put, path = "/admin/custom-providers/{identifier}", tag = "admin", security(("admin" = [])),
    params(("identifier" = String, Path, description = "Begins with `custom:`")), request_body = CustomProviderParams,
    responses((status = 200, body = CustomOauthProvider), (status = 400), (status = 401), (status = 403), (status = 404), (status = 413)))]
pub(crate) async fn update_custom_provider(
    token: AdminToken,
    path: Path<String>,
    body: Body,
) -> Result<Json<CustomOauthProvider>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    allowed(state)?;
    check_prefix(&path)?;
    let params: CustomProviderParams = body.parse()?;
    params.check_rules()?;
    let old = find(&admin, &path).await?;
    let mut provider = old.clone();
    check_addresses(state, params.addresses(provider.provider_type)).await?;
    let moved = !params.issuer.is_empty() || params.discovery_url.is_some();
    if !params.client_secret.is_empty() {
        let secret = state.config.encryption.seal(provider.id, &params.client_secret);
        provider.client_secret = Secret::new(secret);
    }
    params.apply(&mut provider);
    provider.updated_at = timestamp::now(&state.clock);
    if moved {
        // A plain OAuth provider has no issuer, so this stays empty.
        provider.discovery_document = discover(state, &provider).await?;
    }
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    custom_oauth_providers::upsert(&db, &provider).await.or_fault("Error updating custom OAuth provider")?;
    if moved {
        forget(state, &old);
        forget(state, &provider);
    }
    Ok(Json(provider))
}
