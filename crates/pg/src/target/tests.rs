use super::*;

#[test]
fn addresses_are_parsed_as_by_libpq() {
    for (url, address, user, database) in [
        ("postgres://ana:s%40p@db.test:6000/app?sslmode=require", "db.test:6000", Some("ana"), Some("app")),
        (
            "postgresql://ana@localhost/app?sslmode=verify-full&sslrootcert=/ca.pem",
            "localhost:5432",
            Some("ana"),
            Some("app"),
        ),
        ("postgres://ana@%2Frun%2Fpg/app", "/run/pg:5432", Some("ana"), Some("app")),
        ("postgres:///app?host=/run/pg&port=6001&user=ana", "/run/pg:6001", Some("ana"), Some("app")),
        ("postgres://ana:x@/app?host=/run/pg", "/run/pg:5432", Some("ana"), Some("app")),
        ("postgres://ana@h/app?pgbouncer=true", "h:5432", Some("ana"), Some("app")),
        ("host=/run/pg port = 6001 user='a na' dbname=app", "/run/pg:6001", Some("a na"), Some("app")),
        ("postgresql://?dbname=app&host=/run/pg&user=ana", "/run/pg:5432", Some("ana"), Some("app")),
    ] {
        let target = Target::parse(url).unwrap();
        assert_eq!((target.address().as_str(), target.user(), target.database()), (address, user, database), "{url}");
    }
}

#[test]
fn the_environment_completes_an_address() {
    let variable = |name: &str| match name {
        "PGHOST" => Some("/run/pg,db.test".to_owned()),
        "PGPORT" => Some("6001".to_owned()),
        "PGUSER" => Some("ana".to_owned()),
        "PGDATABASE" => Some("app".to_owned()),
        "PGAPPNAME" => Some("me".to_owned()),
        _ => None,
    };
    for (text, address, database, name) in [
        ("postgresql://", "/run/pg:6001", "app", "me"),
        ("postgresql://?", "/run/pg:6001", "app", "me"),
        ("", "/run/pg:6001", "app", "me"),
        ("postgresql://h/other?application_name=x", "h:5432", "other", "x"),
    ] {
        let target = Target::parse_with(text, variable).unwrap().or_application_name("fallback");
        assert_eq!((target.address().as_str(), target.database()), (address, Some(database)), "{text}");
        assert_eq!(target.driver_config().get_application_name(), Some(name), "{text}");
        assert_eq!(target.user(), Some("ana"));
    }
    let named = Target::parse("postgres://ana@h/app").unwrap().or_application_name("fallback");
    assert_eq!(named.driver_config().get_application_name(), Some("fallback"));
}

#[test]
fn refusals_do_not_show_the_password() {
    for url in [
        "mysql://a:geheim@h/d",
        "postgres://a:geheim@h/d?sslmode=maybe",
        "geheim",
        "postgres://a:geheim@h:x/d",
        "password='geheim",
    ] {
        let error = Target::parse(url).unwrap_err().to_string();
        assert!(!error.contains("geheim"), "{error}");
    }
}

#[test]
fn event_triggers_are_off_in_addition_to_given_options_and_for_one_login_only() {
    let options = |target: &Target| target.driver_config().get_options().map(str::to_owned);
    let plain = Target::parse("postgres://ana@h/app").unwrap();
    assert_eq!(options(&plain.without_event_triggers()).as_deref(), Some("-c event_triggers=off"));
    let given = Target::parse("postgres://ana@h/app?options=-c%20jit%3Doff").unwrap().without_event_triggers();
    assert_eq!(options(&given).as_deref(), Some("-c jit=off -c event_triggers=off"));
    assert_eq!(options(&given.with_user("bob", None)).as_deref(), Some("-c jit=off"));
    let guarded = given.without_preloads();
    let off = "-c jit=off -c event_triggers=off -c local_preload_libraries=";
    assert_eq!(options(&guarded).as_deref(), Some(off));
    let others = options(&guarded.with_user("bob", None));
    assert_eq!(others.as_deref(), Some("-c jit=off -c local_preload_libraries="), "for every login");
}

#[test]
fn the_url_of_a_target_is_parsed_to_the_same() {
    let target = Target::unix(Path::new("/run/p g"), 5433, "ana", "app").with_user("bob", Some("p@ss/word"));
    let again = Target::parse(&target.url()).unwrap();
    assert_eq!((again.address(), again.user(), again.password()), (target.address(), Some("bob"), Some("p@ss/word")));
}

#[test]
fn the_url_of_a_target_keeps_its_encryption_and_all_its_hosts() {
    let url = "postgresql://ana:x@db1.test:6000,db2.test:6001/app?sslmode=verify-full&sslrootcert=%2Fca%2Epem";
    let target = Target::parse(url).unwrap();
    assert_eq!(target.url(), url);
    assert_eq!(Target::parse(&target.url()).unwrap().tls(), TlsMode::VerifyFull);
    assert_eq!(Target::parse("postgres://ana@h/app").unwrap().url(), "postgresql://ana@h:5432/app");
}
