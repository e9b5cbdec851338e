//! Our own extensions on servers where they cannot be installed: PostgreSQL before 18, or a user's server. The same script
//! creates their objects as plain ones, which belong to no extension.
//!
//! DEVIATION (behaviour): on such a server `pg_extension` does not list pg_net, pgjwt and pgmq, and DROP EXTENSION does not find
//! them. pg_cron, supabase_vault and dugout_mail need our own cluster.

use tokio_postgres::{Client, Error};

use crate::{Ident, Snippet};

/// An extension, its default schema, and a test for its objects.
struct Plain {
    name: &'static str,
    script: &'static str,
    schema: &'static str,
    /// Whether `schema` is the only possible schema.
    is_fixed: bool,
    /// An SQL expression that is not null if the objects exist. `$1` is the schema's quoted name.
    found: &'static str,
}

const ALL: [Plain; 3] = [
    Plain {
        name: "pg_net",
        script: include_str!("../extensions/pg_net/pg_net--0.19.5.sql"),
        schema: "net",
        is_fixed: true,
        found: "to_regclass($1::text || '.http_request_queue')",
    },
    Plain {
        name: "pgjwt",
        script: include_str!("../extensions/pgjwt/pgjwt--0.2.0.sql"),
        schema: "extensions",
        is_fixed: false,
        found: "to_regprocedure($1::text || '.algorithm_sign(text,text,text)')",
    },
    Plain {
        name: "pgmq",
        script: include_str!("../extensions/pgmq/pgmq--1.5.1.sql"),
        schema: "pgmq",
        is_fixed: true,
        found: "to_regclass($1::text || '.meta')",
    },
];

/// Whether there is a script for the extension.
pub(super) fn is_offered(name: &str) -> bool {
    ALL.iter().any(|plain| plain.name == name)
}

/// Creates the objects of an extension that this server cannot install, unless they exist. `false` if the caller must run CREATE
/// EXTENSION. An installed pg_net counts as done, because our new databases have it from the start, and the platform's do not.
pub(super) async fn create(client: &Client, name: &str, schema: Option<&str>) -> Result<bool, Error> {
    let Some(plain) = ALL.iter().find(|plain| plain.name == name) else { return Ok(false) };
    let sql = "select exists (select from pg_catalog.pg_extension where extname = $1),
        exists (select from pg_catalog.pg_available_extensions where name = $1),
        not coalesce(pg_catalog.pg_has_role(current_user, pg_catalog.to_regrole('dugout_worker')::oid, 'member'), false),
        pg_catalog.current_setting('search_path')";
    let row = client.query_one(sql, &[&name]).await?;
    let (is_installed, is_available, is_stranger): (bool, bool, bool) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if is_installed {
        return Ok(name == "pg_net");
    }
    // Only a member of dugout_worker can give that role pg_net's tables.
    if is_available || (name == "pg_net" && is_stranger) {
        return Ok(false);
    }
    let schema = if plain.is_fixed { plain.schema } else { schema.unwrap_or(plain.schema) };
    let quoted = quoted(schema);
    let found = ["select pg_catalog.", plain.found, " is not null"].concat();
    let is_there: bool = client.query_one(found.as_str(), &[&quoted]).await?.try_get(0)?;
    if is_there {
        return Ok(true);
    }
    client.batch_execute(&["create schema if not exists ", &quoted].concat()).await?;
    let pgcrypto = "select pg_catalog.quote_ident(n.nspname) from pg_catalog.pg_extension e \
        join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'pgcrypto'";
    let pgcrypto: Option<String> = client.query_opt(pgcrypto, &[]).await?.map(|row| row.try_get(0)).transpose()?;
    client.batch_execute(&script(plain.script, &quoted, pgcrypto.as_deref().unwrap_or("extensions"))).await?;
    // The script changes search_path for the rest of the transaction: restore it.
    let path: String = row.try_get(3)?;
    client.execute("select pg_catalog.set_config('search_path', $1, true)", &[&path]).await?;
    Ok(true)
}

/// The script without the parts that only CREATE EXTENSION understands.
fn script(text: &str, schema: &str, pgcrypto: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("pg_extension_config_dump"));
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("@extschema:pgcrypto@", pgcrypto).replace("@extschema@", schema)
}

fn quoted(name: &str) -> String {
    let mut sql = Snippet::raw("");
    sql.ident(&Ident::new(name));
    sql.render().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_nothing_left_of_an_extension() {
        for plain in ALL {
            let sql = script(plain.script, &quoted("My schema"), "extensions");
            assert!(!sql.contains("@ext") && !sql.contains("config_dump"), "{}", plain.name);
            assert_eq!(plain.script.contains("@extschema@"), !plain.is_fixed, "{}", plain.name);
            assert_eq!(sql.contains("\"My schema\"."), !plain.is_fixed, "{}", plain.name);
        }
    }
}
