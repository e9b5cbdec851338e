//! OpenID Connect discovery documents.
//!
//! Source: OpenID Connect Discovery 1.0, section 3.

use serde::{Deserialize, Serialize};

/// The parts of a discovery document that we use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Discovery {
    pub(crate) issuer: String,
    pub(crate) authorization_endpoint: String,
    pub(crate) token_endpoint: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) userinfo_endpoint: String,
    pub(crate) jwks_uri: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scopes_supported: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) response_types_supported: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) grant_types_supported: Vec<String>,
    /// One issuer sends a single string instead of a list.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub(crate) subject_types_supported: Vec<String>,
    #[serde(skip_serializing)]
    pub(crate) id_token_signing_alg_values_supported: Vec<String>,
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}
