//! Configuration: defaults < `supabase/config.toml` < environment < flags. Each value knows its origin; all problems are
//! reported at once.

mod dotenv;
mod file;
mod limits;
mod settings;
#[cfg(test)]
mod tests;
mod unset;

use std::collections::BTreeMap;
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gateway::client_ip::TrustedProxies;
use gateway::service::{Configured, Manifest};
use gateway::settings::{Report, Shown, unset_variable};
use gateway::{PublicUrl, Secret};
use pg::Target;

pub use gateway::settings::{Origin, Problem, Resolved, Setting, Sources};
pub use limits::Limits;
pub use settings::SETTINGS;

use crate::progress::Progress;
use crate::registry::{self, SERVICES};

/// The parsed configuration of `dugout start`.
#[derive(Clone)]
pub struct Config {
    /// Address to listen on.
    pub host: String,
    /// Port to listen on; 0 picks a free one.
    pub port: u16,
    /// Port of `/metrics`, `/live` and `/ready` on 127.0.0.1; `None` disables them.
    pub admin_port: Option<u16>,
    /// The address under which clients reach the server; `None` means `http://host:port`.
    pub public_url: Option<PublicUrl>,
    /// The folder of the cluster, the secrets and the state.
    pub data_dir: PathBuf,
    /// The folder that contains `supabase/`.
    pub project: Option<PathBuf>,
    /// Replaces `supabase start`: well-known keys, PostgreSQL on TCP, migrations and seeds applied.
    pub dev: bool,
    /// Where PostgreSQL is.
    pub database: Database,
    /// Whether migrations and seeds skip statements that need an extension which the server lacks.
    pub skip_missing_extensions: bool,
    /// Whether pending migrations are applied to an existing database.
    pub migrate: bool,
    /// The port of the mailbox on 127.0.0.1, beside `/mailbox`.
    pub mailbox_port: Option<u16>,
    /// What is applied from `supabase/`.
    pub project_sql: ProjectSql,
    /// Whether the API's roles may use objects that migrations create in `public` without a grant.
    pub auto_expose: bool,
    /// The largest number of connections that the services and the listener use.
    pub pool: usize,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// Number of HTTP worker threads.
    pub workers: usize,
    /// How long a stop waits for requests in flight.
    pub shutdown_timeout: Duration,
    /// Memory limits of requests.
    pub limits: Limits,
    /// Proxies whose X-Forwarded-For is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The services with their settings; `None` if a service is disabled or has nothing to run.
    pub services: Vec<(&'static Manifest, Option<Arc<dyn Configured>>)>,
    /// Keys from the configuration; missing ones are generated on the first start.
    pub keys: GivenKeys,
    /// The app at `/`.
    pub app: AppSettings,
    /// Warnings to print before starting.
    pub warnings: Vec<String>,
    /// Who watches the start.
    pub progress: Progress,
}

/// Where PostgreSQL is.
#[derive(Clone, Debug)]
pub enum Database {
    /// A cluster of our own in the data directory.
    Embedded {
        /// Port on 127.0.0.1; `None` listens on a unix socket only.
        tcp_port: Option<u16>,
        /// The folder of PostgreSQL's programs; `None` searches for them.
        bin_dir: Option<PathBuf>,
        /// Whether commits survive a crash of the machine; `false` is meant for tests.
        durable: bool,
    },
    /// A server that the user runs.
    External(Box<Target>),
}

/// What is applied to the database from `supabase/`.
#[derive(Clone, Debug, Default)]
pub struct ProjectSql {
    /// `supabase/migrations`, unless migrations are disabled.
    pub migrations: Option<PathBuf>,
    /// Glob patterns of seed files, relative to `supabase/`.
    pub seeds: Vec<String>,
    /// The folder `supabase`.
    pub folder: Option<PathBuf>,
    /// `[db.vault]`: secrets of a new database, by name.
    pub vault: BTreeMap<String, Secret<String>>,
}

/// Keys that the configuration supplies.
#[derive(Clone, Debug, Default)]
pub struct GivenKeys {
    /// `auth.jwt_secret`.
    pub jwt_secret: Option<String>,
    /// The content of the file at `auth.signing_keys_path`: private JWKs. The first that may sign, signs.
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
    /// Whether `/` serves the app. Otherwise it serves a plain page.
    pub serve: bool,
    /// Addresses that see the Admin entry in the menu; only their SHA-256 reaches the page.
    pub admin_emails: Vec<String>,
    /// The URL that the page asks for its visitor's IP address.
    pub ip_lookup_url: String,
    /// The URL of the landing page's video.
    pub demo_video_url: Option<String>,
}

impl Config {
    /// Reads all sources for the services of this server.
    ///
    /// # Errors
    /// All bad values, each with its origin.
    pub fn load(sources: &Sources) -> Result<(Self, Resolved), Vec<Problem>> {
        Self::load_for(SERVICES, sources)
    }

