//! A code that goes to a phone.

use serde_json::json;

use crate::State;
use crate::account::Metadata;
use crate::addresses;
use crate::audit::{self, Action};
use crate::enrolment::{self, Applicant, Enrolled};
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::one_time_tokens::{self, Occasion};
use crate::requester::Requester;
use crate::routes::signup::check_channel;
use crate::signup::Address;
use crate::store::users;
use crate::timestamp;

/// Sends a code to somebody known, or takes somebody new in.
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
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = users::by_phone(&connection, &phone, &audience).await.or_fault("Database error finding user")?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let mut user = match found {
        Some(user) if user.phone_confirmed_at.is_some() => user,
        found => {
            if state.config.disable_signup {
                return Err(AuthError::SignupDisabled);
            }
            let applicant = Applicant {
                address: Address::Phone(phone.clone()),
                password_hash: String::new(),
                audience,
                data,
                channel,
                challenge: None,
                redirect_to: String::new(),
            };
            match enrolment::enrol(state, &db, found, &applicant, now).await? {
                Enrolled::Confirmed(user) => user,
                Enrolled::Waiting(_, standing, dispatch) => {
                    db.commit().await.or_fault(UNEXPECTED)?;
                    drop(connection);
                    enrolment::send(state, standing, dispatch, &applicant, now).await?;
                    return Ok(None);
                }
            }
        }
    };
    let traits = json!({ "channel": channel.as_str() });
    audit::record(state, &db, &user, Action::UserRecoveryRequested, traits).await?;
    let occasion = Occasion::Confirmation;
    let due = one_time_tokens::request_phone_code(state, &db, &mut user, &phone, occasion, channel, now).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    one_time_tokens::Dispatch::Message(due).send(state).await
}
