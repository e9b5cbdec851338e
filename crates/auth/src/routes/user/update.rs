//! `PUT /user`
//!
//! Source: supabase/auth, `internal/api/user.go`.

use actix_web::web::{self, Json};
use chrono::{DateTime, TimeDelta, Utc};
use pg::pool::Transaction;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::limits::{self, Subject};
use crate::flows::one_time_tokens::{self, Dispatch, Return};
use crate::flows::sessions::{Current, current};
use crate::flows::{address_change, notifications, passwords};
use crate::model::account::{User, UserBody, merge};
use crate::model::client::Client;
use crate::model::email_kind::EmailKind;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::session::{Aal, Session};
use crate::model::{addresses, timestamp};
use crate::outside::turns::Turn;
use crate::protocol::body::{Body, params};
use crate::routes::signup::check_channel;
use crate::state::State;
use crate::store::{sessions, users};

/// How long after the sign-in a password change needs no reauthentication.
const RECENT: TimeDelta = TimeDelta::hours(24);

/// The fields that a user may change. Absent fields keep their value.
#[derive(Default, ToSchema)]
pub(crate) struct UserUpdateParams {
    email: String,
    /// An empty string removes the password.
    password: Option<String>,
    current_password: Option<String>,
    /// The code from `GET /reauthenticate`.
    nonce: String,
    /// Merged into `user_metadata`; `null` deletes a key.
    #[schema(value_type = Option<Object>)]
    data: Option<Map<String, Value>>,
    /// For administrators.
    #[schema(value_type = Option<Object>)]
    app_metadata: Option<Map<String, Value>>,
    phone: String,
    channel: String,
    code_challenge: String,
    code_challenge_method: String,
}
params!(UserUpdateParams as "UserUpdateParams" {
    email: Text, password: OptionalText, current_password: OptionalText, nonce: Text, data: Object, app_metadata: Object,
    phone: Text, channel: Text, code_challenge: Text, code_challenge_method: Text,
});

/// What to do with the password.
enum NewPassword {
    Keep,
    Remove,
    Set(String),
}

/// A change that passed all checks.
struct Change {
    params: UserUpdateParams,
    password: NewPassword,
    redirect_to: String,
    now: DateTime<Utc>,
}

/// Changes the user of the token. A new address applies only after confirmation from there and, if so configured, from
/// the current address.
#[utoipa::path(put, path = "/user", tag = "user", security(("user" = [])), request_body = UserUpdateParams,
    responses((status = 200, body = UserBody), (status = 400), (status = 401), (status = 403), (status = 413),
        (status = 422), (status = 429)))]
pub(crate) async fn update(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
    body: Body,
) -> Result<Json<UserBody>, AuthError> {
    let current = current(&state, &who).await?;
    let mut params: UserUpdateParams = body.parse()?;
    let audience = current.audience(&state, &requester).to_owned();
    let Current { user, session, .. } = current;
    check_form(&state, &mut params).await?;
    check_rights(&state, &params, &user, session.as_ref())?;
    let now = timestamp::now(&state.clock);
    check_free(&state, &params, &user, &audience).await?;
    // Release the connection while the password is hashed.
    let password = new_password(&state, &params, &user, session.as_ref(), requester.client, now).await?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let redirect_to = requester.redirect_to(&state.config);
    let (old, new_email, new_phone) = (user.email.clone(), params.email.clone(), params.phone.clone());
    let change = Change { params, password, redirect_to, now };
    let (user, dispatches) = apply(&state, &db, change, user, session.as_ref()).await?;
    let mut ready = Vec::new();
    for dispatch in dispatches {
        ready.push(dispatch.hand_over(&state, &db, &requester).await?);
    }
    db.commit().await.or_fault("Error updating user")?;
    drop(connection);
    for ready in ready {
        ready.send(&state).await?;
    }
    if !new_email.is_empty() && new_email != old {
        for email in [&old, &new_email] {
            limits::code_requested(&state, &Subject::email(&state.config, email), requester.client, now);
        }
    }
    if !new_phone.is_empty() {
        limits::code_requested(&state, &Subject::phone(&state.config, &new_phone), requester.client, now);
    }
    Ok(Json(user.into()))
}

/// Validates the values and converts addresses to their stored form.
async fn check_form(state: &State, params: &mut UserUpdateParams) -> Result<(), AuthError> {
    if !params.email.is_empty() {
        params.email = addresses::email(&params.email)?;
    }
    if !params.phone.is_empty() {
        params.phone = addresses::phone(&params.phone)?;
        check_channel(state, &params.channel)?;
    }
    match params.password.as_deref() {
        Some(password) => passwords::check(state, password).await,
        None => Ok(()),
    }
}

/// Checks that this user may change these fields in this session.
fn check_rights(
    state: &State,
    params: &UserUpdateParams,
    user: &User,
    session: Option<&Session>,
) -> Result<(), AuthError> {
    let jwt = &state.config.jwt;
    if params.app_metadata.is_some() && !(user.aud == jwt.aud && user.role == jwt.admin_group_name) {
        return Err(AuthError::AppMetadataNotAdmin);
    }
    let new_password = params.password.as_deref().is_some_and(|password| !password.is_empty());
    let new_email = !params.email.is_empty() && params.email != user.email;
    let new_phone = !params.phone.is_empty() && params.phone != user.phone;
    let credentials = new_password || new_email || new_phone;
    if user.has_mfa() && credentials && session.is_none_or(|session| session.level() < Aal::Two) {
        return Err(AuthError::InsufficientAal);
    }
    if user.is_anonymous && new_password && params.email.is_empty() && params.phone.is_empty() {
        return Err(AuthError::AnonymousPassword);
    }
    if user.is_sso_user && (credentials || !params.nonce.is_empty()) {
        return Err(AuthError::SsoManaged);
    }
    Ok(())
}

