//! Completes an address from libpq's environment variables.
//!
//! Source: PostgreSQL documentation, "Environment Variables" and "Parameter Key Words" of libpq.

use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;

use super::TargetError;

/// Sets what `config` does not specify.
pub(super) fn complete(config: &mut Config, variable: impl Fn(&str) -> Option<String>) -> Result<(), TargetError> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    let unusable = |name: &str| TargetError::Malformed(format!("the value of the variable {name} is invalid"));
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        for host in variable("PGHOST").iter().flat_map(|hosts| hosts.split(',')) {
            config.host(host);
        }
    }
    if config.get_ports().is_empty() {
        for port in variable("PGPORT").iter().flat_map(|ports| ports.split(',')) {
            config.port(port.trim().parse().map_err(|_| unusable("PGPORT"))?);
        }
    }
    if config.get_user().is_none()
        && let Some(user) = variable("PGUSER")
    {
        config.user(&user);
    }
    if config.get_password().is_none()
        && let Some(password) = variable("PGPASSWORD")
    {
        config.password(password);
    }
    if config.get_dbname().is_none()
        && let Some(database) = variable("PGDATABASE")
    {
        config.dbname(&database);
    }
    if config.get_application_name().is_none()
        && let Some(name) = variable("PGAPPNAME")
    {
        config.application_name(&name);
    }
    if config.get_options().is_none()
        && let Some(options) = variable("PGOPTIONS")
    {
        config.options(&options);
    }
    if config.get_connect_timeout().is_none()
        && let Some(seconds) = variable("PGCONNECT_TIMEOUT")
    {
        config.connect_timeout(Duration::from_secs(seconds.parse().map_err(|_| unusable("PGCONNECT_TIMEOUT"))?));
    }
    match variable("PGTARGETSESSIONATTRS").as_deref() {
        Some("read-write" | "primary") => drop(config.target_session_attrs(TargetSessionAttrs::ReadWrite)),
        Some("read-only" | "standby") => drop(config.target_session_attrs(TargetSessionAttrs::ReadOnly)),
        _ => {}
    }
    Ok(())
}
