//! Writes a configuration as a file that reads back the same: `--dump-config`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pg::QualifiedIdent;

use super::{Config, LogLevel, OpenApiMode, TxEnd, Verbosity};

impl Config {
    /// All settings as sorted `key = value` lines. As with upstream, this includes secrets.
    pub fn dump(&self) -> String {
        let mut entries = self.database_entries();
        entries.extend(self.token_and_log_entries());
        entries.extend(self.server_entries());
        let mut lines: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        lines.extend(self.app_settings.iter().map(|(name, value)| format!("{name} = {}\n", quoted(value))));
        lines.sort();
        lines.concat()
    }

    fn database_entries(&self) -> Vec<(&'static str, String)> {
        let verbosity = match self.client_error_verbosity {
            Verbosity::Verbose => "verbose",
            Verbosity::Minimal => "minimal",
        };
        let tx_end = match self.db_tx_end {
            TxEnd::Commit => "commit",
            TxEnd::CommitAllowOverride => "commit-allow-override",
            TxEnd::Rollback => "rollback",
            TxEnd::RollbackAllowOverride => "rollback-allow-override",
        };
        vec![
            ("client-error-verbosity", quoted(verbosity)),
            ("db-aggregates-enabled", self.db_aggregates_enabled.to_string()),
            ("db-anon-role", optional(self.db_anon_role.as_deref())),
            ("db-channel", quoted(&self.db_channel)),
            ("db-channel-enabled", self.db_channel_enabled.to_string()),
            ("db-config", self.db_config.to_string()),
            ("db-extra-search-path", quoted(&self.db_extra_search_path.join(","))),
            ("db-hoisted-tx-settings", quoted(&self.db_hoisted_tx_settings.join(","))),
            ("db-max-rows", number(self.db_max_rows)),
            ("db-plan-enabled", self.db_plan_enabled.to_string()),
            ("db-pool", self.db_pool.to_string()),
            ("db-pool-acquisition-timeout", self.db_pool_acquisition_timeout.as_secs().to_string()),
            ("db-pool-automatic-recovery", self.db_pool_automatic_recovery.to_string()),
            ("db-pool-max-idletime", self.db_pool_max_idletime.as_secs().to_string()),
            ("db-pool-max-lifetime", self.db_pool_max_lifetime.as_secs().to_string()),
            ("db-pre-config", function(self.db_pre_config.as_ref())),
            ("db-pre-request", function(self.db_pre_request.as_ref())),
            ("db-prepared-statements", self.db_prepared_statements.to_string()),
            ("db-root-spec", function(self.db_root_spec.as_ref())),
            ("db-schemas", quoted(&self.db_schemas.join(","))),
            ("db-tx-end", quoted(tx_end)),
            ("db-uri", quoted(self.db_uri.reveal())),
            ("url-use-legacy-target-names", self.url_use_legacy_target_names.to_string()),
        ]
    }

    fn token_and_log_entries(&self) -> Vec<(&'static str, String)> {
        let secret = self.jwt_secret.as_ref().map_or(&[][..], |secret| secret.reveal().as_slice());
        let secret = if self.jwt_secret_is_base64 {
            BASE64_STANDARD.encode(secret)
        } else {
            String::from_utf8_lossy(secret).into_owned()
        };
        let log_level = match self.log_level {
            LogLevel::Crit => "crit",
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
        };
        let openapi_mode = match self.openapi_mode {
            OpenApiMode::FollowPrivileges => "follow-privileges",
            OpenApiMode::IgnorePrivileges => "ignore-privileges",
            OpenApiMode::Disabled => "disabled",
        };
        vec![
            ("jwt-aud", optional(self.jwt_aud.as_deref())),
            ("jwt-cache-max-entries", self.jwt_cache_max_entries.to_string()),
            ("jwt-role-claim-key", quoted(&self.jwt_role_claim_key.to_string())),
            ("jwt-secret", quoted(&secret)),
            ("jwt-secret-is-base64", self.jwt_secret_is_base64.to_string()),
            ("log-level", quoted(log_level)),
            ("log-query", self.log_query.to_string()),
            ("openapi-mode", quoted(openapi_mode)),
            ("openapi-security-active", self.openapi_security_active.to_string()),
            ("openapi-server-proxy-uri", optional(self.openapi_server_proxy_uri.as_deref())),
        ]
    }

    fn server_entries(&self) -> Vec<(&'static str, String)> {
        let mode = |mode: u32| quoted(&format!("{mode:o}"));
        vec![
            ("admin-server-host", quoted(&self.admin_server_host)),
            ("admin-server-port", number(self.admin_server_port)),
            ("admin-server-unix-socket", optional(self.admin_server_unix_socket.as_deref())),
            ("admin-server-unix-socket-mode", mode(self.admin_server_unix_socket_mode)),
            ("server-cors-allowed-origins", quoted(&self.server_cors_allowed_origins.join(","))),
            ("server-host", quoted(&self.server_host)),
            ("server-port", self.server_port.to_string()),
            ("server-reuseport", self.server_reuseport.to_string()),
            ("server-timing-enabled", self.server_timing_enabled.to_string()),
            ("server-trace-header", optional(self.server_trace_header.as_deref())),
            ("server-unix-socket", optional(self.server_unix_socket.as_deref())),
            ("server-unix-socket-mode", mode(self.server_unix_socket_mode)),
        ]
    }
}

/// DEVIATION: `--dump-config` also escapes backslashes and dollar signs, so that its output always reads back the same.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "$$").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn optional(text: Option<&str>) -> String {
    quoted(text.unwrap_or_default())
}

fn number(number: Option<i64>) -> String {
    number.map_or_else(|| quoted(""), |number| number.to_string())
}

fn function(name: Option<&QualifiedIdent>) -> String {
    let raw = name.map(|name| match name.schema.as_str() {
        "" => name.name.as_str().to_owned(),
        schema => format!("{schema}.{}", name.name.as_str()),
    });
    optional(raw.as_deref())
}

#[cfg(test)]
mod tests {
    use super::super::Sources;
    use super::*;

    #[test]
    fn what_is_dumped_reads_back_the_same() {
        let settings = [
            ("PGRST_APP_SETTINGS_a", "q\"$\\n"),
            ("PGRST_DB_PRE_REQUEST", "a.b"),
            ("PGRST_DB_EXTRA_SEARCH_PATH", ""),
            ("PGRST_JWT_ROLE_CLAIM_KEY", "$.roles[?(@ == \"x\")]"),
            ("PGRST_JWT_SECRET", "c2VjdXJpdHl0aHJvdWdob2JzY3VyaXR5aW5iYXNlNjQ="),
            ("PGRST_JWT_SECRET_IS_BASE64", "true"),
            ("PGRST_SERVER_UNIX_SOCKET_MODE", "777"),
        ];
        let sources = Sources::new(settings.map(|(name, value)| (name.to_owned(), value.to_owned())), None);
        let config = Config::load(&sources, &[]).unwrap().config;
        let dump = config.dump();
        assert!(dump.contains("jwt-role-claim-key = \"$$.roles[?(@ == \\\"x\\\")]\"\n"), "{dump}");
        let path = std::env::temp_dir().join(format!("dugout-dump-{}", std::process::id()));
        std::fs::write(&path, &dump).unwrap();
        let again = Config::load(&Sources::new([], Some(&path)), &[]);
        std::fs::remove_file(path).unwrap();
        assert_eq!(again.unwrap().config, config);
    }
}
