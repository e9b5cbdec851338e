//! A migrated database for one test, as a copy of a template.

use std::hash::{DefaultHasher, Hash, Hasher};

use pg::migrations::{self, Order};
use pg::{Target, bootstrap};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use crate::architecture::{root, sources};

/// Tells the lock under which the template is made from all others; the number is arbitrary.
const TEMPLATE_LOCK: i64 = 7_235_417_299;

/// A database with everything in it that a new project has: roles, schemas, the app's tables. Dropped when dropped.
pub struct Database {
    name: String,
    cluster: Target,
}

impl Database {
    /// A fresh copy.
    ///
    /// # Panics
    /// Without a test cluster, with a sentence on how to start one.
    pub async fn cloned() -> Self {
        static TEMPLATE: OnceCell<String> = OnceCell::const_new();
        let cluster = cluster();
        let template = TEMPLATE.get_or_init(|| template(&cluster)).await;
        Self::made_from(cluster, template).await
    }

    /// A database with nothing in it; the roles are there.
    pub async fn empty() -> Self {
        drop(Self::cloned().await);
        Self::made_from(cluster(), "template0").await
    }

    async fn made_from(cluster: Target, template: &str) -> Self {
        let name = format!("test_{}", Uuid::new_v4().simple());
        let client = connect(&cluster).await;
        let copy = format!("create database {name} template {template} owner postgres strategy file_copy");
        client.batch_execute(&copy).await.unwrap();
        Database { name, cluster }
    }

    /// It as the superuser `supabase_admin`.
    pub fn target(&self) -> Target {
        self.cluster.with_database(&self.name)
    }

    /// It as another role; the test cluster asks for no passwords.
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
        let (cluster, sql) = (self.cluster.clone(), format!("drop database if exists {} with (force)", self.name));
        // A test's own runtime may be ending: this one is only for the goodbye.
        let gone = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { connect(&cluster).await.batch_execute(&sql).await })
        });
        if let Ok(Err(error)) = gone.join() {
            eprintln!("{} stays in the test cluster: {error}", self.name);
        }
    }
}

/// A plain connection of the driver, for what a test wants to see or do behind the server's back.
pub async fn connect(target: &Target) -> Client {
    let (client, connection) = target.driver_config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
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

/// Makes the template unless another process of this run has. Its name is a hash of all that goes into it, so a cluster
/// that outlives a change of a migration is no trap.
async fn template(cluster: &Target) -> String {
    let mut hasher = DefaultHasher::new();
    for source in sources(&[".sql"]).iter().filter(|source| !source.path.contains("/tests/")) {
        (&source.path, &source.text).hash(&mut hasher);
    }
    let name = format!("template_{:016x}", hasher.finish());
    let client = connect(cluster).await;
    client.execute("select pg_advisory_lock($1)", &[&TEMPLATE_LOCK]).await.unwrap();
    let made = client.query_opt("select from pg_database where datname = $1 and not datallowconn", &[&name]).await;
    if made.unwrap().is_none() {
        client.batch_execute(&format!("drop database if exists {name}")).await.unwrap();
        client.batch_execute(&format!("create database {name}")).await.unwrap();
        fill(&cluster.with_database(&name)).await;
        // Copies need a template without connections: from here on there are none.
        let close = format!("alter database {name} with allow_connections false is_template true");
        client.batch_execute(&close).await.unwrap();
    }
    name
}

/// What `dugout start` does to a new database.
async fn fill(admin: &Target) {
    bootstrap::bootstrap(admin, &[]).await.unwrap();
    let auth_admin = admin.with_user("supabase_auth_admin", None);
    bootstrap::run_service_migrations(&auth_admin, &auth::SCHEMA).await.unwrap();
    bootstrap::run_service_migrations(&admin.with_user("supabase_storage_admin", None), &storage::SCHEMA)
        .await
        .unwrap();
    bootstrap::run_service_migrations(&admin.with_user("supabase_realtime_admin", None), &realtime::SCHEMA)
        .await
        .unwrap();
    let owner = admin.with_user("postgres", None);
    migrations::apply(&owner, &root().join("supabase/migrations"), Order::Strict).await.unwrap();
}
