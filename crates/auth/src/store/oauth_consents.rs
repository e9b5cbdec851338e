//! `auth.oauth_consents`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::unreadable;
use crate::model::oauth_client::ClientSummary;
use crate::model::scopes::Scopes;

/// A user's consent to a client.
pub(crate) struct Consent {
    pub(crate) client: ClientSummary,
    pub(crate) scopes: String,
    pub(crate) granted_at: DateTime<Utc>,
}

/// The currently granted scopes, if any.
pub(crate) async fn active_scopes(db: &impl Query, user: Uuid, client: Uuid) -> Result<Option<String>, Error> {
    let row = db.query_opt(include_str!("oauth_consents/active_scopes.sql"), &[&user, &client]).await?;
    row.map(|row| row.try_get("scopes").map_err(unreadable)).transpose()
}

pub(crate) async fn grant(
    db: &impl Query,
    user: Uuid,
    client: Uuid,
    scopes: Scopes<'_>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("oauth_consents/grant.sql");
    db.execute(sql, &[&user, &client, &scopes.distinct(), &now]).await.map(drop)
}

/// Consents that are not revoked, newest first, without those to deleted clients.
pub(crate) async fn of_user(db: &impl Query, user: Uuid) -> Result<Vec<Consent>, Error> {
    let rows = db.query(include_str!("oauth_consents/of_user.sql"), &[&user]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(Consent {
            client: ClientSummary {
                id: row.try_get("client_id")?,
                name: row.try_get("client_name")?,
                uri: row.try_get("client_uri")?,
                logo_uri: row.try_get("logo_uri")?,
            },
            scopes: row.try_get("scopes")?,
            granted_at: row.try_get("granted_at")?,
        })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(unreadable)
}

/// Returns false if there was nothing to revoke.
pub(crate) async fn revoke(db: &impl Query, user: Uuid, client: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    db.execute(include_str!("oauth_consents/revoke.sql"), &[&user, &client, &now]).await.map(|rows| rows > 0)
}
