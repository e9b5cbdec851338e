//! The configuration, under PostgREST's own names (`PGRST_DB_SCHEMAS`, …).
//!
//! Source: PostgREST `docs/references/configuration.rst`, `src/PostgREST/Config.hs`.

mod credentials;
mod dump;
mod example;
mod file;
mod read;
mod sources;
mod uri;
mod values;

use std::time::Duration;

use gateway::{RoleClaim, Secret};
use pg::{Lanes, QualifiedIdent};

pub use crate::error::Verbosity;
pub use example::EXAMPLE;
pub use file::{File, FileError};
pub use read::{IN_DATABASE, Loaded, Problem};
pub use sources::Sources;

/// The PostgREST version whose behaviour this is, as reported to clients.
pub const UPSTREAM_VERSION: &str = "17 (pre-release)";

/// All settings. `Default` is upstream's defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `admin-server-host`: the address of the admin server; defaults to `server-host`.
    pub admin_server_host: String,
    /// `admin-server-port`: `None` disables the admin server. Wider than a port, because an invalid value is only
    /// refused when it is used.
    pub admin_server_port: Option<i64>,
    /// `admin-server-unix-socket`: a path instead of the admin server's host and port.
    pub admin_server_unix_socket: Option<String>,
    /// `admin-server-unix-socket-mode`: the file mode of that socket.
    pub admin_server_unix_socket_mode: u32,
    /// The maximum share of the connections that requests of `db-anon-role` may hold, in percent. PostgREST has no
    /// such limit, so the default is 100; only `dugout start` sets a lower one.
    pub anon_share: u8,
    /// `app.settings.*`: settings of every transaction, with that prefix.
    pub app_settings: Vec<(String, String)>,
    /// `client-error-verbosity`: `verbose` or `minimal`.
    pub client_error_verbosity: Verbosity,
    /// `db-aggregates-enabled`: whether `select` may aggregate.
    pub db_aggregates_enabled: bool,
    /// `db-anon-role`: the role of requests without a token; without it they are refused.
    pub db_anon_role: Option<String>,
    /// `db-channel`: the channel of reload notifications.
    pub db_channel: String,
    /// `db-channel-enabled`: whether to listen for notifications.
    pub db_channel_enabled: bool,
    /// `db-config`: whether to read settings from the database: those of the connection's role and of
    /// `db-pre-config`.
    pub db_config: bool,
    /// `db-extra-search-path`: schemas after the request's own in `search_path`.
    pub db_extra_search_path: Vec<String>,
    /// `db-hoisted-tx-settings`: settings of functions that apply before their call.
    pub db_hoisted_tx_settings: Vec<String>,
    /// `db-max-rows`: the maximum number of rows of a read, at every level.
    pub db_max_rows: Option<i64>,
    /// `db-plan-enabled`: whether clients may request execution plans.
    pub db_plan_enabled: bool,
    /// `db-pool`: the maximum number of connections.
    pub db_pool: usize,
    /// `db-pool-acquisition-timeout`, in seconds.
    pub db_pool_acquisition_timeout: Duration,
    /// `db-pool-automatic-recovery`: whether to reconnect to a lost database; otherwise the process ends.
    pub db_pool_automatic_recovery: bool,
    /// `db-pool-max-idletime`, in seconds: how long an idle connection stays open.
    pub db_pool_max_idletime: Duration,
    /// `db-pool-max-lifetime`, in seconds: how long a connection is used.
    pub db_pool_max_lifetime: Duration,
    /// `db-pre-config`: a function that sets configuration.
    pub db_pre_config: Option<QualifiedIdent>,
    /// `db-pre-request`: a function to call before the statement of every request.
    pub db_pre_request: Option<QualifiedIdent>,
    /// `db-prepared-statements`: disable it behind a pooler that does not support them.
    pub db_prepared_statements: bool,
    /// `db-root-spec`: a function that produces the response at `/`.
    pub db_root_spec: Option<QualifiedIdent>,
    /// `db-schemas`: the exposed schemas; the first is the default.
    pub db_schemas: Vec<String>,
    /// `db-tx-end`: how transactions end.
    pub db_tx_end: TxEnd,
    /// `db-uri`: the database.
    pub db_uri: Secret<String>,
    /// `internal-schema-cache-query-sleep`, in milliseconds: delays loading the catalog, for upstream's tests.
    pub internal_schema_cache_query_sleep: Option<u32>,
    /// `DUGOUT_REST_LANE`: `auto`, `hot` or `exclusive`: the lane of reads, for tests and measurements.
    pub lanes: Lanes,
    /// `jwt-aud`: the required audience of tokens.
    pub jwt_aud: Option<String>,
    /// `jwt-cache-max-entries`: how many verified tokens are cached; 0 disables the cache.
    pub jwt_cache_max_entries: usize,
    /// `jwt-role-claim-key`: the path of the role in the claims.
    pub jwt_role_claim_key: RoleClaim,
    /// `jwt-secret`: secret, JWK or JWKS, decoded. The gateway verifies tokens with it.
    pub jwt_secret: Option<Secret<Vec<u8>>>,
    /// `jwt-secret-is-base64`.
    pub jwt_secret_is_base64: bool,
    /// `log-level`: which responses are logged.
    pub log_level: LogLevel,
    /// `log-query`: whether their SQL is logged too.
    pub log_query: bool,
    /// `openapi-mode`: `follow-privileges`, `ignore-privileges` or `disabled`.
    pub openapi_mode: OpenApiMode,
    /// `openapi-security-active`: whether the description includes the token.
    pub openapi_security_active: bool,
    /// `openapi-server-proxy-uri`: the public URL in the description.
    pub openapi_server_proxy_uri: Option<String>,
    /// `server-cors-allowed-origins`: empty allows all.
    pub server_cors_allowed_origins: Vec<String>,
    /// `server-host`: the address to listen on; `!4`, `*4`, `!6`, `*6` and `*` are wildcards.
    pub server_host: String,
    /// `server-port`; 0 chooses a free one.
    pub server_port: i64,
    /// `server-reuseport`: whether another process may listen on the same port.
    pub server_reuseport: bool,
    /// `server-timing-enabled`: whether responses contain a Server-Timing header.
    pub server_timing_enabled: bool,
    /// `server-trace-header`: a request header to repeat in the response.
    pub server_trace_header: Option<String>,
    /// `server-unix-socket`: a path instead of host and port.
    pub server_unix_socket: Option<String>,
    /// `server-unix-socket-mode`: the file mode of that socket.
    pub server_unix_socket_mode: u32,
    /// `url-use-legacy-target-names`: whether parameters may refer to an embed with an alias by its name.
    pub url_use_legacy_target_names: bool,
}

