//! `auth.oauth_clients`, without deleted clients.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use tokio_postgres::Row;
use uuid::Uuid;

use super::unreadable;
use crate::model::oauth_client::{AuthMethod, Changes, Client, ClientType, Registration};

fn client(row: &Row) -> Result<Client, tokio_postgres::Error> {
    let list = |column: &str| {
        let text: String = row.try_get(column)?;
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        Ok::<_, tokio_postgres::Error>(items.map(str::to_owned).collect())
    };
    let client_type: String = row.try_get("client_type")?;
    let client_type = ClientType::named(&client_type).unwrap_or(ClientType::Confidential);
    let auth_method: String = row.try_get("token_endpoint_auth_method")?;
    Ok(Client {
        id: row.try_get("id")?,
        secret_hash: row.try_get("client_secret_hash")?,
        registration_type: row.try_get("registration_type")?,
        client_type,
        auth_method: AuthMethod::named(&auth_method).unwrap_or(client_type.auth_methods()[0]),
        redirect_uris: list("redirect_uris")?,
        grant_types: list("grant_types")?,
        name: row.try_get("client_name")?,
        uri: row.try_get("client_uri")?,
        logo_uri: row.try_get("logo_uri")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

fn found(row: Option<Row>) -> Result<Option<Client>, Error> {
    row.as_ref().map(client).transpose().map_err(unreadable)
}

pub(crate) async fn by_id(db: &impl Query, id: Uuid) -> Result<Option<Client>, Error> {
    found(db.query_opt(include_str!("oauth_clients/by_id.sql"), &[&id]).await?)
}

/// Newest first.
pub(crate) async fn list(db: &impl Query) -> Result<Vec<Client>, Error> {
    let rows = db.query(include_str!("oauth_clients/list.sql"), &[]).await?;
    rows.iter().map(client).collect::<Result<_, _>>().map_err(unreadable)
}

/// `registration_type` is `manual` or `dynamic`.
pub(crate) async fn insert(
    db: &impl Query,
    registration_type: &str,
    new: &Registration,
    secret_hash: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Client, Error> {
    let row = db
        .query_one(
            include_str!("oauth_clients/insert.sql"),
            &[
                &Uuid::new_v4(),
                &secret_hash,
                &registration_type,
                &new.client_type.as_str(),
                &new.auth_method.as_str(),
                &new.redirect_uris.join(","),
                &new.grant_types.join(","),
                &new.name,
                &new.uri,
                &new.logo_uri,
                &now,
            ],
        )
        .await?;
    client(&row).map_err(unreadable)
}

pub(crate) async fn update(
    db: &impl Query,
    id: Uuid,
    changes: &Changes,
    now: DateTime<Utc>,
) -> Result<Option<Client>, Error> {
    let joined = |list: &Option<Vec<String>>| list.as_ref().map(|list| list.join(","));
    let row = db
        .query_opt(
            include_str!("oauth_clients/update.sql"),
            &[
                &id,
                &joined(&changes.redirect_uris),
                &joined(&changes.grant_types),
                &changes.name,
                &changes.uri,
                &changes.logo_uri,
                &changes.auth_method.map(AuthMethod::as_str),
                &now,
            ],
        )
        .await?;
    found(row)
}

pub(crate) async fn set_secret(
    db: &impl Query,
    id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<Client>, Error> {
    found(db.query_opt(include_str!("oauth_clients/set_secret.sql"), &[&id, &hash, &now]).await?)
}

pub(crate) async fn delete(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("oauth_clients/delete.sql"), &[&id, &now]).await.map(drop)
}