    /// Like [`Config::load`], for the given services.
    ///
    /// # Errors
    /// All bad values, each with its origin.
    pub fn load_for(services: &[&'static Manifest], sources: &Sources) -> Result<(Self, Resolved), Vec<Problem>> {
        let mut report = Report::default();
        let resolved = resolve(services, sources, &mut report);
        report.problems.extend(resolved.unset());
        let config = Self::parse(services, &resolved, sources, &mut report);
        // Settings that are also variables of a service are checked twice.
        let mut seen = std::collections::HashSet::new();
        report.problems.retain(|problem| seen.insert(problem.to_string()));
        if report.problems.is_empty() { Ok((config, resolved)) } else { Err(report.problems) }
    }

    /// All values of the server and its services, for `--print-config`.
    pub fn shown(&self, resolved: &Resolved) -> Vec<Shown> {
        let of_services = self.services.iter().filter_map(|(_, configured)| configured.as_ref());
        resolved.shown().into_iter().chain(of_services.flat_map(|service| service.shown())).collect()
    }

    fn parse(services: &[&'static Manifest], resolved: &Resolved, sources: &Sources, report: &mut Report) -> Self {
        const PORT: &str = "a port number from 0 to 65535";
        const SWITCH: &str = "true or false";
        const COUNT: &str = "a whole number above 0";
        let services = services.iter().map(|manifest| (*manifest, (manifest.configure)(resolved, report))).collect();
        let Report { problems, warnings } = report;
        let dev = resolved.parse("dev", SWITCH, problems).unwrap_or_default();
        let migrations = resolved.parse("db.migrations.enabled", SWITCH, problems).unwrap_or(true);
        let seeding = resolved.parse("db.seed.enabled", SWITCH, problems).unwrap_or(true);
        let supabase = sources.project.as_ref().map(|project| project.join("supabase"));
        let project_sql = ProjectSql {
            migrations: supabase.as_ref().filter(|_| migrations).map(|folder| folder.join("migrations")),
            seeds: if seeding { resolved.list("db.seed.sql_paths") } else { Vec::new() },
            folder: supabase.clone(),
            vault: vault(resolved, warnings),
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
        Config {
            host: resolved.text("host").to_owned(),
            port: resolved.parse("port", PORT, problems).unwrap_or_default(),
            admin_port: resolved.parse("admin_port", PORT, problems),
            public_url: public_url(resolved, problems),
            data_dir: data_dir(resolved, sources),
            project: sources.project.clone(),
            dev,
            database: database(resolved, dev, problems),
            skip_missing_extensions: skip_missing_extensions(resolved, dev, problems),
            migrate: resolved.parse("migrate", SWITCH, problems).unwrap_or_default(),
            mailbox_port: mailbox_port(resolved, dev, problems),
            project_sql,
            auto_expose: resolved.parse("api.auto_expose_new_tables", SWITCH, problems).unwrap_or(true),
            pool: resolved.positive("db_pool", COUNT, problems).unwrap_or(1),
            acquire_timeout,
            workers: resolved.positive("workers", COUNT, problems).unwrap_or(cores),
            shutdown_timeout,
            limits: Limits::parse(resolved, problems),
            trusted_proxies: trusted_proxies(resolved, problems),
            services,
            keys: given_keys(resolved, supabase.as_deref(), problems),
            app: AppSettings {
                serve: resolved.parse("app.serve", SWITCH, problems).unwrap_or_default(),
                admin_emails: resolved.list("app.admin_emails"),
                ip_lookup_url: resolved.text("app.ip_lookup_url").to_owned(),
                demo_video_url: resolved.given("app.demo_video_url").map(str::to_owned),
            },
            warnings: std::mem::take(warnings),
            progress: Progress::default(),
        }
    }
}

/// Reads `[db.vault]`. Like the CLI, leaves out secrets whose environment variable is not set.
fn vault(resolved: &Resolved, warnings: &mut Vec<String>) -> BTreeMap<String, Secret<String>> {
    let mut secrets = BTreeMap::new();
    for (path, text) in &resolved.config.values {
        let Some(name) = path.strip_prefix("db.vault.") else { continue };
        let origin = Origin::File(resolved.config.path.clone(), path.clone());
        match unset_variable(text, &origin) {
            Some(variable) => warnings.push(format!(
                "{origin} names the environment variable {variable}, which is not set: the vault has no {name}"
            )),
            None => _ = secrets.insert(name.to_owned(), Secret::new(text.clone())),
        }
    }
    secrets
}

/// Reads the project's files and merges all sources.
pub fn resolve(services: &[&'static Manifest], sources: &Sources, report: &mut Report) -> Resolved {
    let env = dotenv::beneath(&sources.env, sources.project.as_deref(), &mut report.problems);
    let folder = sources.project.as_ref().map(|project| project.join("supabase"));
    let mut read = |name: &str| {
        let file = folder.as_ref().map(|folder| file::read(&folder.join(name), &env, &mut report.problems));
        file.unwrap_or_default()
    };
    let (mut config, dugout) = (read("config.toml"), read("dugout.toml"));
    let settings = registry::settings(services);
    let known = |path: &str| file::known_to_cli(path) || settings.iter().any(|setting| setting.config == Some(path));
    let known_to_us = |path: &str| settings.iter().any(|setting| setting.dugout == Some(path));
    for (file, unknown) in [(&config, file::unknown(&config, known)), (&dugout, file::unknown(&dugout, known_to_us))] {
        let said = |path| format!("{} has an unknown key {path}; it has no effect", file.path.display());
        report.warnings.extend(unknown.into_iter().map(said));
    }
    report.warnings.extend(file::without_effect(&config));
    let resolved = Resolved::new(settings.iter().copied(), sources, config.clone(), &dugout);
    if resolved.text("dev") != "true" {
        return resolved;
    }
    let has_effect = |path: &str| settings.iter().any(|setting| setting.config == Some(path));
    unset::leave_out(&mut config, has_effect, &mut report.warnings);
    Resolved::new(settings, sources, config, &dugout)
}

/// `--dev` uses public keys and a public password, so it must not listen on a network by accident.
fn keep_dev_private(resolved: &Resolved, problems: &mut Vec<Problem>) {
    // If the host name does not resolve, listening reports the error.
    let addresses = (resolved.text("host"), 0).to_socket_addrs().into_iter().flatten();
    if addresses.into_iter().any(|address| !address.ip().to_canonical().is_loopback()) {
        let message = "is reachable from other machines, and the keys of --dev are public; \
                       start without --dev, or add --dev-public if you want this";
        resolved.complain("host", message, problems);
    }
}

/// An incomplete schema is acceptable for trying out a project, but not for data that somebody keeps.
fn skip_missing_extensions(resolved: &Resolved, dev: bool, problems: &mut Vec<Problem>) -> bool {
    let wanted = resolved.parse("skip_missing_extensions", "true or false", problems).unwrap_or_default();
    if wanted && !dev {
        resolved.complain("skip_missing_extensions", "skips statements of migrations, so it needs --dev", problems);
    }
    wanted
}

/// `local_smtp.port`, or that of the section's older name `inbucket`.
fn mailbox_port(resolved: &Resolved, dev: bool, problems: &mut Vec<Problem>) -> Option<u16> {
    let older = |key: &str| resolved.config.values.get(&format!("inbucket.{key}")).map(String::as_str);
    let newer = |key: &str| resolved.config.values.get(&format!("local_smtp.{key}")).map(String::as_str);
    let port = resolved.parse("local_smtp.port", "a port number from 0 to 65535", problems);
    let is_default = *resolved.origin("local_smtp.port") == Origin::Default;
    let port = older("port").filter(|_| is_default).and_then(|text| text.parse().ok()).or(port);
    let is_off = newer("enabled").or(older("enabled")) == Some("false");
    port.filter(|port| dev && !is_off && *port != 0)
}

fn public_url(resolved: &Resolved, problems: &mut Vec<Problem>) -> Option<PublicUrl> {
    let text = resolved.given("public_url")?;
    PublicUrl::parse(text)
        .map_err(|reason| resolved.complain("public_url", &format!("is not a valid address: {reason}"), problems))
        .ok()
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
    // The port at which the CLI expects its local stack.
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

/// `.dugout` beside `supabase/` if there is a project, else `dugout` in `XDG_DATA_HOME` (XDG base directory specification).
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
    TrustedProxies::parse(&resolved.list("trusted_proxies")).unwrap_or_else(|bad| {
        for text in bad {
            let message = format!("contains {text}, which is neither an address nor a network such as 10.0.0.0/8");
            resolved.complain("trusted_proxies", &message, problems);
        }
        TrustedProxies::default()
    })
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
