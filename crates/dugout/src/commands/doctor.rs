//! `dugout doctor`: whether everything that the server uses is there.

use std::io::Write;

use super::configuration::configuration;
use crate::cli::DoctorArgs;
use crate::exit::Failure;

/// Says what is there, and what is missing with what to do about it. Only what a start needs is a failure.
pub async fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.flags(), args.server.project.as_deref())?;
    let findings = server::doctor(&config).await;
    let width = findings.iter().map(|finding| finding.what.chars().count()).max().unwrap_or_default();
    let mut out = std::io::stdout().lock();
    for finding in &findings {
        let (mark, said) = match &finding.found {
            Ok(said) => ("ok      ", said),
            Err(said) => ("missing ", said),
        };
        writeln!(out, "{mark}{:<width$}  {said}", finding.what).map_err(Failure::new)?;
    }
    for warning in &config.warnings {
        writeln!(out, "warning {warning}").map_err(Failure::new)?;
    }
    let needed: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.is_needed && finding.found.is_err())
        .map(|finding| finding.what)
        .collect();
    if needed.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(format!("the server cannot start: see {}", needed.join(", "))))
    }
}
