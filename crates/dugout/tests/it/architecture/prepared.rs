//! Every query file is a statement that the migrated database understands.

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
    for file in &files {
        let client = connect(&database.as_role(role(&file.path))).await;
        if let Err(error) = client.prepare(&file.text).await {
            let said = error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
            wrong.push(format!("{}: {said}", file.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() > 5, "only {} query files were found: the test looks in the wrong place", files.len());
}

/// Who runs a crate's queries.
fn role(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("auth") => "supabase_auth_admin",
        Some("rest") => "authenticator",
        Some("server" | "dugout") => "postgres",
        _ => "supabase_admin",
    }
}
