//! Sign-up with an address that is new, known but never confirmed, or taken.
//!
//! Source: supabase/auth, `internal/api/signup.go`.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, HookError};
use crate::flows::audit::{self, Action};
use crate::flows::enumeration;
use crate::flows::hooks;
use crate::flows::limits::{self, Subject};
use crate::flows::new_user::{self, IdentityWas};
use crate::flows::one_time_tokens::{self, Dispatch, Occasion, Ready, Return};
use crate::model::account::{Metadata, User};
use crate::model::address::Address;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::standing::Standing;
use crate::outside::sms::Channel;
use crate::state::State;
use crate::store::flow_state;
use crate::store::one_time_tokens::Kind;
use crate::store::users::{self, Existence};

/// A sign-up with checked parameters.
pub(crate) struct Applicant {
    /// The id for the new user, already passed to hooks.
    pub(crate) id: Uuid,
    pub(crate) address: Address,
    /// Empty for a sign-up by code.
    pub(crate) password_hash: String,
    pub(crate) audience: String,
    pub(crate) data: Metadata,
    pub(crate) channel: Channel,
    pub(crate) challenge: Option<Challenge>,
    pub(crate) redirect_to: String,
}

/// The outcome of a sign-up.
pub(crate) enum Enrolled {
    /// The address counts as confirmed.
    Confirmed(User),
    /// The user must enter a code, which is sent after the commit.
    Waiting(User, Standing, Dispatch),
}

/// The user who has the address.
///
/// # Errors
/// If the database fails.
pub(crate) async fn find(
    state: &State,
    db: &Transaction<'_>,
    applicant: &Applicant,
) -> Result<Option<User>, AuthError> {
    let audience = applicant.audience.as_str();
    match &applicant.address {
        Address::Email(email) => {
            users::by_taken_email(db, email, audience, None, &state.config.isolated_providers()).await
        }
        Address::Phone(phone) => users::by_phone(db, phone, audience).await,
    }
    .or_fault("Database error finding user")
}

/// Signs up a new user, or one who has never confirmed the address. A taken address takes the same steps, but only an
/// entry in the audit log is written.
///
/// DEVIATION (safer): autoconfirm confirms new accounts only. A sign-up with the address of an existing account that
/// was never confirmed, because it was invited or dates from before autoconfirm, needs a code by mail or message;
/// GoTrue confirms that account and signs the caller in to it.
///
/// DEVIATION (safer): only the autoconfirm of the address's own kind counts; if only phone numbers are confirmed
/// automatically, GoTrue still reveals which e-mail addresses have accounts.
///
/// # Errors
/// [`AuthError::UserAlreadyExists`] if the address is taken and autoconfirm is on; the caller must commit.
/// [`AuthError::SignupConflict`], and those of requesting a code.
pub(crate) async fn enrol(
    state: &State,
    db: &Transaction<'_>,
    existing: Option<User>,
    applicant: &Applicant,
    now: DateTime<Utc>,
) -> Result<Enrolled, AuthError> {
    let Applicant { address, password_hash, audience, data, .. } = applicant;
    let traits = json!({ "provider": address.provider() });
    let autoconfirmed = existing.is_none() && autoconfirm(state, address);
    let taken = existing.as_ref().filter(|user| address.is_confirmed(user)).cloned();
    if let Some(user) = taken.as_ref().filter(|_| autoconfirm(state, address)) {
        audit::record(state, db, user, Action::UserRepeatedSignUp, traits).await?;
        return Err(AuthError::UserAlreadyExists);
    }
    // Under autoconfirm the answer reveals accounts anyway, so a ban is reported, as in GoTrue.
    if existing.as_ref().is_some_and(|user| user.is_banned(now)) && taken.is_none() && autoconfirm(state, address) {
        return Err(AuthError::Banned);
    }
    let (mut user, standing) = match existing {
        Some(_) if taken.is_some() => {
            let placeholder = state.unknown_addresses.user(address, audience, data.clone(), now);
            new_user::insert(state, db, Some(address), password_hash, placeholder, Existence::Pretended, now).await?
        }
        // The caller has proved nothing: the row stays as it is, including its password.
        Some(user) => {
            pretend(state, db, &user, applicant, now).await?;
            (user, Standing::User)
        }
        None => {
            let new = User { id: applicant.id, aud: audience.clone(), user_metadata: data.clone(), ..User::default() };
            new_user::insert(state, db, Some(address), password_hash, new, Existence::Real, now).await?
        }
    };
    let identity_was = new_user::ensure_identity(db, &mut user, address, data, now).await?;
    if autoconfirmed {
        audit::record(state, db, &user, Action::UserSignedUp, signed_up(address, applicant.channel)).await?;
        new_user::confirm(db, &mut user, address, now).await?;
        mirror_metadata(&mut user, identity_was);
        return Ok(Enrolled::Confirmed(user));
    }
    match &taken {
        Some(owner) => audit::record(state, db, owner, Action::UserRepeatedSignUp, traits).await?,
        None => audit::record(state, db, &user, Action::UserConfirmationRequested, traits).await?,
    }
    let dispatch = request_code(state, db, &mut user, applicant, now).await?;
    mirror_metadata(&mut user, identity_was);
    Ok(Enrolled::Waiting(user, standing, dispatch))
}

