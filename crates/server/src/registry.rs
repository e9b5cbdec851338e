//! The services: one line each. Everything that lists services iterates this.

use gateway::service::Manifest;
use gateway::settings::Setting;

use crate::config::SETTINGS;

/// The services of this server. Those further up start first.
pub const SERVICES: &[&Manifest] = &[
    &auth::SERVICE, //
    &rest::SERVICE,
    &storage::SERVICE,
    &realtime::SERVICE,
];

/// Every setting that the server resolves: its own, then those of the services.
pub fn settings(services: &[&'static Manifest]) -> Vec<&'static Setting> {
    SETTINGS.iter().chain(services.iter().flat_map(|service| service.settings)).collect()
}
