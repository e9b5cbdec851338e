//! Parses settings, and collects all problems.

use std::fmt;
use std::time::Duration;

use gateway::Secret;
use pg::{Lanes, QualifiedIdent};

use super::file::Value;
use super::sources::Layers;
use super::{Config, LogLevel, OpenApiMode, Sources, TxEnd, Verbosity, credentials, uri, values};

/// An invalid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The problem, in upstream's words if it has any. Never contains a secret.
    pub message: String,
}

impl Problem {
    pub(super) fn of(what: impl fmt::Display) -> Self {
        Problem { message: what.to_string() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error in config {}", self.message)
    }
}

/// A configuration, with warnings about its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// Variables that are not settings, and values that are ignored.
    pub warnings: Vec<String>,
}

/// The settings that can be stored in the database, as `pgrst.<name>` of the connection's role.
pub const IN_DATABASE: [&str; 25] = [
    "client_error_verbosity",
    "db_aggregates_enabled",
    "db_anon_role",
    "db_extra_search_path",
    "db_hoisted_tx_settings",
    "db_max_rows",
    "db_plan_enabled",
    "db_pre_config",
    "db_pre_request",
    "db_prepared_statements",
    "db_root_spec",
    "db_schemas",
    "db_tx_end",
    "jwt_aud",
    "jwt_role_claim_key",
    "jwt_secret",
    "jwt_secret_is_base64",
    // Upstream lists it, although nothing reads it any more.
    "jwt_cache_max_lifetime",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_cors_allowed_origins",
    "server_timing_enabled",
    "server_trace_header",
    "url_use_legacy_target_names",
];

impl Config {
    /// Reads `sources` over upstream's defaults, and `database` (names as in [`IN_DATABASE`]) over both.
    ///
    /// # Errors
    /// All invalid values.
    pub fn load(sources: &Sources, database: &[(String, String)]) -> Result<Loaded, Vec<Problem>> {
        Config::default().overlaid(sources, database)
    }

    /// The same over other defaults.
    ///
    /// # Errors
    /// All invalid values.
    pub fn overlaid(self, sources: &Sources, database: &[(String, String)]) -> Result<Loaded, Vec<Problem>> {
        let layers = sources.layers(database).map_err(|problem| vec![problem])?;
        let mut reader = Reader { layers, known: Vec::new(), problems: Vec::new(), warnings: Vec::new() };
        let mut config = self;
        reader.database(&mut config);
        reader.pool(&mut config);
        reader.tokens(&mut config);
        reader.description(&mut config);
        reader.server(&mut config);
        reader.admin(&mut config);
        let Reader { layers, known, problems, mut warnings } = reader;
        warnings.extend(layers.unknown(&known).iter().map(|name| format!("{name} is no setting and has no effect")));
        if problems.is_empty() { Ok(Loaded { config, warnings }) } else { Err(problems) }
    }
}