/// Runs the statements of a new sign-up for a known address, without affecting any row, so that the response time does
/// not reveal who has an account. Skipped under autoconfirm, where the answer reveals it anyway.
///
/// # Errors
/// If the database fails.
pub(crate) async fn pretend(
    state: &State,
    db: &Transaction<'_>,
    known: &User,
    applicant: &Applicant,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let Applicant { address, password_hash, audience, data, .. } = applicant;
    if autoconfirm(state, address) {
        return Ok(());
    }
    let placeholder = state.unknown_addresses.user(address, audience, data.clone(), now);
    let pretended =
        new_user::insert(state, db, Some(address), password_hash, placeholder, Existence::Pretended, now).await?;
    // A user without an identity of this address really gets one.
    if known.identities.iter().any(|identity| identity.provider == address.provider()) {
        new_user::ensure_identity(db, &mut { pretended.0 }, address, data, now).await?;
    }
    Ok(())
}

/// Calls the hook before-user-created if the sign-up would create a user. The caller must hold no connection.
///
/// # Errors
/// The hook's refusal.
pub(crate) async fn introduce(state: &State, applicant: &Applicant, requester: &Requester) -> Result<(), AuthError> {
    if state.config.hooks.before_user_created.is_none() {
        return Ok(());
    }
    {
        let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
        let db = connection.transaction().await.or_fault(UNEXPECTED)?;
        if find(state, &db, applicant).await?.is_some() {
            return Ok(());
        }
    }
    let newcomer = new_user::newcomer(applicant.id, Some(&applicant.address), &applicant.audience, &applicant.data);
    hooks::before_user_created(state, requester, &newcomer).await
}

/// Calls the hook that sends the code, before the commit. Sends nothing to an unknown address.
///
/// # Errors
/// Those of [`Dispatch::hand_over`].
pub(crate) async fn hand_over(
    state: &State,
    db: &Transaction<'_>,
    standing: Standing,
    dispatch: Dispatch,
    requester: &Requester,
) -> Result<Ready, AuthError> {
    match standing {
        Standing::User => dispatch.hand_over(state, db, requester).await,
        Standing::Unknown => dispatch.held_back(state),
    }
}

/// Sends the code and calls the hook after-user-created, after the commit. The caller must hold no connection.
///
/// # Errors
/// Those of [`Ready::send`], and a fault if the hook refuses; the user stays.
pub(crate) async fn send(
    state: &State,
    (user, standing): (&User, Standing),
    ready: Ready,
    applicant: &Applicant,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<Option<&'static str>, AuthError> {
    if standing == Standing::Unknown {
        limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
        return Ok(enumeration::remember(state, (Kind::Confirmation, &applicant.address), ready, now));
    }
    let message = ready.send(state).await?;
    limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
    let called = hooks::after_user_created(state, requester, user).await;
    called.map_err(|_| AuthError::Hook(HookError::Failed("Error invoking hook".to_owned())))?;
    Ok(message)
}

async fn request_code(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    applicant: &Applicant,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    let Applicant { address, challenge, channel, redirect_to, .. } = applicant;
    if let Address::Phone(phone) = address {
        let asked =
            one_time_tokens::request_phone_code(state, db, user, phone, Occasion::Confirmation, *channel, now).await?;
        return Ok(Dispatch::Message(asked));
    }
    if let Some(challenge) = challenge {
        flow_state::insert(db, user.id, address.provider(), "email/signup", challenge, now)
            .await
            .or_fault(UNEXPECTED)?;
    }
    let back = Return { challenge: challenge.as_ref(), redirect_to };
    one_time_tokens::request_confirmation(state, db, user, back, now).await
}

/// True if addresses of this kind are confirmed automatically.
fn autoconfirm(state: &State, address: &Address) -> bool {
    match address {
        Address::Email(_) => state.config.mailer.autoconfirm,
        Address::Phone(_) => state.config.sms.autoconfirm,
    }
}

/// The details of a sign-up in the audit log.
fn signed_up(address: &Address, channel: Channel) -> Value {
    match address {
        Address::Email(_) => json!({ "provider": "email" }),
        Address::Phone(_) => json!({ "provider": "phone", "channel": channel.as_str() }),
    }
}

/// In the answer to a sign-up, GoTrue's user and new identity share one map of metadata.
fn mirror_metadata(user: &mut User, identity_was: IdentityWas) {
    if let ([identity], IdentityWas::New) = (user.identities.as_mut_slice(), identity_was) {
        identity.identity_data.clone_from(&user.user_metadata);
    }
}