/// How transactions end, and whether `Prefer: tx=` can override it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TxEnd {
    /// `commit`
    #[default]
    Commit,
    /// `commit-allow-override`
    CommitAllowOverride,
    /// `rollback`
    Rollback,
    /// `rollback-allow-override`
    RollbackAllowOverride,
}

impl TxEnd {
    /// Whether clients can override it.
    pub fn allows_override(self) -> bool {
        matches!(self, TxEnd::CommitAllowOverride | TxEnd::RollbackAllowOverride)
    }

    /// Whether transactions roll back by default.
    pub fn rolls_back(self) -> bool {
        matches!(self, TxEnd::Rollback | TxEnd::RollbackAllowOverride)
    }
}

/// The content of the description at `/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenApiMode {
    /// What the role may use.
    #[default]
    FollowPrivileges,
    /// Everything exposed.
    IgnorePrivileges,
    /// 404.
    Disabled,
}

/// What is logged, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Only start, stop and reloads.
    Crit,
    /// Also responses with status 500 and higher.
    #[default]
    Error,
    /// Also responses with status 400 and higher.
    Warn,
    /// Also all other responses.
    Info,
    /// Also events of connections.
    Debug,
}

impl LogLevel {
    /// Whether a response with this status is logged.
    pub fn logs(self, status: u16) -> bool {
        match self {
            LogLevel::Crit => false,
            LogLevel::Error => status >= 500,
            LogLevel::Warn => status >= 400,
            LogLevel::Info | LogLevel::Debug => true,
        }
    }
}

/// Read and write permission for owner and group.
const SOCKET_MODE: u32 = 0o660;

impl Default for Config {
    fn default() -> Self {
        let hoisted = ["statement_timeout", "plan_filter.statement_cost_limit", "default_transaction_isolation"];
        Config {
            admin_server_host: "!4".to_owned(),
            admin_server_port: None,
            admin_server_unix_socket: None,
            admin_server_unix_socket_mode: SOCKET_MODE,
            anon_share: 100,
            app_settings: Vec::new(),
            client_error_verbosity: Verbosity::Verbose,
            db_aggregates_enabled: false,
            db_anon_role: None,
            db_channel: "pgrst".to_owned(),
            db_channel_enabled: true,
            db_config: true,
            db_extra_search_path: vec!["public".to_owned()],
            db_hoisted_tx_settings: hoisted.map(str::to_owned).to_vec(),
            db_max_rows: None,
            db_plan_enabled: false,
            db_pool: 10,
            db_pool_acquisition_timeout: Duration::from_secs(10),
            db_pool_automatic_recovery: true,
            db_pool_max_idletime: Duration::from_secs(30),
            db_pool_max_lifetime: Duration::from_secs(1800),
            db_pre_config: None,
            db_pre_request: None,
            db_prepared_statements: true,
            db_root_spec: None,
            db_schemas: vec!["public".to_owned()],
            db_tx_end: TxEnd::Commit,
            db_uri: Secret::new("postgresql://".to_owned()),
            internal_schema_cache_query_sleep: None,
            lanes: Lanes::Auto,
            jwt_aud: None,
            jwt_cache_max_entries: 1000,
            jwt_role_claim_key: RoleClaim::default(),
            jwt_secret: None,
            jwt_secret_is_base64: false,
            log_level: LogLevel::Error,
            log_query: false,
            openapi_mode: OpenApiMode::FollowPrivileges,
            openapi_security_active: false,
            openapi_server_proxy_uri: None,
            server_cors_allowed_origins: Vec::new(),
            server_host: "!4".to_owned(),
            server_port: 3000,
            server_reuseport: false,
            server_timing_enabled: false,
            server_trace_header: None,
            server_unix_socket: None,
            server_unix_socket_mode: SOCKET_MODE,
            url_use_legacy_target_names: true,
        }
    }
}
