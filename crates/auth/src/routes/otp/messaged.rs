//! Codes sent to a phone.

use serde_json::json;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::limits::{self, Subject};
use crate::flows::one_time_tokens::{self, Dispatch, Occasion};
use crate::flows::signup::{self, Applicant, Enrolled};
use crate::model::account::Metadata;
use crate::model::address::Address;
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::routes::signup::check_channel;
use crate::state::State;
use crate::store::users;

/// Sends a code to a known user, or signs up a new one.
pub(super) async fn send(
    state: &State,
    phone: &str,
    channel: &str,
    data: Metadata,
    requester: &Requester,
) -> Result<Option<&'static str>, AuthError> {
    if !state.config.external.phone_enabled {
        return Err(AuthError::OtpPhoneDisabled);
    }
    let phone = addresses::phone(phone)?;
    let channel = check_channel(state, channel)?;
    let audience = requester.audience(&state.config).to_owned();
    let now = timestamp::now(&state.clock);
    let found = {
        let connection = state.pool.get().await.or_fault(UNEXPECTED)?;
        users::by_phone(&connection, &phone, &audience).await.or_fault("Database error finding user")?
    };
    let applicant = Applicant {
        id: Uuid::new_v4(),
        address: Address::Phone(phone.clone()),
        password_hash: String::new(),
        audience,
        data,
        channel,
        challenge: None,
        redirect_to: String::new(),
    };
    let is_known = found.as_ref().is_some_and(|user| user.phone_confirmed_at.is_some());
    if !is_known && state.config.disable_signup {
        return Err(AuthError::SignupDisabled);
    }
    if found.is_none() {
        signup::introduce(state, &applicant, requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let mut user = match found {
        Some(user) if is_known => {
            signup::pretend(state, &db, &user, &applicant, now).await?;
            user
        }
        found => match signup::enrol(state, &db, found, &applicant, now).await? {
            Enrolled::Confirmed(user) => user,
            Enrolled::Waiting(user, standing, dispatch) => {
                let ready = signup::hand_over(state, &db, standing, dispatch, requester).await?;
                db.commit().await.or_fault(UNEXPECTED)?;
                drop(connection);
                signup::send(state, (&user, standing), ready, &applicant, requester, now).await?;
                return Ok(None);
            }
        },
    };
    let traits = json!({ "channel": channel.as_str() });
    audit::record(state, &db, &user, Action::UserRecoveryRequested, traits).await?;
    let occasion = Occasion::Confirmation;
    let due = one_time_tokens::request_phone_code(state, &db, &mut user, &phone, occasion, channel, now).await?;
    let ready = Dispatch::Message(due).hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let message = ready.send(state).await?;
    limits::code_requested(state, &Subject::of(&state.config, &applicant.address), requester.client, now);
    Ok(message)
}
