//! A user with an e-mail address or a phone number.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Outcome, SignupParams};
use crate::State;
use crate::account::{Metadata, User, UserBody};
use crate::address_change;
use crate::addresses;
use crate::audit::{self, Action};
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::one_time_tokens;
use crate::passwords;
use crate::pkce::Challenge;
use crate::requester::Requester;
use crate::sessions::{self, AuthenticationMethod};
use crate::signup::{self, Address, IdentityWas};
use crate::store::{flow_state, users};
use crate::timestamp;
use crate::wire::Trace;

/// A sign-up whose parameters are in order.
struct Applicant {
    address: Address,
    password_hash: String,
    audience: String,
    data: Metadata,
    channel: String,
    challenge: Option<Challenge>,
}

pub(super) async fn sign_up(
    state: &State,
    params: SignupParams,
    requester: &Requester,
    trace: &Trace,
) -> Result<Outcome, AuthError> {
    if state.config.disable_signup {
        return Err(AuthError::SignupDisabled);
    }
    let (address, challenge) = check(state, &params)?;
    // The password is hashed whether or not the address is taken: the answer must not come sooner then.
    let applicant = Applicant {
        address,
        password_hash: state.hasher.hash(&params.password).await?,
        audience: requester.audience(&state.config).to_owned(),
        data: params.metadata(),
        channel: if params.channel.is_empty() { "sms".to_owned() } else { params.channel.clone() },
        challenge,
    };
    match attempt(state, &applicant, requester, trace).await {
        // By now whoever was faster is there to be found.
        Err(AuthError::SignupConflict) => attempt(state, &applicant, requester, trace).await,
        outcome => outcome,
    }
}

/// Signs up, unless the address is taken.
///
/// DEVIATION: of two sign-ups with one address at once, the slower is answered as if it had come later; GoTrue answers 500.
async fn attempt(
    state: &State,
    applicant: &Applicant,
    requester: &Requester,
    trace: &Trace,
) -> Result<Outcome, AuthError> {
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let existing = find(state, &db, applicant).await?;
    let outcome = match existing {
        Some(user) if applicant.address.is_confirmed(&user) => taken(state, &db, user, applicant, now).await,
        existing => admit(state, &db, existing, applicant, requester, trace, now).await,
    };
    // A taken address is an entry in the audit log, also where it is an error.
    if matches!(outcome, Ok(_) | Err(AuthError::UserAlreadyExists)) {
        db.commit().await.or_fault("Database error saving new user")?;
    }
    outcome
}

/// Checks what was sent, in GoTrue's order.
fn check(state: &State, params: &SignupParams) -> Result<(Address, Option<Challenge>), AuthError> {
    let is_email = !params.email.is_empty();
    if params.password.is_empty() {
        return Err(AuthError::PasswordRequired);
    }
    passwords::check(&state.config.password, &params.password)?;
    if is_email && !params.phone.is_empty() {
        return Err(AuthError::SignupEmailOrPhone);
    }
    if !is_email {
        check_channel(state, &params.channel)?;
        if !params.code_challenge.is_empty() {
            return Err(AuthError::ChallengeForPhone);
        }
    }
    let challenge = Challenge::read(&params.code_challenge, &params.code_challenge_method)?;
    let external = &state.config.external;
    let address = match is_email {
        true if !external.email_enabled => return Err(AuthError::EmailSignupDisabled),
        false if !external.phone_enabled => return Err(AuthError::PhoneSignupDisabled),
        true => Address::Email(addresses::email(&params.email)?),
        false => Address::Phone(addresses::phone(&params.phone)?),
    };
    Ok((address, challenge))
}

/// The channels of messages to phones; none named is `sms`.
pub(crate) fn check_channel(state: &State, channel: &str) -> Result<(), AuthError> {
    let has_whatsapp = matches!(state.config.sms.provider.as_str(), "twilio" | "twilio_verify");
    match channel {
        "" | "sms" => Ok(()),
        "whatsapp" if has_whatsapp => Ok(()),
        _ => Err(AuthError::ChannelInvalid),
    }
}

async fn find(state: &State, db: &Transaction<'_>, applicant: &Applicant) -> Result<Option<User>, AuthError> {
    let audience = applicant.audience.as_str();
    match &applicant.address {
        Address::Email(email) => {
            users::by_taken_email(db, email, audience, None, &state.config.isolated_providers()).await
        }
        Address::Phone(phone) => users::by_phone(db, phone, audience).await,
    }
    .or_fault("Database error finding user")
}

