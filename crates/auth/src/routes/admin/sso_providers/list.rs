//! `GET /admin/sso/providers`

use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::AdminToken;
use crate::model::requester::Requester;
use crate::store::sso_providers::{self, Filter, SsoProvider};

/// Identity providers, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct SsoProvidersBody {
    items: Vec<SsoProvider>,
}

/// All identity providers, optionally filtered by resource id or its prefix, without their metadata.
#[utoipa::path(get, path = "/admin/sso/providers", tag = "admin", security(("admin" = [])),
    params(("resource_id" = Option<String>, Query), ("resource_id_prefix" = Option<String>, Query)),
    responses((status = 200, body = SsoProvidersBody), (status = 401), (status = 403)))]
pub(crate) async fn list_sso_providers(
    token: AdminToken,
    requester: Requester,
) -> Result<Json<SsoProvidersBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let parameter = |name: &str| Some(requester.parameter(name)).filter(|text| !text.is_empty());
    let filter = match (parameter("resource_id"), parameter("resource_id_prefix")) {
        (Some(id), _) => Filter::ResourceId(id),
        (None, Some(prefix)) => Filter::ResourceIdPrefix(prefix),
        (None, None) => Filter::All,
    };
    // PostgreSQL cannot store U+0000, so nothing matches.
    if let Filter::ResourceId(text) | Filter::ResourceIdPrefix(text) = &filter
        && text.contains('\0')
    {
        return Ok(Json(SsoProvidersBody { items: Vec::new() }));
    }
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let mut items = sso_providers::list(&db, &filter).await.or_fault(UNEXPECTED)?;
    for provider in &mut items {
        provider.saml.metadata_xml.clear();
    }
    Ok(Json(SsoProvidersBody { items }))
}
