//! The command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use gateway::service::{Alone, Manifest};

pub use crate::functions_cli::*;
pub use crate::project_cli::*;
pub use crate::stats_cli::*;

/// A Supabase-compatible backend in one process, with its own PostgreSQL.
#[derive(Parser)]
#[command(name = "dugout", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Start everything: PostgreSQL, the API and the app
    Start(StartArgs),
    /// Print the addresses and keys of the server in a data directory
    Status(StatusArgs),
    /// Say whether everything that `start` uses is there, and what to do about what is missing
    Doctor(DoctorArgs),
    /// Show or replace the keys
    Keys(KeysArgs),
    /// Apply pending migrations of supabase/migrations to the database
    Migrate(ServerArgs),
    /// Fill the database from the project's seed files, each once
    Seed(SeedArgs),
    /// Dump the database, or compare it with the migrations
    Db(DbArgs),
    /// Generate code from the database
    Gen(GenArgs),
    /// Test the database with pgTAP
    Test(TestArgs),
    /// Move the data directory to the major version of PostgreSQL that comes with this release, keeping the old one
    Upgrade(ServerArgs),
    /// Administer the app
    Admin(AdminArgs),
    /// The project's Edge Functions: make one, list, serve, deploy and delete them, read their logs
    Functions(FunctionsArgs),
    /// Baseball statistics from event files, and archives for the app
    Stats(StatsArgs),
    /// Serve the data API alone at /, configured by PGRST_* variables or PostgREST's configuration file
    #[command(disable_version_flag = true)]
    Rest(RestArgs),
    /// Serve one service alone at /: a subcommand for each service that can
    #[command(skip)]
    Alone(&'static Manifest, Alone),
    /// Compare the files of a service with its tables: a subcommand of that service
    #[command(skip)]
    Fsck(&'static Manifest, FsckArgs),
}

/// The services that keep files.
const WITH_FILES: &[&str] = &["storage"];

impl Cli {
    /// The command line with a subcommand for each of the `services` that runs alone.
    pub fn command_for(services: &[&'static Manifest]) -> clap::Command {
        let alone = services.iter().filter_map(|service| Some((service.name, service.alone?)));
        let alone = alone.map(|(name, alone)| {
            let command = clap::Command::new(name).about(format!("Serve {} alone at /, {}", alone.title, alone.about));
            match WITH_FILES.contains(&name) {
                true => command.subcommand(FsckArgs::augment_args(clap::Command::new("fsck"))),
                false => command,
            }
        });
        Cli::command().subcommands(alone)
    }

    /// What was asked for; ends the process when it is help or a mistake.
    pub fn parse_for(services: &[&'static Manifest]) -> Self {
        let matches = Self::command_for(services).get_matches();
        Self::of(services, &matches).unwrap_or_else(|error| error.exit())
    }

    fn of(services: &[&'static Manifest], matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = |service: &&&Manifest| matches.subcommand_name() == Some(service.name);
        let Some((service, alone)) = services.iter().find(named).and_then(|service| Some((*service, service.alone?)))
        else {
            return Cli::from_arg_matches(matches);
        };
        let own = matches.subcommand_matches(service.name).filter(|_| WITH_FILES.contains(&service.name));
        let own = own.and_then(|own| own.subcommand_matches("fsck"));
        let command = match own {
            Some(own) => Command::Fsck(service, FsckArgs::from_arg_matches(own)?),
            None => Command::Alone(service, alone),
        };
        Ok(Cli { command })
    }
}

/// Arguments that locate the server and its data.
#[derive(Clone, Debug, Default, Args)]
pub struct ServerArgs {
    /// Where the database cluster and the secrets are kept [default: .dugout beside supabase/, else the XDG data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Use this PostgreSQL instead of the embedded one [env: DATABASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub db_url: Option<String>,
    /// The folder that contains supabase/ [default: the nearest one from here upwards]
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// The folder with PostgreSQL's programs [default: searched for]
    #[arg(long, global = true, value_name = "DIR")]
    pub postgres_bin_dir: Option<PathBuf>,
}

/// Arguments of `start`.
#[derive(Clone, Debug, Args)]
pub struct StartArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long)]
    pub host: Option<String>,
    /// Port to listen on; 0 takes a free one [default: 54321]
    #[arg(long)]
    pub port: Option<String>,
    /// Serve /metrics, /live and /ready on this port of 127.0.0.1
    #[arg(long, value_name = "PORT")]
    pub admin_port: Option<String>,
    /// The public address of this server
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Open PostgreSQL on this port of 127.0.0.1
    #[arg(long, value_name = "PORT")]
    pub db_port: Option<String>,
    /// Carry broadcasts and presence between instances on one database through these NATS servers
    #[arg(long, value_name = "URL")]
    pub nats_url: Option<String>,
    /// Stand in for `supabase start`: well-known keys, PostgreSQL on config.toml's db.port, migrations and seed applied
    #[arg(long)]
    pub dev: bool,
    /// Let --dev listen on an address that other machines reach, although its keys are publicly known
    #[arg(long)]
    pub dev_public: bool,
    /// With --dev: go on without extensions that are missing and without the statements that need them
    #[arg(long)]
    pub skip_missing_extensions: bool,
    /// Apply pending migrations to an existing database
    #[arg(long)]
    pub migrate: bool,
    /// Print every setting with its source, and stop
    #[arg(long)]
    pub print_config: bool,
}

/// Arguments of `doctor`: those of `start` that decide what it uses.
#[derive(Clone, Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub host: Option<String>,
    /// Port to listen on [default: 54321]
    #[arg(long, value_name = "PORT")]
    pub port: Option<String>,
    /// As `dugout start --dev`
    #[arg(long)]
    pub dev: bool,
}

