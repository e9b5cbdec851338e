//! How errors are sent to the app.

use crate::error::AuthError;
use crate::flows::fault_log;
use crate::model::requester::Requester;
use crate::routes::verify::redirect::{fragment, with_query};
use crate::state::State;

/// Why nobody was signed in.
pub(crate) enum Refusal {
    /// The provider's own error.
    Theirs {
        error: String,
        description: String,
    },
    Ours(AuthError),
}

impl From<AuthError> for Refusal {
    fn from(error: AuthError) -> Self {
        Refusal::Ours(error)
    }
}

impl Refusal {
    pub(crate) fn log(&self, state: &State, requester: &Requester) {
        if let Refusal::Ours(error) = self {
            fault_log::log(state, error, &requester.request_id);
        }
    }

    /// `target` with the error in its query.
    pub(crate) fn in_query(&self, target: &str, request_id: &str) -> String {
        let pairs = self.pairs(request_id);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        with_query(target, &pairs, None)
    }

    /// `target` with the error in its query and its fragment.
    pub(super) fn in_both(&self, target: &str, request_id: &str) -> String {
        let pairs = self.pairs(request_id);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let said = pairs.iter().copied().filter(|(_, value)| !value.is_empty());
        // The last pair marks the answer as Supabase's.
        let fragment = fragment(said.chain([("sb", "")]));
        with_query(target, &pairs, Some(&fragment))
    }

    /// DEVIATION (more): an internal error in `/callback` is reported to the app with the `error_id` in the log.
    fn pairs(&self, request_id: &str) -> Vec<(&'static str, String)> {
        let error = match self {
            Refusal::Theirs { error, description } => {
                return vec![("error", error.clone()), ("error_description", description.clone())];
            }
            Refusal::Ours(error) => error,
        };
        let kind = match (error.status(), error.code()) {
            (_, "signup_disabled" | "user_banned" | "provider_email_needs_verification") => "access_denied",
            (400, _) => "invalid_request",
            (401, _) => "unauthorized_client",
            (403, _) => "access_denied",
            (503, _) => "temporarily_unavailable",
            _ => "server_error",
        };
        let mut pairs = vec![("error", kind.to_owned()), ("error_code", error.code().to_owned())];
        pairs.push(("error_description", error.message()));
        if error.fault().is_some() {
            pairs.push(("error_id", request_id.to_owned()));
        }
        pairs
    }
}

/// The provider's tokens, for a fragment with a session.
pub(super) fn provider_tokens<'a>(access: &'a str, refresh: &'a str) -> Vec<(&'static str, &'a str)> {
    let mut pairs = vec![("provider_token", access)];
    if !refresh.is_empty() {
        pairs.push(("provider_refresh_token", refresh));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ExternalError;

    #[test]
    fn the_app_is_told_in_query_and_fragment() {
        let refused = Refusal::Theirs { error: "access_denied".to_owned(), description: "No, thanks".to_owned() };
        assert_eq!(
            refused.in_both("https://app.test/in?a=1#x", "id"),
            "https://app.test/in?a=1&error=access_denied&error_description=No%2C+thanks\
             #error=access_denied&error_description=No%2C+thanks&sb="
        );
        let silent = Refusal::Theirs { error: "access_denied".to_owned(), description: String::new() };
        assert_eq!(
            silent.in_both("https://app.test/", "id"),
            "https://app.test/?error=access_denied&error_description=#error=access_denied&sb="
        );
        let unknown = Refusal::Ours(AuthError::External(ExternalError::StateNotFound));
        assert_eq!(
            unknown.in_query("https://app.test/", "id"),
            "https://app.test/?error=invalid_request&error_code=bad_oauth_state\
             &error_description=OAuth+state+not+found+or+expired"
        );
    }

    #[test]
    fn refusals_have_oauths_names() {
        for (error, kind) in [
            (AuthError::SignupDisabled, "access_denied"),
            (AuthError::Banned, "access_denied"),
            (AuthError::External(ExternalError::NeedsVerification("x".to_owned())), "access_denied"),
            (AuthError::External(ExternalError::CodeMissing), "invalid_request"),
            (AuthError::External(ExternalError::AlreadyLinked), "server_error"),
            (AuthError::internal("no", ""), "server_error"),
        ] {
            let is_fault = error.fault().is_some();
            let pairs = Refusal::Ours(error).pairs("id-1");
            assert_eq!(pairs[0], ("error", kind.to_owned()));
            assert_eq!(pairs.contains(&("error_id", "id-1".to_owned())), is_fault);
        }
        assert_eq!(provider_tokens("a", ""), [("provider_token", "a")]);
    }
}
