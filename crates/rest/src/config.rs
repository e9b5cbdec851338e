//! The configuration, under PostgREST's own names (`PGRST_DB_SCHEMAS`, …).
//!
//! Source: PostgREST `docs/references/configuration.rst`.

mod credentials;
mod read;

use std::time::Duration;

use pg::{Lanes, QualifiedIdent};

pub use crate::error::Verbosity;
pub use read::{IN_DATABASE, Problem};

/// Everything that can be set. `Default` is upstream's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `PGRST_APP_SETTINGS_<NAME>`: settings put in force in every transaction, as `app.settings.<name>`.
    pub app_settings: Vec<(String, String)>,
    /// `PGRST_CLIENT_ERROR_VERBOSITY`: `verbose` or `minimal`.
    pub client_error_verbosity: Verbosity,
    /// `PGRST_DB_AGGREGATES_ENABLED`: whether `select` may aggregate.
    pub db_aggregates_enabled: bool,
    /// `PGRST_DB_ANON_ROLE`: the role of requests without a token; none refuses them.
    pub db_anon_role: Option<String>,
    /// `PGRST_DB_CHANNEL`: where reloads are announced.
    pub db_channel: String,
    /// `PGRST_DB_CHANNEL_ENABLED`: whether announcements are listened to.
    pub db_channel_enabled: bool,
    /// `PGRST_DB_CONFIG`: whether `ALTER ROLE … SET pgrst.…` of the connection's role counts.
    pub db_config: bool,
    /// `PGRST_DB_EXTRA_SEARCH_PATH`: schemas behind the request's own in `search_path`.
    pub db_extra_search_path: Vec<String>,
    /// `PGRST_DB_HOISTED_TX_SETTINGS`: settings of functions that are put in force before they are called.
    pub db_hoisted_tx_settings: Vec<String>,
    /// `PGRST_DB_MAX_ROWS`: rows of a read at most, at every level.
    pub db_max_rows: Option<i64>,
    /// `PGRST_DB_PLAN_ENABLED`: whether execution plans may be asked for.
    pub db_plan_enabled: bool,
    /// `PGRST_DB_POOL`: connections at most.
    pub db_pool: usize,
    /// `PGRST_DB_POOL_ACQUISITION_TIMEOUT`, in seconds.
    pub db_pool_acquisition_timeout: Duration,
    /// `PGRST_DB_PRE_REQUEST`: a function called before every request's own statement.
    pub db_pre_request: Option<QualifiedIdent>,
    /// `PGRST_DB_PREPARED_STATEMENTS`: off where a pooler between us and the server cannot keep them.
    pub db_prepared_statements: bool,
    /// `PGRST_DB_ROOT_SPEC`: a function that answers `/`.
    pub db_root_spec: Option<QualifiedIdent>,
    /// `PGRST_DB_SCHEMAS`: the schemas exposed; the first is the default.
    pub db_schemas: Vec<String>,
    /// `PGRST_DB_TX_END`: how transactions end.
    pub db_tx_end: TxEnd,
    /// `PGRST_DB_URI`: the database.
    pub db_uri: String,
    /// `DUGOUT_REST_LANE`: `auto`, `hot` or `exclusive`: the connections that reads go to. For tests and measurements.
    pub lanes: Lanes,
    /// `PGRST_JWT_AUD`: the audience that tokens must be for.
    pub jwt_aud: Option<String>,
    /// `PGRST_JWT_SECRET`: secret, JWK or JWKS. For the gateway, which checks tokens.
    pub jwt_secret: Option<String>,
    /// `PGRST_JWT_SECRET_IS_BASE64`.
    pub jwt_secret_is_base64: bool,
    /// `PGRST_JWT_ROLE_CLAIM_KEY`: where in the claims the role is.
    pub jwt_role_claim_key: String,
    /// `PGRST_OPENAPI_MODE`: `follow-privileges`, `ignore-privileges` or `disabled`.
    pub openapi_mode: OpenApiMode,
    /// `PGRST_OPENAPI_SECURITY_ACTIVE`: whether the description names the token.
    pub openapi_security_active: bool,
    /// `PGRST_OPENAPI_SERVER_PROXY_URI`: the public address in the description.
    pub openapi_server_proxy_uri: Option<String>,
    /// `PGRST_SERVER_CORS_ALLOWED_ORIGINS`: empty allows all.
    pub server_cors_allowed_origins: Vec<String>,
    /// `PGRST_SERVER_HOST`: where to listen; `!4`, `*4`, `!6`, `*6` and `*` are wildcards.
    pub server_host: String,
    /// `PGRST_SERVER_PORT`.
    pub server_port: u16,
    /// `PGRST_SERVER_TIMING_ENABLED`: whether answers tell how long each stage took.
    pub server_timing_enabled: bool,
    /// `PGRST_SERVER_TRACE_HEADER`: a request header that the answer repeats.
    pub server_trace_header: Option<String>,
    /// `PGRST_URL_USE_LEGACY_TARGET_NAMES`: whether filters may name an embed that has an alias by its own name.
    pub url_use_legacy_target_names: bool,
}

