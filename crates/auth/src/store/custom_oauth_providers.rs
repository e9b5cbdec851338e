//! `auth.custom_oauth_providers`

use chrono::{DateTime, Utc};
use gateway::Secret;
use pg::Error;
use pg::pool::Query;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::unreadable;
use crate::model::timestamp;
use crate::protocol::discovery::Discovery;

/// The protocol of a custom provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProviderType {
    Oauth2,
    Oidc,
}

/// A provider that an administrator has added. Also its shape on the wire, without the secret.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CustomOauthProvider {
    pub(crate) id: Uuid,
    pub(crate) provider_type: ProviderType,
    /// Begins with `custom:`.
    pub(crate) identifier: String,
    pub(crate) name: String,
    pub(crate) client_id: String,
    /// As stored: possibly encrypted.
    #[serde(skip)]
    pub(crate) client_secret: Secret<String>,
    pub(crate) acceptable_client_ids: Vec<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) pkce_enabled: bool,
    #[schema(value_type = Object)]
    pub(crate) attribute_mapping: Map<String, Value>,
    pub(crate) custom_claims_allowlist: Vec<String>,
    #[schema(value_type = Object)]
    pub(crate) authorization_params: Map<String, Value>,
    pub(crate) enabled: bool,
    pub(crate) email_optional: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) discovery_url: Option<String>,
    pub(crate) skip_nonce_check: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub(crate) discovery_document: Option<Discovery>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) authorization_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) userinfo_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) jwks_uri: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) updated_at: DateTime<Utc>,
}

impl ProviderType {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "oauth2" => Some(ProviderType::Oauth2),
            "oidc" => Some(ProviderType::Oidc),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ProviderType::Oauth2 => "oauth2",
            ProviderType::Oidc => "oidc",
        }
    }
}

fn provider(row: &Row) -> Result<CustomOauthProvider, tokio_postgres::Error> {
    let object = |column: &str| row.try_get::<_, Json<Map<String, Value>>>(column).map(|json| json.0);
    // The database constrains the type.
    let provider_type = ProviderType::named(row.try_get("provider_type")?).unwrap_or(ProviderType::Oauth2);
    let document: Option<Json<Value>> = row.try_get("cached_discovery")?;
    Ok(CustomOauthProvider {
        id: row.try_get("id")?,
        provider_type,
        identifier: row.try_get("identifier")?,
        name: row.try_get("name")?,
        client_id: row.try_get("client_id")?,
        client_secret: Secret::new(row.try_get("client_secret")?),
        acceptable_client_ids: row.try_get("acceptable_client_ids")?,
        scopes: row.try_get("scopes")?,
        pkce_enabled: row.try_get("pkce_enabled")?,
        attribute_mapping: object("attribute_mapping")?,
        custom_claims_allowlist: row.try_get("custom_claims_allowlist")?,
        authorization_params: object("authorization_params")?,
        enabled: row.try_get("enabled")?,
        email_optional: row.try_get("email_optional")?,
        issuer: row.try_get("issuer")?,
        discovery_url: row.try_get("discovery_url")?,
        skip_nonce_check: row.try_get("skip_nonce_check")?,
        discovery_document: document.and_then(|document| serde_json::from_value(document.0).ok()),
        authorization_url: row.try_get("authorization_url")?,
        token_url: row.try_get("token_url")?,
        userinfo_url: row.try_get("userinfo_url")?,
        jwks_uri: row.try_get("jwks_uri")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

pub(crate) async fn by_identifier(db: &impl Query, identifier: &str) -> Result<Option<CustomOauthProvider>, Error> {
    let row = db.query_opt(include_str!("custom_oauth_providers/by_identifier.sql"), &[&identifier]).await?;
    row.map(|row| provider(&row)).transpose().map_err(unreadable)
}

/// All providers, or those of one type; newest first.
pub(crate) async fn list(db: &impl Query, of: Option<ProviderType>) -> Result<Vec<CustomOauthProvider>, Error> {
    let of = of.map(ProviderType::as_str);
    let rows = db.query(include_str!("custom_oauth_providers/list.sql"), &[&of]).await?;
    rows.iter().map(provider).collect::<Result<_, _>>().map_err(unreadable)
}

pub(crate) async fn count(db: &impl Query) -> Result<i64, Error> {
    let row = db.query_one(include_str!("custom_oauth_providers/count.sql"), &[]).await?;
    row.try_get(0).map_err(unreadable)
}

/// Inserts a provider, or updates the one with this id; an update keeps type and identifier.
pub(crate) async fn upsert(db: &impl Query, provider: &CustomOauthProvider) -> Result<(), Error> {
    let document = provider.discovery_document.as_ref().map(Json);
    let cached_at = provider.discovery_document.as_ref().map(|_| provider.updated_at);
    db.execute(
        include_str!("custom_oauth_providers/upsert.sql"),
        &[
            &provider.id,
            &provider.provider_type.as_str(),
            &provider.identifier,
            &provider.name,
            &provider.client_id,
            provider.client_secret.reveal(),
            &provider.acceptable_client_ids,
            &provider.scopes,
            &provider.pkce_enabled,
            &Json(&provider.attribute_mapping),
            &provider.custom_claims_allowlist,
            &Json(&provider.authorization_params),
            &provider.enabled,
            &provider.email_optional,
            &provider.issuer,
            &provider.discovery_url,
            &provider.skip_nonce_check,
            &document,
            &cached_at,
            &provider.authorization_url,
            &provider.token_url,
            &provider.userinfo_url,
            &provider.jwks_uri,
            &provider.created_at,
            &provider.updated_at,
        ],
    )
    .await
    .map(drop)
}

/// Returns false if it did not exist.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<bool, Error> {
    db.execute(include_str!("custom_oauth_providers/delete.sql"), &[&id]).await.map(|rows| rows > 0)
}
