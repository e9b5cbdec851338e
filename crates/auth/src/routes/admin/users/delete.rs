//! `DELETE /admin/users/{user_id}`

use actix_web::web::{self, Json};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{about, named};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::AdminToken;
use crate::flows::audit::{self, Action};
use crate::model::account::User;
use crate::model::timestamp;
use crate::protocol::body::{Body, params};
use crate::store::users::{self, Remains};
use crate::store::{identities, sessions};

/// Length of the placeholder for a phone number; older schemas limited the column to this.
const PHONE_LENGTH: usize = 15;

/// How to delete.
#[derive(Default, ToSchema)]
pub(crate) struct AdminUserDeleteParams {
    /// Whether the row stays, without any personal data.
    should_soft_delete: bool,
}
params!(AdminUserDeleteParams as "adminUserDeleteParams" { should_soft_delete: Flag });

/// Deletes a user, or removes the personal data from the row.
#[utoipa::path(delete, path = "/admin/users/{user_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path)), request_body = Option<AdminUserDeleteParams>,
    responses((status = 200, body = Object), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413)))]
pub(crate) async fn delete_user(
    token: AdminToken,
    id: web::Path<String>,
    body: Body,
) -> Result<Json<Value>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &id).await?;
    let params: AdminUserDeleteParams = if body.is_empty() { Default::default() } else { body.parse()? };
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Delete sessions before the user, in the same order as a refresh, to prevent a deadlock.
    sessions::delete_of_user(&db, user.id).await.or_fault("Error deleting user's sessions")?;
    audit::record(state, &db, admin.actor(), Action::UserDeleted, about(&user)).await?;
    match params.should_soft_delete {
        // Already soft-deleted: the placeholders stay.
        true if user.deleted_at.is_some() => {}
        true => soft_delete(&db, &user, now).await?,
        false => users::delete(&db, user.id).await.or_fault("Database error deleting user")?,
    }
    db.commit().await.or_fault("Database error deleting user")?;
    Ok(Json(json!({})))
}

/// Keeps the row and replaces personal data by hashes.
async fn soft_delete(db: &Transaction<'_>, user: &User, now: DateTime<Utc>) -> Result<(), AuthError> {
    let phone = |number: &str| obscured(user.id, number).chars().take(PHONE_LENGTH).collect::<String>();
    let remains = Remains {
        email: obscured(user.id, &user.email),
        phone: phone(&user.phone),
        email_change: obscured(user.id, &user.email_change),
        phone_change: phone(&user.phone_change),
    };
    users::soft_delete(db, user.id, &remains, now).await.or_fault("Error soft deleting user")?;
    for identity in &user.identities {
        let name = obscured(user.id, &format!("{}:{}", identity.provider, identity.provider_id));
        identities::soft_delete(db, identity.identity_id, &name)
            .await
            .or_fault("Error soft deleting user identities")?;
    }
    Ok(())
}

/// A hash of the value with the user's id, so that users with the same value cannot be matched.
fn obscured(user: Uuid, value: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{user}{value}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with `printf '%s' '00000000-0000-0000-0000-000000000001ana@x.test' | openssl sha256 -binary | base64`.
    #[test]
    fn hashes_are_those_of_id_and_value() {
        assert_eq!(obscured(Uuid::from_u128(1), "ana@x.test"), "lZNdvPsbgFj2BJgTe6iJl365w6ohK4879mdUjBEZxTY");
    }
}
