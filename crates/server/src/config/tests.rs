//! What is made of the settings that are given.

use super::*;

fn load(env: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Config::load(&Sources { env, ..Sources::default() })
        .map(|(config, _)| config)
        .map_err(|problems| problems.iter().map(Problem::to_string).collect())
}

#[test]
fn nothing_said_is_a_safe_server() {
    let config = load(&[("HOME", "/home/ana")]).unwrap();
    assert_eq!((config.host.as_str(), config.port, config.dev), ("127.0.0.1", 54321, false));
    assert!(matches!(config.database, Database::Embedded { tcp_port: None, durable: true, .. }));
    assert_eq!(config.data_dir, PathBuf::from("/home/ana/.local/share/dugout"));
    assert!(!config.app.serve && config.trusted_proxies.0.is_empty());
}

#[test]
fn dev_opens_postgres_where_the_cli_looks_for_it() {
    let config = load(&[("DUGOUT_DEV", "true")]).unwrap();
    assert!(matches!(config.database, Database::Embedded { tcp_port: Some(54322), .. }));
}

#[test]
fn what_is_printed_is_known_to_hold_no_secret() {
    let secrets = [
        "GOTRUE_JWT_SECRET",
        "GOTRUE_SMTP_PASS",
        "GOTRUE_SECURITY_CAPTCHA_SECRET",
        "GOTRUE_EXTERNAL_GITHUB_SECRET",
        "GOTRUE_SMS_VONAGE_API_SECRET",
        "GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY",
        "GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY",
        "GOTRUE_DB_DATABASE_URL",
        // Nobody knows what this is, and its name is no hint.
        "GOTRUE_SOMETHING_OF_TOMORROW",
    ];
    let open = [
        ("GOTRUE_SITE_URL", "https://shown.test"),
        ("GOTRUE_EXTERNAL_GITHUB_CLIENT_ID", "shown"),
        ("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "77"),
        ("GOTRUE_PASSWORD_MIN_LENGTH", "88"),
        ("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "99"),
    ];
    let hidden = secrets.iter().map(|name| (*name, "geheim-0123456789-geheim-0123456789"));
    let env: std::collections::BTreeMap<String, String> =
        hidden.chain(open).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let (config, resolved) = Config::load(&Sources { env, ..Sources::default() }).unwrap_or_else(|_| panic!());
    let printed = resolved.print(&config.auth.printable);
    assert!(!printed.contains("geheim"), "{printed}");
    for name in secrets {
        assert!(printed.contains(&format!("{name} = ***  ")), "{name}: {printed}");
    }
    for (name, value) in open {
        assert!(printed.contains(&format!("{name} = {value}  ")), "{name}: {printed}");
    }
}

#[test]
fn dev_stays_on_this_machine_unless_asked() {
    for host in ["127.0.0.1", "localhost", "::1", "127.8.9.10"] {
        load(&[("DUGOUT_DEV", "true"), ("DUGOUT_HOST", host)]).map(drop).unwrap();
    }
    for host in ["0.0.0.0", "::", "192.0.2.7", "::ffff:192.0.2.7"] {
        let problems = load(&[("DUGOUT_DEV", "true"), ("DUGOUT_HOST", host)]).err().unwrap();
        assert_eq!(problems.len(), 1, "{problems:#?}");
        assert!(problems[0].starts_with("DUGOUT_HOST: ") && problems[0].contains("--dev-public"), "{problems:?}");
        load(&[("DUGOUT_HOST", host)]).map(drop).unwrap();
        let asked = [("DUGOUT_DEV", "true"), ("DUGOUT_DEV_PUBLIC", "true"), ("DUGOUT_HOST", host)];
        load(&asked).map(drop).unwrap();
    }
}

#[test]
fn every_bad_value_is_reported_at_once() {
    let problems = load(&[
        ("DUGOUT_PORT", "70000"),
        ("DUGOUT_PUBLIC_URL", "x.test"),
        ("DATABASE_URL", "mysql://h"),
        ("DUGOUT_TRUSTED_PROXIES", "10.0.0.0/8, here"),
        ("DUGOUT_DB_POOL", "0"),
        ("GOTRUE_JWT_SECRET", "short"),
    ])
    .err()
    .unwrap();
    assert_eq!(problems.len(), 6, "{problems:#?}");
    assert!(problems.iter().any(|problem| problem.contains("DUGOUT_PORT: “70000” must be a port number")));
    assert!(!problems.iter().any(|problem| problem.contains("short")));
}
