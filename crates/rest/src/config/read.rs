//! Texts become settings; whatever is wrong is collected.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use pg::{Lanes, QualifiedIdent};

use super::{Config, OpenApiMode, TxEnd, Verbosity};

/// A value that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The setting, as the environment names it.
    pub key: String,
    /// What it was set to; secrets are not repeated.
    pub value: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}: {}", self.key, self.value, self.message)
    }
}

/// The settings that `ALTER ROLE … SET pgrst.…` may change.
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
    "jwt_cache_max_lifetime",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_cors_allowed_origins",
    "server_timing_enabled",
    "server_trace_header",
    "url_use_legacy_target_names",
];

/// The one setting that PostgREST does not have, as the environment names it.
pub(super) const LANE: &str = "DUGOUT_REST_LANE";

/// Upstream's older names.
const ALIASES: [(&str, &str); 7] = [
    ("max_rows", "db_max_rows"),
    ("pre_request", "db_pre_request"),
    ("root_spec", "db_root_spec"),
    ("db_schema", "db_schemas"),
    ("role_claim_key", "jwt_role_claim_key"),
    ("secret_is_base64", "jwt_secret_is_base64"),
    ("server_cors_allowed_origin", "server_cors_allowed_origins"),
];

struct Reader {
    settings: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

pub(super) fn read(base: Config, mut settings: BTreeMap<String, String>) -> Result<Config, Vec<Problem>> {
    for (old, new) in ALIASES {
        if let Some(value) = settings.remove(old) {
            settings.entry(new.to_owned()).or_insert(value);
        }
    }
    let mut reader = Reader { settings, problems: Vec::new() };
    let config = reader.database(base);
    let config = reader.server(config);
    if reader.problems.is_empty() { Ok(config) } else { Err(reader.problems) }
}

impl Reader {
    fn database(&mut self, mut config: Config) -> Config {
        self.set(&mut config.client_error_verbosity, "client_error_verbosity", |text| match text {
            "verbose" => Ok(Verbosity::Verbose),
            "minimal" => Ok(Verbosity::Minimal),
            _ => Err("must be verbose or minimal".into()),
        });
        self.set(&mut config.db_aggregates_enabled, "db_aggregates_enabled", boolean);
        self.set(&mut config.db_anon_role, "db_anon_role", optional);
        self.set(&mut config.db_channel, "db_channel", |text| Ok(text.to_owned()));
        self.set(&mut config.db_channel_enabled, "db_channel_enabled", boolean);
        self.set(&mut config.db_config, "db_config", boolean);
        self.set(&mut config.db_extra_search_path, "db_extra_search_path", list);
        self.set(&mut config.db_hoisted_tx_settings, "db_hoisted_tx_settings", list);
        self.set(&mut config.db_max_rows, "db_max_rows", |text| match text {
            "" => Ok(None),
            text => number(text).map(Some),
        });
        self.set(&mut config.db_plan_enabled, "db_plan_enabled", boolean);
        self.set(&mut config.db_pool, "db_pool", number);
        self.set(&mut config.db_pool_acquisition_timeout, "db_pool_acquisition_timeout", |text| {
            number(text).map(Duration::from_secs)
        });
        self.set(&mut config.db_pre_request, "db_pre_request", function);
        self.set(&mut config.db_prepared_statements, "db_prepared_statements", boolean);
        self.set(&mut config.db_root_spec, "db_root_spec", function);
        self.set(&mut config.db_schemas, "db_schemas", |text| {
            let schemas = list(text)?;
            if schemas.is_empty() {
                return Err("must name a schema".into());
            }
            match schemas.iter().find(|s| matches!(s.as_str(), "pg_catalog" | "information_schema")) {
                Some(system) => Err(format!("must not expose {system}")),
                None => Ok(schemas),
            }
        });
        self.set(&mut config.db_tx_end, "db_tx_end", |text| match text {
            "commit" => Ok(TxEnd::Commit),
            "commit-allow-override" => Ok(TxEnd::CommitAllowOverride),
            "rollback" => Ok(TxEnd::Rollback),
            "rollback-allow-override" => Ok(TxEnd::RollbackAllowOverride),
            _ => Err("must be commit, commit-allow-override, rollback or rollback-allow-override".into()),
        });
        self.set(&mut config.db_uri, "db_uri", from_file);
        self.set(&mut config.lanes, LANE, |text| match text {
            "auto" => Ok(Lanes::Auto),
            "hot" => Ok(Lanes::Hot),
            "exclusive" => Ok(Lanes::Exclusive),
            _ => Err("must be auto, hot or exclusive".into()),
        });
        config
    }

