//! Prepares a database for the services: Supabase's roles, schemas, privileges and functions, and the services' own schemas
//! with their migrations.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use tokio_postgres::Client;

use crate::connect::connect;
use crate::{Error, Ident, Snippet, Target};

/// The files of `bootstrap/`, in order.
const FILES: [&str; 9] = [
    include_str!("bootstrap/01_roles.sql"),
    include_str!("bootstrap/02_schemas.sql"),
    include_str!("bootstrap/03_extensions.sql"),
    include_str!("bootstrap/04_auth_functions.sql"),
    include_str!("bootstrap/05_ddl_watch.sql"),
    include_str!("bootstrap/06_publication.sql"),
    include_str!("bootstrap/07_platform.sql"),
    include_str!("bootstrap/08_leakproof.sql"),
    include_str!("bootstrap/09_webhooks.sql"),
];

/// Key of the advisory lock under which bootstrap and service migrations run one at a time. The number is arbitrary.
const LOCK: i64 = 7_235_417_231;

/// The schema of a service and the role that owns it.
#[derive(Clone, Copy, Debug)]
pub struct Home<'a> {
    /// The schema.
    pub schema: &'a str,
    /// Its owner.
    pub owner: &'a str,
}

/// Whether the bootstrap changed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bootstrapped {
    /// The scripts ran.
    Applied,
    /// The same scripts had run before, and their results exist.
    Unchanged,
}

/// A migration of a service's own schema.
#[derive(Clone, Copy, Debug)]
pub struct ServiceMigration {
    /// `<version>_<name>.sql`, for messages.
    pub name: &'static str,
    /// The script. Its first lines are `-- covers: <version> …`: the upstream versions that it replaces.
    pub sql: &'static str,
}

