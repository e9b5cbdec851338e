//! Dumps of a project: its schema, its rows or its roles, without what the platform owns, so that they restore into any Supabase
//! project. The same programs, arguments and filters as `supabase db dump` (CLI 3.1), whose containers hold them.

mod arguments;
mod filter;

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pg::{Script, Target};

use filter::Filter;

/// What to dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Definitions.
    Schema {
        /// Whether pg_dump's comments stay.
        keep_comments: bool,
    },
    /// Rows.
    Data {
        /// COPY instead of INSERT.
        use_copy: bool,
        /// Tables left out, as `schema.table`.
        exclude: Vec<String>,
    },
    /// Roles and their settings, without passwords.
    Roles {
        /// Whether comments stay.
        keep_comments: bool,
    },
}

/// A dump that was asked for.
#[derive(Clone, Debug)]
pub struct Dump {
    /// What.
    pub content: Content,
    /// Only these schemas; empty for all but the platform's.
    pub schemas: Vec<String>,
}

/// Why there is no dump.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// A table that is to be left out has no schema.
    #[error("--exclude {0}: write it as schema.table")]
    Table(String),
    /// The database refused or cannot be reached.
    #[error("the database refused: {0}")]
    Database(#[from] pg::Error),
    /// The program could not be run.
    #[error("{} could not be run: {error}", .program.display())]
    Program {
        /// Its path.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The program failed.
    #[error("{program} failed: {said}")]
    Failed {
        /// Its name.
        program: String,
        /// What it wrote to stderr.
        said: String,
    },
    /// The output could not be written.
    #[error("the dump could not be written: {0}")]
    Output(io::Error),
}

/// Writes the dump to `output`. The programs are searched for in the folder `programs`.
///
/// # Errors
/// [`DumpError`]; what was written until then is no whole dump.
pub async fn dump(target: &Target, programs: &Path, dump: &Dump, output: &mut dyn Write) -> Result<(), DumpError> {
    let role = owner(target).await?;
    let (name, arguments) = arguments::of(dump, role)?;
    let mut command = Command::new(programs.join(name));
    command.env_clear().envs(target.program_environment()).args(arguments);
    let (before, after) = match dump.content {
        Content::Schema { .. } => ("", ""),
        Content::Data { .. } => ("SET session_replication_role = replica;\n\n", "RESET ALL;\n"),
        Content::Roles { .. } => ("", "RESET ALL;\n"),
    };
    output.write_all(before.as_bytes()).map_err(DumpError::Output)?;
    let mut filter = Filter::new(dump);
    run(command, &mut |line| filter.write(line, output))?;
    output.write_all(after.as_bytes()).and_then(|()| output.flush()).map_err(DumpError::Output)
}

/// `postgres`, which owns what a project makes, where there is such a role that the login may act as.
async fn owner(target: &Target) -> Result<Option<&'static str>, pg::Error> {
    let sql = "select 1 from pg_catalog.pg_roles where rolname = 'postgres' and pg_catalog.pg_has_role(oid, 'member')";
    let rows = Script::connect(target).await?.rows(sql).await?;
    Ok((!rows.is_empty()).then_some("postgres"))
}

/// Runs the program to its end, and hands over each line of its output with the end of the line.
fn run(mut command: Command, line: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), DumpError> {
    let program = PathBuf::from(command.get_program());
    let failed = |error| DumpError::Program { program: program.clone(), error };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    // Read at the same time, so that the program never waits for us.
    let errors = child.stderr.take().map(|errors| std::thread::spawn(move || io::read_to_string(errors)));
    let written = child.stdout.take().map_or(Ok(()), |output| lines(output, line));
    if written.is_err() {
        // Nobody takes the rest.
        let _ = child.kill();
    }
    let status = child.wait().map_err(failed)?;
    let said = errors.and_then(|errors| errors.join().ok()).and_then(Result::ok).unwrap_or_default();
    written.map_err(DumpError::Output)?;
    if status.success() {
        return Ok(());
    }
    let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Err(DumpError::Failed { program, said: said.trim().replace('\n', "; ") })
}

fn lines(output: impl io::Read, line: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufReader::new(output);
    let mut text = Vec::new();
    while output.read_until(b'\n', &mut text)? > 0 {
        line(&text)?;
        text.clear();
    }
    Ok(())
}
