//! Prepares the database: starts or reaches PostgreSQL, runs the bootstrap SQL and the migrations, and provides the logins.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use gateway::service::{Login, Schema};
use pg::bootstrap::Home;
use pg::cluster::{Cluster, ClusterConfig, Durability, EXPECTED_MAJOR, SUPERUSER, TcpConfig};
use pg::pool::Query;
use pg::{Budget, Pool, PoolConfig, Target, bootstrap};

use crate::config::{Config, Database};
use crate::error::StartError;
use crate::secrets::Secrets;
use crate::workers;

/// Owner of the project's tables; the user in `DB_URL`.
const OWNER: &str = "postgres";
const AUTHENTICATOR: &str = "authenticator";
const DATABASE: &str = "postgres";

/// A prepared database.
pub(crate) struct Ready {
    /// Login of the data API.
    pub(crate) authenticator: Target,
    /// Logins of the services and of the schemas' owners, by role.
    pub(crate) logins: BTreeMap<&'static str, Target>,
    /// Login of the extensions' workers; `None` in our own cluster before version 18, and if an external server refuses the role.
    pub(crate) worker: Option<Target>,
    /// Login for the project's migrations.
    pub(crate) owner: Target,
    /// The connection that users and the Supabase CLI are given.
    pub(crate) public: Target,
    /// `server_version`.
    pub(crate) version: String,
    /// The folder of our own programs, or the address of the user's server.
    pub(crate) place: String,
    /// Our own PostgreSQL; `None` with an external one.
    pub(crate) cluster: Option<Cluster>,
}

/// The steps of the start with their durations, in order.
pub type Stages = Vec<(&'static str, Duration)>;

/// Starts or reaches PostgreSQL and prepares it.
pub(crate) async fn prepare(config: &Config, secrets: &Secrets, stages: &mut Stages) -> Result<Ready, StartError> {
    let started = Instant::now();
    config.progress.step("starting PostgreSQL");
    let (admin, cluster) = match &config.database {
        Database::Embedded { .. } => {
            let cluster = Cluster::start(cluster_config(config)).await?;
            warn_of_other_major(&cluster);
            (cluster.target(SUPERUSER, DATABASE), Some(cluster))
        }
        Database::External(target) => (guarded(target).await?, None),
    };
    let version = reach(&admin, Some(&config.budget())).await?;
    stages.push(("PostgreSQL", started.elapsed()));

    let started = Instant::now();
    config.progress.step("preparing roles and schemas");
    let ready = match cluster {
        Some(cluster) => {
            let password = secrets.postgres_password.reveal().clone();
            set_up(config, &admin, &[(OWNER, password.clone())]).await?;
            let public = match &config.database {
                Database::Embedded { tcp_port: Some(port), .. } => tcp(*port, &password),
                _ => cluster.target(OWNER, DATABASE),
            };
            Ready {
                authenticator: cluster.target(AUTHENTICATOR, DATABASE),
                logins: roles(config).map(|role| (role, cluster.target(role, DATABASE))).collect(),
                worker: cluster.has_own_extensions().then(|| cluster.target(workers::ROLE, DATABASE)),
                owner: cluster.target(OWNER, DATABASE),
                public,
                version,
                place: cluster.programs().display().to_string(),
                cluster: Some(cluster),
            }
        }
        None => external(config, admin.clone(), secrets, version).await?,
    };
    for schema in schemas(config) {
        let target = ready.logins.get(schema.owner).unwrap_or(&ready.owner);
        let migrated = bootstrap::run_service_migrations(target, schema.migrations).await;
        migrated.map_err(|error| StartError::Schema(schema.name, error.to_string()))?;
    }
    stages.push(("roles and schemas", started.elapsed()));
    Ok(ready)
}

/// The schemas of the services.
fn schemas(config: &Config) -> impl Iterator<Item = Schema> {
    config.services.iter().filter_map(|(manifest, _)| manifest.schema)
}

/// The roles that services log in as.
fn own_roles(config: &Config) -> impl Iterator<Item = &'static str> {
    config.services.iter().filter_map(|(manifest, _)| match manifest.login {
        Login::Own(role) => Some(role),
        Login::Authenticator | Login::Owner(_) => None,
    })
}

/// The roles of [`own_roles`] and the owners of schemas, without duplicates.
fn roles(config: &Config) -> impl Iterator<Item = &'static str> {
    own_roles(config).chain(schemas(config).map(|schema| schema.owner)).collect::<BTreeSet<_>>().into_iter()
}

