//! `POST /admin/users`

use actix_web::web::Json;
use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use rand::Rng;
use rand::distr::Alphanumeric;
use serde_json::json;
use uuid::Uuid;

use super::{AdminUserParams, Ban, about, add_identity};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::{AdminToken, Administrator};
use crate::flows::audit::{self, Action};
use crate::flows::passwords;
use crate::model::account::{Metadata, User, UserBody, merge};
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::outside::turns::Turn;
use crate::protocol::body::Body;
use crate::protocol::password_hash;
use crate::state::State;
use crate::store::users::{self, Existence, NewUser};

const FAILED: &str = "Database error creating new user";
/// The maximum length that bcrypt reads, in bytes.
const MAX_PASSWORD: usize = 72;

/// A user with checked parameters.
struct New {
    id: Uuid,
    aud: String,
    password_hash: String,
    /// The first one is the user's primary provider.
    providers: Vec<&'static str>,
    ban: Ban,
    params: AdminUserParams,
    now: DateTime<Utc>,
}

/// Creates a user without notifying them. Without a password in the request the user gets a random one that nobody
/// knows.
#[utoipa::path(post, path = "/admin/users", tag = "admin", security(("admin" = [])), request_body = AdminUserParams,
    responses((status = 200, body = UserBody), (status = 400), (status = 401), (status = 403), (status = 409),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn create_user(
    token: AdminToken,
    requester: Requester,
    body: Body,
) -> Result<Json<UserBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let new = check(state, &requester, body.parse()?).await?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let user = insert(&admin, &db, new).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(Json(user.into()))
}

/// Checks the parameters, in GoTrue's order.
///
/// DEVIATION (words): a new user with an id that is taken is refused with 409, and a password of more than 72 bytes
/// with 400; GoTrue answers 500.
async fn check(state: &State, requester: &Requester, mut params: AdminUserParams) -> Result<New, AuthError> {
    let now = timestamp::now(&state.clock);
    let aud = match params.aud.as_str() {
        "" => requester.audience(&state.config).to_owned(),
        aud => aud.to_owned(),
    };
    if params.email.is_empty() && params.phone.is_empty() {
        return Err(AuthError::NewUserWithoutAddress);
    }
    let mut providers = Vec::new();
    if !params.email.is_empty() {
        params.email = addresses::email(&params.email)?;
        let isolated = state.config.isolated_providers();
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        let other = users::by_taken_email(&db, &params.email, &aud, None, &isolated).await;
        if other.or_fault("Database error checking email")?.is_some() {
            return Err(AuthError::EmailExists);
        }
        providers.push("email");
    }
    if !params.phone.is_empty() {
        params.phone = addresses::phone(&params.phone)?;
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        let other = users::by_phone(&db, &params.phone, &aud).await;
        if other.or_fault("Database error checking phone")?.is_some() {
            return Err(AuthError::NewUserPhoneExists);
        }
        providers.push("phone");
    }
    let password_hash = password_hash(state, &params).await?;
    let id = match params.id.as_str() {
        "" => Uuid::new_v4(),
        text => Uuid::parse_str(text).map_err(|_| AuthError::NewIdNotUuid)?,
    };
    if id.is_nil() {
        return Err(AuthError::NewIdNil);
    }
    let ban = Ban::read(&params.ban_duration, now)?;
    Ok(New { id, aud, password_hash, providers, ban, params, now })
}

/// The hash to store: that of the password, the given one, or that of a random password.
///
/// DEVIATION (words): an unreadable password hash is refused with 400; GoTrue answers 500.
async fn password_hash(state: &State, params: &AdminUserParams) -> Result<String, AuthError> {
    let given = params.password.as_deref();
    if given.is_some() && !params.password_hash.is_empty() {
        return Err(AuthError::PasswordOrHash);
    }
    if !params.password_hash.is_empty() {
        return match password_hash::is_readable(&params.password_hash) {
            true => Ok(params.password_hash.clone()),
            false => Err(AuthError::PasswordHashUnknown),
        };
    }
    match given.filter(|password| !password.is_empty()) {
        Some(password) if password.len() > MAX_PASSWORD => Err(AuthError::PasswordTooLongForBcrypt),
        Some(password) => state.hasher.hash(password, Turn::ADMINISTRATOR).await,
        None => {
            let secret: String = rand::rng().sample_iter(Alphanumeric).take(64).map(char::from).collect();
            state.hasher.hash(&secret, Turn::ADMINISTRATOR).await
        }
    }
}

/// Writes the user in the same steps as GoTrue: triggers of the project see the new row first, and then the other
/// fields.
async fn insert(admin: &Administrator, db: &Transaction<'_>, new: New) -> Result<User, AuthError> {
    let state = admin.state();
    let New { id, aud, password_hash, providers, ban, params, now } = new;
    let text = |text: &'static str| json!(text);
    let mut app_metadata = Metadata::new();
    app_metadata.insert("provider".to_owned(), text(providers.first().copied().unwrap_or_default()));
    app_metadata.insert("providers".to_owned(), json!(providers));
    let role = if params.role.trim().is_empty() { &state.config.jwt.default_group_name } else { &params.role };
    let row = NewUser {
        id,
        aud: &aud,
        role: role.trim(),
        email: Some(params.email.as_str()).filter(|email| !email.is_empty()),
        phone: Some(params.phone.as_str()).filter(|phone| !phone.is_empty()),
        password_hash: &passwords::seal(state, id, &password_hash),
        app_metadata,
        user_metadata: params.user_metadata.clone().unwrap_or_default(),
        is_anonymous: false,
        existence: Existence::Real,
    };
    users::insert(db, row, now)
        .await
        .on_constraint("users_email_partial_key", || AuthError::EmailExists)?
        .on_constraint("users_phone_key", || AuthError::NewUserPhoneExists)?
        .on_constraint("users_pkey", || AuthError::NewIdExists)?
        .or_fault(FAILED)?;
    let mut user = loaded(db, id).await?;
    for provider in &providers {
        let address = if *provider == "email" { &params.email } else { &params.phone };
        // Each identity gets its own time, so that they stay in this order.
        add_identity(db, &user, provider, address, false, timestamp::now(&state.clock)).await?;
    }
    let mut traits = json!({ "provider": providers.first() });
    merge_into(&mut traits, about(&user));
    audit::record(state, db, admin.actor(), Action::UserSignedUp, traits).await?;
    if let Some(changes) = params.app_metadata {
        merge(&mut user.app_metadata, changes);
        user.updated_at = now;
        users::set_metadata(db, &user).await.or_fault(FAILED)?;
    }
    if params.email_confirm {
        users::confirm_email_by_admin(db, id, now).await.or_fault(FAILED)?;
    }
    if params.phone_confirm {
        users::confirm_phone_by_admin(db, id, now).await.or_fault(FAILED)?;
    }
    if let Ban::Until(until) = ban {
        users::ban(db, id, until, now).await.or_fault(FAILED)?;
    }
    loaded(db, id).await
}

/// The user as stored: triggers may have changed the row.
async fn loaded(db: &Transaction<'_>, id: Uuid) -> Result<User, AuthError> {
    let found = users::by_id(db, id).await.or_fault(FAILED)?;
    found.ok_or_else(|| AuthError::internal(FAILED, "the row is gone: a trigger must have taken it away"))
}

fn merge_into(traits: &mut serde_json::Value, more: serde_json::Value) {
    if let (Some(traits), serde_json::Value::Object(more)) = (traits.as_object_mut(), more) {
        traits.extend(more);
    }
}