/// Runs the bootstrap scripts as the role of `admin`: the superuser of our own cluster; on another server a role with CREATEROLE
/// that owns the database. Everything happens in one transaction. The scripts are skipped if they ran before and nothing that
/// they create is missing. Then creates the missing schemas and owners in `homes`, and sets the `passwords` of roles, which
/// may then log in.
///
/// # Errors
/// PostgreSQL's error; the database is then unchanged.
pub async fn bootstrap(admin: &Target, homes: &[Home<'_>], passwords: &[(&str, &str)]) -> Result<Bootstrapped, Error> {
    let mut client = connect(admin).await?;
    // `postgres` owns `public` and `extensions`. Without this, a function there whose parameters match better than those of
    // pg_catalog's function would run with the rights of this session.
    client.batch_execute("set search_path = ''").await.map_err(Error::from_driver)?;
    let digest = digest(server_major(&client).await?);
    // Checked before the lock, so that an ordinary start does not wait for other instances.
    if passwords.is_empty() && is_current(&client, &digest).await? && !lacks_any(&client, homes).await? {
        return Ok(Bootstrapped::Unchanged);
    }
    let transaction = client.transaction().await.map_err(Error::from_driver)?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(Error::from_driver)?;
    let mut done = Bootstrapped::Unchanged;
    if !is_current(transaction.client(), &digest).await? {
        for file in FILES {
            transaction.batch_execute(file).await.map_err(Error::from_driver)?;
        }
        transaction.batch_execute(&remember(&digest)).await.map_err(Error::from_driver)?;
        done = Bootstrapped::Applied;
    }
    for home in homes {
        if lacks_any(transaction.client(), &[*home]).await? {
            transaction.batch_execute(&make_home(home)).await.map_err(Error::from_driver)?;
            done = Bootstrapped::Applied;
        }
    }
    for (role, password) in passwords {
        transaction.batch_execute(&set_password(role, password)).await.map_err(Error::from_driver)?;
    }
    transaction.commit().await.map_err(Error::from_driver)?;
    Ok(done)
}

async fn lacks_any(client: &Client, homes: &[Home<'_>]) -> Result<bool, Error> {
    let sql = "select exists (select from pg_catalog.unnest($1::text[]) as name \
         where pg_catalog.to_regnamespace(pg_catalog.quote_ident(name)) is null)";
    let names: Vec<&str> = homes.iter().map(|home| home.schema).collect();
    let row = client.query_one(sql, &[&names]).await.map_err(Error::from_driver)?;
    row.try_get(0).map_err(Error::from_driver)
}

/// Creates the role if it is missing, and the schema. The API's roles get USAGE; the service's migrations grant the rest.
fn make_home(home: &Home<'_>) -> String {
    let (schema, owner) = (Ident::new(home.schema), Ident::new(home.owner));
    let mut sql = Snippet::raw("do $home$ begin if pg_catalog.to_regrole(pg_catalog.quote_ident(");
    sql.literal(home.owner).push(")) is null then create role ").ident(&owner).push(" login noinherit; grant ");
    sql.ident(&owner).push(" to current_user; end if; end $home$; create schema ").ident(&schema);
    sql.push(" authorization ").ident(&owner).push("; grant usage on schema ").ident(&schema);
    sql.push(" to anon, authenticated, service_role");
    sql.render().0
}

/// A service's schema, and where the upstream service records its migrations.
#[derive(Clone, Copy, Debug)]
pub struct ServiceSchema {
    /// The role that the files run as; `None` for the role of the connection. The connection must be a member of it.
    pub role: Option<&'static str>,
    /// Returns the recorded versions, one `text` per row. If the table does not exist, no version counts as recorded.
    pub recorded: &'static str,
    /// Records the versions `$1::text[]`. Must ignore versions that are already recorded.
    pub record: &'static str,
    /// The migrations, oldest first.
    pub files: &'static [ServiceMigration],
}

/// Applies pending migrations of a service's schema and returns their names. Upstream's versions are recorded where the
/// upstream service records them, so that either service can take over the other's database. A file is skipped if all of its
/// versions are recorded; otherwise it runs in its own transaction, together with the recording.
///
/// # Errors
/// PostgreSQL's error, with the name of the file in the context. The files before it stay applied.
pub async fn run_service_migrations(target: &Target, schema: &ServiceSchema) -> Result<Vec<&'static str>, Error> {
    let mut client = connect(target).await?;
    if let Some(role) = schema.role {
        let mut sql = Snippet::raw("set role ");
        sql.ident(&Ident::new(role));
        client.batch_execute(&sql.render().0).await.map_err(Error::from_driver)?;
    }
    if pending(schema.files, &recorded(&client, schema).await?).is_empty() {
        return Ok(Vec::new());
    }
    client.execute("select pg_advisory_lock($1)", &[&LOCK]).await.map_err(Error::from_driver)?;
    // Checked again: another instance may have applied them while this one waited.
    let pending = pending(schema.files, &recorded(&client, schema).await?);
    for file in &pending {
        apply(&mut client, schema, file).await.map_err(|error| in_file(error, file.name))?;
    }
    // The lock ends with the connection.
    Ok(pending.into_iter().map(|file| file.name).collect())
}

async fn server_major(client: &Client) -> Result<i32, Error> {
    let sql = "select pg_catalog.current_setting('server_version_num')::int / 10000";
    let row = client.query_one(sql, &[]).await.map_err(Error::from_driver)?;
    row.try_get(0).map_err(Error::from_driver)
}

/// Digest of the scripts and of the server's major version, because a newer server offers more extensions.
fn digest(major: i32) -> String {
    let mut hasher = Sha256::new();
    hasher.update(major.to_be_bytes());
    for file in FILES {
        hasher.update(file);
    }
    hasher.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares the digest with the comment of a function that the scripts create. So the digest is deleted and copied together with
/// the database. The query also checks those other results without which nothing would work.
async fn is_current(client: &Client, digest: &str) -> Result<bool, Error> {
    let row = client
        .query_one(include_str!("queries/bootstrap_is_current.sql"), &[&format!("dugout bootstrap {digest}")])
        .await
        .map_err(Error::from_driver)?;
    row.try_get(0).map_err(Error::from_driver)
}

fn remember(digest: &str) -> String {
    // If the function belongs to another role, the digest is not stored and the scripts run at every start.
    let mut sql = Snippet::raw("do $remember$ begin comment on function auth.jwt() is ");
    sql.literal(&format!("dugout bootstrap {digest}"));
    sql.push("; exception when insufficient_privilege then null; end $remember$");
    sql.render().0
}

/// Sets a password. Sends only its SCRAM verifier, so that the password is in no statement and no log.
fn set_password(role: &str, password: &str) -> String {
    let verifier = postgres_protocol::password::scram_sha_256(password.as_bytes());
    let mut sql = Snippet::raw("alter role ");
    sql.ident(&Ident::new(role)).push(" with login password ").literal(&verifier);
    sql.render().0
}

/// The recorded versions; none if the table does not exist yet.
async fn recorded(client: &Client, schema: &ServiceSchema) -> Result<Vec<String>, Error> {
    match client.query(schema.recorded, &[]).await {
        Ok(rows) => rows.iter().map(|row| row.try_get(0).map_err(Error::from_driver)).collect(),
        // 42P01: the table, 3F000: the schema does not exist.
        Err(error) if error.code().is_some_and(|code| ["42P01", "3F000"].contains(&code.code())) => Ok(Vec::new()),
        Err(error) => Err(Error::from_driver(error)),
    }
}

fn pending<'a>(files: &'a [ServiceMigration], recorded: &[String]) -> Vec<&'a ServiceMigration> {
    files.iter().filter(|file| !file.covers().all(|version| recorded.iter().any(|found| found == version))).collect()
}

