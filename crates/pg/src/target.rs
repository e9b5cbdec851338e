//! The address of a PostgreSQL server.

mod conninfo;
mod environment;
mod programs;
#[cfg(test)]
mod tests;

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
    log: ServerLog,
}

/// Who reads the server's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerLog {
    Others,
    /// This process: the server is our child.
    Us,
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
        let log = ServerLog::Others;
        Ok(Target { config, tls, root_certificate, event_triggers, preloads, log }.with_patience())
    }

    /// A server on a unix socket in `folder`.
    pub fn unix(folder: &Path, port: u16, user: &str, database: &str) -> Self {
        let mut config = tokio_postgres::Config::new();
        config.host_path(folder).port(port).user(user).dbname(database);
        let (tls, event_triggers, preloads) = (TlsMode::Disable, EventTriggers::Default, Preloads::Default);
        let log = ServerLog::Others;
        Target { config, tls, root_certificate: None, event_triggers, preloads, log }.with_patience()
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

    /// The same login to a server whose log this process reads.
    #[must_use]
    pub(crate) fn with_log_of_ours(&self) -> Self {
        Target { log: ServerLog::Us, ..self.clone() }
    }

    /// Whether warnings that the server logs reach our log anyway.
    pub(crate) fn has_log_of_ours(&self) -> bool {
        self.log == ServerLog::Us
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

    /// The target as a URL, including the password. The folder of a unix socket is percent-encoded in the place of the host.
    /// `sslmode` is there if it is stricter than the default. Options and the rules for sessions are left out.
    pub fn url(&self) -> String {
        let login = match (self.user(), self.password().filter(|password| !password.is_empty())) {
            (Some(user), Some(password)) => format!("{}:{}@", encode(user), encode(password)),
            (Some(user), None) => format!("{}@", encode(user)),
            _ => String::new(),
        };
        let mut tls = String::new();
        if self.tls > TlsMode::Prefer {
            tls = format!("?sslmode={}", self.tls.name());
            if let Some(path) = &self.root_certificate {
                tls.push_str("&sslrootcert=");
                tls.push_str(&encode(&path.to_string_lossy()));
            }
        }
        format!("postgresql://{login}{}/{}{tls}", self.hosts(), encode(self.database().unwrap_or_default()))
    }

    /// Every host with its port, as in a URL.
    fn hosts(&self) -> String {
        use tokio_postgres::config::Host;
        let (hosts, ports) = (self.config.get_hosts(), self.config.get_ports());
        let port = |at: usize| ports.get(at).or_else(|| ports.first()).copied().unwrap_or(5432);
        let of = |(at, host): (usize, &Host)| match host {
            Host::Unix(folder) => format!("{}:{}", encode(&folder.to_string_lossy()), port(at)),
            Host::Tcp(host) => format!("{host}:{}", port(at)),
        };
        let hosts: Vec<String> = hosts.iter().enumerate().map(of).collect();
        if hosts.is_empty() { format!("127.0.0.1:{}", port(0)) } else { hosts.join(",") }
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
