//! A process that was started before its function is known: most of the time until a first response is that of Deno itself.
//!
//! It has the permissions and the import map of all functions, and has loaded none of them. When it is told its function, it first
//! gives up what that may not read (see `runtime/preload.js`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, PipeWriter, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};

use gateway::Secret;
use pg::supervise::{Signal, State, Supervisor};
use serde_json::{Map, Value, json};

use super::folders::Scratch;
use super::launch::{Launch, Output};
use super::log::Log;

/// The longest message to a waiting process, in bytes: a pipe takes that much at once.
const MAX_MESSAGE: usize = 60 * 1024;

/// What all functions together may read and import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    /// Files and folders.
    pub(crate) readable: BTreeSet<PathBuf>,
    /// The entries of import maps on which all functions agree.
    pub(crate) imports: Map<String, Value>,
}

/// A function, as far as it matters to a waiting process.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) readable: &'a [PathBuf],
    /// Modules of our own, which every function may read.
    pub(crate) ours: &'a [PathBuf],
    /// Its deno.json.
    pub(crate) config: &'a Value,
    /// Addresses that its modules import.
    pub(crate) foreign: &'a BTreeSet<String>,
}

impl Profile {
    /// Adds a function. Import maps that contradict each other leave no entry.
    pub(crate) fn add(&mut self, wanted: &Wanted<'_>, contradicted: &mut BTreeSet<String>) {
        self.readable.extend(wanted.readable.iter().cloned());
        for (key, value) in wanted.config["imports"].as_object().into_iter().flatten() {
            if self.imports.get(key).is_some_and(|other| other != value) {
                contradicted.insert(key.clone());
            }
            self.imports.insert(key.clone(), value.clone());
        }
    }

    /// What a process of this profile gives up to become the function; `None` if it cannot become it.
    pub(crate) fn revoked(&self, wanted: &Wanted<'_>) -> Option<Vec<PathBuf>> {
        let own = wanted.readable;
        let config = wanted.config.as_object()?;
        let is_known = |key: &String| matches!(key.as_str(), "imports" | "scopes" | "lock" | "nodeModulesDir");
        let has_scopes = wanted.config["scopes"].as_object().is_some_and(|scopes| !scopes.is_empty());
        if has_scopes || !config.keys().all(is_known) {
            return None;
        }
        let imports = wanted.config["imports"].as_object()?;
        let is_mapped = imports.iter().all(|(key, value)| self.imports.get(key) == Some(value));
        // Nothing that the function imports has another meaning here.
        let is_own = wanted.foreign.iter().all(|name| imports.contains_key(name) || !self.imports.contains_key(name));
        // What a map names in the project is loaded with the permission to read it.
        let local = imports.values().filter_map(|value| url::Url::parse(value.as_str()?).ok()?.to_file_path().ok());
        let is_readable =
            local.into_iter().all(|path| own.iter().chain(wanted.ours).any(|readable| path.starts_with(readable)));
        let is_granted = own.iter().all(|path| self.readable.contains(path));
        if !(is_mapped && is_own && is_readable && is_granted) {
            return None;
        }
        let revoked: Vec<PathBuf> = self.readable.iter().filter(|path| !own.contains(path)).cloned().collect();
        // Giving up a folder gives up what is in it.
        let is_kept = own.iter().all(|path| !revoked.iter().any(|folder| path.starts_with(folder)));
        is_kept.then_some(revoked)
    }
}

/// A process that waits. It is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Warm {
    process: Option<(Supervisor, Scratch)>,
    pub(crate) profile: Profile,
    pub(crate) nonce: Secret<String>,
    /// The write end of its standard input, through which it gets its assignment.
    input: Option<PipeWriter>,
    /// Sends the log of its function to the thread that reads its output.
    log: Sender<Log>,
}

/// What a waiting process becomes.
pub(crate) struct Assignment {
    pub(crate) revoked: Vec<PathBuf>,
    pub(crate) variables: BTreeMap<String, Secret<String>>,
    pub(crate) setup: Value,
}