/// Arguments of `rest`: PostgREST's own.
#[derive(Clone, Debug, Args)]
pub struct RestArgs {
    /// Configuration file in PostgREST's format
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print the configuration, the database's settings included, and stop
    #[arg(long)]
    pub dump_config: bool,
    /// Print the catalog as JSON and stop
    #[arg(long)]
    pub dump_schema: bool,
    /// Print an example configuration file
    #[arg(short, long)]
    pub example: bool,
    /// Ask the admin server of a running instance whether it is ready
    #[arg(long)]
    pub ready: bool,
    /// Print the version
    #[arg(short, long)]
    pub version: bool,
}

/// Arguments of `keys`.
#[derive(Clone, Debug, Args)]
pub struct KeysArgs {
    #[command(subcommand)]
    pub action: Option<KeysAction>,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to do with the keys.
#[derive(Clone, Debug, Subcommand)]
pub enum KeysAction {
    /// Print the API keys
    Show,
    /// Make a new signing key (the old one still verifies); takes effect at the next start
    Rotate {
        /// Make new API keys and a new JWT secret instead: clients with the old ones are refused
        #[arg(long)]
        api_keys: bool,
    },
}

/// Arguments of `seed`.
#[derive(Clone, Debug, Args)]
pub struct SeedArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    /// Confirm that this is not a production database
    #[arg(long)]
    pub yes: bool,
}

/// Arguments of `admin`.
#[derive(Clone, Debug, Args)]
pub struct AdminArgs {
    #[command(subcommand)]
    pub action: AdminAction,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Administrative actions.
#[derive(Clone, Debug, Subcommand)]
pub enum AdminAction {
    /// Make the user with this address an admin of the app
    Grant {
        /// The address they signed up with
        email: String,
    },
}

/// Compare the files with the database: objects without a file, and files that belong to no object
#[derive(Clone, Debug, Args)]
pub struct FsckArgs {
    /// Remove what has no other half
    #[arg(long)]
    pub repair: bool,
    /// Remove it even if that is most of the objects or files
    #[arg(long, requires = "repair")]
    pub force: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

impl ServerArgs {
    /// The given flags, by setting.
    pub fn flags(&self) -> BTreeMap<&'static str, String> {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        [
            ("data_dir", self.data_dir.as_ref().map(path)),
            ("db_url", self.db_url.clone()),
            ("postgres_bin_dir", self.postgres_bin_dir.as_ref().map(path)),
        ]
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key, value)))
        .collect()
    }
}

