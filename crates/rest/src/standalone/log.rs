//! The log of a standalone data API, in PostgREST's format: access log on stdout, everything else on stderr.
//!
//! Source: PostgREST `Logger.hs`.

use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pg::lane::{PoolEvent, Termination};

use super::metrics::Counters;
use super::writer::Writer;
use crate::config::LogLevel;
use crate::observation::{Observation, Observer, Summary, Timings};
use crate::{Error, UPSTREAM_VERSION};

/// Writes observations according to the log level, and counts metrics.
pub struct Log {
    level: AtomicU8,
    /// Writes to stdout; `None` if its thread could not be started.
    answers: Option<Writer>,
    pub(super) counters: Counters,
    /// Whether an acquisition timeout was logged in the last seconds, and whether another one is waiting to be
    /// logged.
    timeouts: Arc<Mutex<Timeouts>>,
}

/// The target of a line.
pub enum Line<'a> {
    /// Access log: stdout.
    Access(String),
    /// Server log: stderr, with a timestamp.
    Server(&'a str),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Timeouts {
    #[default]
    Quiet,
    Told,
    More,
}

/// Repeated acquisition timeouts are logged once in this time.
const TIMEOUT_COOLDOWN: Duration = Duration::from_secs(5);

/// The first word of upstream's advice. It is separate because it is an SQL keyword.
const ADVICE: &str = "Update";

const LEVELS: [LogLevel; 5] = [LogLevel::Crit, LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug];

/// The timestamp format.
pub(super) fn now() -> String {
    chrono::Local::now().format("%d/%b/%Y:%T %z").to_string()
}

impl Log {
    /// A log at this level.
    pub fn new(level: LogLevel) -> Self {
        let left_out = |lines| {
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}: {lines} lines about answers were left out: nobody read them",
                now()
            );
        };
        let answers = Writer::new(std::io::stdout, left_out).ok();
        let log = Log { level: AtomicU8::default(), answers, counters: Counters::default(), timeouts: Arc::default() };
        log.set_level(level);
        log
    }

    /// Logs the start of the server.
    pub fn starting(&self) {
        self.write(Line::Server(&format!("Starting PostgREST {UPSTREAM_VERSION}...")));
    }

    /// Whether a response with this status is logged.
    pub fn wants(&self, status: u16) -> bool {
        self.level().logs(status)
    }

    /// Writes a line at any level: to the server log at once, to the access log through its thread.
    pub fn write(&self, line: Line<'_>) {
        // A closed stdout or stderr must not stop the server.
        let _ = match (line, &self.answers) {
            (Line::Access(text), Some(answers)) => {
                answers.write(text);
                Ok(())
            }
            (Line::Access(text), None) => writeln!(std::io::stdout().lock(), "{text}"),
            (Line::Server(text), _) => writeln!(std::io::stderr().lock(), "{}: {text}", now()),
        };
    }

    /// Waits until all lines are written. No lines may follow.
    pub fn finish(&self) {
        if let Some(answers) = &self.answers {
            answers.flush();
        }
    }

    fn level(&self) -> LogLevel {
        LEVELS.get(usize::from(self.level.load(Ordering::Relaxed))).copied().unwrap_or_default()
    }

    fn set_level(&self, level: LogLevel) {
        self.level.store(level as u8, Ordering::Relaxed);
    }

    fn say(&self, text: &str) {
        self.write(Line::Server(text));
    }

    fn at_least(&self, level: LogLevel, text: impl FnOnce() -> String) {
        if self.level() >= level {
            self.say(&text());
        }
    }

    /// Logs the first timeout at once, and those of the following seconds as one line at their end.
    fn timed_out(&self) {
        let mut timeouts = self.timeouts.lock().unwrap_or_else(PoisonError::into_inner);
        if *timeouts != Timeouts::Quiet {
            *timeouts = Timeouts::More;
            return;
        }
        *timeouts = Timeouts::Told;
        let text = Error::AcquireTimeout.payload();
        self.say(&text);
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let shared = Arc::clone(&self.timeouts);
        runtime.spawn(async move {
            loop {
                tokio::time::sleep(TIMEOUT_COOLDOWN).await;
                let mut timeouts = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if *timeouts != Timeouts::More {
                    *timeouts = Timeouts::Quiet;
                    return;
                }
                *timeouts = Timeouts::Told;
                let _ = writeln!(std::io::stderr().lock(), "{}: {text}", now());
            }
        });
    }

    fn loaded(&self, queried: Duration, timings: &Timings, built: Duration, summary: Summary) {
        self.say(&format!("Schema cache queried in {:.1} milliseconds", milliseconds(queried)));
        self.at_least(LogLevel::Debug, || {
            let one = |(name, took): &(&str, Duration)| format!("{name}: {:.1} ms", milliseconds(*took));
            timings.iter().map(one).collect::<Vec<_>>().join(", ")
        });
        let Summary { relations, relationships, functions, representations, handlers } = summary;
        self.say(&format!(
            "Schema cache loaded {relations} Relations, {relationships} Relationships, {functions} Functions, \
             {representations} Domain Representations, {handlers} Media Type Handlers"
        ));
        self.say(&format!("Schema cache loaded in {:.1} milliseconds", milliseconds(built)));
    }
}

