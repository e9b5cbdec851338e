//! Redirects at the end of an authorization.

use super::redirect::with_query;
use crate::model::oauth_authorization::Authorization;

impl Authorization {
    /// The redirect with the code (RFC 6749 section 4.1.2).
    pub(crate) fn approved(&self, code: &str) -> String {
        self.back(&[("code", code)])
    }

    /// The redirect after the user denied the request (RFC 6749 section 4.1.2.1).
    pub(crate) fn denied(&self) -> String {
        self.back(&[("error", "access_denied"), ("error_description", "User denied the request")])
    }

    fn back(&self, pairs: &[(&str, &str)]) -> String {
        let state = self.state.as_deref().filter(|state| !state.is_empty());
        let pairs: Vec<(&str, &str)> = pairs.iter().copied().chain(state.map(|state| ("state", state))).collect();
        with_query(&self.redirect_uri, &pairs)
    }
}
