//! From a function's files to its process: one start at a time for each function.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gateway::Secret;
use tokio::sync::OwnedSemaphorePermit;

use crate::error::FunctionError;
use crate::model::graph::Graph;
use crate::model::{Definition, deno_config};
use crate::outside::folders::Scratch;
use crate::outside::launch::{self, Launch, Output};
use crate::outside::log::Log;
use crate::outside::modules::Modules;
use crate::outside::worker::{NotStarted, Run, Worker};
use crate::state::State;

/// How long modules may be downloaded before a first start.
pub(super) const DOWNLOAD: Duration = Duration::from_secs(120);
/// How long a failed start is remembered, if the files stay as they are: a process costs more than a request.
const REMEMBERED: Duration = Duration::from_secs(1);
/// What Deno says when a module was not downloaded.
const NOT_CACHED: &str = "--cached-only is specified";

/// The place of a function's process.
#[derive(Debug)]
pub(crate) struct Slot {
    worker: Mutex<Option<Arc<Worker>>>,
    /// Held while a process is started, with the last failure.
    starting: tokio::sync::Mutex<Option<Failure>>,
    pub(super) log: Log,
}

#[derive(Debug)]
struct Failure {
    at: Instant,
    version: Option<u32>,
    graph: Graph,
}

impl Failure {
    /// Whether the function would fail in the same way.
    fn is_of(&self, definition: &Definition) -> bool {
        let is_same = self.version == definition.origin.number();
        is_same && self.at.elapsed() < REMEMBERED && self.graph.is_current()
    }
}

impl Slot {
    pub(crate) fn new(name: &str, logs: &Path) -> Self {
        let log = Log::new(name, logs.join(format!("{name}.log")));
        Slot { worker: Mutex::default(), starting: tokio::sync::Mutex::default(), log }
    }

    pub(crate) fn worker(&self) -> Option<Arc<Worker>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn has_worker(&self) -> bool {
        self.worker().is_some_and(|worker| !worker.has_ended())
    }

    /// The process that takes requests: of the version that is served, and with `dev` only if its files are those that it was
    /// started from.
    pub(crate) fn current(&self, state: &State, name: &str) -> Option<Arc<Worker>> {
        let is_served = |worker: &Arc<Worker>| worker.version == state.deployed(name).map(|version| version.number);
        let is_fresh = |worker: &Arc<Worker>| !state.0.dev || worker.graph.is_current();
        self.worker().filter(|worker| !worker.has_ended() && is_served(worker) && is_fresh(worker))
    }

