//! Refusals in OAuth's own shape, `{error, error_description}`, whatever version the client asked for.
//!
//! Source: RFC 6749 section 5.2; words as in supabase/auth. The status is 400 throughout, as GoTrue has it.

use crate::error::codes;

codes! {
    /// What an OAuth client is told.
    OAuthError =>
    // Refreshing
    ClientRequired                  400 "invalid_client" "Client authentication required for OAuth session";
    ClientMismatch                  400 "invalid_client" "Client does not match the session's OAuth client";
    ClientUnexpected                400 "invalid_client" "Client authentication not allowed for non-OAuth session";
}
