//! `GET /admin/custom-providers`

use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::{allowed, wrong};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::AdminToken;
use crate::model::requester::Requester;
use crate::store::custom_oauth_providers::{self, CustomOauthProvider, ProviderType};

/// Providers, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct CustomProvidersBody {
    providers: Vec<CustomOauthProvider>,
}

/// All providers that administrators have added, optionally of one type.
#[utoipa::path(get, path = "/admin/custom-providers", tag = "admin", security(("admin" = [])),
    params(("type" = Option<String>, Query, description = "`oauth2` or `oidc`")),
    responses((status = 200, body = CustomProvidersBody), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list_custom_providers(
    token: AdminToken,
    requester: Requester,
) -> Result<Json<CustomProvidersBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    allowed(state)?;
    let of = match requester.parameter("type").as_str() {
        "" => None,
        name => Some(ProviderType::named(name).ok_or_else(|| wrong("type must be either 'oauth2' or 'oidc'"))?),
    };
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let providers = custom_oauth_providers::list(&db, of).await;
    Ok(Json(CustomProvidersBody { providers: providers.or_fault("Error retrieving custom OAuth providers")? }))
}