    /// Takes the process out of service. It ends when its requests have ended.
    pub(crate) async fn release(&self) {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            worker.retire("termination").await;
        }
    }

    /// Lets go of a process that has ended, and so of its files.
    fn forget(&self, ended: &Arc<Worker>) {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        worker.take_if(|worker| Arc::ptr_eq(worker, ended));
    }

    /// The process; starts it unless another request has just done so.
    ///
    /// # Errors
    /// Those of [`State::enter`].
    pub(crate) async fn start(self: &Arc<Self>, state: &State, name: &str) -> Result<Arc<Worker>, FunctionError> {
        let mut failure = self.starting.lock().await;
        if let Some(worker) = self.current(state, name).filter(|worker| !worker.is_retired()) {
            return Ok(worker);
        }
        let definition = state.find(name).ok_or(FunctionError::NotFound)?;
        if failure.as_ref().is_some_and(|failure| failure.is_of(&definition)) {
            return Err(FunctionError::Boot);
        }
        let place = state.make_room().await?;
        let graph = state.graph(&definition);
        let started = match self.adopt(state, &definition, &graph).await {
            Some(worker) => Ok(worker),
            None => self.launch(state, &definition, graph.clone()).await,
        };
        state.refill_pool();
        match started {
            Ok(worker) => {
                *failure = None;
                worker.keep(place);
                let old = self.worker.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::clone(&worker));
                if let Some(old) = old.filter(|old| !old.has_ended()) {
                    state.0.runtime.spawn(old.retire("termination"));
                }
                let (slot, watched) = (Arc::clone(self), Arc::clone(&worker));
                state.0.runtime.spawn(async move {
                    watched.watch().await;
                    slot.forget(&watched);
                });
                Ok(worker)
            }
            Err(error) => {
                *failure = Some(Failure { at: Instant::now(), version: definition.origin.number(), graph });
                Err(error)
            }
        }
    }

    async fn launch(&self, state: &State, definition: &Definition, graph: Graph) -> Result<Arc<Worker>, FunctionError> {
        let deno = state.0.deno.as_ref().map_err(|missing| FunctionError::NoDeno(missing.clone()))?;
        let mut is_downloaded = false;
        loop {
            self.log.forget();
            let scratch = state.0.folders.scratch().map_err(FunctionError::internal)?;
            let launch = match self.prepare(state, definition, &graph, deno, &scratch) {
                Ok(launch) => launch,
                Err(sentence) => {
                    self.log.say(&sentence);
                    return Err(FunctionError::Boot);
                }
            };
            let started = Worker::start(launch, self.run(state, definition, graph.clone()), scratch).await;
            match started.map_err(FunctionError::internal)? {
                Ok(worker) => return Ok(worker),
                Err(NotStarted::Ended) if !is_downloaded && self.log.ends_with(NOT_CACHED) => {
                    self.download(state, definition, &graph, deno).await?;
                    is_downloaded = true;
                }
                Err(_) => return Err(FunctionError::Boot),
            }
        }
    }

    async fn download(
        &self,
        state: &State,
        definition: &Definition,
        graph: &Graph,
        deno: &Path,
    ) -> Result<(), FunctionError> {
        self.log.say("loads its modules");
        let scratch = state.0.folders.scratch().map_err(FunctionError::internal)?;
        let loaded = match write_config(state, definition, graph, &scratch) {
            Ok(()) => {
                let (cache, config) = (&state.0.folders.cache, &scratch.config());
                let modules = Modules { deno, cache, config, entry: &definition.entry, denied: &state.0.denied };
                modules.download(DOWNLOAD).await
            }
            Err(sentence) => Err(sentence),
        };
        loaded.map_err(|sentence| {
            self.log.say(&sentence);
            FunctionError::Boot
        })
    }

    fn prepare(
        &self,
        state: &State,
        definition: &Definition,
        graph: &Graph,
        deno: &Path,
        scratch: &Scratch,
    ) -> Result<Launch, String> {
        write_config(state, definition, graph, scratch)?;
        let folders = &state.0.folders;
        let own = launch::own_files(definition, graph);
        Ok(Launch {
            deno: deno.to_owned(),
            entry: definition.entry.clone(),
            preload: folders.preload.clone(),
            config: scratch.config(),
            cache: folders.cache.clone(),
            socket: scratch.socket(),
            tmp: scratch.tmp(),
            readable: launch::our_files(folders, scratch).into_iter().chain(own).collect(),
            denied: state.0.denied.clone(),
            variables: state.variables(definition)?,
            memory: state.0.config.limits.memory,
            nonce: Secret::new(uuid::Uuid::new_v4().simple().to_string()),
            has_default: graph.has_default,
            has_node_server: graph.has_node_server(),
            output: Output::Log(self.log.clone()),
        })
    }

    /// What a process of the function is told besides how it is started.
    pub(super) fn run(&self, state: &State, definition: &Definition, graph: Graph) -> Run {
        Run { graph, version: definition.origin.number(), limits: state.0.config.limits, log: self.log.clone() }
    }
}

pub(super) fn write_config(
    state: &State,
    definition: &Definition,
    graph: &Graph,
    scratch: &Scratch,
) -> Result<(), String> {
    let config = deno_config::effective(definition, graph, &state.0.folders.shims)?;
    std::fs::write(scratch.config(), config.to_string()).map_err(|error| error.to_string())
}

impl State {
    /// The project's variables for all functions.
    fn env_file(&self) -> std::path::PathBuf {
        self.0.project.as_ref().map(crate::model::Project::folder).unwrap_or_default().join(".env")
    }

    /// The environment of a function.
    ///
    /// # Errors
    /// A sentence that names the file that cannot be used.
    pub(super) fn variables(&self, definition: &Definition) -> Result<BTreeMap<String, Secret<String>>, String> {
        let mut variables = self.0.injected.with(&self.0.config.secrets, &self.env_file())?;
        let id = uuid::Uuid::new_v4().to_string();
        variables.insert("SB_EXECUTION_ID".to_owned(), Secret::new(id.clone()));
        variables.insert("DENO_DEPLOYMENT_ID".to_owned(), Secret::new(format!("{}_{id}", definition.name)));
        Ok(variables)
    }

    /// The modules of a function, with the files that configure it.
    pub(super) fn graph(&self, definition: &Definition) -> Graph {
        let mut files = deno_config::files(definition);
        files.push(self.env_file());
        Graph::read(&definition.entry, files)
    }

    /// A place for one more process. Where all are taken, the process that was idle for the longest time ends, unless it still
    /// works in the background.
    async fn make_room(&self) -> Result<OwnedSemaphorePermit, FunctionError> {
        loop {
            if let Ok(place) = Arc::clone(&self.0.places).try_acquire_owned() {
                return Ok(place);
            }
            if !self.end_an_idle_process().await {
                return Err(FunctionError::Busy);
            }
        }
    }

    async fn end_an_idle_process(&self) -> bool {
        let workers = self.workers().into_iter();
        let mut idle: Vec<_> = workers.filter_map(|worker| Some((worker.quiet_for()?, worker))).collect();
        idle.sort_by_key(|(quiet, _)| std::cmp::Reverse(*quiet));
        for (_, worker) in idle {
            if worker.retire_if_idle().await {
                worker.end("early_drop").await;
                return true;
            }
        }
        false
    }
}
