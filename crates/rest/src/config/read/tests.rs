use super::*;
use std::path::PathBuf;

fn environment(pairs: &[(&str, &str)]) -> Sources {
    Sources::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())), None)
}

fn load(pairs: &[(&str, &str)]) -> Result<Loaded, Vec<Problem>> {
    Config::load(&environment(pairs), &[])
}

fn file(text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dugout-read-{:?}", std::thread::current().id()));
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn values_are_read_over_the_defaults() {
    let config = load(&[
        ("PGRST_DB_SCHEMAS", "api, v1"),
        ("PGRST_DB_EXTRA_SEARCH_PATH", ""),
        ("PGRST_MAX_ROWS", "10"),
        ("PGRST_DB_PRE_REQUEST", "test.switch_role"),
        ("PGRST_DB_TX_END", "rollback-allow-override"),
        ("PGRST_APP_SETTINGS_Test", "x"),
        ("PGRST_DB_POOL_TIMEOUT", "5"),
        ("PGRST_SERVER_HOST", "127.0.0.1"),
        ("PGRST_SERVER_UNIX_SOCKET_MODE", "777"),
        ("PGRST_JWT_CACHE_MAX_ENTRIES", "-1"),
        ("HOME", "/"),
    ])
    .unwrap()
    .config;
    assert_eq!(config.db_schemas, ["api", "v1"]);
    assert!(config.db_extra_search_path.is_empty());
    assert_eq!(config.db_max_rows, Some(10));
    assert_eq!(config.db_pre_request, Some(QualifiedIdent::new("test", "switch_role")));
    assert!(config.db_tx_end.allows_override() && config.db_tx_end.rolls_back());
    assert_eq!(config.app_settings, [("app.settings.Test".to_owned(), "x".to_owned())]);
    assert_eq!(config.db_pool_max_idletime, Duration::from_secs(5));
    assert_eq!((config.admin_server_host.as_str(), config.server_unix_socket_mode), ("127.0.0.1", 0o777));
    assert_eq!(config.jwt_cache_max_entries, 0);
    assert_eq!(load(&[]).unwrap().config, Config::default());
    let empty: Vec<(&str, &str)> =
        vec![("PGRST_LOG_LEVEL", ""), ("PGRST_DB_ANON_ROLE", ""), ("PGRST_JWT_SECRET", ""), ("PGRST_DB_POOL", "")];
    assert_eq!(load(&empty).unwrap().config, Config::default());
}

#[test]
fn every_problem_is_told_at_once_in_upstreams_words() {
    let problems = load(&[
        ("PGRST_DB_SCHEMAS", "public, pg_catalog"),
        ("PGRST_JWT_SECRET", "short"),
        ("PGRST_JWT_AUD", "foo://%%$$^^.com"),
        ("PGRST_JWT_ROLE_CLAIM_KEY", ".role##"),
        ("PGRST_LOG_LEVEL", "never"),
        ("PGRST_DB_TX_END", "random"),
        ("PGRST_OPENAPI_MODE", "follow-"),
        ("PGRST_OPENAPI_SERVER_PROXY_URI", "htp:/@@x.invalid"),
        ("PGRST_SERVER_UNIX_SOCKET_MODE", "800"),
        ("PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE", "599"),
        ("PGRST_CLIENT_ERROR_VERBOSITY", "much"),
        ("PGRST_SERVER_PORT", "3001"),
        ("PGRST_ADMIN_SERVER_PORT", "3001"),
        ("PGRST_DB_URI", "@/no/such/file"),
    ])
    .unwrap_err();
    let all = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    for message in [
        "db-schemas does not allow schema: 'pg_catalog'",
        "The JWT secret must be at least 32 characters long.",
        "jwt-aud should be a string or a valid URI",
        "failed to parse role-claim-key value (.role##)",
        "Invalid logging level. Check your configuration.",
        "Invalid transaction termination. Check your configuration.",
        "Invalid openapi-mode. Check your configuration.",
        "Malformed proxy uri, a correct example: https://example.com:8443/basePath",
        "Invalid server-unix-socket-mode: not an octal",
        "Invalid admin-server-unix-socket-mode: needs to be between 600 and 777",
        "Invalid client-error-verbosity. Check your configuration.",
        "admin-server-port cannot be the same as server-port",
        "/no/such/file: No such file or directory",
    ] {
        assert!(all.contains(&format!("Error in config {message}")) || all.contains(message), "{message}\n{all}");
    }
    assert!(!all.contains("short"), "{all}");
}

#[test]
fn what_has_no_effect_is_told() {
    let warnings = load(&[("PGRST_DB_POOOL", "1"), ("PGRST_DB_MAX_ROWS", "many"), ("PGRST_DB_PLAN_ENABLED", "?")]);
    let warnings = warnings.unwrap().warnings.join("\n");
    for part in
        ["PGRST_DB_POOOL is no setting", "db-max-rows is passed over: many", "db-plan-enabled is passed over: ?"]
    {
        assert!(warnings.contains(part), "{warnings}");
    }
}

#[test]
fn the_database_wins_over_the_environment_and_that_over_the_file() {
    let path = file("db-max-rows = 1\ndb-anon-role = \"file\"\ndb-schemas = \"file\"\n");
    let variables = [("PGRST_DB_ANON_ROLE", "variable"), ("PGRST_DB_SCHEMAS", "variable")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sources = Sources::new(variables, Some(&path));
    let database = [("db_schemas".to_owned(), "database".to_owned())];
    let config = Config::load(&sources, &database).unwrap().config;
    std::fs::remove_file(path).unwrap();
    assert_eq!(config.db_max_rows, Some(1));
    assert_eq!((config.db_anon_role.as_deref(), config.db_schemas[0].as_str()), (Some("variable"), "database"));
}

#[test]
fn a_secret_may_be_in_a_file() {
    let path = file("reallyreallyreallyreallyverysafe\n");
    let config = load(&[("PGRST_JWT_SECRET", &format!("@{}", path.display()))]).unwrap().config;
    std::fs::remove_file(path).unwrap();
    assert_eq!(config.jwt_secret.unwrap().reveal(), b"reallyreallyreallyreallyverysafe");
}