/// How transactions end, and whether `Prefer: tx=` may say otherwise.
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
    /// Whether the client may choose.
    pub fn allows_override(self) -> bool {
        matches!(self, TxEnd::CommitAllowOverride | TxEnd::RollbackAllowOverride)
    }

    /// Whether the end is a rollback unless the client chooses otherwise.
    pub fn rolls_back(self) -> bool {
        matches!(self, TxEnd::Rollback | TxEnd::RollbackAllowOverride)
    }
}

/// What the root answers.
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

impl Default for Config {
    fn default() -> Self {
        Config {
            app_settings: Vec::new(),
            client_error_verbosity: Verbosity::Verbose,
            db_aggregates_enabled: false,
            db_anon_role: None,
            db_channel: "pgrst".to_owned(),
            db_channel_enabled: true,
            db_config: true,
            db_extra_search_path: vec!["public".to_owned()],
            db_hoisted_tx_settings: [
                "statement_timeout",
                "plan_filter.statement_cost_limit",
                "default_transaction_isolation",
            ]
            .map(str::to_owned)
            .to_vec(),
            db_max_rows: None,
            db_plan_enabled: false,
            db_pool: 10,
            db_pool_acquisition_timeout: Duration::from_secs(10),
            db_pre_request: None,
            db_prepared_statements: true,
            db_root_spec: None,
            db_schemas: vec!["public".to_owned()],
            db_tx_end: TxEnd::Commit,
            db_uri: "postgresql://".to_owned(),
            lanes: Lanes::Auto,
            jwt_aud: None,
            jwt_secret: None,
            jwt_secret_is_base64: false,
            jwt_role_claim_key: "$.role".to_owned(),
            openapi_mode: OpenApiMode::FollowPrivileges,
            openapi_security_active: false,
            openapi_server_proxy_uri: None,
            server_cors_allowed_origins: Vec::new(),
            server_host: "!4".to_owned(),
            server_port: 3000,
            server_timing_enabled: false,
            server_trace_header: None,
            url_use_legacy_target_names: true,
        }
    }
}

impl Config {
    /// Reads `PGRST_*` variables over upstream's defaults; others are not looked at.
    ///
    /// # Errors
    /// Every value that cannot be used, at once.
    pub fn from_env(variables: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Problem>> {
        let settings = variables.into_iter().filter_map(|(name, value)| match name.as_str() {
            read::LANE => Some((name, value)),
            name => Some((name.strip_prefix("PGRST_")?.to_ascii_lowercase(), value)),
        });
        Config::default().with(settings)
    }

    /// The same with some settings replaced, named as the database names them: `db_max_rows`.
    ///
    /// # Errors
    /// Every value that cannot be used, at once.
    pub fn with(self, settings: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Problem>> {
        read::read(self, settings.into_iter().collect())
    }
}
