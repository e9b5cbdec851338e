//! The commands that stand in for those of the Supabase CLI, against the real binary and a real database.

mod banner;
mod diff;
mod doctor;
mod dump;
mod gen_types;
mod mailbox;
mod new_database;
mod status;
mod test_db;

use std::process::Output;

use crate::kit::{Account, Launch, free_port};

/// A project of one migration in its own folder, started with `--dev` on ports of its own.
struct Project {
    launch: Launch,
    db_port: u16,
}

impl Project {
    fn new(migration: &str) -> Self {
        let (launch, db_port) = (Launch::new(Account::Ours), free_port());
        let folder = launch.folder.path().to_owned();
        let port = launch.port;
        let project = Project { launch: launch.arg("--project", &folder).switch("--dev"), db_port };
        project.write("supabase/config.toml", &format!("[api]\nport = {port}\n[db]\nport = {db_port}\n"));
        project.write("supabase/migrations/20260101000000_one.sql", migration);
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.launch.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The database as people reach it.
    fn url(&self) -> String {
        format!("postgresql://postgres:postgres@127.0.0.1:{}/postgres", self.db_port)
    }

    /// Runs a command in the project.
    fn run(&self, args: &[&str]) -> Output {
        let data = self.launch.data_dir();
        self.launch.command(args.iter().copied()).arg("--data-dir").arg(data).output().unwrap()
    }

    /// What it prints when it succeeds.
    fn said(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let (said, errors) = text(&output);
        assert!(output.status.success(), "{args:?}: {said}{errors}");
        said
    }
}

/// Standard output and standard error.
fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}
