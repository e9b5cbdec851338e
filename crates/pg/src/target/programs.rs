//! A target for PostgreSQL's own programs.

use tokio_postgres::config::Host;

use super::Target;
use crate::tls::TlsMode;

impl Target {
    /// The variables that make libpq's programs (pg_dump, psql) connect to this target. Unlike arguments, which every user of the
    /// machine may read, they can hold the password.
    pub fn program_environment(&self) -> Vec<(&'static str, String)> {
        let driver = self.driver_config();
        let host = match driver.get_hosts().first() {
            Some(Host::Unix(folder)) => folder.to_string_lossy().into_owned(),
            Some(Host::Tcp(host)) => host.clone(),
            None => driver.get_hostaddrs().first().map_or_else(|| "127.0.0.1".to_owned(), ToString::to_string),
        };
        let mode = match self.tls() {
            TlsMode::Disable => "disable",
            TlsMode::Prefer => "prefer",
            TlsMode::Require => "require",
            TlsMode::VerifyCa => "verify-ca",
            TlsMode::VerifyFull => "verify-full",
        };
        let root = self.root_certificate.as_ref().map(|path| path.to_string_lossy().into_owned());
        let given = [
            ("PGHOST", Some(host)),
            ("PGPORT", Some(driver.get_ports().first().copied().unwrap_or(5432).to_string())),
            ("PGUSER", self.user().map(str::to_owned)),
            ("PGPASSWORD", self.password().filter(|password| !password.is_empty()).map(str::to_owned)),
            ("PGDATABASE", self.database().map(str::to_owned)),
            ("PGSSLMODE", Some(mode.to_owned())),
            ("PGSSLROOTCERT", root),
            ("PGOPTIONS", driver.get_options().map(str::to_owned)),
            ("PGCONNECT_TIMEOUT", Some("10".to_owned())),
            ("PGCLIENTENCODING", Some("UTF8".to_owned())),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_what_the_driver_gets() {
        let target =
            Target::parse("postgres://ana:s%40p@db.test:6000/app?sslmode=verify-full&sslrootcert=/ca.pem").unwrap();
        let environment = target.without_event_triggers().program_environment();
        let of = |name: &str| environment.iter().find(|(found, _)| *found == name).map(|(_, value)| value.as_str());
        assert_eq!((of("PGHOST"), of("PGPORT"), of("PGUSER")), (Some("db.test"), Some("6000"), Some("ana")));
        assert_eq!((of("PGPASSWORD"), of("PGDATABASE")), (Some("s@p"), Some("app")));
        assert_eq!((of("PGSSLMODE"), of("PGSSLROOTCERT")), (Some("verify-full"), Some("/ca.pem")));
        assert_eq!(of("PGOPTIONS"), Some("-c event_triggers=off"));
    }
}
