//! Before its first migration, a project's new database gets the roles and the vault's secrets.

use pg::Target;

use super::{Project, text};
use crate::kit::connect;

#[tokio::test]
async fn roles_and_secrets_are_there_before_the_migrations() {
    let project = Project::new(
        "create table public.things (id int); grant select on public.things to reader;
         create table public.kept as select name, decrypted_secret from vault.decrypted_secrets order by name;
         create extension pg_net;",
    );
    project.write("supabase/roles.sql", "create role reader nologin; alter role reader set statement_timeout = '4s';");
    let config = std::fs::read_to_string(project.launch.folder.path().join("supabase/config.toml")).unwrap();
    let vault = "[db.vault]\nplain = \"one\"\nfrom_env = \"env(VAULT_TEST)\"\nunset = \"env(NOT_SET)\"\n";
    project.write("supabase/config.toml", &format!("{config}{vault}"));
    project.write(".env", "VAULT_TEST=two words\n");
    let dugout = project.launch.start().await;
    let url = Target::parse(&format!("{}?sslmode=disable", project.url())).unwrap();
    let client = connect(&url).await;
    let kept = "select string_agg(name || '=' || decrypted_secret, ', ' order by name) from public.kept";
    let kept: String = client.query_one(kept, &[]).await.unwrap().get(0);
    assert_eq!(kept, "from_env=two words, plain=one");
    let timeout = "select count(*) from pg_roles where rolname = 'reader' and rolconfig = '{statement_timeout=4s}'";
    assert_eq!(client.query_one(timeout, &[]).await.unwrap().get::<_, i64>(0), 1);
    assert!(dugout.log().contains("NOT_SET"), "{}", dugout.log());
    assert!(!dugout.log().contains("two words"));
    // The shadow database of a diff has the roles, too.
    let output = project.run(&["db", "diff"]);
    let (said, errors) = text(&output);
    assert!(output.status.success() && said.is_empty(), "{said}{errors}");
    drop(client);
    drop(dugout);

    // An existing database is left alone: the role would exist already, and the secret may have been changed since.
    let dugout = project.launch.start().await;
    let client = connect(&url).await;
    client
        .batch_execute("select vault.update_secret(id, 'three') from vault.secrets where name = 'plain'")
        .await
        .unwrap();
    drop(client);
    drop(dugout);
    let _dugout = project.launch.start().await;
    let client = connect(&url).await;
    let secret = "select decrypted_secret from vault.decrypted_secrets where name = 'plain'";
    assert_eq!(client.query_one(secret, &[]).await.unwrap().get::<_, String>(0), "three");
}
