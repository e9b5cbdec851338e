//! The address of a PostgreSQL server.

mod conninfo;
mod environment;
mod programs;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::error::Error;
use crate::tls::{self, TlsMode};

/// Address, database, role and TLS settings of a PostgreSQL server.
#[derive(Clone)]
pub struct Target {
    config: tokio_postgres::Config,
    tls: TlsMode,
    root_certificate: Option<PathBuf>,
    event_triggers: EventTriggers,
    preloads: Preloads,
}

/// Whether sessions execute event triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventTriggers {
    /// The server's default.
    Default,
    /// `event_triggers = off` in the start-up message. Requires a superuser and PostgreSQL 17 or newer.
    Off,
}

/// Whether sessions load the libraries in `local_preload_libraries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preloads {
    /// The server's default.
    Default,
    /// They load none. Any role can set `local_preload_libraries`, and a missing library in it makes every login fail.
    Off,
}

/// The default `application_name` of connections.
const OWN_NAME: &str = "dugout";

/// Why an address was refused. Each message is one sentence for its author, without the password.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Not a PostgreSQL URL.
    #[error("expected a database URL such as postgres://user:password@host:5432/database: {0}")]
    Malformed(String),
    /// An unknown `sslmode`.
    #[error("sslmode={0} is unknown; use disable, prefer, require, verify-ca or verify-full")]
    SslMode(String),
}

