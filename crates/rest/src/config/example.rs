//! An example configuration file: `--example`.

/// Every setting with its default; settings without one are commented out.
pub const EXAMPLE: &str = r##"# Where PostgreSQL is. "@/path" reads it from a file.
db-uri = "postgresql://"
# The role of requests without a token; without it they are refused.
# db-anon-role = "anon"
# The schemas to expose, the first is the default; and those to search behind them.
db-schemas = "public"
db-extra-search-path = "public"
# A function to call in every transaction before the request's own statement; one that answers /.
# db-pre-request = "my_schema.check_request"
# db-root-spec = "my_schema.root"
# How transactions end: commit, commit-allow-override, rollback or rollback-allow-override.
db-tx-end = "commit"
# Rows of an answer at most.
# db-max-rows = 1000
# Settings of functions that are put in force before they are called.
db-hoisted-tx-settings = "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"
# Whether select may aggregate, and whether execution plans may be asked for.
db-aggregates-enabled = false
db-plan-enabled = false

# Connections at most, and the seconds they are waited for, used, and kept idle.
db-pool = 10
db-pool-acquisition-timeout = 10
db-pool-max-lifetime = 1800
db-pool-max-idletime = 30
# Whether a lost database is waited for.
db-pool-automatic-recovery = true
# Off behind a pooler in transaction mode.
db-prepared-statements = true

# Settings in the database: those of the connection's role, and those a function makes.
db-config = true
# db-pre-config = "my_schema.pre_config"
# Where reloads are announced.
db-channel = "pgrst"
db-channel-enabled = true

# A secret of 32 characters or more, a JWK or a JWK set. "@/path" reads it from a file.
# jwt-secret = "reallyreallyreallyreallyverysafe"
jwt-secret-is-base64 = false
# jwt-aud = "my-audience"
jwt-role-claim-key = "$$.role"
jwt-cache-max-entries = 1000

# Where to listen: an address, !4 *4 !6 *6 or *; or a socket instead.
server-host = "!4"
server-port = 3000
server-reuseport = false
# server-unix-socket = "/run/postgrest.sock"
server-unix-socket-mode = "660"
# server-cors-allowed-origins = "https://example.com"
# server-trace-header = "X-Request-Id"
server-timing-enabled = false
# The admin server: /live, /ready, /metrics, /schema_cache.
# admin-server-host = "127.0.0.1"
# admin-server-port = 3001
# admin-server-unix-socket = "/run/postgrest-admin.sock"
admin-server-unix-socket-mode = "660"

# What is logged: crit, error, warn, info or debug; and whether SQL is.
log-level = "error"
log-query = false
# How much of an error clients see: verbose or minimal.
client-error-verbosity = "verbose"

# The description at /: follow-privileges, ignore-privileges or disabled; its public address.
openapi-mode = "follow-privileges"
openapi-security-active = false
# openapi-server-proxy-uri = "https://example.com/api"

# Whether filters may name an embed that has an alias by its own name.
url-use-legacy-target-names = true

# Settings for SQL: current_setting('app.settings.name').
# app.settings.name = "value"
"##;

#[cfg(test)]
mod tests {
    use super::super::{Config, Sources};
    use super::EXAMPLE;

    #[test]
    fn the_example_is_the_defaults() {
        let path = std::env::temp_dir().join(format!("dugout-example-{}", std::process::id()));
        std::fs::write(&path, EXAMPLE).unwrap();
        let loaded = Config::load(&Sources::new([], Some(&path)), &[]);
        std::fs::remove_file(path).unwrap();
        assert_eq!(loaded.unwrap().config, Config::default());
    }
}
