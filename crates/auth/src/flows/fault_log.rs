//! Logs internal failures and failures of hooks.

use gateway::events::Event;

use crate::error::AuthError;
use crate::state::State;

/// Logs an internal failure; `id` is the id of the request.
pub(crate) fn log(state: &State, error: &AuthError, id: &str) {
    if let AuthError::Hook(hook) = error
        && hook.status() >= 500
    {
        state.events.emit(Event::Fault { error_id: id, service: "auth", location: "a hook", detail: hook.for_log() });
    }
    let Some(fault) = error.fault() else { return };
    state.events.emit(Event::Fault {
        error_id: id,
        service: "auth",
        location: &fault.location(),
        detail: fault.detail(),
    });
}