impl ServiceMigration {
    /// The upstream versions in the header.
    fn covers(&self) -> impl Iterator<Item = &'static str> {
        self.sql.lines().map_while(|line| line.strip_prefix("-- covers:")).flat_map(str::split_whitespace)
    }
}

async fn apply(client: &mut Client, schema: &ServiceSchema, file: &ServiceMigration) -> Result<(), Error> {
    let began = std::time::Instant::now();
    let versions: Vec<&str> = file.covers().collect();
    let transaction = client.transaction().await.map_err(Error::from_driver)?;
    transaction.batch_execute(file.sql).await.map_err(Error::from_driver)?;
    transaction.execute(schema.record, &[&versions]).await.map_err(Error::from_driver)?;
    transaction.commit().await.map_err(Error::from_driver)?;
    tracing::debug!(file = file.name, ms = began.elapsed().as_millis(), "service migration applied");
    Ok(())
}

fn in_file(error: Error, name: &str) -> Error {
    match error {
        Error::Database(mut database) => {
            let inner = database.context.take().map(|context| format!("\n{context}")).unwrap_or_default();
            database.context = Some(format!("migration {name}{inner}"));
            Error::Database(database)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_versions_are_read_from_the_header_only() {
        let file =
            ServiceMigration { name: "2_b.sql", sql: "-- covers: 00 2017\n-- covers: 2\n--\n-- covers: 9\nselect 1" };
        assert_eq!(file.covers().collect::<Vec<_>>(), ["00", "2017", "2"]);
        let recorded = ["00", "2", "2017"].map(String::from);
        assert!(pending(&[file], &recorded).is_empty());
        assert_eq!(pending(&[file], &recorded[..2]).len(), 1, "one version is missing");
    }

    #[test]
    fn a_password_is_not_in_the_statement() {
        let sql = set_password("odd\"role", "geheim");
        assert!(sql.starts_with(r#"alter role "odd""role" with login password 'SCRAM-SHA-256$4096:"#), "{sql}");
        assert!(!sql.contains("geheim"));
    }
}