/// Takes the user in: new, or known and never confirmed.
async fn admit(
    state: &State,
    db: &Transaction<'_>,
    existing: Option<User>,
    applicant: &Applicant,
    requester: &Requester,
    trace: &Trace,
    now: DateTime<Utc>,
) -> Result<Outcome, AuthError> {
    let Applicant { address, password_hash, audience, data, channel, challenge } = applicant;
    let traits = json!({ "provider": address.provider() });
    let mut user = match existing {
        // Whoever asks has proved nothing: the row stays as it is, its password included.
        Some(user) => user,
        None => signup::insert(state, db, Some(address), password_hash, audience, data.clone(), now).await?,
    };
    let identity_was = signup::ensure_identity(db, &mut user, address, data, now).await?;
    if autoconfirm(state, address) {
        audit::record(state, db, &user, Action::UserSignedUp, signed_up(address, channel)).await?;
        signup::confirm(db, &mut user, address, now).await?;
        mirror_metadata(&mut user, identity_was);
        audit::record(state, db, &user, Action::Login, traits).await?;
        let body = sessions::issue(state, db, user, AuthenticationMethod::Password, requester, trace).await?;
        return Ok(Outcome::SignedIn(Box::new(body)));
    }
    audit::record(state, db, &user, Action::UserConfirmationRequested, traits).await?;
    if matches!(address, Address::Phone(_)) {
        return Err(address_change::no_sms());
    }
    if let Some(challenge) = challenge {
        flow_state::insert(db, user.id, address.provider(), "email/signup", challenge, now)
            .await
            .or_fault(UNEXPECTED)?;
    }
    one_time_tokens::request_confirmation(state, db, &mut user, challenge.as_ref(), now).await?;
    mirror_metadata(&mut user, identity_was);
    if user.invited_at.is_some() {
        user.user_metadata = Metadata::new();
        user.identities.clear();
    }
    Ok(Outcome::Unconfirmed(Box::new(user.into())))
}

/// Whether addresses of this kind count as confirmed.
fn autoconfirm(state: &State, address: &Address) -> bool {
    match address {
        Address::Email(_) => state.config.mailer.autoconfirm,
        Address::Phone(_) => state.config.sms.autoconfirm,
    }
}

/// What the audit log adds to a sign-up.
fn signed_up(address: &Address, channel: &str) -> Value {
    match address {
        Address::Email(_) => json!({ "provider": "email" }),
        Address::Phone(_) => json!({ "provider": "phone", "channel": channel }),
    }
}

/// In the answer to a sign-up, GoTrue's user and new identity share one map of metadata.
fn mirror_metadata(user: &mut User, identity_was: IdentityWas) {
    if let ([identity], IdentityWas::New) = (user.identities.as_mut_slice(), identity_was) {
        identity.identity_data.clone_from(&user.user_metadata);
    }
}

/// The address has a confirmed user: nobody is told, except under autoconfirm, where a new one would be signed in.
///
/// DEVIATION: only the autoconfirm of the address's own kind counts; GoTrue tells who has an e-mail address also when
/// phone numbers alone are confirmed automatically.
async fn taken(
    state: &State,
    db: &Transaction<'_>,
    user: User,
    applicant: &Applicant,
    now: DateTime<Utc>,
) -> Result<Outcome, AuthError> {
    let provider = applicant.address.provider();
    let traits = json!({ "provider": provider });
    audit::record(state, db, &user, Action::UserRepeatedSignUp, traits).await?;
    if autoconfirm(state, &applicant.address) {
        return Err(AuthError::UserAlreadyExists);
    }
    let is_email = matches!(applicant.address, Address::Email(_));
    let body = UserBody {
        id: Uuid::new_v4(),
        aud: applicant.audience.clone(),
        role: String::new(),
        email: if is_email { user.email.clone() } else { String::new() },
        phone: if is_email { String::new() } else { user.phone.clone() },
        email_confirmed_at: None,
        phone_confirmed_at: None,
        confirmed_at: None,
        last_sign_in_at: None,
        new_email: String::new(),
        email_change_sent_at: None,
        app_metadata: signup::app_metadata(provider),
        user_metadata: applicant.data.clone(),
        identities: Vec::new(),
        created_at: now,
        updated_at: now,
        confirmation_sent_at: Some(now),
        ..user.into()
    };
    Ok(Outcome::Unconfirmed(Box::new(body)))
}
