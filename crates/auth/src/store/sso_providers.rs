//! `auth.sso_providers`, with `auth.saml_providers` and `auth.sso_domains`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde::Serialize;
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::unreadable;
use crate::model::timestamp;
use crate::protocol::saml::AttributeMapping;

/// An identity provider that an administrator has added. Also its shape on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SsoProvider {
    pub(crate) id: Uuid,
    /// The administrator's own id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resource_id: Option<String>,
    /// If true, nobody can sign in with it.
    pub(crate) disabled: Option<bool>,
    pub(crate) saml: SamlProvider,
    /// Its e-mail domains.
    pub(crate) domains: Vec<SsoDomain>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) updated_at: DateTime<Utc>,
}

/// The SAML settings of a provider.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SamlProvider {
    /// Its entity id.
    pub(crate) entity_id: String,
    /// Its metadata; absent in lists.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) metadata_xml: String,
    /// The URL of its metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata_url: Option<String>,
    pub(crate) attribute_mapping: AttributeMapping,
    /// The requested name id format; `persistent` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name_id_format: Option<String>,
    /// When the metadata was last fetched or set.
    #[serde(skip)]
    pub(crate) updated_at: DateTime<Utc>,
}

/// The part of e-mail addresses after the `@`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SsoDomain {
    pub(crate) domain: String,
}

/// Filters of the list.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    All,
    ResourceId(String),
    ResourceIdPrefix(String),
}

impl SsoProvider {
    /// True if users may sign in with it.
    pub(crate) fn is_enabled(&self) -> bool {
        self.disabled != Some(true)
    }
}

fn provider(row: &Row) -> Result<SsoProvider, tokio_postgres::Error> {
    let time = |column: &str| row.try_get::<_, Option<DateTime<Utc>>>(column).map(Option::unwrap_or_default);
    let mapping: Option<Json<AttributeMapping>> = row.try_get("attribute_mapping")?;
    let domains: Vec<String> = row.try_get("domains")?;
    Ok(SsoProvider {
        id: row.try_get("id")?,
        resource_id: row.try_get("resource_id")?,
        disabled: row.try_get("disabled")?,
        saml: SamlProvider {
            entity_id: row.try_get("entity_id")?,
            metadata_xml: row.try_get("metadata_xml")?,
            metadata_url: row.try_get("metadata_url")?,
            attribute_mapping: mapping.map(|mapping| mapping.0).unwrap_or_default(),
            name_id_format: row.try_get("name_id_format")?,
            updated_at: time("saml_updated_at")?,
        },
        domains: domains.into_iter().map(|domain| SsoDomain { domain }).collect(),
        created_at: time("created_at")?,
        updated_at: time("updated_at")?,
    })
}

fn one(row: Option<Row>) -> Result<Option<SsoProvider>, Error> {
    row.map(|row| provider(&row)).transpose().map_err(unreadable)
}

pub(crate) async fn by_id(db: &impl Query, id: Uuid) -> Result<Option<SsoProvider>, Error> {
    one(db.query_opt(concat!(include_str!("sso_providers/select.sql"), "where p.id = $1"), &[&id]).await?)
}

pub(crate) async fn by_resource_id(db: &impl Query, resource_id: &str) -> Result<Option<SsoProvider>, Error> {
    // The first condition uses sso_providers_resource_id_idx.
    let sql = concat!(
        include_str!("sso_providers/select.sql"),
        "where lower(p.resource_id) = lower($1) and p.resource_id = $1"
    );
    one(db.query_opt(sql, &[&resource_id]).await?)
}

pub(crate) async fn by_entity_id(db: &impl Query, entity_id: &str) -> Result<Option<SsoProvider>, Error> {
    one(db
        .query_opt(concat!(include_str!("sso_providers/select.sql"), "where s.entity_id = $1"), &[&entity_id])
        .await?)
}

/// Domains are case-insensitive.
///
/// DEVIATION (behaviour): e-mail domains of single sign-on providers are compared case-insensitively, like their index;
/// GoTrue compares them case-sensitively, and answers 500 to a duplicate in another case.
pub(crate) async fn by_domain(db: &impl Query, domain: &str) -> Result<Option<SsoProvider>, Error> {
    let sql = concat!(
        include_str!("sso_providers/select.sql"),
        "where p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower($1))"
    );
    one(db.query_opt(sql, &[&domain]).await?)
}

/// Oldest first.
pub(crate) async fn list(db: &impl Query, filter: &Filter) -> Result<Vec<SsoProvider>, Error> {
    let (exact, prefix) = match filter {
        Filter::All => (None, None),
        Filter::ResourceId(id) => (Some(id), None),
        Filter::ResourceIdPrefix(prefix) => (None, Some(prefix)),
    };
    let sql = concat!(
        include_str!("sso_providers/select.sql"),
        "where ($1::text is null or p.resource_id = $1) and ($2::text is null or p.resource_id like $2 || '%') \
         order by p.created_at, p.id"
    );
    let rows = db.query(sql, &[&exact, &prefix]).await?;
    rows.iter().map(provider).collect::<Result<_, _>>().map_err(unreadable)
}

/// Inserts a provider. Its domains keep their order.
pub(crate) async fn insert(db: &impl Query, new: &SsoProvider) -> Result<(), Error> {
    let saml = &new.saml;
    db.execute(
        include_str!("sso_providers/insert.sql"),
        &[
            &new.id,
            &new.resource_id,
            &new.disabled,
            &saml.entity_id,
            &saml.metadata_xml,
            &saml.metadata_url,
            &Json(&saml.attribute_mapping),
            &saml.name_id_format,
            &names(new),
            &new.created_at,
        ],
    )
    .await
    .map(drop)
}

/// Updates a provider. Existing domains keep their place.
pub(crate) async fn update(db: &impl Query, provider: &SsoProvider) -> Result<(), Error> {
    let saml = &provider.saml;
    db.execute(
        include_str!("sso_providers/update.sql"),
        &[
            &provider.id,
            &provider.resource_id,
            &provider.disabled,
            &saml.metadata_xml,
            &saml.metadata_url,
            &Json(&saml.attribute_mapping),
            &saml.name_id_format,
            &saml.updated_at,
            &names(provider),
            &provider.updated_at,
        ],
    )
    .await
    .map(drop)
}

/// Stores fetched metadata.
pub(crate) async fn set_metadata(
    db: &impl Query,
    id: Uuid,
    (metadata, url): (&str, &str),
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("sso_providers/set_metadata.sql"), &[&id, &metadata, &now, &url]).await.map(drop)
}

/// Deletes a provider with its domains and states. Users keep their identities.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<bool, Error> {
    db.execute(include_str!("sso_providers/delete.sql"), &[&id]).await.map(|rows| rows > 0)
}

fn names(provider: &SsoProvider) -> Vec<&str> {
    provider.domains.iter().map(|domain| domain.domain.as_str()).collect()
}
