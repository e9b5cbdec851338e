//! `auth.saml_relay_states`: requests to identity providers. Also remembers used assertions.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::unreadable;

/// A request to an identity provider.
#[derive(Clone, Debug)]
pub(crate) struct RelayState {
    /// Also the RelayState that the identity provider sends back.
    pub(crate) id: Uuid,
    pub(crate) provider: Uuid,
    /// The id of the AuthnRequest.
    pub(crate) request_id: String,
    /// The requested redirect target, not checked yet.
    pub(crate) redirect_to: String,
    /// The flow that this request belongs to.
    pub(crate) flow: Option<Uuid>,
    pub(crate) created_at: DateTime<Utc>,
}

pub(crate) async fn insert(db: &impl Query, state: &RelayState) -> Result<(), Error> {
    db.execute(
        include_str!("saml_relay_states/insert.sql"),
        &[&state.id, &state.provider, &state.request_id, &state.redirect_to, &state.flow, &state.created_at],
    )
    .await
    .map(drop)
}

pub(crate) async fn by_id(db: &impl Query, id: Uuid) -> Result<Option<RelayState>, Error> {
    let Some(row) = db.query_opt(include_str!("saml_relay_states/by_id.sql"), &[&id]).await? else { return Ok(None) };
    let read = || {
        Ok(RelayState {
            id: row.try_get("id")?,
            provider: row.try_get("sso_provider_id")?,
            request_id: row.try_get("request_id")?,
            redirect_to: row.try_get::<_, Option<String>>("redirect_to")?.unwrap_or_default(),
            flow: row.try_get("flow_state_id")?,
            created_at: row.try_get::<_, Option<DateTime<Utc>>>("created_at")?.unwrap_or_default(),
        })
    };
    read().map(Some).map_err(unreadable)
}

/// Deletes it; returns false if a concurrent request was faster.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<bool, Error> {
    db.execute(include_str!("saml_relay_states/delete.sql"), &[&id]).await.map(|rows| rows > 0)
}

/// Records that an assertion was used; returns false if it had been before. The cleanup deletes it with unused states
/// after a day, when the assertion has long expired.
pub(crate) async fn use_assertion(
    db: &impl Query,
    (id, provider): (Uuid, Uuid),
    assertion: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let sql = include_str!("saml_relay_states/use_assertion.sql");
    db.execute(sql, &[&id, &provider, &assertion, &now]).await.map(|rows| rows > 0)
}
