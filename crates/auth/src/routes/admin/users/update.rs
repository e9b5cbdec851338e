//! `PUT /admin/users/{user_id}`

use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use serde_json::json;

use super::{AdminUserParams, Ban, about, add_identity, named};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::{AdminToken, Administrator};
use crate::flows::audit::{self, Action};
use crate::flows::passwords;
use crate::model::account::{Metadata, User, UserBody, merge};
use crate::model::{addresses, timestamp};
use crate::outside::turns::Turn;
use crate::protocol::body::Body;
use crate::state::State;
use crate::store::{identities, one_time_tokens, sessions, users};

const FAILED: &str = "Error updating user";

/// A change with checked parameters.
struct Change {
    params: AdminUserParams,
    password_hash: Option<String>,
    ban: Ban,
    now: DateTime<Utc>,
}

/// Changes a user. A new password ends all their sessions; a new address or number applies at once, without
/// confirmation.
#[utoipa::path(put, path = "/admin/users/{user_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = uuid::Uuid, Path)), request_body = AdminUserParams,
    responses((status = 200, body = UserBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn change_user(
    token: AdminToken,
    id: web::Path<String>,
    body: Body,
) -> Result<Json<UserBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &id).await?;
    let change = check(state, body.parse()?).await?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let user = apply(&admin, &db, user, change).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(Json(user.into()))
}

async fn check(state: &State, mut params: AdminUserParams) -> Result<Change, AuthError> {
    let now = timestamp::now(&state.clock);
    if !params.email.is_empty() {
        params.email = addresses::email(&params.email)?;
    }
    if !params.phone.is_empty() {
        params.phone = addresses::phone(&params.phone)?;
    }
    let ban = Ban::read(&params.ban_duration, now)?;
    let password_hash = match params.password.as_deref() {
        Some(password) => {
            passwords::check(state, password).await?;
            Some(state.hasher.hash(password, Turn::ADMINISTRATOR).await?)
        }
        None => None,
    };
    Ok(Change { params, password_hash, ban, now })
}

/// Writes all changes in GoTrue's order; triggers of the project see each step.
///
/// DEVIATION (words): the answer to an administrator's update shows the user as stored; GoTrue's lacks `confirmed_at`
/// and has the previous identities.
///
/// DEVIATION (words): an address or number that another user has is refused with 422, also for administrators; GoTrue
/// answers 500.
async fn apply(admin: &Administrator, db: &Transaction<'_>, user: User, change: Change) -> Result<User, AuthError> {
    let Change { params, password_hash, ban, now } = change;
    let state = admin.state();
    let first_password = password_hash.is_some() && user.password_hash().is_none();
    if password_hash.is_some() {
        // Deletes the sessions before locking the user's row: the same order as in a refresh, to prevent a deadlock.
        sessions::delete_of_user(db, user.id).await.or_fault(FAILED)?;
    }
    users::lock(db, user.id).await.or_fault(FAILED)?;
    let mut user = loaded(db, &user).await?;
    if !params.role.is_empty() {
        users::set_role(db, user.id, params.role.trim(), now).await.or_fault(FAILED)?;
    }
    if params.email_confirm {
        users::confirm_email_by_admin(db, user.id, now).await.or_fault(FAILED)?;
        // The row has it already. A change of the metadata below must not lose it.
        user.user_metadata.insert("email_verified".to_owned(), json!(true));
    }
    if params.phone_confirm {
        users::confirm_phone_by_admin(db, user.id, now).await.or_fault(FAILED)?;
    }
    if let Some(hash) = &password_hash {
        let stored = passwords::seal(state, user.id, hash);
        users::set_password(db, user.id, Some(&stored), now).await.or_fault(FAILED)?;
        one_time_tokens::clear_all(db, user.id).await.or_fault(FAILED)?;
    }
    set_addresses(db, &user, &params, now).await?;
    if first_password && state.config.experimental.email_identity_on_password_set {
        ensure_email_identity(db, &user, now).await?;
    }
    if params.app_metadata.is_some() || params.user_metadata.is_some() {
        merge(&mut user.app_metadata, params.app_metadata.unwrap_or_default());
        merge(&mut user.user_metadata, params.user_metadata.unwrap_or_default());
        user.updated_at = now;
        users::set_metadata(db, &user).await.or_fault(FAILED)?;
    }
    if let Ban::Until(until) = ban {
        users::ban(db, user.id, until, now).await.or_fault(FAILED)?;
    }
    let user = loaded(db, &user).await?;
    audit::record(state, db, admin.actor(), Action::UserModified, about(&user)).await?;
    Ok(user)
}

/// The user as stored: a concurrent request or a trigger may have changed the row.
async fn loaded(db: &Transaction<'_>, user: &User) -> Result<User, AuthError> {
    users::by_id(db, user.id).await.or_fault(FAILED)?.ok_or(AuthError::NoSuchUser)
}

/// Sets the user's new addresses and their identities.
async fn set_addresses(
    db: &Transaction<'_>,
    user: &User,
    params: &AdminUserParams,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    if !params.email.is_empty() {
        set_identity(db, user, "email", &params.email, params.email_confirm, now).await?;
        users::set_email(db, user.id, &params.email, params.email_confirm, now)
            .await
            .on_constraint("users_email_partial_key", || AuthError::EmailExists)?
            .or_fault(FAILED)?;
    }
    if !params.phone.is_empty() {
        set_identity(db, user, "phone", &params.phone, params.phone_confirm, now).await?;
        users::set_phone(db, user.id, &params.phone, params.phone_confirm, now)
            .await
            .on_constraint("users_phone_key", || AuthError::PhoneExists)?
            .or_fault(FAILED)?;
    }
    Ok(())
}

async fn set_identity(
    db: &Transaction<'_>,
    user: &User,
    provider: &str,
    address: &str,
    is_verified: bool,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let own_id = user.id.to_string();
    let is_own =
        |identity: &&crate::model::account::Identity| identity.provider == provider && identity.provider_id == own_id;
    match user.identities.iter().find(is_own) {
        None => add_identity(db, user, provider, address, is_verified, now).await.map(drop),
        Some(identity) => {
            let mut changes = Metadata::new();
            changes.insert(provider.to_owned(), json!(address));
            changes.insert(format!("{provider}_verified"), json!(is_verified));
            identities::extend_data(db, identity.identity_id, &changes).await.or_fault(FAILED)
        }
    }
}

/// Adds the e-mail identity to a user with a confirmed address but without this identity, who can now sign in with the
/// address.
///
/// Source: supabase/auth, `internal/api/identity.go`, `ensureEmailIdentityForPassword`.
async fn ensure_email_identity(db: &Transaction<'_>, user: &User, now: DateTime<Utc>) -> Result<(), AuthError> {
    let user = loaded(db, user).await?;
    let has_identity = user.identities.iter().any(|identity| identity.provider == "email");
    let unfit = user.is_sso_user || user.is_anonymous || user.email.is_empty() || user.email_confirmed_at.is_none();
    if has_identity || unfit {
        return Ok(());
    }
    add_identity(db, &user, "email", &user.email, true, now).await?;
    users::refresh_providers(db, user.id, now).await.or_fault("Database error updating user providers")
}