impl DoctorArgs {
    /// The given flags, by setting.
    pub fn flags(&self) -> BTreeMap<&'static str, String> {
        let dev = self.dev.then(|| "true".to_owned());
        let given = [("host", self.host.clone()), ("port", self.port.clone()), ("dev", dev)];
        let given = given.into_iter().filter_map(|(key, value)| value.map(|value| (key, value)));
        self.server.flags().into_iter().chain(given).collect()
    }
}

impl StartArgs {
    /// The given flags, by setting.
    pub fn flags(&self) -> BTreeMap<&'static str, String> {
        let switch = |on: bool| on.then(|| "true".to_owned());
        let mut flags = self.server.flags();
        flags.extend(
            [
                ("host", self.host.clone()),
                ("port", self.port.clone()),
                ("admin_port", self.admin_port.clone()),
                ("public_url", self.public_url.clone()),
                ("db_port", self.db_port.clone()),
                ("realtime.nats_url", self.nats_url.clone()),
                ("dev", switch(self.dev)),
                ("dev_public", switch(self.dev_public)),
                ("skip_missing_extensions", switch(self.skip_missing_extensions)),
                ("migrate", switch(self.migrate)),
            ]
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| (key, value))),
        );
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use server::registry::SERVICES;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command_for(SERVICES).debug_assert();
        for (name, is_alone) in [("auth", true), ("storage", true), ("rest", false)] {
            let matches = Cli::command_for(SERVICES).get_matches_from(["dugout", name]);
            let command = Cli::of(SERVICES, &matches).unwrap().command;
            assert_eq!(matches!(command, Command::Alone(service, _) if service.name == name), is_alone, "{name}");
        }
    }

    #[test]
    fn files_are_checked_below_their_service() {
        let given = ["dugout", "storage", "fsck", "--repair", "--data-dir=d"];
        let matches = Cli::command_for(SERVICES).get_matches_from(given);
        let Command::Fsck(service, args) = Cli::of(SERVICES, &matches).unwrap().command else { panic!("not fsck") };
        assert_eq!((service.name, args.repair, args.server.data_dir), ("storage", true, Some(PathBuf::from("d"))));
    }

    #[test]
    fn where_the_server_is_can_be_said_last() {
        let given = ["dugout", "admin", "grant", "ana@x.test", "--data-dir=d"];
        let Command::Admin(args) = Cli::parse_from(given).command else { panic!("not admin") };
        assert_eq!(args.server.data_dir, Some(PathBuf::from("d")));
        let given = ["dugout", "keys", "rotate", "--api-keys", "--data-dir=d"];
        let Command::Keys(args) = Cli::parse_from(given).command else { panic!("not keys") };
        assert_eq!(args.server.data_dir, Some(PathBuf::from("d")));
    }

    #[test]
    fn every_flag_with_a_setting_reaches_it() {
        let given = [
            "dugout",
            "start",
            "--host=h",
            "--port=1",
            "--admin-port=2",
            "--public-url=u",
            "--data-dir=d",
            "--db-url=x",
            "--db-port=3",
            "--nats-url=n",
            "--dev",
            "--dev-public",
            "--skip-missing-extensions",
            "--migrate",
            "--postgres-bin-dir=b",
        ];
        let Command::Start(args) = Cli::parse_from(given).command else { panic!("not start") };
        let keys: Vec<&str> = args.flags().into_keys().collect();
        let wanted: std::collections::BTreeSet<&str> = server::registry::settings(SERVICES)
            .into_iter()
            .filter(|setting| setting.flag.is_some())
            .map(|setting| setting.key)
            .collect();
        assert_eq!(keys, wanted.into_iter().collect::<Vec<_>>());
    }
}
