//! Calls of hooks: functions of the project's database, or HTTP servers.
//!
//! Source: supabase/auth, `internal/hooks/`.

mod function;
mod server;
mod signature;

use std::time::Duration;

use gateway::HttpClient;

pub(crate) use function::call as call_function;
pub(crate) use server::call as call_server;

/// The client of hooks that are servers.
///
/// # Errors
/// When TLS cannot be set up.
pub(crate) fn client() -> std::io::Result<HttpClient> {
    // Longer than all attempts together: the time is kept where they are made.
    HttpClient::new(Duration::from_secs(server::SECONDS * 2))
}
