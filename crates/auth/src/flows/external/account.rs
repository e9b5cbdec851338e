//! Maps a provider's profile to an account: finds it, links to it or creates it.
//!
//! Source: supabase/auth, `internal/api/external.go` and `identity.go`.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::{Query, Transaction};
use serde_json::json;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::audit::{self, Action};
use crate::flows::external::linking::{self, Candidate, Decision};
use crate::flows::external::unlinking::{self, Promotion};
use crate::flows::new_user;
use crate::flows::one_time_tokens::{self, Dispatch, Return};
use crate::flows::{hooks, notifications};
use crate::model::account::app_metadata;
use crate::model::account::{Identity, Metadata, User, merge};
use crate::model::address::Address;
use crate::model::email_kind::EmailKind;
use crate::model::requester::Requester;
use crate::outside::providers::Profile;
use crate::state::State;
use crate::store::one_time_tokens::Kind;
use crate::store::{identities, one_time_tokens as tokens, users};

const FAILED: &str = "Error updating user";

/// The outcome of a provider sign-in.
pub(crate) enum Outcome {
    /// The user may sign in.
    SignedIn(Box<SignedIn>),
    /// The user may not sign in, but the changes stay: the caller commits them and sends the mails.
    Refused(AuthError, Dispatch),
}

/// A user who may sign in.
pub(crate) struct SignedIn {
    pub(crate) user: User,
    /// True if the account was just created.
    pub(crate) is_new: bool,
    pub(crate) dispatch: Dispatch,
}

/// A verified sign-in at `provider`.
#[derive(Clone, Copy)]
pub(crate) struct Attempt<'a> {
    pub(crate) profile: &'a Profile,
    /// The provider's name in `auth.identities`.
    pub(crate) provider: &'a str,
    /// True if a profile without an e-mail address is accepted.
    pub(crate) email_optional: bool,
    /// Where links in mails finally redirect to.
    pub(crate) redirect_to: &'a str,
    /// The id for a new user.
    pub(crate) id: Uuid,
    pub(crate) now: DateTime<Utc>,
}

/// How the account was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The identity is known.
    Known,
    /// The account existed without this identity.
    Linked,
    New,
}

/// Calls the hook before-user-created if the sign-in would create a user. The caller must hold no connection.
///
/// # Errors
/// The hook's refusal, [`AuthError::SignupDisabled`], and those of [`linking::decide`].
pub(crate) async fn before_user_created(
    state: &State,
    attempt: Attempt<'_>,
    requester: &Requester,
) -> Result<(), AuthError> {
    if state.config.hooks.before_user_created.is_none() {
        return Ok(());
    }
    let Attempt { profile, provider, .. } = attempt;
    let aud = requester.audience(&state.config);
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let decision = linking::decide(state, &db, profile, provider, aud).await?;
    drop(db);
    let Decision::Create { email, is_default } = decision else { return Ok(()) };
    if state.config.disable_signup {
        return Err(AuthError::SignupDisabled);
    }
    let mut newcomer = new_user::newcomer(attempt.id, Some(&Address::Email(email)), aud, &profile.identity_data());
    newcomer.app_metadata = app_metadata(provider);
    newcomer.is_sso_user = !is_default;
    hooks::before_user_created(state, requester, &newcomer).await
}

/// Finds or creates the account of an identity.
///
/// # Errors
/// [`AuthError::SignupDisabled`], [`AuthError::Banned`], those of [`linking::decide`] and of requesting a confirmation.
pub(crate) async fn sign_in(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    requester: &Requester,
) -> Result<Outcome, AuthError> {
    let Attempt { profile, provider, now, .. } = attempt;
    let aud = requester.audience(&state.config);
    let mut candidate = Candidate::of(profile);
    let data = profile.identity_data();
    let decision = linking::decide(state, db, profile, provider, aud).await?;
    let (mut user, identity, origin) = match decision {
        Decision::Known { identity, user } => {
            let mut user = load(db, user).await?;
            identities::set_data(db, identity, &data, now).await.or_fault(UNEXPECTED)?;
            describe(db, &mut user, &data, now).await?;
            candidate.email.clone_from(&user.email);
            (user, identity, Origin::Known)
        }
        Decision::Link(user) => {
            let mut user = load(db, user).await?;
            let identity = add_identity(db, &user, provider, &data, now).await?;
            describe(db, &mut user, &data, now).await?;
            record_linking(state, db, &user, &identity).await?;
            (user, identity.identity_id, Origin::Linked)
        }
        Decision::Create { email, is_default } => {
            if state.config.disable_signup {
                return Err(AuthError::SignupDisabled);
            }
            candidate.email = email;
            let user = create(state, db, attempt, aud, (&candidate.email, is_default), &data).await?;
            let identity = add_identity(db, &user, provider, &data, now).await?;
            (user, identity.identity_id, Origin::New)
        }
    };
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    let has_email = !(attempt.email_optional && candidate.email.is_empty());
    if !has_email || user.email_confirmed_at.is_some() {
        audit::record(state, db, &user, Action::Login, json!({ "provider": provider })).await?;
        return signed_in(db, user.id, origin, nothing()).await;
    }
    remove_unconfirmed(db, &mut user, identity, &data, origin, now).await?;
    let autoconfirmed = origin == Origin::New && state.config.mailer.autoconfirm;
    if candidate.verified || autoconfirmed {
        audit::record(state, db, &user, Action::UserSignedUp, json!({ "provider": provider })).await?;
        confirm(db, &mut user, now).await?;
        return signed_in(db, user.id, origin, nothing()).await;
    }
    ask_to_confirm(state, db, attempt, (user, origin), &candidate).await
}

