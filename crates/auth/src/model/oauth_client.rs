//! OAuth clients: rows of `auth.oauth_clients`.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether a client can keep a secret (RFC 6749 section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClientType {
    Public,
    Confidential,
}

/// How a client authenticates (RFC 7591 section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuthMethod {
    None,
    ClientSecretBasic,
    ClientSecretPost,
}

/// A client that has not been deleted.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) id: Uuid,
    pub(crate) secret_hash: Option<String>,
    /// `dynamic`, or `manual` if an administrator registered it.
    pub(crate) registration_type: String,
    pub(crate) client_type: ClientType,
    pub(crate) auth_method: AuthMethod,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) grant_types: Vec<String>,
    pub(crate) name: Option<String>,
    pub(crate) uri: Option<String>,
    pub(crate) logo_uri: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) updated_at: DateTime<Utc>,
}

impl ClientType {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ClientType::Public => "public",
            ClientType::Confidential => "confidential",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        [ClientType::Public, ClientType::Confidential].into_iter().find(|kind| kind.as_str() == name)
    }

    /// The allowed authentication methods of such a client; the first is the default.
    pub(crate) fn auth_methods(self) -> &'static [AuthMethod] {
        match self {
            ClientType::Public => &[AuthMethod::None],
            ClientType::Confidential => &[AuthMethod::ClientSecretBasic, AuthMethod::ClientSecretPost],
        }
    }
}

impl AuthMethod {
    /// In GoTrue's order.
    pub(crate) const ALL: [AuthMethod; 3] =
        [AuthMethod::None, AuthMethod::ClientSecretBasic, AuthMethod::ClientSecretPost];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            AuthMethod::None => "none",
            AuthMethod::ClientSecretBasic => "client_secret_basic",
            AuthMethod::ClientSecretPost => "client_secret_post",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }

    /// The type of clients that authenticate like this.
    pub(crate) fn client_type(self) -> ClientType {
        if self == AuthMethod::None { ClientType::Public } else { ClientType::Confidential }
    }
}

/// A client as shown to users.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClientSummary {
    pub(crate) id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logo_uri: Option<String>,
}

impl From<Client> for ClientSummary {
    fn from(client: Client) -> Self {
        ClientSummary { id: client.id, name: client.name, uri: client.uri, logo_uri: client.logo_uri }
    }
}

/// A validated registration.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    pub(crate) client_type: ClientType,
    pub(crate) auth_method: AuthMethod,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) grant_types: Vec<String>,
    pub(crate) name: Option<String>,
    pub(crate) uri: Option<String>,
    pub(crate) logo_uri: Option<String>,
}

/// A validated change. An empty string removes the value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) redirect_uris: Option<Vec<String>>,
    pub(crate) grant_types: Option<Vec<String>>,
    pub(crate) name: Option<String>,
    pub(crate) uri: Option<String>,
    pub(crate) logo_uri: Option<String>,
    pub(crate) auth_method: Option<AuthMethod>,
}
