//! `POST /admin/sso/providers`

use actix_web::HttpResponse;
use pg::OnConstraint;
use uuid::Uuid;

use super::params::{SsoProviderParams, domains};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, SamlError};
use crate::flows::administrator::AdminToken;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::store::sso_providers::{self, SamlProvider, SsoProvider};

/// Adds an identity provider.
#[utoipa::path(post, path = "/admin/sso/providers", tag = "admin", security(("admin" = [])),
    request_body = SsoProviderParams,
    responses((status = 201, body = SsoProvider), (status = 400), (status = 401), (status = 403), (status = 413),
        (status = 422)))]
pub(crate) async fn create_sso_provider(token: AdminToken, body: Body) -> Result<HttpResponse, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let params: SsoProviderParams = body.parse()?;
    let attribute_mapping = params.mapping()?.unwrap_or_default();
    params.check_complete(state)?;
    let found = params.metadata(state).await?;
    let (metadata_xml, metadata) = found.ok_or(AuthError::Saml(SamlError::MetadataMissing))?;
    let exists = || AuthError::Saml(SamlError::EntityIdExists(metadata.entity_id.clone()));
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    if sso_providers::by_entity_id(&db, &metadata.entity_id).await.or_fault(UNEXPECTED)?.is_some() {
        return Err(exists());
    }
    let wanted = params.domains.unwrap_or_default();
    let taken =
        |domain: &str, owner| format!("Domain '{domain}' is already assigned to an SSO identity provider ({owner})");
    let domains = domains(&db, &wanted, None, taken).await?;
    let now = timestamp::now(&state.clock);
    let given = |text: String| Some(text).filter(|text| !text.is_empty());
    let provider = SsoProvider {
        id: Uuid::new_v4(),
        resource_id: params.resource_id,
        disabled: params.disabled,
        saml: SamlProvider {
            entity_id: metadata.entity_id.clone(),
            metadata_xml,
            metadata_url: given(params.metadata_url),
            attribute_mapping,
            name_id_format: params.name_id_format.and_then(given),
            updated_at: now,
        },
        domains,
        created_at: now,
        updated_at: now,
    };
    // DEVIATION (words): a resource_id that another single sign-on provider has is refused with 422; GoTrue answers
    // 500.
    sso_providers::insert(&db, &provider)
        .await
        .on_constraint("saml_providers_entity_id_key", exists)?
        .on_constraint("sso_providers_resource_id_idx", || AuthError::Saml(SamlError::ResourceIdExists))?
        // A concurrent request took the domain first.
        .on_constraint("sso_domains_domain_idx", || AuthError::Saml(SamlError::UpdateConflict))?
        .or_fault(UNEXPECTED)?;
    Ok(HttpResponse::Created().json(provider))
}