impl Target {
    /// Parses `postgres://user:password@host:port/database?sslmode=…&sslrootcert=…`. The folder of a unix socket is given as a
    /// percent-encoded host or as `?host=/folder`. `sslmode` has libpq's meaning (default `prefer`). Also parses libpq's other
    /// form, `key=value` pairs.
    ///
    /// # Errors
    /// [`TargetError`] if it is neither.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        Target::parse_with(text, |_| None)
    }

    /// Like [`Target::parse`], but completes `text` with libpq's environment variables (`PGHOST`, `PGUSER`, …), which `variable`
    /// returns, and with libpq's defaults.
    ///
    /// # Errors
    /// [`TargetError`] if the text or a variable is invalid.
    pub fn parse_with(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, TargetError> {
        let (base, pairs) = conninfo::parts(text)?;
        let mut sslmode = variable("PGSSLMODE");
        let mut root_certificate = variable("PGSSLROOTCERT").map(PathBuf::from);
        let mut fallback_name = None;
        let mut rest = Vec::new();
        for (key, value) in pairs {
            match key.as_str() {
                "sslmode" => sslmode = Some(value),
                "sslrootcert" => root_certificate = Some(PathBuf::from(value)),
                "fallback_application_name" => fallback_name = Some(value),
                // Parameters of other drivers, which have no meaning here.
                "pgbouncer" | "connection_limit" | "pool_timeout" | "schema" | "search_path" => {}
                // Parameters of libpq for which there is no choice here.
                "client_encoding" | "gssencmode" | "krbsrvname" | "sslcompression" | "sslsni" => {}
                // The driver decodes percent signs, but not the plus that form encoding uses for a space.
                _ => rest.push(format!("{}={}", encode(&key), encode(&value))),
            }
        }
        let tls = match sslmode {
            None => TlsMode::Prefer,
            Some(mode) => mode.parse().map_err(|()| TargetError::SslMode(mode))?,
        };
        let url = if rest.is_empty() { base } else { format!("{base}?{}", rest.join("&")) };
        let mut config = tokio_postgres::Config::from_str(&url)
            .map_err(|error| TargetError::Malformed(crate::error::source_chain(&error)))?;
        environment::complete(&mut config, variable)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("127.0.0.1");
        }
        if let Some(name) = fallback_name.filter(|_| config.get_application_name().is_none()) {
            config.application_name(&name);
        }
        let (event_triggers, preloads) = (EventTriggers::Default, Preloads::Default);
        Ok(Target { config, tls, root_certificate, event_triggers, preloads }.with_patience())
    }

    /// A server on a unix socket in `folder`.
    pub fn unix(folder: &Path, port: u16, user: &str, database: &str) -> Self {
        let mut config = tokio_postgres::Config::new();
        config.host_path(folder).port(port).user(user).dbname(database);
        let (tls, event_triggers, preloads) = (TlsMode::Disable, EventTriggers::Default, Preloads::Default);
        Target { config, tls, root_certificate: None, event_triggers, preloads }.with_patience()
    }

    /// The same server with another login. Event triggers are the server's default again, because it may be no superuser.
    #[must_use]
    pub fn with_user(&self, user: &str, password: Option<&str>) -> Self {
        let mut target = self.clone();
        target.event_triggers = EventTriggers::Default;
        target.config.user(user);
        target.config.password(password.unwrap_or_default());
        target
    }

    /// The same server with another database.
    #[must_use]
    pub fn with_database(&self, database: &str) -> Self {
        let mut target = self.clone();
        target.config.dbname(database);
        target
    }

    /// The same login with event triggers off in every session. PostgreSQL runs their functions with the rights of the session,
    /// so the owner of such a function could use a superuser's rights. The setting is in the start-up message because login
    /// triggers run before the first statement. Connections fail on PostgreSQL before 17 and for roles that are no superuser.
    #[must_use]
    pub fn without_event_triggers(&self) -> Self {
        Target { event_triggers: EventTriggers::Off, ..self.clone() }
    }

    /// The same login, and all logins derived from it, without the libraries in `local_preload_libraries`. The setting is in the
    /// start-up message, which overrides those of the database and the role.
    #[must_use]
    pub fn without_preloads(&self) -> Self {
        Target { preloads: Preloads::Off, ..self.clone() }
    }

    /// Whether this was created by [`Target::without_event_triggers`].
    pub(crate) fn has_event_triggers_off(&self) -> bool {
        self.event_triggers == EventTriggers::Off
    }

    /// The same server with another `application_name`, which `pg_stat_activity` shows.
    #[must_use]
    pub fn with_application_name(&self, name: &str) -> Self {
        let mut target = self.clone();
        target.config.application_name(name);
        target
    }

    /// Like [`Target::with_application_name`], unless the address has a name already.
    #[must_use]
    pub fn or_application_name(&self, name: &str) -> Self {
        match self.config.get_application_name() {
            None | Some(OWN_NAME) => self.with_application_name(name),
            Some(_) => self.clone(),
        }
    }

    /// The login role, if given.
    pub fn user(&self) -> Option<&str> {
        self.config.get_user()
    }

    /// The password, if given.
    pub fn password(&self) -> Option<&str> {
        self.config.get_password().and_then(|password| std::str::from_utf8(password).ok())
    }

    /// The database. As in PostgreSQL, it defaults to the name of the login role.
    pub fn database(&self) -> Option<&str> {
        self.config.get_dbname().or_else(|| self.user())
    }

    /// The settings for tokio-postgres.
    pub fn driver_config(&self) -> tokio_postgres::Config {
        use tokio_postgres::config::{Host, SslMode};
        let mut config = self.config.clone();
        // As in libpq, sslmode has no meaning on a unix socket.
        let unix =
            config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_))) && !config.get_hosts().is_empty();
        config.ssl_mode(if unix { SslMode::Disable } else { self.tls.driver_mode() });
        let own = [
            (self.event_triggers == EventTriggers::Off, "-c event_triggers=off"),
            (self.preloads == Preloads::Off, "-c local_preload_libraries="),
        ];
        let own = own.iter().filter(|(is_set, _)| *is_set).map(|(_, option)| *option);
        let options: Vec<&str> = self.config.get_options().into_iter().chain(own).collect();
        if !options.is_empty() {
            config.options(options.join(" "));
        }
        config
    }

    /// The first address without credentials, for messages. For a socket its folder and port, as in PostgREST.
    pub fn address(&self) -> String {
        use tokio_postgres::config::Host;
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => format!("{host}:{port}"),
            Some(Host::Unix(folder)) => format!("{}:{port}", folder.display()),
            None => format!("127.0.0.1:{port}"),
        }
    }

    /// Whether the first address is on TCP, not a unix socket.
    pub fn is_tcp(&self) -> bool {
        !matches!(self.config.get_hosts().first(), Some(tokio_postgres::config::Host::Unix(_)))
    }

    /// Host, port, database and login as a URL, including the password. The folder of a unix socket is percent-encoded in the
    /// place of the host. TLS settings, options and further hosts are left out.
    pub fn url(&self) -> String {
        use tokio_postgres::config::Host;
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        let login = match (self.user(), self.password().filter(|password| !password.is_empty())) {
            (Some(user), Some(password)) => format!("{}:{}@", encode(user), encode(password)),
            (Some(user), None) => format!("{}@", encode(user)),
            _ => String::new(),
        };
        let host = match self.config.get_hosts().first() {
            Some(Host::Unix(folder)) => encode(&folder.to_string_lossy()),
            Some(Host::Tcp(host)) => host.clone(),
            None => "127.0.0.1".to_owned(),
        };
        format!("postgresql://{login}{host}:{port}/{}", encode(self.database().unwrap_or_default()))
    }

    /// How connections are encrypted.
    pub fn tls(&self) -> TlsMode {
        self.tls
    }

    /// The rustls settings for [`Target::tls`].
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the certificates cannot be read.
    pub fn tls_client_config(&self) -> Result<rustls::ClientConfig, Error> {
        tls::client_config(self.tls, self.root_certificate.as_deref()).map_err(Error::Unavailable)
    }

    pub(crate) fn tls_connector(&self) -> Result<tls::Connector, Error> {
        Ok(tls::Connector::new(self.tls_client_config()?))
    }

    fn with_patience(mut self) -> Self {
        if self.config.get_connect_timeout().is_none() {
            self.config.connect_timeout(Duration::from_secs(5));
        }
        if self.config.get_application_name().is_none() {
            self.config.application_name(OWN_NAME);
        }
        self
    }
}

