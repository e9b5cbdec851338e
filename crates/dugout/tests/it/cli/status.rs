//! `dugout status`, and the addresses that the start shows.

use std::collections::BTreeMap;

use super::Project;
use crate::kit::{Account, Database, Launch};

#[tokio::test]
async fn every_format_has_the_names_of_the_cli() {
    let project = Project::new("");
    let _dugout = project.launch.start().await;
    let json: BTreeMap<String, String> = serde_json::from_str(&project.said(&["status", "-o", "json"])).unwrap();
    let names: Vec<&str> = json.keys().map(String::as_str).collect();
    let wanted = [
        "ANON_KEY",
        "API_URL",
        "DB_URL",
        "JWT_SECRET",
        "MAILPIT_URL",
        "PUBLISHABLE_KEY",
        "REST_URL",
        "S3_PROTOCOL_ACCESS_KEY_ID",
        "S3_PROTOCOL_ACCESS_KEY_SECRET",
        "S3_PROTOCOL_REGION",
        "SECRET_KEY",
        "SERVICE_ROLE_KEY",
        "STORAGE_S3_URL",
    ];
    assert_eq!(wanted.iter().filter(|name| !names.contains(name)).count(), 0, "{names:?}");
    assert_eq!(json["DB_URL"], project.url());
    let mail = reqwest::get(format!("{}/api/v1/messages", json["MAILPIT_URL"])).await.unwrap();
    assert_eq!(mail.status().as_u16(), 200);

    let lines = |format: &str| project.said(&["status", "-o", format]);
    let line = |name: &str, value: &str, format: &str| match format {
        "env" => format!("{name}=\"{value}\""),
        "yaml" => format!("{name}: {value}"),
        _ => format!("{name} = \"{value}\""),
    };
    for format in ["env", "yaml", "toml"] {
        let wanted: Vec<String> = json.iter().map(|(name, value)| line(name, value, format)).collect();
        let mut found = lines(format);
        if format == "yaml" {
            // A value that begins with a digit may stand in quotes.
            found = found.replace('"', "");
        }
        assert_eq!(found.lines().collect::<Vec<_>>(), wanted, "{format}");
    }
    let pretty = lines("pretty");
    assert!(pretty.contains("│ Project URL │") && pretty.contains(&json["SECRET_KEY"]), "{pretty}");

    let renamed = project.said(&["status", "-o", "env", "--override-name", "api.url=NEXT_PUBLIC_SUPABASE_URL"]);
    assert!(renamed.contains(&format!("NEXT_PUBLIC_SUPABASE_URL=\"{}\"\n", json["API_URL"])), "{renamed}");
    assert!(!renamed.contains("\nAPI_URL="), "{renamed}");
    let bad = project.run(&["status", "--override-name", "nonsense"]);
    let (_, errors) = super::text(&bad);
    assert!(!bad.status.success() && errors.contains("expected KEY=VALUE: nonsense"), "{errors}");
}

#[tokio::test]
async fn the_banner_shows_the_database_of_a_project_and_the_mailbox() {
    let project = Project::new("create table public.a (id int);");
    let dugout = project.launch.start().await;
    let log = dugout.log();
    assert!(log.contains(&format!("  Database    {}\n", project.url())), "{log}");
    assert!(log.contains("  Mailbox     http://127.0.0.1:"), "{log}");
    assert!(log.contains("  Applied     1 migration\n"), "{log}");
}

#[tokio::test]
async fn the_banner_never_shows_the_password_of_somebody_elses_server() {
    let database = Database::cloned().await;
    let password = "not-for-the-log";
    let admin = database.target();
    let url = admin.with_user(admin.user().unwrap(), Some(password)).url();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("supabase")).unwrap();
    std::fs::write(folder.path().join("supabase/config.toml"), "[db.migrations]\nenabled = false\n").unwrap();
    let launch = Launch::new(Account::Ours).arg("--db-url", &url).arg("--project", folder.path()).switch("--dev");
    let dugout = launch.start().await;
    let log = dugout.log();
    assert!(log.contains("Dugout is ready."), "{log}");
    assert!(!log.contains(password) && !log.contains("  Database  "), "{log}");
    // `dugout status` still prints it, for users who can read the data directory.
    assert_eq!(launch.status("DB_URL"), url);
}
