//! `dugout functions`: the project's Edge Functions.

mod deploy;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use server::functions::project;

use super::configuration::configuration;
use super::start;
use crate::cli::{FunctionsAction, ServerArgs, StartArgs};
use crate::exit::Failure;

/// How often a log is looked at that is followed.
const LOOK: Duration = Duration::from_millis(200);

/// Does what was asked for.
pub async fn run(action: FunctionsAction) -> Result<(), Failure> {
    match action {
        FunctionsAction::New { name, server } => new(&name, &server),
        FunctionsAction::List(server) => list(&server),
        FunctionsAction::Serve(args) => Box::pin(start::run(StartArgs { dev: true, ..args })).await,
        FunctionsAction::Deploy { names, no_verify_jwt, remote, server } => {
            deploy::deploy(&names, no_verify_jwt, &remote, &server).await
        }
        FunctionsAction::Rollback { name, version, remote, server } => {
            deploy::roll_back(&name, version, &remote, &server).await
        }
        FunctionsAction::Delete { name, remote, server } => deploy::delete(&name, &remote, &server).await,
        FunctionsAction::Profile(server) => deploy::profile(&server),
        FunctionsAction::Logs { name, follow, server } => logs(&name, follow, &server).await,
    }
}

fn new(name: &str, server: &ServerArgs) -> Result<(), Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let Some(project) = config.project else {
        return Err(Failure::new(
            "there is no folder supabase here; run `supabase init`, or name the folder with --project",
        ));
    };
    let entry = project::create(&project.join("supabase"), name).map_err(Failure::new)?;
    print(&format!("{}\nIts address is /functions/v1/{name}. `dugout functions serve` serves it.\n", entry.display()))
}

fn list(server: &ServerArgs) -> Result<(), Failure> {
    let (config, resolved) = configuration(server.flags(), server.project.as_deref())?;
    let (listed, deployed) = (project::list(&resolved), project::deployed(&config.data_dir));
    let names = listed.iter().map(|function| &function.name).chain(deployed.iter().map(|function| &function.name));
    let width = names.map(String::len).max().unwrap_or_default();
    let token = |verify_jwt| if verify_jwt { "token" } else { "open " };
    let line = |function: &project::Listed| {
        format!("{:<width$}  {}  {}\n", function.name, token(function.verify_jwt), function.entry.display())
    };
    let of_version = |function: &project::Deployed| {
        let kept: Vec<String> = function.versions.iter().map(u32::to_string).collect();
        let (version, kept) = (function.version, kept.join(", "));
        format!("{:<width$}  {}  version {version} of {kept}\n", function.name, token(function.verify_jwt))
    };
    let heading = if deployed.is_empty() { "" } else { "Deployed to the server of this data directory:\n" };
    let lines = listed.iter().map(line).chain([heading.to_owned()]).chain(deployed.iter().map(of_version));
    print(&lines.collect::<String>())
}

async fn logs(name: &str, follow: bool, server: &ServerArgs) -> Result<(), Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let path = project::log_of(&config.data_dir, name);
    let Some(path) = path.filter(|path| follow || path.is_file()) else {
        return Err(Failure::new(format!("the function {name} has written nothing yet")));
    };
    let mut read = (0, 0);
    loop {
        read = copy(&path, read).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        if !follow {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Prints what is new in a log, from a number of bytes on. A log that has become too long has another file, known by its number:
/// then the rest of the old one is printed, and everything of the new one.
fn copy(path: &Path, (file, from): (u64, u64)) -> io::Result<(u64, u64)> {
    let mut log = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((file, from)),
        log => log?,
    };
    let number = log.metadata()?.ino();
    if number == file {
        return Ok((number, from + print_from(&mut log, from)?));
    }
    if let Ok(mut old) = File::open(path.with_extension("log.1"))
        && old.metadata()?.ino() == file
    {
        print_from(&mut old, from)?;
    }
    Ok((number, print_from(&mut log, 0)?))
}

/// Prints the bytes of a log from `from` on; returns how many.
fn print_from(log: &mut File, from: u64) -> io::Result<u64> {
    log.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    log.read_to_end(&mut text)?;
    io::stdout().write_all(&text)?;
    io::stdout().flush()?;
    Ok(text.len() as u64)
}

fn print(text: &str) -> Result<(), Failure> {
    io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}