fn encode(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Target({} as {})", self.address(), self.user().unwrap_or("?"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_as_by_libpq() {
        for (url, address, user, database) in [
            ("postgres://ana:s%40p@db.test:6000/app?sslmode=require", "db.test:6000", Some("ana"), Some("app")),
            (
                "postgresql://ana@localhost/app?sslmode=verify-full&sslrootcert=/ca.pem",
                "localhost:5432",
                Some("ana"),
                Some("app"),
            ),
            ("postgres://ana@%2Frun%2Fpg/app", "/run/pg:5432", Some("ana"), Some("app")),
            ("postgres:///app?host=/run/pg&port=6001&user=ana", "/run/pg:6001", Some("ana"), Some("app")),
            ("postgres://ana:x@/app?host=/run/pg", "/run/pg:5432", Some("ana"), Some("app")),
            ("postgres://ana@h/app?pgbouncer=true", "h:5432", Some("ana"), Some("app")),
            ("host=/run/pg port = 6001 user='a na' dbname=app", "/run/pg:6001", Some("a na"), Some("app")),
            ("postgresql://?dbname=app&host=/run/pg&user=ana", "/run/pg:5432", Some("ana"), Some("app")),
        ] {
            let target = Target::parse(url).unwrap();
            assert_eq!(
                (target.address().as_str(), target.user(), target.database()),
                (address, user, database),
                "{url}"
            );
        }
    }

    #[test]
    fn the_environment_completes_an_address() {
        let variable = |name: &str| match name {
            "PGHOST" => Some("/run/pg,db.test".to_owned()),
            "PGPORT" => Some("6001".to_owned()),
            "PGUSER" => Some("ana".to_owned()),
            "PGDATABASE" => Some("app".to_owned()),
            "PGAPPNAME" => Some("me".to_owned()),
            _ => None,
        };
        for (text, address, database, name) in [
            ("postgresql://", "/run/pg:6001", "app", "me"),
            ("postgresql://?", "/run/pg:6001", "app", "me"),
            ("", "/run/pg:6001", "app", "me"),
            ("postgresql://h/other?application_name=x", "h:5432", "other", "x"),
        ] {
            let target = Target::parse_with(text, variable).unwrap().or_application_name("fallback");
            assert_eq!((target.address().as_str(), target.database()), (address, Some(database)), "{text}");
            assert_eq!(target.driver_config().get_application_name(), Some(name), "{text}");
            assert_eq!(target.user(), Some("ana"));
        }
        let named = Target::parse("postgres://ana@h/app").unwrap().or_application_name("fallback");
        assert_eq!(named.driver_config().get_application_name(), Some("fallback"));
    }

    #[test]
    fn refusals_do_not_show_the_password() {
        for url in [
            "mysql://a:geheim@h/d",
            "postgres://a:geheim@h/d?sslmode=maybe",
            "geheim",
            "postgres://a:geheim@h:x/d",
            "password='geheim",
        ] {
            let error = Target::parse(url).unwrap_err().to_string();
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn event_triggers_are_off_in_addition_to_given_options_and_for_one_login_only() {
        let options = |target: &Target| target.driver_config().get_options().map(str::to_owned);
        let plain = Target::parse("postgres://ana@h/app").unwrap();
        assert_eq!(options(&plain.without_event_triggers()).as_deref(), Some("-c event_triggers=off"));
        let given = Target::parse("postgres://ana@h/app?options=-c%20jit%3Doff").unwrap().without_event_triggers();
        assert_eq!(options(&given).as_deref(), Some("-c jit=off -c event_triggers=off"));
        assert_eq!(options(&given.with_user("bob", None)).as_deref(), Some("-c jit=off"));
        let guarded = given.without_preloads();
        let off = "-c jit=off -c event_triggers=off -c local_preload_libraries=";
        assert_eq!(options(&guarded).as_deref(), Some(off));
        let others = options(&guarded.with_user("bob", None));
        assert_eq!(others.as_deref(), Some("-c jit=off -c local_preload_libraries="), "for every login");
    }

    #[test]
    fn the_url_of_a_target_is_parsed_to_the_same() {
        let target = Target::unix(Path::new("/run/p g"), 5433, "ana", "app").with_user("bob", Some("p@ss/word"));
        let again = Target::parse(&target.url()).unwrap();
        assert_eq!(
            (again.address(), again.user(), again.password()),
            (target.address(), Some("bob"), Some("p@ss/word"))
        );
    }
}
