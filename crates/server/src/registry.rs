//! The list of services. Everything that concerns all services iterates it.

mod document;

use gateway::service::{Manifest, Table};
use gateway::settings::Setting;

use crate::config::SETTINGS;

pub use document::settings_document;

/// The services of this server, in the order in which they start.
pub const SERVICES: &[&Manifest] = &[
    &auth::SERVICE, //
    &rest::SERVICE,
    &storage::SERVICE,
    &realtime::SERVICE,
    &functions::SERVICE,
];

/// All settings that the server resolves: its own, then those of the services.
pub fn settings(services: &[&'static Manifest]) -> Vec<&'static Setting> {
    SETTINGS.iter().chain(services.iter().flat_map(|service| service.settings)).collect()
}

/// The route tables of all services with the paths at which they are mounted.
pub fn tables(services: &[&'static Manifest]) -> Vec<(String, Table)> {
    let of = |service: &&'static Manifest| {
        let mut tables: Vec<(String, Table)> =
            (service.tables)().into_iter().map(|table| (format!("{}{}", service.prefix, table.at), table)).collect();
        tables.sort_by(|(one, _), (other, _)| one.cmp(other));
        tables
    };
    services.iter().flat_map(of).collect()
}
