//! Users with an e-mail address or a phone number.

use serde_json::json;
use uuid::Uuid;

use super::{Outcome, SignupParams};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::signup::{self, Applicant, Enrolled};
use crate::flows::{passwords, sessions};
use crate::model::account::app_metadata;
use crate::model::account::{Metadata, User};
use crate::model::address::Address;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::standing::Standing;
use crate::model::trace::Trace;
use crate::model::{addresses, timestamp};
use crate::outside::sms::Channel;
use crate::outside::turns::Turn;
use crate::state::State;

pub(super) async fn sign_up(
    state: &State,
    params: SignupParams,
    requester: &Requester,
    trace: &Trace,
) -> Result<Outcome, AuthError> {
    if state.config.disable_signup {
        return Err(AuthError::SignupDisabled);
    }
    let (address, channel, challenge) = check(state, &params).await?;
    // Hash the password even if the address is taken, so that the response time does not reveal it.
    let account = passwords::account(&address, requester.audience(&state.config));
    let turn = Turn { client: requester.client, account, known: false };
    let applicant = Applicant {
        id: Uuid::new_v4(),
        address,
        password_hash: state.hasher.hash(&params.password, turn).await?,
        audience: requester.audience(&state.config).to_owned(),
        data: params.metadata(),
        channel,
        challenge,
        redirect_to: requester.redirect_to(&state.config),
    };
    signup::introduce(state, &applicant, requester).await?;
    match attempt(state, &applicant, requester, trace).await {
        // The concurrent sign-up has finished, so this attempt finds its user.
        Err(AuthError::SignupConflict) => attempt(state, &applicant, requester, trace).await,
        outcome => outcome,
    }
}

/// Signs up, unless the address is taken.
///
/// DEVIATION (safer): a sign-up with the unconfirmed e-mail address of a user whose phone number is confirmed, or the
/// other way round, needs the code; GoTrue signs the caller in to that user's account.
///
/// DEVIATION (words): of two concurrent sign-ups with one address, the slower one is answered as if it had come later;
/// GoTrue answers 500.
async fn attempt(
    state: &State,
    applicant: &Applicant,
    requester: &Requester,
    trace: &Trace,
) -> Result<Outcome, AuthError> {
    const FAILED: &str = "Database error saving new user";
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let existing = signup::find(state, &db, applicant).await?;
    match signup::enrol(state, &db, existing, applicant, now).await {
        Ok(Enrolled::Confirmed(user)) => {
            let traits = json!({ "provider": applicant.address.provider() });
            audit::record(state, &db, &user, Action::Login, traits).await?;
            let issued = sessions::issue(state, &db, user, AuthenticationMethod::Password, requester, trace).await?;
            // If the hook refuses the token, the user is not created.
            let body = issued.complete_in(state, &db, requester).await?;
            db.commit().await.or_fault(FAILED)?;
            Ok(Outcome::SignedIn(Box::new(body)))
        }
        Ok(Enrolled::Waiting(user, standing, dispatch)) => {
            let ready = signup::hand_over(state, &db, standing, dispatch, requester).await?;
            db.commit().await.or_fault(FAILED)?;
            drop(connection);
            let user = shown(user, standing, applicant);
            signup::send(state, (&user, standing), ready, applicant, requester, now).await?;
            Ok(Outcome::Unconfirmed(Box::new(user.into())))
        }
        Err(AuthError::UserAlreadyExists) => {
            db.commit().await.or_fault(FAILED)?;
            Err(AuthError::UserAlreadyExists)
        }
        Err(error) => Err(error),
    }
}

/// The user in the answer. It does not reveal that an address is taken.
fn shown(mut user: User, standing: Standing, applicant: &Applicant) -> User {
    if user.invited_at.is_some() {
        user.user_metadata = Metadata::new();
        user.identities.clear();
    }
    if standing == Standing::Unknown {
        user.role = String::new();
        user.identities.clear();
        user.user_metadata.clone_from(&applicant.data);
        user.app_metadata = app_metadata(applicant.address.provider());
    }
    user
}

/// Checks the parameters, in GoTrue's order.
async fn check(state: &State, params: &SignupParams) -> Result<(Address, Channel, Option<Challenge>), AuthError> {
    let is_email = !params.email.is_empty();
    if params.password.is_empty() {
        return Err(AuthError::PasswordRequired);
    }
    passwords::check(state, &params.password).await?;
    if is_email && !params.phone.is_empty() {
        return Err(AuthError::SignupEmailOrPhone);
    }
    let mut channel = Channel::Sms;
    if !is_email {
        channel = check_channel(state, &params.channel)?;
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
    Ok((address, channel, challenge))
}

/// Reads the channel of a message; `sms` by default. With a send-SMS hook any channel is accepted.
pub(crate) fn check_channel(state: &State, channel: &str) -> Result<Channel, AuthError> {
    if state.config.hooks.send_sms.is_some() {
        return Ok(Channel::named(channel).unwrap_or(Channel::Sms));
    }
    let has_whatsapp = matches!(state.config.sms.provider_name.as_str(), "twilio" | "twilio_verify");
    match Channel::named(channel) {
        Some(Channel::Whatsapp) if !has_whatsapp => Err(AuthError::ChannelInvalid),
        Some(channel) => Ok(channel),
        None => Err(AuthError::ChannelInvalid),
    }
}