    fn server(&mut self, mut config: Config) -> Config {
        for (name, value) in &self.settings {
            if let Some(name) = name.strip_prefix("app_settings_") {
                config.app_settings.push((format!("app.settings.{name}"), value.clone()));
            }
        }
        self.set(&mut config.jwt_aud, "jwt_aud", optional);
        self.set(&mut config.jwt_secret, "jwt_secret", |text| match from_file(text)? {
            text if text.is_empty() => Ok(None),
            text => Ok(Some(text)),
        });
        self.set(&mut config.jwt_secret_is_base64, "jwt_secret_is_base64", boolean);
        self.set(&mut config.jwt_role_claim_key, "jwt_role_claim_key", |text| Ok(text.to_owned()));
        self.set(&mut config.openapi_mode, "openapi_mode", |text| match text {
            "follow-privileges" => Ok(OpenApiMode::FollowPrivileges),
            "ignore-privileges" => Ok(OpenApiMode::IgnorePrivileges),
            "disabled" => Ok(OpenApiMode::Disabled),
            _ => Err("must be follow-privileges, ignore-privileges or disabled".into()),
        });
        self.set(&mut config.openapi_security_active, "openapi_security_active", boolean);
        self.set(&mut config.openapi_server_proxy_uri, "openapi_server_proxy_uri", optional);
        self.set(&mut config.server_cors_allowed_origins, "server_cors_allowed_origins", list);
        self.set(&mut config.server_host, "server_host", |text| Ok(text.to_owned()));
        self.set(&mut config.server_port, "server_port", number);
        self.set(&mut config.server_timing_enabled, "server_timing_enabled", boolean);
        self.set(&mut config.server_trace_header, "server_trace_header", optional);
        self.set(&mut config.url_use_legacy_target_names, "url_use_legacy_target_names", boolean);
        config
    }

    fn set<T>(&mut self, slot: &mut T, name: &str, parse: impl FnOnce(&str) -> Result<T, String>) {
        let Some(value) = self.settings.get(name) else { return };
        match parse(value.trim()) {
            Ok(parsed) => *slot = parsed,
            Err(message) => {
                let secret = matches!(name, "jwt_secret" | "db_uri");
                let value = if secret { "***".to_owned() } else { value.clone() };
                let key = if name == LANE { name.to_owned() } else { format!("PGRST_{}", name.to_ascii_uppercase()) };
                self.problems.push(Problem { key, value, message });
            }
        }
    }
}

/// Any case of true and false, or a number, which is true above zero.
fn boolean(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        text => text.parse::<i64>().map(|n| n > 0).map_err(|_| "must be true or false".to_owned()),
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a whole number in range".to_owned())
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of every parser here")]
fn optional(text: &str) -> Result<Option<String>, String> {
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of every parser here")]
fn list(text: &str) -> Result<Vec<String>, String> {
    Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of every parser here")]
fn function(text: &str) -> Result<Option<QualifiedIdent>, String> {
    let unquoted = |name: &str| name.trim_matches('"').to_owned();
    Ok((!text.is_empty()).then(|| match text.split_once('.') {
        Some((schema, name)) => QualifiedIdent::new(unquoted(schema), unquoted(name)),
        None => QualifiedIdent::new("", unquoted(text)),
    }))
}

/// `@path` stands for the file's text without its last line break.
fn from_file(text: &str) -> Result<String, String> {
    let Some(path) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    let content = std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    Ok(content.strip_suffix('\n').map_or(content.clone(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> Result<Config, Vec<Problem>> {
        Config::from_env(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn values_are_read_over_the_defaults() {
        let config = env(&[
            ("PGRST_DB_SCHEMAS", "api, v1"),
            ("PGRST_DB_EXTRA_SEARCH_PATH", ""),
            ("PGRST_MAX_ROWS", "10"),
            ("PGRST_DB_PRE_REQUEST", "test.switch_role"),
            ("PGRST_DB_TX_END", "rollback-allow-override"),
            ("PGRST_APP_SETTINGS_TEST", "x"),
            ("HOME", "/"),
        ])
        .unwrap();
        assert_eq!(config.db_schemas, ["api", "v1"]);
        assert!(config.db_extra_search_path.is_empty());
        assert_eq!(config.db_max_rows, Some(10));
        assert_eq!(config.db_pre_request, Some(QualifiedIdent::new("test", "switch_role")));
        assert!(config.db_tx_end.allows_override() && config.db_tx_end.rolls_back());
        assert_eq!(config.app_settings, [("app.settings.test".to_owned(), "x".to_owned())]);
        assert_eq!(env(&[]).unwrap(), Config::default());
    }

    #[test]
    fn every_problem_is_named_at_once_and_secrets_are_kept() {
        let problems = env(&[
            ("PGRST_DB_SCHEMAS", "pg_catalog"),
            ("PGRST_SERVER_PORT", "70000"),
            ("PGRST_DB_PLAN_ENABLED", "perhaps"),
            ("PGRST_JWT_SECRET", "@/no/such/file"),
        ])
        .unwrap_err();
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, ["PGRST_DB_PLAN_ENABLED", "PGRST_DB_SCHEMAS", "PGRST_JWT_SECRET", "PGRST_SERVER_PORT"]);
        assert_eq!(problems[2].value, "***");
    }
}
