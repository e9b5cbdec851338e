//! Executes one statement of a script, some with the help of `bootstrap/07_platform.sql`.

use tokio_postgres::{Client, Error};

use super::plain;
use super::platform::{Platform, recognise};

/// Executes a statement, or what [`Platform`] replaces it with.
pub(super) async fn execute(client: &Client, sql: &str) -> Result<(), Error> {
    let Some(platform) = recognise(sql) else { return client.batch_execute(sql).await };
    match &platform {
        Platform::ExtensionOfDump { name } => extension_of_dump(client, name, sql).await,
        Platform::CreateExtension { name, schema } if plain::create(client, name, schema.as_deref()).await? => Ok(()),
        _ if !is_offered(client).await? => client.batch_execute(sql).await,
        _ => execute_as_platform(client, platform, sql).await,
    }
}

/// Executes a statement that the platform's functions help with.
async fn execute_as_platform(client: &Client, platform: Platform, sql: &str) -> Result<(), Error> {
    match platform {
        Platform::AllowSetting { name } => {
            client.execute("select dugout_platform.allow_setting($1)", &[&name]).await?;
            client.batch_execute(sql).await
        }
        Platform::CreateExtension { .. } | Platform::ExtensionOfDump { .. } => client.batch_execute(sql).await,
        Platform::MoveExtension { name, schema } => {
            // If the extension or the schema is missing, PostgreSQL's own error says so.
            let found = "select exists (select from pg_catalog.pg_extension where extname = $1) \
                and pg_catalog.to_regnamespace(pg_catalog.quote_ident($2)) is not null";
            if !yes(client, found, &[&name, &schema]).await? {
                return client.batch_execute(sql).await;
            }
            call(client, "select dugout_platform.move_extension($1, $2)", &[&name, &schema]).await
        }
        // Does nothing if the extension is not installed, which is what the migration wants.
        Platform::DropExtension { name } => {
            let found = "select exists (select from pg_catalog.pg_extension where extname = $1)";
            if yes(client, found, &[&name]).await? { client.batch_execute(sql).await } else { Ok(()) }
        }
        Platform::DropAuthTrigger { name, table } => {
            // If there is no such trigger, PostgreSQL reports it, or IF EXISTS takes effect.
            let found = "select exists (select from pg_catalog.pg_trigger where tgname = $1 \
                and tgrelid = pg_catalog.to_regclass('auth.' || pg_catalog.quote_ident($2)))";
            if !yes(client, found, &[&name, &table]).await? {
                return client.batch_execute(sql).await;
            }
            call(client, "select dugout_platform.drop_auth_trigger($1, $2)", &[&name, &table]).await
        }
        Platform::CreatePublication { name, options } => {
            let create = "select dugout_platform.create_publication_for_all_tables($1, $2)";
            call(client, create, &[&name, &options]).await
        }
        Platform::DropPublication { name } => {
            let found = "select exists (select from pg_catalog.pg_publication where pubname = $1 and puballtables)";
            if !yes(client, found, &[&name]).await? {
                return client.batch_execute(sql).await;
            }
            call(client, "select dugout_platform.drop_publication($1)", &[&name]).await
        }
        Platform::CreateEventTrigger { name, event, tags, function } => {
            let function = qualified(client, function).await?;
            let create = "select dugout_platform.create_event_trigger($1, $2, $3, $4)";
            call(client, create, &[&name, &event, &tags, &function]).await
        }
        Platform::CommentEventTrigger { name, comment } => {
            let change = "select dugout_platform.comment_event_trigger($1, $2)";
            call(client, change, &[&name, &comment]).await
        }
        Platform::ChangeEventTrigger { name, action, may_lack } => {
            let found = "select exists (select from pg_catalog.pg_event_trigger where evtname = $1)";
            if may_lack && !yes(client, found, &[&name]).await? {
                return client.batch_execute(sql).await;
            }
            call(client, "select dugout_platform.change_event_trigger($1, $2)", &[&name, &action]).await
        }
    }
}

/// Creates the extension if the server has it. Otherwise goes on without it: a dump names it whether the project uses it or not.
async fn extension_of_dump(client: &Client, name: &str, sql: &str) -> Result<(), Error> {
    let found = "select exists (select from pg_catalog.pg_available_extensions where name = $1)";
    if yes(client, found, &[&name]).await? {
        return client.batch_execute(sql).await;
    }
    tracing::warn!(
        event = "extension_left_out",
        detail = format!("{name} is not part of dugout; the migration goes on without it")
    );
    Ok(())
}

/// The function's name with its schema, as the script's search_path finds it. The platform's functions have an empty one.
async fn qualified(client: &Client, function: String) -> Result<String, Error> {
    let sql = "select pg_catalog.format('%I.%I()', schema.nspname, function.proname) from pg_catalog.pg_proc as function \
        join pg_catalog.pg_namespace as schema on schema.oid operator(pg_catalog.=) function.pronamespace \
        where function.oid operator(pg_catalog.=) pg_catalog.to_regprocedure($1)";
    match client.query_opt(sql, &[&function]).await? {
        Some(row) => row.try_get(0),
        // The platform's function says that there is none.
        None => Ok(function),
    }
}

type Parameters<'a> = &'a [&'a (dyn tokio_postgres::types::ToSql + Sync)];

/// Whether this is the embedded cluster and the role is `postgres`. A superuser needs no help, and other roles get none.
async fn is_offered(client: &Client) -> Result<bool, Error> {
    let sql = "select pg_catalog.to_regnamespace('dugout_platform') is not null \
        and current_user = 'postgres' and not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)";
    yes(client, sql, &[]).await
}

async fn yes(client: &Client, sql: &str, parameters: Parameters<'_>) -> Result<bool, Error> {
    client.query_one(sql, parameters).await?.try_get(0)
}

async fn call(client: &Client, sql: &str, parameters: Parameters<'_>) -> Result<(), Error> {
    client.execute(sql, parameters).await.map(drop)
}