/// Warns about another major version: it works, but usually means that npm's packages are missing and the system's were found.
fn warn_of_other_major(cluster: &Cluster) {
    let (version, folder) = (cluster.version(), cluster.programs().display());
    if version.major != EXPECTED_MAJOR {
        let major = version.major;
        let advice = format!(
            "PostgreSQL {version} from {folder} runs, but this version of dugout is made for {EXPECTED_MAJOR}: extensions \
             such as pg_cron and vector need it. Move a data directory of {major} with `dugout upgrade`; for a new one install \
             {EXPECTED_MAJOR} with `npm ci` in the project, or name its folder with --postgres-bin-dir"
        );
        tracing::warn!(event = "postgres_version", detail = advice);
    }
}

/// Executes one statement with one parameter.
pub(crate) async fn execute(owner: &Target, sql: &'static str, parameter: &str) -> Result<u64, StartError> {
    let failed = |error: pg::Error| StartError::Statement(error.to_string());
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(failed)?;
    let connection = pool.get().await.map_err(failed)?;
    connection.execute(sql, &[&parameter]).await.map_err(failed)
}

pub(crate) fn cluster_config(config: &Config) -> ClusterConfig {
    let mut cluster = ClusterConfig::new(&config.data_dir);
    // PostgreSQL's npm package is in the root of a checkout: the project folder, or a parent of target/debug/dugout.
    let executable = std::env::current_exe().ok();
    let above = executable.as_deref().into_iter().flat_map(Path::ancestors).skip(1).map(Path::to_owned);
    cluster.npm_roots = config.project.iter().cloned().chain(above).collect();
    // The budget, some for psql and the CLI, and the slots that PostgreSQL reserves for superusers.
    cluster.max_connections = u32::try_from(config.budget().total()).unwrap_or(u32::MAX).saturating_add(20);
    if let Database::Embedded { tcp_port, bin_dir, durable } = &config.database {
        cluster.bin_dir.clone_from(bin_dir);
        cluster.tcp = tcp_port.map(|port| TcpConfig { host: "127.0.0.1".to_owned(), port });
        cluster.durability = if *durable { Durability::Full } else { Durability::None };
    }
    cluster
}

/// The oldest PostgreSQL that is supported, as `server_version_num`.
const OLDEST: i32 = 150_000;

/// The login on a user's server, protected against event triggers that would use its rights: see [`pg::guarded`].
pub(crate) async fn guarded(target: &Target) -> Result<Target, StartError> {
    pg::guarded(target).await.map_err(|error| unreachable(target, &error))
}

fn unreachable(target: &Target, error: &pg::Error) -> StartError {
    let (address, reason) = (target.address(), error.to_string());
    if error.database().is_some_and(|error| error.code == pg::NO_LIBRARY) {
        return StartError::Preload { address, reason };
    }
    StartError::Unreachable { address, reason }
}

/// Connects once, checks that the server allows the connections of the budget, and returns its version.
pub(crate) async fn reach(admin: &Target, budget: Option<&Budget>) -> Result<String, StartError> {
    let unreachable = |error: pg::Error| unreachable(admin, &error);
    let pool =
        Pool::new(admin, &PoolConfig { size: 1, acquire_timeout: Duration::from_secs(10) }).map_err(unreachable)?;
    let connection = pool.get().await.map_err(unreachable)?;
    let row = connection
        .query_one(
            "select current_setting('server_version'), \
             current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int, \
             current_setting('server_version_num')::int",
            &[],
        )
        .await
        .map_err(unreachable)?;
    if row.get::<_, i32>(2) < OLDEST {
        return Err(StartError::PostgresTooOld { address: admin.address(), version: row.get(0) });
    }
    let allowed = usize::try_from(row.get::<_, i32>(1)).unwrap_or_default();
    if let Some(budget) = budget.filter(|budget| budget.check(allowed).is_err()) {
        return Err(StartError::PoolTooLarge { budget: budget.to_string(), allowed });
    }
    let version: String = row.get(0);
    Ok(version.split(' ').next().unwrap_or_default().to_owned())
}