/// Handles an address that nobody has verified: sends a confirmation mail and refuses the sign-in, unless the settings
/// allow unverified sign-ins.
async fn ask_to_confirm(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    (mut user, origin): (User, Origin),
    candidate: &Candidate,
) -> Result<Outcome, AuthError> {
    let provider = attempt.provider.to_owned();
    let mut dispatch = nothing();
    let mut refusal = ExternalError::NeedsVerificationThere(provider.clone());
    if !candidate.email.is_empty() {
        let back = Return { challenge: None, redirect_to: attempt.redirect_to };
        dispatch = one_time_tokens::request_confirmation(state, db, &mut user, back, attempt.now).await?;
        refusal = ExternalError::NeedsVerification(provider);
    }
    if state.config.mailer.allow_unverified_email_sign_ins {
        return signed_in(db, user.id, origin, dispatch).await;
    }
    Ok(Outcome::Refused(AuthError::External(refusal), dispatch))
}

/// Accepts an invitation by a sign-in with a provider that has the invited address.
///
/// DEVIATION (safer): at a provider sign-in by invitation, the provider must have verified the invited address; GoTrue
/// accepts any address in the profile and confirms it.
///
/// # Errors
/// [`ExternalError::InviteNotFound`], [`ExternalError::InvitedEmail`].
pub(crate) async fn accept_invitation(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    invite_token: &str,
) -> Result<Outcome, AuthError> {
    let Attempt { profile, provider, now, .. } = attempt;
    if !state.codes.is_keyed(invite_token) {
        return Err(AuthError::External(ExternalError::InviteNotFound));
    }
    let found = users::by_one_time_token(db, &[invite_token.to_owned()], &[Kind::Confirmation]).await;
    let found = found.or_fault("Database error finding user")?;
    let mut user = found.ok_or(AuthError::External(ExternalError::InviteNotFound))?;
    let vouched =
        |email: &crate::outside::providers::Email| email.verified && email.address.eq_ignore_ascii_case(&user.email);
    if !profile.emails.iter().any(vouched) {
        return Err(AuthError::External(ExternalError::InvitedEmail));
    }
    let data = profile.identity_data();
    let identity = add_identity(db, &user, provider, &data, now).await?;
    describe(db, &mut user, &data, now).await?;
    audit::record(state, db, &user, Action::InviteAccepted, json!({ "provider": provider })).await?;
    remove_unconfirmed(db, &mut user, identity.identity_id, &data, Origin::Linked, now).await?;
    confirm(db, &mut user, now).await?;
    signed_in(db, user.id, Origin::Linked, nothing()).await
}

/// Links an identity to a signed-in user.
///
/// # Errors
/// [`ExternalError::AlreadyLinked`], [`ExternalError::LinkedToAnother`], [`ExternalError::LinkedEmailExists`].
pub(crate) async fn link_to(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    target: Uuid,
) -> Result<Outcome, AuthError> {
    let Attempt { profile, provider, now, .. } = attempt;
    let owner = identities::owner(db, provider, profile.claims.subject()).await;
    match owner.or_fault("Database error finding identity for linking")? {
        Some((_, owner)) if owner == target => return Err(AuthError::External(ExternalError::AlreadyLinked)),
        Some(_) => return Err(AuthError::External(ExternalError::LinkedToAnother)),
        None => {}
    }
    let user = load(db, target).await?;
    let identity = add_identity(db, &user, provider, &profile.identity_data(), now).await?;
    record_linking(state, db, &user, &identity).await?;
    let mut user = load(db, target).await?;
    if user.email.is_empty() {
        match unlinking::promote_email(state, db, &mut user, now).await? {
            Promotion::Done => {}
            Promotion::Conflict => return Err(AuthError::External(ExternalError::LinkedEmailExists)),
        }
        if !profile.claims.flag("email_verified") {
            let back = Return { challenge: None, redirect_to: attempt.redirect_to };
            let dispatch = one_time_tokens::request_confirmation(state, db, &mut user, back, now).await?;
            let refusal = ExternalError::LinkedUnverified(provider.to_owned());
            return Ok(Outcome::Refused(AuthError::External(refusal), dispatch));
        }
        confirm(db, &mut user, now).await?;
        if user.is_anonymous {
            users::name(db, user.id, now).await.or_fault(FAILED)?;
        }
    }
    settle_providers(db, &mut user, now).await?;
    let notices = [(EmailKind::IdentityLinked, user.email.as_str())];
    let dispatch = notifications::about(state, notices, &user, |mail| mail.with("Provider", provider));
    signed_in(db, user.id, Origin::Linked, dispatch).await
}

