//! Where a PostgreSQL is and how to reach it.

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
    /// As the server has it.
    Default,
    /// `event_triggers = off`, sent with the start-up message. Only a superuser of PostgreSQL 17 or newer may.
    Off,
}

/// Whether sessions load the libraries that settings of the database or the role name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preloads {
    /// As the server has it.
    Default,
    /// None of `local_preload_libraries`, which any role may set and of which one that is missing ends every login.
    Off,
}

/// How connections are named in `pg_stat_activity` unless something else is said.
const OWN_NAME: &str = "dugout";

/// Why an address was refused; each is one sentence for the person who wrote it, without the password.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Not a URL of PostgreSQL.
    #[error("a database URL looks like postgres://user:password@host:5432/database, this one does not: {0}")]
    Malformed(String),
    /// `sslmode` is none of libpq's.
    #[error("sslmode={0} is unknown; use disable, prefer, require, verify-ca or verify-full")]
    SslMode(String),
}

impl Target {
    /// Reads `postgres://user:password@host:port/database?sslmode=…&sslrootcert=…`, with a unix socket's folder as
    /// percent-encoded host or as `?host=/folder`, in libpq's meaning of `sslmode` (default `prefer`). `key=value` pairs,
    /// libpq's other form, are read, too.
    ///
    /// # Errors
    /// [`TargetError`] when it is neither.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        Target::parse_with(text, |_| None)
    }

    /// The same, where what `text` leaves out is taken from libpq's variables (`PGHOST`, `PGUSER`, …), which `variable`
    /// gives, and from libpq's defaults.
    ///
    /// # Errors
    /// [`TargetError`] when text or a variable cannot be used.
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
                // What other drivers' URLs carry and this one has no use for.
                "pgbouncer" | "connection_limit" | "pool_timeout" | "schema" | "search_path" => {}
                // The same of libpq's: what they choose is the only way here.
                "client_encoding" | "gssencmode" | "krbsrvname" | "sslcompression" | "sslsni" => {}
                // The driver decodes percent signs but not the plus that form encoding makes of a space.
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

    /// The same server with another login, which may be no superuser's: event triggers are as the server has them.
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

    /// The same login with event triggers off in every session: PostgreSQL runs their functions with the rights of the
    /// session, so that a function that belongs to somebody else would do what it likes with a superuser's. The setting is in
    /// the start-up message because triggers on login run before the first statement. PostgreSQL below 17 does not know it, and
    /// only superusers may change it: other connections fail.
    #[must_use]
    pub fn without_event_triggers(&self) -> Self {
        Target { event_triggers: EventTriggers::Off, ..self.clone() }
    }

    /// The same login, and any made from it, without the libraries of `local_preload_libraries`. The start-up message
    /// overrides what is set for the database or the role.
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

    /// Whether [`Target::without_event_triggers`] made this.
    pub(crate) fn has_event_triggers_off(&self) -> bool {
        self.event_triggers == EventTriggers::Off
    }

    /// The name under which connections appear in `pg_stat_activity`.
    #[must_use]
    pub fn with_application_name(&self, name: &str) -> Self {
        let mut target = self.clone();
        target.config.application_name(name);
        target
    }

    /// The same, unless the address itself names one.
    #[must_use]
    pub fn or_application_name(&self, name: &str) -> Self {
        match self.config.get_application_name() {
            None | Some(OWN_NAME) => self.with_application_name(name),
            Some(_) => self.clone(),
        }
    }

    /// The login role, if one is named.
    pub fn user(&self) -> Option<&str> {
        self.config.get_user()
    }

    /// The password, if there is one.
    pub fn password(&self) -> Option<&str> {
        self.config.get_password().and_then(|password| std::str::from_utf8(password).ok())
    }

    /// The database; PostgreSQL's own default is the one named as the login role.
    pub fn database(&self) -> Option<&str> {
        self.config.get_dbname().or_else(|| self.user())
    }

    /// The settings as tokio-postgres takes them.
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

    /// The first address, without credentials: for messages. Of a socket its folder and port, as PostgREST shows it.
    pub fn address(&self) -> String {
        use tokio_postgres::config::Host;
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => format!("{host}:{port}"),
            Some(Host::Unix(folder)) => format!("{}:{port}", folder.display()),
            None => format!("127.0.0.1:{port}"),
        }
    }

    /// This target as a URL, password included, in the form that libpq and every driver read: a unix socket's folder
    /// stands percent-encoded in the host's place.
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
    /// [`Error::Unavailable`] when the certificates cannot be read.
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
    fn urls_are_read_as_libpq_reads_them() {
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
    fn what_an_address_leaves_out_is_taken_from_the_environment() {
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
    fn refusals_never_show_the_password() {
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
    fn event_triggers_are_off_beside_the_options_given_and_for_one_login_only() {
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
    fn a_url_made_from_a_target_reads_back_the_same() {
        let target = Target::unix(Path::new("/run/p g"), 5433, "ana", "app").with_user("bob", Some("p@ss/word"));
        let again = Target::parse(&target.url()).unwrap();
        assert_eq!(
            (again.address(), again.user(), again.password()),
            (target.address(), Some("bob"), Some("p@ss/word"))
        );
    }
}
