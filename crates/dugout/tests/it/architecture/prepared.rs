//! Every query file is a valid statement in a migrated database.

use gateway::service::Login;
use server::registry::SERVICES;

use super::sources;
use crate::kit::{Database, connect};

#[tokio::test]
async fn every_query_file_prepares() {
    let files: Vec<_> = sources(&[".sql"])
        .into_iter()
        .filter(|file| {
            file.path.starts_with("crates/") && (file.path.contains("/store/") || file.path.contains("/queries/"))
        })
        .collect();
    let database = Database::cloned().await;
    let mut wrong = Vec::new();
    // Scripts that create a table are executed; they may run repeatedly. Queries of that table are prepared afterwards.
    let (scripts, queries): (Vec<_>, Vec<_>) = files.iter().partition(|file| makes_something(file));
    for file in scripts.into_iter().chain(queries) {
        let client = connect(&database.as_role(role(&file.path))).await;
        let outcome = match makes_something(file) {
            true => client.batch_execute(&file.text).await,
            false => client.prepare(&statement(file)).await.map(drop),
        };
        if let Err(error) = outcome {
            let said = error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
            wrong.push(format!("{}: {said}", file.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() > 5, "only {} query files were found: the test looks in the wrong place", files.len());
}

fn makes_something(file: &super::Source) -> bool {
    file.path.rsplit('/').next().is_some_and(|name| name.starts_with("create_"))
}

/// The statement in a file. A file that begins with `from` shares its columns with others; they are in `columns.sql`.
fn statement(file: &super::Source) -> String {
    let text = &file.text;
    let first = text.lines().find(|line| !line.starts_with("--")).unwrap_or_default();
    if first.starts_with("from ") {
        return format!("select 1 {text}");
    }
    if first.starts_with("  ") {
        return format!(
            "select {text} from auth.users u, auth.sessions s, auth.refresh_tokens t, auth.refresh_tokens active"
        );
    }
    text.clone()
}

/// The role that runs a crate's queries: the role that the service logs in as, or the owner of its schema, who has all rights of
/// the callers' roles.
fn role(path: &str) -> &'static str {
    let name = path.split('/').nth(1).unwrap_or_default();
    match SERVICES.iter().find(|service| service.name == name) {
        Some(service) => match (service.login, service.schema) {
            (Login::Own(role) | Login::Owner(role), _) => role,
            (Login::Authenticator, Some(schema)) => schema.owner,
            (Login::Authenticator, None) => "authenticator",
        },
        None if ["server", "dugout"].contains(&name) => "postgres",
        None => "supabase_admin",
    }
}
