//! Failures of our own, and of the project's hooks, in the log.

use gateway::events::Event;

use crate::error::AuthError;
use crate::state::State;

/// Logs what an error says of ourselves; `id` is that of the request.
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
