//! Configuration: defaults < `supabase/config.toml` < environment < flags, each value with its origin, all problems at once.

mod dotenv;
mod file;
mod gotrue;
mod gotrue_sections;
mod limits;
mod resolve;
mod settings;
mod storage;
#[cfg(test)]
mod tests;

use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gateway::PublicUrl;
use gateway::client_ip::TrustedProxies;
use pg::Target;

pub use limits::Limits;
pub use resolve::{Origin, Problem, Resolved, Sources};
use settings::DEFAULT_SCHEMAS;
pub use settings::{SETTINGS, Setting};

/// Everything `dugout start` needs to know, parsed.
#[derive(Clone)]
pub struct Config {
    /// Address to listen on.
    pub host: String,
    /// Port to listen on; 0 takes a free one.
    pub port: u16,
    /// Port of `/metrics`, `/live` and `/ready` on 127.0.0.1; `None` serves them nowhere.
    pub admin_port: Option<u16>,
    /// The address the world knows; `None` is `http://host:port`.
    pub public_url: Option<PublicUrl>,
    /// Where the cluster, the secrets and the state live.
    pub data_dir: PathBuf,
    /// The folder that holds `supabase/`.
    pub project: Option<PathBuf>,
    /// The stand-in for `supabase start`: well-known keys, PostgreSQL on TCP, migrations and seed applied.
    pub dev: bool,
    /// Where PostgreSQL is.
    pub database: Database,
    /// Whether pending migrations are applied to an existing database.
    pub migrate: bool,
    /// What of `supabase/` is applied to the database.
    pub project_sql: ProjectSql,
    /// Whether the API's roles may use what migrations make in `public` without a grant.
    pub auto_expose: bool,
    /// Connections to the database at most.
    pub pool: usize,
    /// How long a request waits for one.
    pub acquire_timeout: Duration,
    /// Worker threads for HTTP.
    pub workers: usize,
    /// How long requests in flight may take at the end.
    pub shutdown_timeout: Duration,
    /// What requests may hold.
    pub limits: Limits,
    /// Proxies whose X-Forwarded-For is believed.
    pub trusted_proxies: TrustedProxies,
    /// The data API's settings that config.toml knows.
    pub rest: RestSettings,
    /// GoTrue's settings; the address and the secret are completed at the start.
    pub auth: auth::Config,
    /// Whether somebody said what the address of `/auth/v1` is.
    pub auth_external_url_given: bool,
    /// Storage's settings; `None` where it is not enabled.
    pub storage: Option<::storage::Config>,
    /// Keys given by configuration; what is missing is made on first run.
    pub keys: GivenKeys,
    /// The app at `/`.
    pub app: AppSettings,
    /// Sentences to show before starting.
    pub warnings: Vec<String>,
}

/// Where PostgreSQL is.
#[derive(Clone, Debug)]
pub enum Database {
    /// Our own, in the data directory.
    Embedded {
        /// Port on 127.0.0.1; `None` listens on a unix socket only.
        tcp_port: Option<u16>,
        /// Where its programs are; `None` looks for them.
        bin_dir: Option<PathBuf>,
        /// Whether writes survive a crash of the machine; `false` is for tests only.
        durable: bool,
    },
    /// A server of the user's.
    External(Box<Target>),
}

/// What of `supabase/` goes into the database.
#[derive(Clone, Debug, Default)]
pub struct ProjectSql {
    /// `supabase/migrations`, if it is to be applied.
    pub migrations: Option<PathBuf>,
    /// Patterns of seed files, relative to `supabase/`.
    pub seeds: Vec<String>,
    /// The folder `supabase`.
    pub folder: Option<PathBuf>,
}

/// `[api]` of config.toml.
#[derive(Clone, Debug)]
pub struct RestSettings {
    /// Exposed schemas; the first is the default.
    pub schemas: Vec<String>,
    /// Added to the search path of every request.
    pub extra_search_path: Vec<String>,
    /// Rows of a response at most.
    pub max_rows: Option<u64>,
}

/// Keys that the configuration names.
#[derive(Clone, Debug, Default)]
pub struct GivenKeys {
    /// `auth.jwt_secret`.
    pub jwt_secret: Option<String>,
    /// The content of the file `auth.signing_keys_path` names: private JWKs, the first signs.
    pub signing_keys: Vec<serde_json::Value>,
    /// `auth.anon_key`.
    pub anon_key: Option<String>,
    /// `auth.service_role_key`.
    pub service_role_key: Option<String>,
    /// `auth.publishable_key`.
    pub publishable_key: Option<String>,
    /// `auth.secret_key`.
    pub secret_key: Option<String>,
}

/// The web app at `/`.
#[derive(Clone, Debug, Default)]
pub struct AppSettings {
    /// Whether `/` serves the app; otherwise a plain page.
    pub serve: bool,
    /// Addresses that see the Admin entry in the menu; only their SHA-256 reaches the page.
    pub admin_emails: Vec<String>,
    /// Where the page asks for its own address.
    pub ip_lookup_url: String,
    /// The video of the landing page.
    pub demo_video_url: Option<String>,
}

