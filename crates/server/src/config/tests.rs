//! Defaults, bad values and what `--print-config` shows.

use super::*;

fn load(env: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Config::load(&Sources { env, ..Sources::default() })
        .map(|(config, _)| config)
        .map_err(|problems| problems.iter().map(Problem::to_string).collect())
}

#[test]
fn the_defaults_are_safe() {
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
fn secrets_are_not_printed() {
    let secrets = [
        "GOTRUE_JWT_SECRET",
        "GOTRUE_SMTP_PASS",
        "GOTRUE_SECURITY_CAPTCHA_SECRET",
        "GOTRUE_EXTERNAL_GITHUB_SECRET",
        "GOTRUE_SMS_VONAGE_API_SECRET",
        "GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY",
        "GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY",
        "GOTRUE_DB_DATABASE_URL",
        // An unknown variable, whose name does not hint at a secret.
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
    let printed: String = config.shown(&resolved).iter().map(|shown| format!("{shown}\n")).collect();
    assert!(!printed.contains("geheim"), "{printed}");
    for name in secrets {
        assert!(printed.contains(&format!("{name} = ***  ")), "{name}: {printed}");
    }
    for (name, value) in open {
        assert!(printed.contains(&format!("{name} = {value}  ")), "{name}: {printed}");
    }
}

#[test]
fn passwords_in_urls_are_not_printed() {
    let env = [
        ("GOTRUE_HOOK_SEND_EMAIL_URI", "https://ana:geheim@hooks.test/mail?a=b@c"),
        ("GOTRUE_HOOK_SEND_EMAIL_ENABLED", "true"),
        ("GOTRUE_HOOK_SEND_EMAIL_SECRETS", "v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
        ("GOTRUE_EXTERNAL_KEYCLOAK_URL", "https://geheim@keycloak.test:8443"),
        ("GOTRUE_URI_ALLOW_LIST", "https://*.shown.test/**,http://u:geh@eim@two.test#x"),
        ("GOTRUE_SITE_URL", "HTTPS://shown.test/a@b"),
        ("DUGOUT_IP_LOOKUP_URL", "https://u:ge,heim@ip.test"),
    ];
    let env: std::collections::BTreeMap<String, String> =
        env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let (config, resolved) =
        Config::load(&Sources { env, ..Sources::default() }).unwrap_or_else(|problems| panic!("{problems:?}"));
    let printed: String = config.shown(&resolved).iter().map(|shown| format!("{shown}\n")).collect();
    for part in ["geh", "heim", "eim@"] {
        assert!(!printed.contains(part), "{printed}");
    }
    for part in [
        "= https://***@hooks.test/mail?a=b@c  ",
        "= https://***@keycloak.test:8443  ",
        "= https://*.shown.test/**,http://***@two.test#x  ",
        "= HTTPS://shown.test/a@b  ",
        "= https://***@ip.test  ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let problem = load(&[("DUGOUT_PUBLIC_URL", "ftp://ana:geheim@x.test"), ("DUGOUT_PORT", "http://a:geheim@b")]);
    let problems = format!("{:?}", problem.err().unwrap());
    assert!(problems.contains("http://***@b") && !problems.contains("geheim"), "{problems}");
}

#[test]
fn dev_listens_on_loopback_unless_made_public() {
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

/// Loads the configuration of a project with this config.toml.
fn of_project(name: &str, toml: &str, env: &[(&str, &str)]) -> Result<(Config, Resolved), Vec<Problem>> {
    let folder = std::env::temp_dir().join(format!("dugout-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("supabase")).unwrap();
    std::fs::write(folder.join("supabase/config.toml"), toml).unwrap();
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let loaded = Config::load(&Sources { env, project: Some(folder.clone()), ..Sources::default() });
    std::fs::remove_dir_all(folder).unwrap();
    loaded
}

#[test]
fn a_secret_that_names_an_unset_variable_is_refused() {
    let text =
        "[auth]\njwt_secret = \"env(MY_SECRET)\"\nsite_url = \"env(MY_SITE)\"\n[studio]\nopenai_api_key = \"env(AI)\"";
    let loaded = of_project("unset", text, &[("SUPABASE_AUTH_SITE_URL", "https://x.test")]);
    let problems = loaded.err().unwrap();
    let said: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(said, ["names the environment variable MY_SECRET, which is not set"]);
}

#[test]
fn a_developer_may_lack_secrets() {
    let text = "[api]\nschemas = [\"public\", \"env(SCHEMA)\"]\n\
        [auth]\njwt_secret = \"env(JWT)\"\nsite_url = \"env(SITE)\"\n\
        additional_redirect_urls = [\"http://a.test\", \"env(URL)\"]\n\
        [auth.email.smtp]\nhost = \"mail.test\"\nport = 25\npass = \"env(PASS)\"\nuser = \"env(NAME)\"\n\
        admin_email = \"a@x.test\"\n\
        [auth.sms.twilio]\nenabled = true\naccount_sid = \"env(SID)\"\nauth_token = \"env(SMS)\"\n\
        [auth.sms.vonage]\nenabled = false\napi_key = \"env(VONAGE)\"\n\
        [auth.captcha]\nenabled = true\nprovider = \"hcaptcha\"\nsecret = \"env(CAPTCHA)\"\n\
        [auth.hook.send_sms]\nenabled = true\nuri = \"env(HOOK)\"\n\
        [studio]\nopenai_api_key = \"env(AI)\"";
    let loaded = of_project("lacking", text, &[("DUGOUT_DEV", "true")]);
    let (config, resolved) = loaded.unwrap_or_else(|problems| panic!("{problems:?}"));
    let named = ["SCHEMA", "JWT", "SITE", "URL", "PASS", "SID", "CAPTCHA", "HOOK"];
    for variable in named {
        let about = config.warnings.iter().filter(|warning| warning.contains(&format!("variable {variable},")));
        assert_eq!(about.count(), 1, "{variable}: {:?}", config.warnings);
    }
    assert_eq!(config.warnings.len(), named.len(), "{:?}", config.warnings);
    assert!(
        config.warnings.iter().any(|warning| warning.contains("PASS, which is not set: mails stay in the mailbox"))
    );
    let shown = config.shown(&resolved);
    let value = |name: &str| shown.iter().find(|shown| shown.name == name).map(|shown| shown.text.as_str());
    assert_eq!(value("api.schemas"), Some("public"));
    assert_eq!(value("GOTRUE_SITE_URL"), Some("http://127.0.0.1:3000"));
    assert_eq!(value("GOTRUE_URI_ALLOW_LIST"), Some("http://a.test"));
    assert_eq!(value("GOTRUE_RATE_LIMIT_EMAIL_SENT"), Some("360000"));
    for absent in ["GOTRUE_SMTP_HOST", "GOTRUE_SMS_PROVIDER", "GOTRUE_SECURITY_CAPTCHA_ENABLED"] {
        assert_eq!(value(absent), None, "{absent}");
    }
    // Without --dev each is a problem.
    let problems = of_project("complete", text, &[]).err().unwrap();
    for variable in named {
        assert!(problems.iter().any(|problem| problem.message.contains(variable)), "{variable}: {problems:?}");
    }
}

#[test]
fn a_disabled_provider_needs_no_secret_and_a_missing_secret_is_a_warning() {
    let text = "[auth.external.apple]\nenabled = false\nsecret = \"env(APPLE)\"\n\
        [auth.external.github]\nenabled = true\nclient_id = \"us\"\nsecret = \"env(GITHUB)\"\n\
        [auth.external.gitlab]\nenabled = true\nclient_id = \"us\"\nsecret = \"env(GITLAB)\"\n\
        [auth.hook.send_sms]\nenabled = false\nsecrets = \"env(HOOK)\"";
    for (dev, is_on) in [("true", "false"), ("false", "true")] {
        let loaded = of_project(&format!("providers-{dev}"), text, &[("GITLAB", "s"), ("DUGOUT_DEV", dev)]);
        let (config, resolved) = loaded.unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(config.warnings.len(), 1, "{:?}", config.warnings);
        assert!(config.warnings[0].contains("GITHUB, which is not set: the provider github"));
        let shown = config.shown(&resolved);
        let value = |name: &str| shown.iter().find(|shown| shown.name == name).map(|shown| shown.text.as_str());
        assert_eq!(value("GOTRUE_EXTERNAL_GITHUB_ENABLED"), Some(is_on));
        assert_eq!(value("GOTRUE_EXTERNAL_GITLAB_ENABLED"), Some("true"));
        assert_eq!(value("GOTRUE_EXTERNAL_APPLE_SECRET"), None);
    }
    let problems =
        of_project("captcha", "[auth.captcha]\nenabled = true\nsecret = \"env(CAPTCHA)\"", &[]).err().unwrap();
    assert!(
        problems.iter().any(|problem| problem.message == "names the environment variable CAPTCHA, which is not set")
    );
}

#[test]
fn the_environment_overrides_the_cli_default_of_a_gotrue_variable() {
    let sources = Sources { env: [("GOTRUE_JWT_EXP".to_owned(), "60".to_owned())].into(), ..Sources::default() };
    let (config, resolved) = Config::load(&sources).unwrap_or_else(|_| panic!());
    let shown: Vec<String> = config.shown(&resolved).iter().map(ToString::to_string).collect();
    assert!(shown.contains(&"GOTRUE_JWT_EXP = 60    # GOTRUE_JWT_EXP".to_owned()), "{shown:#?}");
    assert!(shown.contains(&"GOTRUE_MAILER_AUTOCONFIRM = true    # default".to_owned()), "{shown:#?}");
}
