//! A migrated database for one test, copied from a template.

use std::hash::{DefaultHasher, Hash, Hasher};

use pg::bootstrap::Home;
use pg::migrations::{self, Order};
use pg::{Target, bootstrap};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use crate::architecture::{root, sources};

/// The advisory lock that guards making the template; the number is arbitrary.
const TEMPLATE_LOCK: i64 = 7_235_417_299;

/// A database as a new project has it: roles, schemas, the app's tables. The database is dropped with this value.
pub struct Database {
    name: String,
    cluster: Target,
    /// Another value drops it.
    is_shared: bool,
}

impl Database {
    /// A new copy of the template.
    ///
    /// # Panics
    /// Without a test cluster; the message says how to start one.
    pub async fn cloned() -> Self {
        static TEMPLATE: OnceCell<String> = OnceCell::const_new();
        let cluster = cluster();
        let template = TEMPLATE.get_or_init(|| template(&cluster)).await;
        Self::made_from(cluster, template).await
    }

    /// An empty database; the roles exist.
    pub async fn empty() -> Self {
        drop(Self::cloned().await);
        Self::made_from(cluster(), "template0").await
    }

    /// A copy of this one.
    ///
    /// # Panics
    /// While somebody is connected to it for more than ten seconds.
    pub async fn copied(&self) -> Self {
        let idle = "select not exists (select from pg_stat_activity where datname = $1)";
        let client = connect(&self.cluster).await;
        for _ in 0..200 {
            if client.query_one(idle, &[&self.name]).await.unwrap().get(0) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        Self::made_from(self.cluster.clone(), &self.name).await
    }

    async fn made_from(cluster: Target, template: &str) -> Self {
        let name = format!("test_{}", Uuid::new_v4().simple());
        let client = connect(&cluster).await;
        let copy = format!("create database {name} template {template} owner postgres strategy file_copy");
        client.batch_execute(&copy).await.unwrap();
        Database { name, cluster, is_shared: false }
    }

    /// The same database, for a second server; it has to be dropped before the first.
    pub fn shared(other: &Database) -> Self {
        Database { name: other.name.clone(), cluster: other.cluster.clone(), is_shared: true }
    }

    /// The database as the superuser `supabase_admin`.
    pub fn target(&self) -> Target {
        self.cluster.with_database(&self.name)
    }

    /// The database as another role; the test cluster asks for no passwords.
    pub fn as_role(&self, role: &str) -> Target {
        self.target().with_user(role, None)
    }

    /// A connection as the superuser.
    pub async fn connect(&self) -> Client {
        connect(&self.target()).await
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.is_shared {
            return;
        }
        let (cluster, sql) = (self.cluster.clone(), format!("drop database if exists {} with (force)", self.name));
        // The test's own runtime may be shutting down, so dropping the database needs another one.
        let gone = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { connect(&cluster).await.batch_execute(&sql).await })
        });
        if let Ok(Err(error)) = gone.join() {
            eprintln!("{} stays in the test cluster: {error}", self.name);
        }
    }
}

/// A plain connection of the driver, for checks and changes that bypass the server.
pub async fn connect(target: &Target) -> Client {
    let (client, connection) = target.driver_config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The migrations of a service's schema.
pub fn migrations_of(service: &str) -> &'static bootstrap::ServiceSchema {
    let found = server::registry::SERVICES.iter().find(|found| found.name == service);
    found.and_then(|found| found.schema).unwrap_or_else(|| panic!("{service} has no schema")).migrations
}

fn cluster() -> Target {
    let url = std::env::var("DUGOUT_TEST_DATABASE_URL").unwrap_or_else(|_| {
        panic!(
            "there is no test cluster; `make test` starts one, or by hand: \
             export DUGOUT_TEST_DATABASE_URL=$(scripts/test-cluster.sh start /tmp/dugout-pg)"
        )
    });
    Target::parse(&url).unwrap()
}

/// Creates the template unless another process of this run already has. Its name contains a hash of everything it is
/// made from, so a changed migration makes a new template on the same cluster.
async fn template(cluster: &Target) -> String {
    let name = format!("template_{:016x}", hash_of_sql());
    let client = connect(cluster).await;
    client.execute("select pg_advisory_lock($1)", &[&TEMPLATE_LOCK]).await.unwrap();
    let made = client.query_opt("select from pg_database where datname = $1 and not datallowconn", &[&name]).await;
    if made.unwrap().is_none() {
        client.batch_execute(&format!("drop database if exists {name}")).await.unwrap();
        client.batch_execute(&format!("create database {name}")).await.unwrap();
        fill(&cluster.with_database(&name)).await;
        // A template can be copied only while nobody is connected to it: forbids connections.
        let close = format!("alter database {name} with allow_connections false is_template true");
        client.batch_execute(&close).await.unwrap();
    }
    name
}

/// A hash of every SQL file that a new database is made from.
pub(super) fn hash_of_sql() -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in sources(&[".sql"]).iter().filter(|source| !source.path.contains("/tests/")) {
        (&source.path, &source.text).hash(&mut hasher);
    }
    hasher.finish()
}

/// Does what `dugout start` does to a new database.
async fn fill(admin: &Target) {
    let schemas: Vec<_> = server::registry::SERVICES.iter().filter_map(|service| service.schema).collect();
    let homes: Vec<_> = schemas.iter().map(|schema| Home { schema: schema.name, owner: schema.owner }).collect();
    bootstrap::bootstrap(admin, &homes, &[]).await.unwrap();
    for schema in schemas {
        let owner = admin.with_user(schema.owner, None);
        bootstrap::run_service_migrations(&owner, schema.migrations).await.unwrap();
    }
    let owner = admin.with_user("postgres", None);
    migrations::apply(&owner, &root().join("supabase/migrations"), Order::Strict).await.unwrap();
}
