//! `dugout gen types typescript` beside the Supabase CLI's.

use super::Project;
use crate::architecture::root;
use crate::supabase_cli::supabase;

/// Both generators for the same schemas.
fn both(project: &Project, schemas: &str) -> (String, String) {
    let remote = format!("--remote={}", project.url());
    let schema = format!("--schema={schemas}");
    let theirs = supabase(project.launch.folder.path(), &["gen", "types", "--lang=typescript", &schema, &remote]);
    (project.said(&["gen", "types", "typescript", &schema]), theirs)
}

fn assert_same(ours: &str, theirs: &str) {
    let mut lines = ours.lines().zip(theirs.lines()).enumerate();
    if let Some((number, (our, their))) = lines.find(|(_, (our, their))| our != their) {
        panic!("line {}:\nours:   {our}\ntheirs: {their}", number + 1);
    }
    assert_eq!(ours, theirs);
}

#[tokio::test]
async fn types_of_awkward_schemas_are_the_clis_byte_for_byte() {
    let project = Project::new(include_str!("gen_types/awkward.sql"));
    let dugout = project.launch.start().await;
    for schemas in ["public", "public,other", "other", "empty", "auth,public,storage", "nowhere"] {
        let (ours, theirs) = both(&project, schemas);
        assert_same(&ours, &theirs);
    }
    let (ours, _) = both(&project, "public");
    for part in
        ["\"mood\": \"sad\"|\"ok\"", "isOneToOne: true", "SetofOptions", "{ error: true }", "ComputedFields: \""]
    {
        assert!(ours.contains(part), "the schema does not cover {part}:\n{ours}");
    }
    // Without a server: the same from the data directory, and from an address.
    let by_address =
        project.said(&["gen", "types", "--lang=typescript", "--schema=public", "--db-url", &project.url()]);
    assert_same(&by_address, &ours);
    drop(dugout);
    assert_same(&project.said(&["gen", "types", "--schema=public"]), &ours);
    // As with the CLI, config.toml's schemas are the default.
    assert!(project.said(&["gen", "types"]).contains("\"graphql_public\": {"));
}

#[tokio::test]
async fn the_apps_types_are_those_of_its_migrations() {
    let launch = crate::kit::Launch::new(crate::kit::Account::Ours);
    let _dugout = launch.start().await;
    let output =
        launch.command(["gen", "types", "typescript", "--schema=public", "--data-dir"]).arg(launch.data_dir()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let committed = std::fs::read_to_string(root().join("frontend/src/types/database.ts")).unwrap();
    assert_same(&String::from_utf8(output.stdout).unwrap(), &committed);
}
