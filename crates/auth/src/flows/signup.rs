//! Somebody gives an address: new, known but never confirmed, or taken.
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

/// A sign-up whose parameters are in order.
pub(crate) struct Applicant {
    /// Whom the hooks are told of before they exist.
    pub(crate) id: Uuid,
    pub(crate) address: Address,
    /// Empty for who signs up by a code.
    pub(crate) password_hash: String,
    pub(crate) audience: String,
    pub(crate) data: Metadata,
    pub(crate) channel: Channel,
    pub(crate) challenge: Option<Challenge>,
    pub(crate) redirect_to: String,
}

/// What came of it.
pub(crate) enum Enrolled {
    /// The address counts as confirmed.
    Confirmed(User),
    /// It waits for a code, which is to be sent after the commit.
    Waiting(User, Standing, Dispatch),
}

/// Who has the address.
///
/// # Errors
/// When the database fails.
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

/// Takes the applicant in: new, or known and never confirmed. With a taken address they are treated like a new one, and
/// nothing is written but an entry in the audit log.
///
/// DEVIATION: autoconfirm confirms new accounts only. Whoever signs up with the address of an account that is there and was
/// never confirmed, because it was invited or dates from before autoconfirm, gets a code by mail or message; GoTrue confirms
/// that account and signs them in to it, whoever they are.
///
/// DEVIATION: only the autoconfirm of the address's own kind counts; GoTrue tells who has an e-mail address also when phone
/// numbers alone are confirmed automatically.
///
/// # Errors
/// [`AuthError::UserAlreadyExists`] under autoconfirm, where a new user would be signed in: what was done is to be
/// committed. [`AuthError::SignupConflict`], and those of asking for a code.
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
    // Under autoconfirm nothing hides who has an account, so a ban is told, as in GoTrue.
    if existing.as_ref().is_some_and(|user| user.is_banned(now)) && taken.is_none() && autoconfirm(state, address) {
        return Err(AuthError::Banned);
    }
    let (mut user, standing) = match existing {
        Some(_) if taken.is_some() => {
            let stranger = state.strangers.user(address, audience, data.clone(), now);
            new_user::insert(state, db, Some(address), password_hash, stranger, Existence::Pretended, now).await?
        }
        // Whoever asks has proved nothing: the row stays as it is, its password included.
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

/// Takes the steps for somebody known that somebody new would cost, none of which touches a row: how long an answer takes
/// does not tell who has an account. Where everybody new is confirmed at once, the answer tells it anyway.
///
/// # Errors
/// When the database fails.
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
    let stranger = state.strangers.user(address, audience, data.clone(), now);
    let pretended =
        new_user::insert(state, db, Some(address), password_hash, stranger, Existence::Pretended, now).await?;
    // Who has no identity of the address will really get one.
    if known.identities.iter().any(|identity| identity.provider == address.provider()) {
        new_user::ensure_identity(db, &mut { pretended.0 }, address, data, now).await?;
    }
    Ok(())
}

/// Asks the project whether somebody new may come, where it wants to be asked. The caller must hold no connection.
///
/// # Errors
/// What the hook says against it.
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

/// Hands over what the project sends itself: before the commit. To a stranger nothing is sent.
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
        Standing::Stranger => dispatch.held_back(state),
    }
}

/// Sends the code for which an applicant waits, and tells the project of them: after the commit. The caller must hold no
/// connection.
///
/// # Errors
/// Those of [`Ready::send`], and a fault where the hook says anything against it; the user stays.
pub(crate) async fn send(
    state: &State,
    (user, standing): (&User, Standing),
    ready: Ready,
    applicant: &Applicant,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<Option<&'static str>, AuthError> {
    if standing == Standing::Stranger {
        limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
        return Ok(enumeration::remember(state, (Kind::Confirmation, &applicant.address), ready, now));
    }
    let message = ready.send(state).await?;
    limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
    let told = hooks::after_user_created(state, requester, user).await;
    told.map_err(|_| AuthError::Hook(HookError::Failed("Error invoking hook".to_owned())))?;
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

/// Whether addresses of this kind count as confirmed.
fn autoconfirm(state: &State, address: &Address) -> bool {
    match address {
        Address::Email(_) => state.config.mailer.autoconfirm,
        Address::Phone(_) => state.config.sms.autoconfirm,
    }
}

/// What the audit log adds to a sign-up.
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
