//! Response headers that name the user and session.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::http::header::HeaderName;
use uuid::Uuid;

/// Headers of every answer of a grant, errors included, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace(pub(crate) Rc<RefCell<Vec<(HeaderName, String)>>>);

impl Trace {
    fn note(&self, name: &'static str, value: String) {
        self.0.borrow_mut().push((HeaderName::from_static(name), value));
    }

    pub(crate) fn user(&self, id: Uuid) {
        self.note("sb-auth-user-id", id.to_string());
    }

    pub(crate) fn session(&self, id: Uuid) {
        self.note("sb-auth-session-id", id.to_string());
    }

    /// The first five characters, enough to find a token's row.
    pub(crate) fn refresh_token(&self, token: &str) {
        self.note("sb-auth-refresh-token-prefix", token.chars().take(5).collect());
    }

    /// The refresh counter of a session with signed tokens.
    pub(crate) fn refresh_counter(&self, counter: i64) {
        self.note("sb-auth-refresh-token-counter", counter.to_string());
    }

    /// Why a used token was accepted again.
    pub(crate) fn reuse_cause(&self, causes: &[&str]) {
        self.note("sb-auth-refresh-token-reuse-cause", causes.join(","));
    }

    /// The session ended because its token was reused.
    pub(crate) fn ended_by_reuse(&self) {
        self.note("sb-auth-refresh-token-rotated", "true".to_owned());
    }

    pub(crate) fn not_reused(&self) {
        self.note("sb-auth-refresh-token-reuse", "false".to_owned());
    }
}
