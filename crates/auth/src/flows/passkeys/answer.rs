//! A browser's answer to a challenge.

use chrono::{DateTime, Utc};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::protocol::body::params;
use crate::protocol::webauthn::{CeremonyError, SessionData};
use crate::state::State;
use crate::store::webauthn_challenges::{self, Purpose};

/// A challenge and the passkey that the authenticator created.
#[derive(Default, ToSchema)]
pub(crate) struct PasskeyRegistrationVerifyParams {
    challenge_id: String,
    /// `RegistrationResponseJSON`.
    #[schema(value_type = Object)]
    credential: Option<Value>,
}
params!(PasskeyRegistrationVerifyParams as "PasskeyRegistrationVerifyParams" { challenge_id: Text, credential: Raw });

/// A challenge and the assertion that the authenticator signed.
#[derive(Default, ToSchema)]
pub(crate) struct PasskeyAuthenticationVerifyParams {
    challenge_id: String,
    /// `AuthenticationResponseJSON`.
    #[schema(value_type = Object)]
    credential: Option<Value>,
}
params!(PasskeyAuthenticationVerifyParams as "PasskeyAuthenticationVerifyParams" { challenge_id: Text, credential: Raw });

/// The parsed answer.
pub(crate) struct Answer {
    challenge: Uuid,
    pub(crate) credential: Value,
}

impl TryFrom<PasskeyRegistrationVerifyParams> for Answer {
    type Error = PasskeyError;

    fn try_from(params: PasskeyRegistrationVerifyParams) -> Result<Self, PasskeyError> {
        Answer::read(&params.challenge_id, params.credential)
    }
}

impl TryFrom<PasskeyAuthenticationVerifyParams> for Answer {
    type Error = PasskeyError;

    fn try_from(params: PasskeyAuthenticationVerifyParams) -> Result<Self, PasskeyError> {
        Answer::read(&params.challenge_id, params.credential)
    }
}

impl Answer {
    fn read(challenge_id: &str, credential: Option<Value>) -> Result<Self, PasskeyError> {
        if challenge_id.is_empty() {
            return Err(PasskeyError::ChallengeIdRequired);
        }
        let credential = credential.ok_or(PasskeyError::CredentialRequired)?;
        let challenge = Uuid::parse_str(challenge_id).map_err(|_| PasskeyError::ChallengeIdInvalid)?;
        Ok(Answer { challenge, credential })
    }

    /// Takes the challenge that was made for `user`, or for anyone if `None`. It cannot be answered again.
    ///
    /// # Errors
    /// [`PasskeyError::ChallengeNotFound`], [`PasskeyError::ChallengeExpired`].
    pub(crate) async fn take_challenge(
        &self,
        state: &State,
        user: Option<Uuid>,
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Result<SessionData, AuthError> {
        const FAILED: &str = "Database error consuming challenge";
        let db = state.pool.get().await.or_fault(FAILED)?;
        let taken = webauthn_challenges::take(&db, self.challenge, user, purpose).await.or_fault(FAILED)?;
        let (stored, expires_at) = taken.ok_or(PasskeyError::ChallengeNotFound)?;
        if now > expires_at {
            return Err(PasskeyError::ChallengeExpired.into());
        }
        SessionData::read(stored).map_err(|error| AuthError::internal(FAILED, error))
    }
}

impl From<CeremonyError> for AuthError {
    fn from(error: CeremonyError) -> Self {
        match error {
            CeremonyError::Unreadable(_) => PasskeyError::CredentialUnreadable.into(),
            CeremonyError::Refused(_) => PasskeyError::CredentialRefused.into(),
        }
    }
}