impl Warm {
    /// Starts a process. It need not be ready to be given a function.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(crate) fn start(launch: impl FnOnce(Output) -> Launch, profile: Profile, scratch: Scratch) -> io::Result<Self> {
        let (stdin, input) = io::pipe()?;
        let (log, later) = mpsc::channel();
        let launch = launch(Output::Later(Mutex::new(Some((stdin, later)))));
        let nonce = launch.nonce.clone();
        let supervisor = Supervisor::start(launch)?;
        Ok(Warm { process: Some((supervisor, scratch)), profile, nonce, input: Some(input), log })
    }

    /// True for a process that can be given a function.
    pub(crate) fn is_waiting(&self) -> bool {
        self.process.as_ref().is_some_and(|(supervisor, _)| *supervisor.state().borrow() != State::Stopped)
    }

    /// The scratch folder of the process.
    pub(crate) fn scratch(&self) -> Option<&Scratch> {
        self.process.as_ref().map(|(_, scratch)| scratch)
    }

    /// Tells the process its function.
    ///
    /// # Errors
    /// When it cannot be told: the process has ended, or there is too much to tell.
    pub(crate) fn become_function(mut self, assignment: &Assignment, log: Log) -> io::Result<(Supervisor, Scratch)> {
        let variables: BTreeMap<&str, &str> =
            assignment.variables.iter().map(|(name, value)| (name.as_str(), value.reveal().as_str())).collect();
        let message = json!({ "revoked": assignment.revoked, "variables": variables, "setup": assignment.setup });
        let message = message.to_string();
        if message.len() > MAX_MESSAGE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.log.send(log).map_err(|_| io::ErrorKind::BrokenPipe)?;
        // The end of the pipe is the end of the message.
        let mut input = self.input.take().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(message.as_bytes())?;
        drop(input);
        self.process.take().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

impl Drop for Warm {
    fn drop(&mut self) {
        if let Some((supervisor, _)) = &self.process {
            supervisor.signal_to_stop(Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn config(imports: &Value) -> Value {
        json!({ "imports": imports, "scopes": {}, "lock": false, "nodeModulesDir": "none" })
    }

    /// The profile of two functions that share a module and disagree on one import.
    fn profile() -> Profile {
        let (mut profile, mut contradicted) = (Profile::default(), BTreeSet::new());
        let maps =
            [json!({ "a": "npm:a@1", "x": "npm:x@1" }), json!({ "b": "file:///p/_shared/b.ts", "x": "npm:x@2" })];
        for (readable, imports) in [(["/p/one", "/p/_shared"], &maps[0]), (["/p/two", "/p/_shared"], &maps[1])] {
            let (readable, config) = (paths(&readable), config(imports));
            let wanted = Wanted { readable: &readable, ours: &[], config: &config, foreign: &BTreeSet::new() };
            profile.add(&wanted, &mut contradicted);
        }
        for key in contradicted {
            profile.imports.remove(&key);
        }
        profile
    }

    fn revoked(readable: &[&str], config: &Value, foreign: &[&str]) -> Option<Vec<PathBuf>> {
        let (readable, foreign) = (paths(readable), foreign.iter().map(|name| (*name).to_owned()).collect());
        profile().revoked(&Wanted { readable: &readable, ours: &[], config, foreign: &foreign })
    }

    #[test]
    fn a_process_becomes_only_a_function_that_it_can_be() {
        let one = ["/p/one", "/p/_shared"];
        assert_eq!(revoked(&one, &config(&json!({ "a": "npm:a@1" })), &["a", "npm:c"]), Some(paths(&["/p/two"])));
        assert_eq!(revoked(&one, &config(&json!({})), &[]), Some(paths(&["/p/two"])));
        for (why, readable, config, foreign) in [
            ("another map", &one[..], config(&json!({ "a": "npm:a@2" })), &[][..]),
            ("no agreement", &one, config(&json!({ "x": "npm:x@1" })), &[]),
            ("mapped by another function", &one, config(&json!({})), &["a"]),
            (
                "a local module that it may not read",
                &["/p/one"],
                config(&json!({ "b": "file:///p/_shared/b.ts" })),
                &[],
            ),
            ("not granted", &["/p/three"], config(&json!({})), &[]),
            ("scopes", &one, json!({ "imports": {}, "scopes": { "a": {} } }), &[]),
            ("options", &one, json!({ "imports": {}, "compilerOptions": {} }), &[]),
        ] {
            assert_eq!(revoked(readable, &config, foreign), None, "{why}");
        }
    }

    #[test]
    fn what_a_function_keeps_is_not_given_up_with_a_folder() {
        let profile =
            Profile { readable: paths(&["/p/one", "/p/one/a.ts"]).into_iter().collect(), ..Profile::default() };
        let (own, config) = (paths(&["/p/one/a.ts"]), config(&json!({})));
        let wanted = Wanted { readable: &own, ours: &[], config: &config, foreign: &BTreeSet::new() };
        assert_eq!(profile.revoked(&wanted), None);
    }
}
