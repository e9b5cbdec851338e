//! Creation of users and of their first identity.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Query;
use serde_json::json;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::passwords;
use crate::model::account::app_metadata;
use crate::model::account::{Identity, Metadata, User, merge};
use crate::model::address::Address;
use crate::model::standing::Standing;
use crate::state::State;
use crate::store::users::{self, Existence, NewUser};
use crate::store::{identities, one_time_tokens};

/// Inserts a user and reads the row back, because triggers may have changed it. Without an address the user is
/// anonymous. `user` holds the other fields. For an unknown address of an enumeration-safe flow, it runs the same
/// statements and returns `user` unchanged.
///
/// # Errors
/// [`AuthError::SignupConflict`] if another request took the address a moment ago; an error raised by the project's
/// trigger, as a fault.
pub(crate) async fn insert(
    state: &State,
    db: &impl Query,
    address: Option<&Address>,
    password_hash: &str,
    user: User,
    existence: Existence,
    now: DateTime<Utc>,
) -> Result<(User, Standing), AuthError> {
    const FAILED: &str = "Database error loading user after sign-up";
    let (email, phone) = match address {
        Some(Address::Email(email)) => (Some(email.as_str()), None),
        Some(Address::Phone(phone)) => (None, Some(phone.as_str())),
        None => (None, None),
    };
    let id = if user.id.is_nil() { Uuid::new_v4() } else { user.id };
    let new = NewUser {
        id,
        aud: &user.aud,
        role: state.config.jwt.default_group_name.trim(),
        email,
        phone,
        password_hash: &passwords::seal(state, id, password_hash),
        app_metadata: address.map(|address| app_metadata(address.provider())).unwrap_or_default(),
        user_metadata: user.user_metadata.clone(),
        is_anonymous: address.is_none(),
        existence,
    };
    users::insert(db, new, now)
        .await
        .on_constraint("users_email_partial_key", || AuthError::SignupConflict)?
        .on_constraint("users_phone_key", || AuthError::SignupConflict)?
        .or_fault("Database error saving new user")?;
    let loaded = users::by_id(db, id).await.or_fault(FAILED)?;
    match (loaded, existence) {
        (Some(loaded), _) => Ok((loaded, Standing::User)),
        (None, Existence::Pretended) => Ok((user, Standing::Unknown)),
        (None, Existence::Real) => Err(AuthError::internal(FAILED, "the row is gone")),
    }
}

/// A user who is not stored yet, for the hook before-user-created.
pub(crate) fn newcomer(id: Uuid, address: Option<&Address>, audience: &str, data: &Metadata) -> User {
    // Go's zero time.
    let never = DateTime::from_timestamp(-62_135_596_800, 0).unwrap_or_default();
    let (email, phone) = match address {
        Some(Address::Email(email)) => (email.clone(), String::new()),
        Some(Address::Phone(phone)) => (String::new(), phone.clone()),
        None => (String::new(), String::new()),
    };
    User {
        id,
        aud: audience.to_owned(),
        email,
        phone,
        is_anonymous: address.is_none(),
        app_metadata: address.map(|address| app_metadata(address.provider())).unwrap_or_default(),
        user_metadata: data.clone(),
        created_at: never,
        updated_at: never,
        ..User::default()
    }
}

/// Whether the identity existed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdentityWas {
    Known,
    New,
}

/// Makes sure that the user has the identity of the address they sign up with. A new identity replaces all others and
/// the metadata, because nothing of an unconfirmed user can be trusted.
///
/// # Errors
/// If the database fails.
pub(crate) async fn ensure_identity(
    db: &impl Query,
    user: &mut User,
    address: &Address,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<IdentityWas, AuthError> {
    let provider = address.provider();
    let own_id = user.id.to_string();
    let has = |identity: &Identity| identity.provider == provider && identity.provider_id == own_id;
    if let Some(identity) = user.identities.iter().find(|identity| has(identity)) {
        user.identities = vec![identity.clone()];
        return Ok(IdentityWas::Known);
    }
    let identity = add_identity(db, user, address, data, now).await?;
    user.user_metadata = Metadata::new();
    merge(&mut user.user_metadata, identity.identity_data.clone());
    merge(&mut user.app_metadata, app_metadata(provider));
    user.updated_at = now;
    users::set_metadata(db, user).await.or_fault("Database error updating user")?;
    identities::delete_others(db, user.id, identity.identity_id).await.or_fault("Database error updating user")?;
    user.identities = vec![identity];
    Ok(IdentityWas::New)
}

/// Adds an identity of the user's own address and keeps the others.
///
/// # Errors
/// If the database fails.
pub(crate) async fn add_identity(
    db: &impl Query,
    user: &User,
    address: &Address,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<Identity, AuthError> {
    let provider = address.provider();
    let identity = Identity {
        identity_id: Uuid::new_v4(),
        provider_id: user.id.to_string(),
        user_id: user.id,
        identity_data: identity_data(user, address, data),
        provider: provider.to_owned(),
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
        email: (!user.email.is_empty()).then(|| user.email.clone()),
    };
    identities::insert(db, &identity).await.or_fault("Error creating identity")?;
    Ok(identity)
}

/// Confirms the address without a code.
///
/// # Errors
/// If the database fails.
pub(crate) async fn confirm(
    db: &impl Query,
    user: &mut User,
    address: &Address,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let failed = "Database error updating user";
    user.updated_at = now;
    match address {
        Address::Email(_) => {
            user.email_confirmed_at = Some(now);
            user.user_metadata.insert("email_verified".to_owned(), json!(true));
            users::confirm_email(db, user).await.or_fault(failed)?;
        }
        Address::Phone(_) => {
            user.phone_confirmed_at = Some(now);
            users::confirm_phone(db, user).await.or_fault(failed)?;
        }
    }
    one_time_tokens::clear(db, user.id).await.or_fault(failed)
}

/// GoTrue's identity data of an unverified address, overridden by the data that the user sent.
fn identity_data(user: &User, address: &Address, data: &Metadata) -> Metadata {
    let mut known = Metadata::new();
    if let Address::Email(_) = address {
        known.insert("email".to_owned(), json!(user.email));
    }
    known.insert("email_verified".to_owned(), json!(false));
    known.insert("phone_verified".to_owned(), json!(false));
    known.insert("sub".to_owned(), json!(user.id));
    for (key, value) in data {
        known.entry(key.clone()).or_insert_with(|| value.clone());
    }
    known
}