impl Observer for Log {
    fn observe(&self, observation: Observation<'_>) {
        self.counters.count(&observation);
        match observation {
            Observation::Connected { server, pool } => {
                self.say(&format!("Successfully connected to {server}"));
                self.say(&format!("Connection Pool initialized with a maximum size of {pool} connections"));
            }
            Observation::CatalogLoaded { queried, timings, built, summary } => {
                self.loaded(queried, timings, built, summary);
            }
            Observation::Pool(event) => self.at_least(LogLevel::Debug, || pool(event)),
            Observation::CatalogFailed { schemas, extra, error } => self.say(&format!(
                "Failed to load the schema cache using db-schemas={} and db-extra-search-path={}. {}",
                schemas.join(","),
                extra.join(","),
                error.payload()
            )),
            Observation::Retry(delay) => {
                self.say(&format!("Attempting to reconnect to the database in {} seconds...", delay.as_secs()));
            }
            Observation::NoRecovery => self.say("Automatic recovery disabled, exiting."),
            Observation::ConfigReloaded(config) => {
                self.set_level(config.log_level);
                self.say("Config reloaded");
            }
            Observation::ConfigRefused(problem) => self.say(&format!("Failed reloading config: {problem}")),
            Observation::ConfigUnread(error) => {
                self.say(&format!("Failed to query database settings for the config parameters.{}", error.payload()))
            }
            Observation::DeprecatedRoleClaim(key) => self.deprecated(key),
            Observation::Listening { address, server, channel } => self.say(&format!(
                "Listener connected to {} on \"{address}\" and listening for database notifications on the \
                 \"{channel}\" channel",
                // The very first connection may be the listener's, before the version is known.
                if server.is_empty() { "PostgreSQL" } else { server }
            )),
            Observation::ListenFailed { channel, reason, retry_in } => {
                let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
                self.say(&format!(
                    "Failed listening for database notifications on the \"{channel}\" channel. {reason}"
                ));
                let seconds = retry_in.as_secs_f64();
                self.say(&format!("Retrying listening for database notifications in {seconds} seconds..."));
            }
            Observation::HeardSchema(channel) => {
                self.say(&format!("Received a schema cache reload message on the \"{channel}\" channel"));
            }
            Observation::HeardConfig(channel) => {
                self.say(&format!("Received a config reload message on the \"{channel}\" channel"));
            }
            Observation::NoCatalog => self.at_least(LogLevel::Error, || Error::NoCatalog.payload()),
            Observation::PoolTimeout { .. } if self.level() >= LogLevel::Error => self.timed_out(),
            Observation::PoolTimeout { .. } => {}
            Observation::Fault { error, .. } => self.at_least(LogLevel::Error, || error.payload()),
            Observation::LegacyNames { names, method, target } => self.legacy(names, method, target),
            Observation::Statements(statements, status) if self.wants(status) => {
                statements.iter().for_each(|statement| self.say(statement));
            }
            Observation::Statements(..) => {}
        }
    }
}

impl Log {
    fn deprecated(&self, key: &str) {
        self.say(&format!("WARNING: The config `jwt-role-claim-key={key}` is using the deprecated JSPath syntax."));
        self.say(&format!(
            "{ADVICE} `jwt-role-claim-key={key}` to the new JSONPath syntax as support for JSPath will be removed in a \
             future release. See the migration guide on how to update: \
             https://github.com/PostgREST/postgrest/blob/main/CHANGELOG.md#migration-to-v16"
        ));
    }

    fn legacy(&self, names: &[(String, String)], method: &str, target: &str) {
        self.say(
            "WARNING: Embedded resource was referenced by relation name even though it has an alias. This is deprecated \
             and will stop working in a future release.",
        );
        let names: Vec<String> = names.iter().map(|(name, alias)| format!("`{name}` to `{alias}`")).collect();
        self.say(&format!("{ADVICE} filters, orders or limits that use {} in `{method} {target}`", names.join(", ")));
    }
}

fn pool(event: PoolEvent) -> String {
    let of = |number: u64, what: &str| format!("Connection {number} is {what}");
    match event {
        PoolEvent::Requested => "Trying to borrow a connection from pool".to_owned(),
        PoolEvent::Fulfilled => "Borrowed a connection from the pool".to_owned(),
        PoolEvent::Connecting(number) => of(number, "being established"),
        PoolEvent::Connected(number) => of(number, "available due to connection establishment"),
        PoolEvent::Used(number) => of(number, "used"),
        PoolEvent::Released(number) => of(number, "available due to session success"),
        PoolEvent::Terminated(number, why) => of(
            number,
            match why {
                Termination::MaxLifetime => "terminated due to max lifetime",
                Termination::MaxIdle => "terminated due to max idletime",
                Termination::Released => "terminated due to release",
                Termination::Broken => "terminated due to network error",
                Termination::Failed => "terminated due to init failure",
            },
        ),
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