impl Config {
    /// Parses what was resolved.
    ///
    /// # Errors
    /// Every bad value, each with where it came from.
    pub fn load(sources: &Sources) -> Result<(Self, Resolved), Vec<Problem>> {
        let mut problems = Vec::new();
        let resolved = Resolved::new(sources, &mut problems);
        let config = Self::parse(&resolved, sources, &mut problems);
        match config {
            Some(config) if problems.is_empty() => Ok((config, resolved)),
            _ => Err(problems),
        }
    }

    fn parse(resolved: &Resolved, sources: &Sources, problems: &mut Vec<Problem>) -> Option<Self> {
        const PORT: &str = "a port number from 0 to 65535";
        const SWITCH: &str = "true or false";
        const COUNT: &str = "a whole number above 0";
        let mut warnings = resolved.warnings.clone();
        let dev = resolved.parse("dev", SWITCH, problems).unwrap_or_default();
        let migrations = resolved.parse("db.migrations.enabled", SWITCH, problems).unwrap_or(true);
        let seeding = resolved.parse("db.seed.enabled", SWITCH, problems).unwrap_or(true);
        let supabase = sources.project.as_ref().map(|project| project.join("supabase"));
        let project_sql = ProjectSql {
            migrations: supabase.as_ref().filter(|_| migrations).map(|folder| folder.join("migrations")),
            seeds: if seeding { resolved.list("db.seed.sql_paths") } else { Vec::new() },
            folder: supabase.clone(),
        };
        let seconds = |key, problems: &mut Vec<Problem>| {
            Duration::from_secs(resolved.parse(key, "a number of seconds", problems).unwrap_or_default())
        };
        let acquire_timeout = seconds("db_acquire_timeout", problems);
        let shutdown_timeout = seconds("shutdown_timeout", problems);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let is_public = resolved.parse("dev_public", SWITCH, problems).unwrap_or(false);
        if dev && !is_public {
            keep_dev_private(resolved, problems);
        }
        let config = Config {
            host: resolved.text("host").to_owned(),
            port: resolved.parse("port", PORT, problems).unwrap_or_default(),
            admin_port: resolved.parse("admin_port", PORT, problems),
            public_url: public_url(resolved, problems),
            data_dir: data_dir(resolved, sources),
            project: sources.project.clone(),
            dev,
            database: database(resolved, dev, problems),
            migrate: resolved.parse("migrate", SWITCH, problems).unwrap_or_default(),
            project_sql,
            auto_expose: resolved.parse("api.auto_expose_new_tables", SWITCH, problems).unwrap_or(true),
            pool: positive(resolved, "db_pool", COUNT, problems).unwrap_or(1),
            acquire_timeout,
            workers: positive(resolved, "workers", COUNT, problems).unwrap_or(cores),
            shutdown_timeout,
            limits: Limits::parse(resolved, problems),
            trusted_proxies: trusted_proxies(resolved, problems),
            rest: RestSettings {
                schemas: schemas(resolved),
                extra_search_path: resolved.list("api.extra_search_path"),
                max_rows: resolved.parse("api.max_rows", "a number of rows", problems),
            },
            auth: auth_config(resolved, &mut warnings, problems)?,
            auth_external_url_given: resolved.gotrue.contains_key(EXTERNAL_URL),
            storage: storage::config(resolved, &data_dir(resolved, sources), problems),
            keys: given_keys(resolved, supabase.as_deref(), problems),
            app: AppSettings {
                serve: resolved.parse("app.serve", SWITCH, problems).unwrap_or_default(),
                admin_emails: resolved.list("app.admin_emails"),
                ip_lookup_url: resolved.text("app.ip_lookup_url").to_owned(),
                demo_video_url: resolved.given("app.demo_video_url").map(str::to_owned),
            },
            warnings,
        };
        Some(config).filter(|_| problems.is_empty())
    }
}

/// GoTrue demands these two; the running server knows them better than this placeholder.
const EXTERNAL_URL: &str = "API_EXTERNAL_URL";
const PLACEHOLDERS: [(&str, &str); 2] =
    [(EXTERNAL_URL, "http://127.0.0.1"), ("GOTRUE_JWT_SECRET", "completed-when-the-server-starts")];

fn auth_config(resolved: &Resolved, warnings: &mut Vec<String>, problems: &mut Vec<Problem>) -> Option<auth::Config> {
    let variables = PLACEHOLDERS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .chain(resolved.gotrue.iter().map(|(name, (text, _))| (name.clone(), text.clone())));
    // The later one of two with the same name wins.
    let variables: std::collections::BTreeMap<String, String> = variables.collect();
    match auth::Config::from_env(variables) {
        Ok((config, unused)) => {
            // What is switched off needs no effect.
            let asked = |name: &String| {
                resolved.gotrue.get(name).is_none_or(|(text, _)| !matches!(text.as_str(), "" | "false"))
            };
            warnings.extend(unused.into_iter().filter(asked).map(|name| format!("{name} has no effect yet")));
            Some(config)
        }
        Err(found) => {
            problems.extend(found.into_iter().map(|problem| {
                let place =
                    resolved.gotrue.get(&problem.key).map_or(problem.key.clone(), |(_, origin)| origin.to_string());
                let value = problem.value.map(|value| format!("“{value}” ")).unwrap_or_default();
                Problem { place, message: format!("{value}{}", problem.message) }
            }));
            None
        }
    }
}