struct Reader<'a> {
    layers: Layers<'a>,
    /// The names of all variables that were looked up.
    known: Vec<String>,
    problems: Vec<Problem>,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn database(&mut self, config: &mut Config) {
        config.app_settings.extend(self.layers.app_settings());
        self.word(&mut config.client_error_verbosity, "client-error-verbosity", |text| match text {
            "verbose" => Ok(Verbosity::Verbose),
            "minimal" => Ok(Verbosity::Minimal),
            _ => Err("Invalid client-error-verbosity. Check your configuration.".to_owned()),
        });
        self.boolean(&mut config.db_aggregates_enabled, &["db-aggregates-enabled"]);
        self.optional(&mut config.db_anon_role, "db-anon-role");
        self.text(&mut config.db_channel, "db-channel");
        self.boolean(&mut config.db_channel_enabled, &["db-channel-enabled"]);
        self.boolean(&mut config.db_config, &["db-config"]);
        // The only setting for which an empty text has a meaning.
        if let Some(path) = self.get("db-extra-search-path") {
            let path = path.to_string();
            config.db_extra_search_path = if path.is_empty() { Vec::new() } else { values::list(&path) };
        }
        self.word(&mut config.db_hoisted_tx_settings, "db-hoisted-tx-settings", |text| Ok(values::list(text)));
        let mut max_rows = None;
        self.number(&mut max_rows, &["db-max-rows", "max-rows"]);
        config.db_max_rows = max_rows.or(config.db_max_rows);
        self.boolean(&mut config.db_plan_enabled, &["db-plan-enabled"]);
        self.function(&mut config.db_pre_config, &["db-pre-config"]);
        self.function(&mut config.db_pre_request, &["db-pre-request", "pre-request"]);
        self.boolean(&mut config.db_prepared_statements, &["db-prepared-statements"]);
        self.function(&mut config.db_root_spec, &["db-root-spec", "root-spec"]);
        self.words(&mut config.db_schemas, &["db-schemas", "db-schema"], values::schemas);
        self.word(&mut config.db_tx_end, "db-tx-end", |text| match text {
            "commit" => Ok(TxEnd::Commit),
            "commit-allow-override" => Ok(TxEnd::CommitAllowOverride),
            "rollback" => Ok(TxEnd::Rollback),
            "rollback-allow-override" => Ok(TxEnd::RollbackAllowOverride),
            _ => Err("Invalid transaction termination. Check your configuration.".to_owned()),
        });
    }

    fn pool(&mut self, config: &mut Config) {
        let seconds = |slot: &mut Duration, found: Option<u64>| *slot = found.map_or(*slot, Duration::from_secs);
        let mut number = |keys: &[&str]| {
            let mut found = None;
            self.number(&mut found, keys);
            found.and_then(|number| u64::try_from(number).ok())
        };
        config.db_pool = number(&["db-pool"]).and_then(|n| usize::try_from(n).ok()).unwrap_or(config.db_pool);
        seconds(&mut config.db_pool_acquisition_timeout, number(&["db-pool-acquisition-timeout"]));
        seconds(&mut config.db_pool_max_lifetime, number(&["db-pool-max-lifetime"]));
        // The older name takes precedence, as upstream has it.
        seconds(&mut config.db_pool_max_idletime, number(&["db-pool-timeout", "db-pool-max-idletime"]));
        let sleep = number(&["internal-schema-cache-query-sleep"]).and_then(|n| u32::try_from(n).ok());
        config.internal_schema_cache_query_sleep = sleep;
        number(&["internal-schema-cache-query-sleep-before-queries"]);
        self.boolean(&mut config.db_pool_automatic_recovery, &["db-pool-automatic-recovery"]);
        match self.layers.lane() {
            None | Some("") => {}
            Some("auto") => config.lanes = Lanes::Auto,
            Some("hot") => config.lanes = Lanes::Hot,
            Some("exclusive") => config.lanes = Lanes::Exclusive,
            Some(_) => self.problems.push(Problem::of("DUGOUT_REST_LANE must be auto, hot or exclusive")),
        }
        let Some(uri) = self.filled("db-uri") else { return };
        match uri.strip_prefix('@').map(|path| self.read(path)) {
            None => config.db_uri = Secret::new(uri),
            Some(Ok(bytes)) => config.db_uri = Secret::new(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Some(Err(problem)) => self.problems.push(problem),
        }
    }

    fn tokens(&mut self, config: &mut Config) {
        self.word(&mut config.jwt_aud, "jwt-aud", |text| match text.contains(':') && !uri::is_uri(text) {
            true => Err("jwt-aud should be a string or a valid URI".to_owned()),
            false => Ok(Some(text.to_owned())),
        });
        self.words(&mut config.jwt_role_claim_key, &["jwt-role-claim-key", "role-claim-key"], |text| {
            text.parse().map_err(|error: gateway::role_claim::RoleClaimError| error.to_string())
        });
        self.boolean(&mut config.jwt_secret_is_base64, &["jwt-secret-is-base64", "secret-is-base64"]);
        let mut entries = None;
        self.number(&mut entries, &["jwt-cache-max-entries"]);
        if let Some(entries) = entries {
            config.jwt_cache_max_entries = usize::try_from(entries).unwrap_or(0);
        }
        let Some(secret) = self.filled("jwt-secret") else { return };
        let read = match secret.strip_prefix('@') {
            Some(path) => self.read(path).map(|mut bytes| {
                bytes.pop_if(|last| *last == b'\n');
                bytes
            }),
            None => Ok(secret.into_bytes()),
        };
        let checked = read.and_then(|bytes| {
            let bytes = credentials::decoded(bytes, config.jwt_secret_is_base64).map_err(Problem::of)?;
            credentials::verifying_keys(&bytes).map(|_| bytes).map_err(Problem::of)
        });
        match checked {
            Ok(bytes) => config.jwt_secret = Some(Secret::new(bytes)),
            Err(problem) => self.problems.push(problem),
        }
    }

    fn description(&mut self, config: &mut Config) {
        self.word(&mut config.openapi_mode, "openapi-mode", |text| match text {
            "follow-privileges" => Ok(OpenApiMode::FollowPrivileges),
            "ignore-privileges" => Ok(OpenApiMode::IgnorePrivileges),
            "disabled" => Ok(OpenApiMode::Disabled),
            _ => Err("Invalid openapi-mode. Check your configuration.".to_owned()),
        });
        self.boolean(&mut config.openapi_security_active, &["openapi-security-active"]);
        self.word(&mut config.openapi_server_proxy_uri, "openapi-server-proxy-uri", |text| match uri::is_proxy(text) {
            true => Ok(Some(text.to_owned())),
            false => Err("Malformed proxy uri, a correct example: https://example.com:8443/basePath".to_owned()),
        });
    }

    fn server(&mut self, config: &mut Config) {
        self.word(&mut config.log_level, "log-level", |text| match text {
            "crit" => Ok(LogLevel::Crit),
            "error" => Ok(LogLevel::Error),
            "warn" => Ok(LogLevel::Warn),
            "info" => Ok(LogLevel::Info),
            "debug" => Ok(LogLevel::Debug),
            _ => Err("Invalid logging level. Check your configuration.".to_owned()),
        });
        self.boolean(&mut config.log_query, &["log-query"]);
        let origins = &mut config.server_cors_allowed_origins;
        self.word(origins, "server-cors-allowed-origins", |text| Ok(values::list(text)));
        self.text(&mut config.server_host, "server-host");
        let mut port = None;
        self.number(&mut port, &["server-port"]);
        config.server_port = port.unwrap_or(config.server_port);
        self.boolean(&mut config.server_reuseport, &["server-reuseport"]);
        self.boolean(&mut config.server_timing_enabled, &["server-timing-enabled"]);
        self.optional(&mut config.server_trace_header, "server-trace-header");
        self.optional(&mut config.server_unix_socket, "server-unix-socket");
        let mode = |text: &str| values::socket_mode("server-unix-socket-mode", text);
        self.word(&mut config.server_unix_socket_mode, "server-unix-socket-mode", mode);
        self.boolean(&mut config.url_use_legacy_target_names, &["url-use-legacy-target-names"]);
    }

    fn admin(&mut self, config: &mut Config) {
        config.admin_server_host.clone_from(&config.server_host);
        self.text(&mut config.admin_server_host, "admin-server-host");
        self.number(&mut config.admin_server_port, &["admin-server-port"]);
        if config.admin_server_port == Some(config.server_port) {
            self.problems.push(Problem::of("admin-server-port cannot be the same as server-port"));
        }
        self.optional(&mut config.admin_server_unix_socket, "admin-server-unix-socket");
        let mode = |text: &str| values::socket_mode("admin-server-unix-socket-mode", text);
        self.word(&mut config.admin_server_unix_socket_mode, "admin-server-unix-socket-mode", mode);
    }

    fn get(&mut self, key: &str) -> Option<Value> {
        self.known.push(format!("PGRST_{}", key.replace('-', "_").to_ascii_uppercase()));
        self.layers.get(key)
    }

    /// A text; an empty one means the default, as upstream has it.
    fn filled(&mut self, key: &str) -> Option<String> {
        self.get(key).map(|value| value.to_string()).filter(|text| !text.is_empty())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        self.layers.read(path).map_err(|error| Problem::of(format!("{path}: {error}")))
    }

    fn text(&mut self, slot: &mut String, key: &str) {
        *slot = self.filled(key).unwrap_or_else(|| std::mem::take(slot));
    }

    fn optional(&mut self, slot: &mut Option<String>, key: &str) {
        *slot = self.filled(key).or_else(|| slot.take());
    }

    fn word<T>(&mut self, slot: &mut T, key: &str, parse: impl FnOnce(&str) -> Result<T, String>) {
        self.words(slot, &[key], parse);
    }

    /// The first of several names that is set.
    fn words<T>(&mut self, slot: &mut T, keys: &[&str], parse: impl FnOnce(&str) -> Result<T, String>) {
        let found: Vec<String> = keys.iter().filter_map(|key| self.filled(key)).collect();
        let Some(text) = found.first() else { return };
        match parse(text) {
            Ok(value) => *slot = value,
            Err(message) => self.problems.push(Problem { message }),
        }
    }

    fn function(&mut self, slot: &mut Option<QualifiedIdent>, keys: &[&str]) {
        self.words(slot, keys, |text| Ok(Some(values::function(text))));
    }

    fn number(&mut self, slot: &mut Option<i64>, keys: &[&str]) {
        *slot = self.first(keys, values::number).or(*slot);
    }

    fn boolean(&mut self, slot: &mut bool, keys: &[&str]) {
        *slot = self.first(keys, values::boolean).unwrap_or(*slot);
    }

    /// The first of several names with a value of the right type. Upstream silently ignores the others.
    fn first<T>(&mut self, keys: &[&str], read: fn(&Value) -> Option<T>) -> Option<T> {
        let mut first = None;
        for key in keys {
            let Some(value) = self.get(key) else { continue };
            let found = read(&value);
            if found.is_none() && !matches!(&value, Value::Text(text) if text.is_empty()) {
                self.warnings.push(format!("{key} is passed over: {value} is not a value that it takes"));
            }
            first = first.or(found);
        }
        first
    }
}

#[cfg(test)]
mod tests;
