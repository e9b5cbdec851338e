//! The commands that developers know from the Supabase CLI, with its flags.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::ServerArgs;

/// Arguments of `status`.
#[derive(Clone, Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    /// How to print
    #[arg(short, long, value_enum, default_value_t = Output::Env)]
    pub output: Output,
    /// Print a value under another name, such as api.url=NEXT_PUBLIC_SUPABASE_URL; may be repeated
    #[arg(long, value_name = "KEY=NAME", value_delimiter = ',')]
    pub override_name: Vec<String>,
}

/// Output formats of `status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// NAME="value" lines, as `supabase status -o env`
    Env,
    /// One JSON object
    Json,
    /// NAME: value lines
    Yaml,
    /// NAME = "value" lines
    Toml,
    /// Boxes, for people
    Pretty,
}

/// Arguments of `test`.
#[derive(Clone, Debug, Args)]
pub struct TestArgs {
    #[command(subcommand)]
    pub action: TestAction,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to test.
#[derive(Clone, Debug, Subcommand)]
pub enum TestAction {
    /// Run pgTAP test files, as `supabase test db` does
    Db {
        /// Files, or folders to search for .sql and .pg files [default: supabase/tests]
        paths: Vec<PathBuf>,
        /// Test the project's own database, which is the default
        #[arg(long)]
        local: bool,
    },
}

/// Arguments of `gen`.
#[derive(Clone, Debug, Args)]
pub struct GenArgs {
    #[command(subcommand)]
    pub action: GenAction,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to generate.
#[derive(Clone, Debug, Subcommand)]
pub enum GenAction {
    /// Print TypeScript types of the tables, views, functions, enums and composite types
    Types {
        /// The language: only typescript
        #[arg(value_enum, default_value_t = Language::Typescript)]
        language: Language,
        /// The same as an option
        #[arg(long, value_enum, value_name = "LANGUAGE")]
        lang: Option<Language>,
        /// Schemas to include, separated by commas [default: those of config.toml's api.schemas]
        #[arg(short, long, value_delimiter = ',')]
        schema: Vec<String>,
        /// Read the project's own database, which is the default
        #[arg(long)]
        local: bool,
    },
}

/// Languages of `gen types`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// For supabase-js
    Typescript,
}

/// Arguments of `db`.
#[derive(Clone, Debug, Args)]
pub struct DbArgs {
    #[command(subcommand)]
    pub action: DbAction,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to do with the database.
#[derive(Clone, Debug, Subcommand)]
pub enum DbAction {
    /// Write the schema, the data or the roles as SQL, without what the platform itself owns
    Dump(DumpArgs),
}

/// Arguments of `db dump`.
#[derive(Clone, Debug, Args)]
pub struct DumpArgs {
    /// Dump rows instead of the schema
    #[arg(long, conflicts_with = "role_only")]
    pub data_only: bool,
    /// Dump roles instead of the schema
    #[arg(long)]
    pub role_only: bool,
    /// Only these schemas, separated by commas
    #[arg(short, long, value_delimiter = ',', conflicts_with = "role_only")]
    pub schema: Vec<String>,
    /// Leave out the rows of these tables, each as schema.table
    #[arg(short = 'x', long, value_delimiter = ',', requires = "data_only")]
    pub exclude: Vec<String>,
    /// Write rows as COPY instead of INSERT
    #[arg(long, requires = "data_only")]
    pub use_copy: bool,
    /// Keep pg_dump's comments
    #[arg(long, conflicts_with = "data_only")]
    pub keep_comments: bool,
    /// Write to this file instead of standard output
    #[arg(short, long)]
    pub file: Option<PathBuf>,
    /// Dump the project's own database, which is the default
    #[arg(long)]
    pub local: bool,
}
