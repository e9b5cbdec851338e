//! The state that a request works with.

use std::sync::Arc;

use super::repeats::Repeats;
use crate::catalog::Catalog;
use crate::catalog::role_settings::RoleSettings;
use crate::config::Config;

/// Configuration and catalog at one moment. A reload replaces the state as a whole, so a request never sees parts of two.
pub(crate) struct State {
    pub(crate) config: Arc<Config>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) roles: Arc<RoleSettings>,
    pub(crate) repeats: Repeats,
}
