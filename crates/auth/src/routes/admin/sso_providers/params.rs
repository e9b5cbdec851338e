//! The parameters of an identity provider.

use pg::pool::Query;
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, SamlError};
use crate::outside::saml_metadata::fetch_metadata;
use crate::protocol::body::params;
use crate::protocol::saml::{AttributeMapping, Metadata, NAME_ID_FORMATS};
use crate::state::State;
use crate::store::sso_providers::{self, SsoDomain, SsoProvider};

/// A new provider, or a change of one.
#[derive(Default, ToSchema)]
pub(crate) struct SsoProviderParams {
    /// `saml`; ignored in a change.
    pub(super) r#type: String,
    /// The URL of the provider's metadata. Either this or `metadata_xml`.
    pub(super) metadata_url: String,
    /// The provider's metadata.
    pub(super) metadata_xml: String,
    /// E-mail domains. A list replaces the previous one.
    pub(super) domains: Option<Vec<String>>,
    /// Replaces the previous mapping if it has `keys`.
    #[schema(value_type = Option<AttributeMapping>)]
    pub(super) attribute_mapping: Option<Value>,
    /// One of SAML's name id formats. An empty string removes the previous one.
    pub(super) name_id_format: Option<String>,
    /// The administrator's own id. An empty string removes the previous one.
    pub(super) resource_id: Option<String>,
    pub(super) disabled: Option<bool>,
}
params!(SsoProviderParams as "CreateSSOProviderParams" {
    r#type: Text, metadata_url: Text, metadata_xml: Text, domains: Texts, attribute_mapping: Raw,
    name_id_format: OptionalText, resource_id: OptionalText, disabled: OptionalFlag,
});

fn wrong(error: SamlError) -> AuthError {
    AuthError::Saml(error)
}

impl SsoProviderParams {
    /// Checks the required fields of a new provider, and then [`Self::check`].
    ///
    /// # Errors
    /// [`SamlError::ProviderType`], [`SamlError::MetadataMissing`], and those of [`Self::check`].
    pub(super) fn check_complete(&self, state: &State) -> Result<(), AuthError> {
        if self.r#type != "saml" {
            return Err(wrong(SamlError::ProviderType));
        }
        if self.metadata_url.is_empty() && self.metadata_xml.is_empty() {
            return Err(wrong(SamlError::MetadataMissing));
        }
        self.check(state)
    }

    /// Checks the given fields.
    ///
    /// # Errors
    /// [`SamlError::MetadataTwice`], [`SamlError::MetadataUrlInvalid`], [`SamlError::MetadataUrlInsecure`],
    /// [`SamlError::NameIdFormat`].
    pub(super) fn check(&self, state: &State) -> Result<(), AuthError> {
        if !self.metadata_url.is_empty() {
            if !self.metadata_xml.is_empty() {
                return Err(wrong(SamlError::MetadataTwice));
            }
            // Go accepts a path as a URL, too.
            if self.metadata_url.starts_with('/') {
                return Err(wrong(SamlError::MetadataUrlInsecure));
            }
            let url = Url::parse(&self.metadata_url).map_err(|_| wrong(SamlError::MetadataUrlInvalid))?;
            if url.scheme() != "https" && !state.config.custom_oauth.allow_private_addresses {
                return Err(wrong(SamlError::MetadataUrlInsecure));
            }
        }
        match self.name_id_format.as_deref() {
            None | Some("") => Ok(()),
            Some(format) if NAME_ID_FORMATS.contains(&format) => Ok(()),
            Some(_) => Err(wrong(SamlError::NameIdFormat)),
        }
    }

    /// The given metadata, or fetched from the given URL; `None` if there is neither.
    ///
    /// # Errors
    /// Those of [`fetch_metadata`] and [`Metadata::read`].
    pub(super) async fn metadata(&self, state: &State) -> Result<Option<(String, Metadata)>, AuthError> {
        let text = match (self.metadata_xml.as_str(), self.metadata_url.as_str()) {
            ("", "") => return Ok(None),
            ("", url) => fetch_metadata(&state.network, state.config.custom_oauth.allow_private_addresses, url)
                .await
                .map_err(wrong)?,
            (xml, _) => xml.to_owned(),
        };
        let metadata = Metadata::read(&text).map_err(wrong)?;
        Ok(Some((text, metadata)))
    }

    /// The given mapping, if it has keys.
    ///
    /// # Errors
    /// [`AuthError::BadJson`]
    pub(super) fn mapping(&self) -> Result<Option<AttributeMapping>, AuthError> {
        let mapping = self.attribute_mapping.as_ref().map_or(Ok(None), AttributeMapping::read);
        mapping.map_err(AuthError::BadJson)
    }
}

/// The provider's new domains without duplicates. Known domains keep their spelling.
///
/// DEVIATION (words): a domain repeated in a request counts once, and an empty one is refused with 400; GoTrue answers
/// 500.
///
/// # Errors
/// [`SamlError::DomainEmpty`]; the error of `taken` for a domain of another provider.
pub(super) async fn domains(
    db: &impl Query,
    wanted: &[String],
    own: Option<&SsoProvider>,
    taken: impl Fn(&str, Uuid) -> String,
) -> Result<Vec<SsoDomain>, AuthError> {
    let mut domains: Vec<SsoDomain> = Vec::new();
    for domain in wanted {
        if domain.is_empty() {
            return Err(wrong(SamlError::DomainEmpty));
        }
        let same = |known: &&SsoDomain| known.domain.to_lowercase() == domain.to_lowercase();
        if domains.iter().any(|known| same(&known)) {
            continue;
        }
        if let Some(known) = own.and_then(|own| own.domains.iter().find(same)) {
            domains.push(known.clone());
            continue;
        }
        if let Some(owner) = sso_providers::by_domain(db, domain).await.or_fault(UNEXPECTED)? {
            return Err(wrong(SamlError::DomainExists(taken(domain, owner.id))));
        }
        domains.push(SsoDomain { domain: domain.clone() });
    }
    Ok(domains)
}
