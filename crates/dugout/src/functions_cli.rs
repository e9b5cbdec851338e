//! The command line of `functions`.

use clap::{Args, Subcommand};

use crate::cli::{ServerArgs, StartArgs};

/// Arguments of `functions`.
#[derive(Clone, Debug, Args)]
pub struct FunctionsArgs {
    #[command(subcommand)]
    pub action: FunctionsAction,
}

/// What to do with functions.
#[derive(Clone, Debug, Subcommand)]
pub enum FunctionsAction {
    /// Make supabase/functions/NAME/index.ts
    New {
        /// Letters, digits, - and _, with a letter first
        name: String,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Print the names of all functions, and whether they want a token
    List(ServerArgs),
    /// Start everything as `start --dev` does, which starts functions again when their files change
    Serve(StartArgs),
    /// Send functions of this project to a running server, which serves them from the next request on
    Deploy {
        /// The functions [default: all of the project]
        names: Vec<String>,
        /// Serve them without a token, whatever config.toml says
        #[arg(long)]
        no_verify_jwt: bool,
        #[command(flatten)]
        remote: RemoteArgs,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Serve an earlier version of a deployed function again
    Rollback {
        /// The function
        name: String,
        /// The version [default: the one before that is served]
        #[arg(long = "to", value_name = "VERSION")]
        version: Option<u32>,
        #[command(flatten)]
        remote: RemoteArgs,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Delete a deployed function with all its versions; files of this project stay
    Delete {
        /// The function
        name: String,
        #[command(flatten)]
        remote: RemoteArgs,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Print a profile and an access token with which the Supabase CLI deploys to the running server
    Profile(ServerArgs),
    /// Print what a function has written
    Logs {
        /// The function
        name: String,
        /// Go on with what it writes from now on
        #[arg(short, long)]
        follow: bool,
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// A server on another machine.
#[derive(Clone, Debug, Args)]
pub struct RemoteArgs {
    /// The server's address; its service role key is read from SUPABASE_SERVICE_ROLE_KEY [default: the running server of the
    /// data directory]
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}
