//! `dugout rest`: the data API alone, as a replacement for PostgREST. The arguments are PostgREST's own.

use std::io::Write;
use std::path::Path;

use rest::UPSTREAM_VERSION;
use rest::config::{Config, EXAMPLE, Loaded, Sources};
use server::standalone::{self, RestApi, RestTools};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::configuration::environment;
use super::rest_ready;
use crate::cli::RestArgs;
use crate::exit::Failure;

/// Does what the arguments ask; without any, serves until a signal.
pub async fn run(args: RestArgs) -> Result<(), Failure> {
    if args.version {
        return print(&format!("PostgREST {UPSTREAM_VERSION} (dugout {})\n", env!("CARGO_PKG_VERSION")));
    }
    if args.example {
        return print(EXAMPLE);
    }
    let (sources, loaded) = load(args.file.as_deref())?;
    if args.ready {
        return print(&rest_ready::ask(&loaded.config).await?);
    }
    if args.dump_config || args.dump_schema {
        let tools = loaded.config.db_config || args.dump_schema;
        if !tools {
            return print(&loaded.config.dump());
        }
        let shown = loaded.clone();
        let tools = match RestTools::new(sources, loaded) {
            Ok(tools) => tools,
            Err(error) => return without_database(&args, &shown, &error.to_string()),
        };
        let config = match tools.config().await {
            Ok(config) => config,
            Err(reason) if reason.starts_with("Error in config") => return Err(Failure::new(reason)),
            Err(reason) => return without_database(&args, &shown, &reason),
        };
        return match args.dump_schema {
            true => print(&format!("{}\n", tools.schema_cache().await.map_err(Failure::new)?)),
            false => print(&config.dump()),
        };
    }
    serve(sources, loaded).await
}

/// Like upstream's `--dump-config`: reports why the database gave no settings, and prints the rest.
fn without_database(args: &RestArgs, loaded: &Loaded, reason: &str) -> Result<(), Failure> {
    if args.dump_schema {
        return Err(Failure::new(reason));
    }
    eprintln!("Failed to query database settings for the config parameters.{reason}");
    print(&loaded.config.dump())
}

fn load(file: Option<&Path>) -> Result<(Sources, Loaded), Failure> {
    let sources = Sources::new(environment(), file);
    let loaded = Config::load(&sources, &[]).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::new(lines.join("\n"))
    })?;
    Ok((sources, loaded))
}

/// The signals that the process handles.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    reload_catalog: Signal,
    reload_config: Signal,
}

async fn serve(sources: Sources, loaded: Loaded) -> Result<(), Failure> {
    // Before anything else: an unhandled signal would end the process.
    let watched = |kind| signal(kind).map_err(|error| Failure::new(format!("signals cannot be watched: {error}")));
    let mut signals = Signals {
        interrupt: watched(SignalKind::interrupt())?,
        terminate: watched(SignalKind::terminate())?,
        reload_catalog: watched(SignalKind::user_defined1())?,
        reload_config: watched(SignalKind::user_defined2())?,
    };
    let mut api = tokio::select! {
        started = standalone::rest(sources, loaded) => started.map_err(Failure::new)?,
        _ = signals.interrupt.recv() => return Ok(()),
        _ = signals.terminate.recv() => return Ok(()),
    };
    let ending = until_told(&mut api, &mut signals).await;
    tokio::select! {
        () = api.stop() => {}
        _ = signals.interrupt.recv() => {}
        _ = signals.terminate.recv() => {}
    }
    ending
}

async fn until_told(api: &mut RestApi, signals: &mut Signals) -> Result<(), Failure> {
    loop {
        let signal = tokio::select! {
            _ = signals.interrupt.recv() => "SIGINT",
            _ = signals.terminate.recv() => "SIGTERM",
            _ = signals.reload_catalog.recv() => {
                api.reload_catalog();
                continue;
            }
            _ = signals.reload_config.recv() => {
                api.reload_config();
                continue;
            }
            reason = api.ended() => return Err(Failure::new(reason)),
        };
        api.told_to_stop(signal);
        return Ok(());
    }
}

fn print(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::new(format!("stdout: {error}")))
}