async fn create(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    aud: &str,
    (email, is_default): (&str, bool),
    data: &Metadata,
) -> Result<User, AuthError> {
    let Attempt { provider, id, now, .. } = attempt;
    let new = users::Newcomer {
        id,
        aud,
        role: state.config.jwt.default_group_name.trim(),
        email,
        app_metadata: &app_metadata(provider),
        user_metadata: data,
        is_sso_user: !is_default,
    };
    users::insert_external(db, new, now)
        .await
        .on_constraint("users_email_partial_key", || AuthError::SignupConflict)?
        .or_fault("Database error saving new user")?;
    // Read the row back: triggers of the project may have changed it.
    let loaded = users::by_id(db, id).await.or_fault(RELOAD)?;
    loaded.ok_or_else(|| AuthError::internal(RELOAD, "the row is gone"))
}

const RELOAD: &str = "Database error loading user after sign-up";

async fn add_identity(
    db: &impl Query,
    user: &User,
    provider: &str,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<Identity, AuthError> {
    let text = |name: &str| data.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let identity = Identity {
        identity_id: Uuid::new_v4(),
        provider_id: text("sub"),
        user_id: user.id,
        identity_data: data.clone(),
        provider: provider.to_owned(),
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
        email: Some(text("email")).filter(|email| !email.is_empty()),
    };
    identities::insert(db, &identity)
        .await
        .on_constraint("identities_provider_id_provider_unique", || {
            AuthError::External(ExternalError::LinkedToAnother)
        })?
        .or_fault("Error creating identity")?;
    Ok(identity)
}

/// Merges the provider's data into the user's metadata and updates the list of providers.
async fn describe(db: &Transaction<'_>, user: &mut User, data: &Metadata, now: DateTime<Utc>) -> Result<(), AuthError> {
    merge(&mut user.user_metadata, data.clone());
    settle_providers(db, user, now).await
}

/// Records the providers of the user's identities in `app_metadata`, and writes both kinds of metadata.
pub(super) async fn settle_providers(db: &impl Query, user: &mut User, now: DateTime<Utc>) -> Result<(), AuthError> {
    let loaded = load(db, user.id).await?;
    user.identities = loaded.identities;
    let providers = json!(user.providers());
    if let Some(first) = providers.get(0) {
        user.app_metadata.insert("provider".to_owned(), first.clone());
    }
    user.app_metadata.insert("providers".to_owned(), providers);
    user.updated_at = now;
    users::set_metadata(db, user).await.or_fault(FAILED)
}

/// Removes everything that an unconfirmed account has collected. Nobody has proved its address so far, so an attacker
/// may have prepared the account for the address's owner (account pre-hijacking). Removes password, other identities
/// and metadata; if there was any of these, also sessions, factors and passkeys.
///
/// DEVIATION (safer): sessions, second factors and passkeys of an unconfirmed account end when it is claimed; GoTrue
/// keeps them.
async fn remove_unconfirmed(
    db: &Transaction<'_>,
    user: &mut User,
    identity: Uuid,
    data: &Metadata,
    origin: Origin,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let others = user.identities.iter().any(|other| other.identity_id != identity);
    if origin == Origin::Linked || others || user.password_hash().is_some() {
        users::evict(db, user.id, now).await.or_fault(FAILED)?;
    }
    identities::delete_others(db, user.id, identity).await.or_fault(FAILED)?;
    user.encrypted_password = None;
    user.user_metadata = data.clone();
    settle_providers(db, user, now).await
}

async fn confirm(db: &Transaction<'_>, user: &mut User, now: DateTime<Utc>) -> Result<(), AuthError> {
    user.email_confirmed_at = Some(now);
    user.updated_at = now;
    user.user_metadata.insert("email_verified".to_owned(), json!(true));
    users::confirm_email(db, user).await.or_fault(FAILED)?;
    tokens::clear(db, user.id).await.or_fault(FAILED)
}

async fn record_linking(state: &State, db: &impl Query, user: &User, identity: &Identity) -> Result<(), AuthError> {
    audit::record(state, db, user, Action::IdentityLinked, traits(identity)).await
}

/// The details of an identity for the audit log.
pub(super) fn traits(identity: &Identity) -> serde_json::Value {
    json!({
        "identity_id": identity.identity_id, "provider": identity.provider, "provider_id": identity.provider_id,
    })
}

async fn signed_in(db: &impl Query, user: Uuid, origin: Origin, dispatch: Dispatch) -> Result<Outcome, AuthError> {
    let user = load(db, user).await?;
    Ok(Outcome::SignedIn(Box::new(SignedIn { user, is_new: origin == Origin::New, dispatch })))
}

async fn load(db: &impl Query, user: Uuid) -> Result<User, AuthError> {
    let loaded = users::by_id(db, user).await.or_fault(UNEXPECTED)?;
    loaded.ok_or_else(|| AuthError::internal(UNEXPECTED, "the row is gone"))
}

fn nothing() -> Dispatch {
    Dispatch::Emails(Vec::new())
}
