//! Callers whose token belongs to the app itself, not to an OAuth client.

use gateway::Authenticated;

use crate::error::AuthError;

/// The claim that names the OAuth client a token was issued to (RFC 9068 section 2.2).
const CLIENT_ID: &str = "client_id";

/// A signed-in user whose token belongs to the app itself. A user who lets a third-party client read a profile has not
/// let it change the password, add a factor or end sessions.
///
/// The claim is checked here. A hook may have removed it, so [`crate::flows::sessions::current`] also looks at the
/// session.
///
/// DEVIATION (stricter): tokens of OAuth clients cannot manage accounts: `PUT /user`, `/factors`, `/passkeys`,
/// `/logout`, `/reauthenticate`, identities, grants, consent and administration answer 403; GoTrue treats such a token
/// like the user's own.
#[derive(Clone, Debug)]
pub(crate) struct FirstParty(Authenticated);

impl FirstParty {
    /// Accepts the token unless it was issued to an OAuth client.
    ///
    /// # Errors
    /// [`AuthError::ClientNotAllowed`].
    pub(crate) fn check(who: Authenticated) -> Result<Self, AuthError> {
        // Only a hook writes an explicit null or an empty string. Refuse those, too.
        match who.caller.claims.get(CLIENT_ID) {
            Some(_) => Err(AuthError::ClientNotAllowed),
            None => Ok(FirstParty(who)),
        }
    }

    /// The caller that the guard accepted.
    pub(crate) fn who(&self) -> &Authenticated {
        &self.0
    }
}