fn positive(resolved: &Resolved, key: &str, expected: &str, problems: &mut Vec<Problem>) -> Option<usize> {
    let number = resolved.parse::<usize>(key, expected, problems)?;
    if number == 0 {
        resolved.complain(key, &format!("must be {expected}"), problems);
    }
    Some(number)
}

/// `--dev` has keys and a password that everybody knows, so it may not be reachable from a network by accident.
fn keep_dev_private(resolved: &Resolved, problems: &mut Vec<Problem>) {
    // A name that nobody knows is for the listener to complain about.
    let addresses = (resolved.text("host"), 0).to_socket_addrs().into_iter().flatten();
    if addresses.into_iter().any(|address| !address.ip().to_canonical().is_loopback()) {
        let message = "can be reached from other machines, and everybody knows the keys of --dev; \
                       start without --dev, or add --dev-public if that is what you want";
        resolved.complain("host", message, problems);
    }
}

fn public_url(resolved: &Resolved, problems: &mut Vec<Problem>) -> Option<PublicUrl> {
    let text = resolved.given("public_url")?;
    PublicUrl::parse(text)
        .map_err(|reason| resolved.complain("public_url", &format!("is no address: {reason}"), problems))
        .ok()
}

/// The schemas to expose. An empty list stands for the default, as it does for PostgREST.
fn schemas(resolved: &Resolved) -> Vec<String> {
    let schemas = resolved.list("api.schemas");
    if schemas.is_empty() { DEFAULT_SCHEMAS.split(',').map(str::to_owned).collect() } else { schemas }
}

fn database(resolved: &Resolved, dev: bool, problems: &mut Vec<Problem>) -> Database {
    if let Some(url) = resolved.given("db_url") {
        match Target::parse(url) {
            Ok(target) => return Database::External(Box::new(target)),
            Err(error) => resolved.complain("db_url", &error.to_string(), problems),
        }
    }
    const PORT: &str = "a port number from 1 to 65535";
    let asked = resolved.parse("db_port", PORT, problems);
    // Where the CLI looks for its local stack.
    let local = resolved.parse("db.port", PORT, problems).filter(|_| dev);
    let durable = match resolved.text("db_durability") {
        "full" => true,
        "none" => false,
        _ => {
            resolved.complain("db_durability", "must be full, or none for throw-away data", problems);
            true
        }
    };
    Database::Embedded {
        tcp_port: asked.or(local),
        bin_dir: resolved.given("postgres_bin_dir").map(PathBuf::from),
        durable,
    }
}

/// `.dugout` beside `supabase/` if there is one, else the folder for application data of the XDG base directory
/// specification.
fn data_dir(resolved: &Resolved, sources: &Sources) -> PathBuf {
    if let Some(given) = resolved.given("data_dir") {
        return PathBuf::from(given);
    }
    if let Some(project) = &sources.project {
        return project.join(".dugout");
    }
    let env = |name: &str| sources.env.get(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || env("HOME").map(|home| home.join(".local/share"));
    env("XDG_DATA_HOME").or_else(home).unwrap_or_else(|| PathBuf::from(".")).join("dugout")
}

fn trusted_proxies(resolved: &Resolved, problems: &mut Vec<Problem>) -> TrustedProxies {
    let mut networks = Vec::new();
    for text in resolved.list("trusted_proxies") {
        let address = || text.parse::<std::net::IpAddr>().map(ipnet::IpNet::from);
        match text.parse::<ipnet::IpNet>().or_else(|_| address()) {
            Ok(network) => networks.push(network),
            Err(_) => {
                let message = format!("holds {text}, which is neither an address nor a network such as 10.0.0.0/8");
                resolved.complain("trusted_proxies", &message, problems);
            }
        }
    }
    TrustedProxies(networks)
}

fn given_keys(resolved: &Resolved, supabase: Option<&Path>, problems: &mut Vec<Problem>) -> GivenKeys {
    let given = |key: &str| resolved.given(key).map(str::to_owned);
    if resolved.given("auth.jwt_secret").is_some_and(|secret| secret.len() < 16) {
        resolved.complain("auth.jwt_secret", "must have at least 16 characters", problems);
    }
    let mut signing_keys = Vec::new();
    if let Some(path) = resolved.given("auth.signing_keys_path") {
        let path = supabase.unwrap_or(Path::new(".")).join(path);
        let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
            Ok(keys) => signing_keys = keys,
            Err(reason) => {
                let message = format!("must name a file with an array of private JWKs; {}: {reason}", path.display());
                resolved.complain("auth.signing_keys_path", &message, problems);
            }
        }
    }
    GivenKeys {
        jwt_secret: given("auth.jwt_secret"),
        signing_keys,
        anon_key: given("auth.anon_key"),
        service_role_key: given("auth.service_role_key"),
        publishable_key: given("auth.publishable_key"),
        secret_key: given("auth.secret_key"),
    }
}
