//! The pool of processes that wait for a function: a first request waits for the function only, not for Deno.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gateway::Secret;
use serde_json::{Value, json};

use super::Slot;
use crate::model::graph::Graph;
use crate::model::{Definition, Project, deno_config};
use crate::outside::launch::{self, Launch};
use crate::outside::warm::{Assignment, Profile, Wanted, Warm};
use crate::outside::worker::Worker;
use crate::state::State;

/// Functions that waiting processes are prepared for, at most; others start without one.
const KNOWN: usize = 100;
/// How long after a start the pool is filled again: the function that was started goes first.
const REST: Duration = Duration::from_millis(500);

/// The processes that wait.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    waiting: Mutex<Vec<Warm>>,
    /// Held while the pool is filled.
    filling: Mutex<()>,
}

impl Pool {
    /// Ends all.
    pub(crate) fn clear(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Takes a process that can become the function, with what it gives up for that.
    fn take(&self, wanted: &Wanted<'_>) -> Option<(Warm, Vec<PathBuf>)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(Warm::is_waiting);
        let (at, revoked) =
            waiting.iter().enumerate().find_map(|(at, warm)| Some((at, warm.profile.revoked(wanted)?)))?;
        Some((waiting.remove(at), revoked))
    }
}

impl State {
    /// Fills the pool in the background, with processes for the functions that there are now.
    pub(crate) fn fill_pool(&self, after: Duration) {
        if self.0.config.warm == 0 || self.0.deno.is_err() {
            return;
        }
        let state = self.clone();
        self.0.runtime.spawn(async move {
            tokio::time::sleep(after).await;
            let runtime = state.0.runtime.clone();
            let filled = runtime.spawn_blocking(move || state.fill()).await;
            if let Err(error) = filled {
                tracing::error!(event = "functions_fault", detail = %error);
            }
        });
    }

    /// The same, after a function was started.
    pub(super) fn refill_pool(&self) {
        self.fill_pool(REST);
    }

    fn fill(&self) {
        let pool = &self.0.waiting;
        let _turn = pool.filling.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(profile) = self.profile() else { return pool.clear() };
        let missing = {
            let mut waiting = pool.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.retain(|warm| warm.is_waiting() && warm.profile == profile);
            self.0.config.warm.saturating_sub(waiting.len())
        };
        for _ in 0..missing {
            match self.start_waiting(profile.clone()) {
                Ok(warm) => pool.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(warm),
                Err(error) => return tracing::warn!(event = "functions_pool", detail = %error),
            }
        }
        if self.0.is_stopping.load(Ordering::Relaxed) {
            pool.clear();
        }
    }

    /// What all functions together may read and import; `None` when there are none.
    fn profile(&self) -> Option<Profile> {
        let of_project = self.0.project.iter().flat_map(Project::names);
        let deployed = self.0.deployments.all();
        let names: BTreeSet<String> = of_project.chain(deployed.iter().map(|version| version.name.clone())).collect();
        let (mut profile, mut contradicted) = (Profile::default(), BTreeSet::new());
        let mut is_any = false;
        for definition in names.iter().filter_map(|name| self.find(name)).take(KNOWN) {
            let graph = self.graph(&definition);
            let Ok(config) = deno_config::effective(&definition, &graph, &self.0.folders.shims) else { continue };
            let readable = launch::own_files(&definition, &graph);
            profile.add(
                &Wanted { readable: &readable, ours: &[], config: &config, foreign: &graph.foreign },
                &mut contradicted,
            );
            is_any = true;
        }
        profile.imports.retain(|key, _| !contradicted.contains(key));
        is_any.then_some(profile)
    }

    fn start_waiting(&self, profile: Profile) -> std::io::Result<Warm> {
        let folders = &self.0.folders;
        let scratch = folders.scratch()?;
        let config = json!({ "imports": profile.imports, "lock": false, "nodeModulesDir": "none" });
        std::fs::write(scratch.config(), config.to_string())?;
        let deno = self.0.deno.as_ref().map_err(|missing| std::io::Error::other(missing.clone()))?;
        let ours = launch::our_files(folders, &scratch).into_iter();
        let readable = ours.chain(profile.readable.iter().cloned()).collect();
        let (config, socket, tmp) = (scratch.config(), scratch.socket(), scratch.tmp());
        let launch = |output| Launch {
            deno: deno.clone(),
            entry: folders.warm.clone(),
            preload: folders.preload.clone(),
            config,
            cache: folders.cache.clone(),
            socket,
            tmp,
            readable,
            denied: self.0.denied.clone(),
            variables: BTreeMap::new(),
            memory: self.0.config.limits.memory,
            nonce: Secret::new(uuid::Uuid::new_v4().simple().to_string()),
            has_default: false,
            has_node_server: false,
            output,
        };
        Warm::start(launch, profile, scratch)
    }
}

impl Slot {
    /// Gives the function to a process that waits. `None` where none can become it, or where it does not start there: then it is
    /// started the long way, whose failure counts.
    pub(super) async fn adopt(&self, state: &State, definition: &Definition, graph: &Graph) -> Option<Arc<Worker>> {
        if graph.needs_main {
            return None;
        }
        let folders = &state.0.folders;
        let config: Value = deno_config::effective(definition, graph, &folders.shims).ok()?;
        let own = launch::own_files(definition, graph);
        let ours = folders.modules();
        let wanted = Wanted { readable: &own, ours: &ours, config: &config, foreign: &graph.foreign };
        let (warm, revoked) = state.0.waiting.take(&wanted)?;
        let scratch = warm.scratch()?;
        let variables = state.variables(definition).ok()?;
        let readable: Vec<_> = launch::our_files(folders, scratch).into_iter().chain(own.iter().cloned()).collect();
        let setup = json!({
            "entry": url::Url::from_file_path(&definition.entry).map(String::from).unwrap_or_default(),
            "readable": readable,
            "hasDefault": graph.has_default,
            "hasNodeServer": graph.has_node_server(),
        });
        let assignment = Assignment { revoked, variables, setup };
        self.log.forget();
        let run = self.run(state, definition, graph.clone());
        match Worker::adopt(warm, &assignment, run).await {
            Ok(Ok(worker)) => Some(worker),
            Ok(Err(_)) => None,
            Err(error) => {
                tracing::warn!(event = "functions_pool", function = definition.name, detail = %error);
                None
            }
        }
    }
}