/// Checks that no other user has the new addresses.
async fn check_free(state: &State, params: &UserUpdateParams, user: &User, audience: &str) -> Result<(), AuthError> {
    let db = &state.pool.get().await.or_fault(UNEXPECTED)?;
    if !params.email.is_empty() && params.email != user.email {
        let isolated = state.config.isolated_providers();
        let other = users::by_taken_email(db, &params.email, audience, Some(user.id), &isolated).await;
        if other.or_fault("Database error checking email")?.is_some() {
            return Err(AuthError::EmailExists);
        }
    }
    if !params.phone.is_empty() && params.phone != user.phone {
        let other = users::by_phone(db, &params.phone, audience).await;
        if other.or_fault("Database error checking phone")?.is_some() {
            return Err(AuthError::PhoneExists);
        }
    }
    Ok(())
}

/// Checks the requirements of a password change, and hashes the new password.
async fn new_password(
    state: &State,
    params: &UserUpdateParams,
    user: &User,
    session: Option<&Session>,
    client: Client,
    now: DateTime<Utc>,
) -> Result<NewPassword, AuthError> {
    let Some(password) = params.password.as_deref() else { return Ok(NewPassword::Keep) };
    let (security, turn) = (&state.config.security, Turn::of_user(user.id));
    let recent = session.is_some_and(|session| now <= session.created_at + RECENT);
    if security.update_password_require_reauthentication && !recent {
        if params.nonce.is_empty() {
            return Err(AuthError::ReauthenticationNeeded);
        }
        one_time_tokens::check_reauthentication(state, user, &params.nonce, client, now).await?;
    }
    if password.is_empty() {
        return Ok(NewPassword::Remove);
    }
    if let Some(stored) = passwords::open(state, user)? {
        let hash = stored.value.reveal().as_str();
        // A user who signed in by a mailed code may have forgotten the password.
        if security.update_password_require_current_password && !session.is_some_and(Session::is_recovery) {
            let given = params.current_password.as_deref().unwrap_or_default();
            if given.is_empty() {
                return Err(AuthError::CurrentPasswordRequired);
            }
            if !state.hasher.verify(given, Some(hash), turn).await? {
                return Err(AuthError::CurrentPasswordWrong);
            }
        }
        if state.hasher.verify(password, Some(hash), turn).await? {
            return Err(AuthError::SamePassword);
        }
    }
    Ok(NewPassword::Set(passwords::seal(state, user.id, &state.hasher.hash(password, turn).await?)))
}

/// Writes all changes; returns what to send after the commit.
async fn apply(
    state: &State,
    db: &Transaction<'_>,
    change: Change,
    mut user: User,
    session: Option<&Session>,
) -> Result<(User, Vec<Dispatch>), AuthError> {
    const FAILED: &str = "Error updating user";
    let Change { params, password, redirect_to, now } = change;
    let mut dispatches = Vec::new();
    let hash = match &password {
        NewPassword::Keep => None,
        NewPassword::Remove => Some(None),
        NewPassword::Set(hash) => Some(Some(hash.as_str())),
    };
    if let Some(hash) = hash {
        set_password(state, db, &mut user, session, hash, now).await?;
        let to = user.email.as_str();
        dispatches.push(notifications::about(state, [(EmailKind::PasswordChanged, to)], &user, |mail| mail));
    }
    if params.data.is_some() || params.app_metadata.is_some() {
        merge(&mut user.user_metadata, params.data.unwrap_or_default());
        merge(&mut user.app_metadata, params.app_metadata.unwrap_or_default());
        user.updated_at = now;
        users::set_metadata(db, &user).await.or_fault(FAILED)?;
    }
    if !params.email.is_empty() && params.email != user.email {
        let challenge = match params.code_challenge.as_str() {
            "" => None,
            text => Challenge::read(text, &params.code_challenge_method)?,
        };
        let back = Return { challenge: challenge.as_ref(), redirect_to: &redirect_to };
        dispatches.push(address_change::request_email(state, db, &mut user, &params.email, back, now).await?);
    }
    if !params.phone.is_empty() && params.phone != user.phone {
        let channel = check_channel(state, &params.channel)?;
        dispatches.push(address_change::request_phone(state, db, &mut user, &params.phone, channel, now).await?);
    }
    audit::record(state, db, &user, Action::UserModified, Value::Null).await?;
    Ok((user, dispatches))
}

/// Stores a password, revokes every pending code, and ends all other sessions, which may be an attacker's.
async fn set_password(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    session: Option<&Session>,
    hash: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    const FAILED: &str = "Error during password storage";
    // Delete sessions before the user, in the same order as a refresh, to prevent a deadlock.
    match session {
        Some(session) => sessions::delete_others(db, user.id, session.id).await,
        None => sessions::delete_of_user(db, user.id).await,
    }
    .or_fault(FAILED)?;
    users::set_password(db, user.id, hash, now).await.or_fault(FAILED)?;
    crate::store::one_time_tokens::clear_all(db, user.id).await.or_fault(FAILED)?;
    user.confirmation_sent_at = None;
    user.recovery_sent_at = None;
    user.email_change_sent_at = None;
    user.phone_change_sent_at = None;
    user.reauthentication_sent_at = None;
    user.updated_at = now;
    audit::record(state, db, user, Action::UserUpdatedPassword, Value::Null).await
}
