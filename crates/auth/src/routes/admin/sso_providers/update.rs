//! `PUT /admin/sso/providers/{provider}`

use actix_web::web::{Json, Path};
use pg::OnConstraint;

use super::find;
use super::params::{SsoProviderParams, domains};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, SamlError};
use crate::flows::administrator::AdminToken;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::store::sso_providers::{self, SsoProvider};

/// Changes an identity provider; absent fields keep their value.
///
/// DEVIATION (behaviour): `name_id_format` of an identity provider changes if it is in the request; GoTrue changes it
/// only together with the metadata or the mapping, and then removes it if it is absent.
#[utoipa::path(put, path = "/admin/sso/providers/{provider}", tag = "admin", security(("admin" = [])),
    params(("provider" = String, Path, description = "Its id, or `resource_` and its resource id")),
    request_body = SsoProviderParams,
    responses((status = 200, body = SsoProvider), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422)))]
pub(crate) async fn update_sso_provider(
    token: AdminToken,
    path: Path<String>,
    body: Body,
) -> Result<Json<SsoProvider>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let mut provider = find(&admin, &path).await?;
    let params: SsoProviderParams = body.parse()?;
    let mapping = params.mapping()?;
    params.check(state)?;
    let now = timestamp::now(&state.clock);
    if let Some((text, metadata)) = params.metadata(state).await? {
        let known = &provider.saml.entity_id;
        if *known != metadata.entity_id {
            let which = format!("expected '{known}' but got '{}'", metadata.entity_id);
            return Err(AuthError::Saml(SamlError::EntityIdMismatch(which)));
        }
        provider.saml.metadata_xml = text;
        provider.saml.updated_at = now;
        if !params.metadata_url.is_empty() {
            provider.saml.metadata_url = Some(params.metadata_url);
        }
    }
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    if let Some(wanted) = params.domains {
        let taken = |domain: &str, owner| format!("domain '{domain}' already assigned to another provider ({owner})");
        provider.domains = domains(&db, &wanted, Some(&provider), taken).await?;
    }
    let given = |text: String| Some(text).filter(|text| !text.is_empty());
    if let Some(mapping) = mapping {
        provider.saml.attribute_mapping = mapping;
    }
    if let Some(format) = params.name_id_format {
        provider.saml.name_id_format = given(format);
    }
    if let Some(resource_id) = params.resource_id {
        provider.resource_id = given(resource_id);
    }
    provider.disabled = params.disabled.or(provider.disabled);
    provider.updated_at = now;
    let conflict = || AuthError::Saml(SamlError::UpdateConflict);
    sso_providers::update(&db, &provider)
        .await
        .on_constraint("sso_providers_resource_id_idx", conflict)?
        .on_constraint("sso_domains_domain_idx", conflict)?
        .or_fault(UNEXPECTED)?;
    Ok(Json(provider))
}