async fn set_up(config: &Config, admin: &Target, passwords: &[(&'static str, String)]) -> Result<(), StartError> {
    let passwords: Vec<(&str, &str)> = passwords.iter().map(|(role, password)| (*role, password.as_str())).collect();
    let homes: Vec<Home> = schemas(config).map(|schema| Home { schema: schema.name, owner: schema.owner }).collect();
    let done = bootstrap::bootstrap(admin, &homes, &passwords).await;
    done.map(|_| ()).map_err(|error| StartError::Bootstrap("roles and schemas", with_hint(&error)))
}

/// The error with PostgreSQL's hint: our bootstrap's own errors say there what to do.
fn with_hint(error: &pg::Error) -> String {
    match error.database().and_then(|database| Some((&database.message, database.hint.as_ref()?))) {
        Some((message, hint)) => format!("{message}. {hint}"),
        None => error.to_string(),
    }
}

/// Prepares a user's server. Missing roles are created with passwords of ours. Existing roles must accept these or the URL's
/// password: in Supabase's self-hosting setup all roles share one.
async fn external(config: &Config, admin: Target, secrets: &Secrets, version: String) -> Result<Ready, StartError> {
    let failed = |error: pg::Error| StartError::Bootstrap("roles", error.to_string());
    let superuser = is_superuser(&admin).await.map_err(failed)?;
    let passwords = missing_logins(config, &admin, superuser, secrets).await.map_err(failed)?;
    set_up(config, &admin, &passwords).await?;
    let own: BTreeSet<&str> = own_roles(config).collect();
    let mut logins = BTreeMap::new();
    for role in roles(config) {
        // `set role` in a superuser's session is no boundary: a function that the session calls can reset the role.
        let target = if superuser || own.contains(role) { login(&admin, role, secrets).await? } else { admin.clone() };
        logins.insert(role, target);
    }
    Ok(Ready {
        authenticator: login(&admin, AUTHENTICATOR, secrets).await?,
        logins,
        owner: admin.clone(),
        worker: worker(config, &admin, secrets).await,
        place: admin.address(),
        public: admin,
        version,
        cluster: None,
    })
}

/// The login of pg_net's worker. Without it the server works, but sends none of pg_net's requests. Earlier versions created the
/// role without a password, so this sets one if the login fails. No one else uses the role.
async fn worker(config: &Config, admin: &Target, secrets: &Secrets) -> Option<Target> {
    if let Ok(target) = login(admin, workers::ROLE, secrets).await {
        return Some(target);
    }
    let password = [(workers::ROLE, secrets.role_password(workers::ROLE))];
    if let Err(error) = set_up(config, admin, &password).await {
        tracing::warn!(event = "no_worker", detail = %error);
    }
    let login = login(admin, workers::ROLE, secrets).await;
    login.inspect_err(|error| tracing::warn!(event = "no_worker", detail = %error)).ok()
}

async fn is_superuser(admin: &Target) -> Result<bool, pg::Error> {
    let pool = Pool::new(admin, &PoolConfig { size: 1, ..PoolConfig::default() })?;
    let sql = "select rolsuper from pg_catalog.pg_roles where rolname operator(pg_catalog.=) current_user";
    Ok(pool.get().await?.query_one(sql, &[]).await?.get(0))
}

/// Our login roles that the server lacks, with their new passwords. A superuser also lets owners of schemas log in, which
/// upstream's owner of `realtime` cannot.
async fn missing_logins(
    config: &Config,
    admin: &Target,
    superuser: bool,
    secrets: &Secrets,
) -> Result<Vec<(&'static str, String)>, pg::Error> {
    let pool = Pool::new(admin, &PoolConfig { size: 1, ..PoolConfig::default() })?;
    let connection = pool.get().await?;
    let mut missing = Vec::new();
    let own: BTreeSet<&'static str> = own_roles(config).chain([AUTHENTICATOR, workers::ROLE]).collect();
    for &role in &own {
        if connection.query_opt("select from pg_roles where rolname = $1", &[&role]).await?.is_none() {
            missing.push((role, secrets.role_password(role)));
        }
    }
    for role in roles(config).filter(|role| superuser && !own.contains(role)) {
        let sql = "select from pg_roles where rolname = $1 and rolcanlogin";
        if connection.query_opt(sql, &[&role]).await?.is_none() {
            missing.push((role, secrets.role_password(role)));
        }
    }
    Ok(missing)
}

async fn login(admin: &Target, role: &'static str, secrets: &Secrets) -> Result<Target, StartError> {
    let own = secrets.role_password(role);
    let mut refusal = String::new();
    for password in [Some(own.as_str()), admin.password()] {
        let target = admin.with_user(role, password);
        match reach(&target, None).await {
            Ok(_) => return Ok(target),
            Err(StartError::Unreachable { reason, .. }) => refusal = reason,
            Err(error) => return Err(error),
        }
    }
    Err(StartError::RoleLogin(role, refusal))
}

fn tcp(port: u16, password: &str) -> Target {
    // A port cannot make this URL invalid.
    let local = Target::parse(&format!("postgresql://127.0.0.1:{port}/{DATABASE}?sslmode=disable"));
    local.expect("a constant URL is well-formed").with_user(OWNER, Some(password))
}
