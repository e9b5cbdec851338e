//! `dugout test db`: pgTAP files, reported as pg_prove does.

use std::io::Write;
use std::path::PathBuf;

use workbench::tap;

use super::configuration::configuration;
use crate::cli::{TestAction, TestArgs};
use crate::exit::Failure;

/// Runs the files; fails unless every test passes.
pub async fn run(args: &TestArgs) -> Result<(), Failure> {
    let TestAction::Db { paths, .. } = &args.action;
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let paths: Vec<PathBuf> = match (&config.project_sql.folder, paths.is_empty()) {
        (_, false) => paths.clone(),
        (Some(supabase), true) => vec![supabase.join("tests")],
        (None, true) => {
            return Err(Failure::new(
                "there is no folder supabase/ here or above; run this inside a project, name it with --project, or name \
                 test files",
            ));
        }
    };
    let files = tap::find(&paths).map_err(Failure::new)?;
    if files.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::new(format!("no pgTAP tests found in {}", paths.join(", "))));
    }
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let mut print = |line: &str| {
        // A closed stdout is no reason to stop: the exit status says the rest.
        let _ = writeln!(std::io::stdout(), "{line}");
    };
    let summary = tap::run(&opened.owner, &files, &mut print).await;
    opened.close().await;
    match summary.map_err(Failure::new)? {
        summary if summary.passed() => Ok(()),
        summary if summary.tests() == 0 => Err(Failure::new("no test ran")),
        _ => Err(Failure::new("some tests failed")),
    }
}
