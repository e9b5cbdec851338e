//! What the service does: finds or starts a function's process, passes requests to it, and stops what runs.

mod deploy;
mod native;
pub(crate) mod preflight;
mod proxy;
mod respond;
mod start;
mod turns;
mod upgrade;
mod upload;
mod warm;

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;

use crate::error::FunctionError;
use crate::model::definition::is_name;
use crate::model::{Definition, Project, Version};
use crate::outside::worker::{Ticket, Worker};
use crate::state::State;

pub(crate) use deploy::DeployError;
pub(crate) use native::call;
pub(crate) use proxy::{Incoming, proxy};
pub(crate) use start::Slot;
pub(crate) use turns::Turns;
pub(crate) use warm::Pool;

/// A process may end between the moment it was found and the moment it takes a request: so often another one is tried.
const ATTEMPTS: usize = 3;

impl State {
    /// Whether the function wants a token; `None` when there is no such function.
    pub(crate) fn verify_jwt(&self, name: &str) -> Option<bool> {
        if let Some(native) = crate::native::find(name) {
            return Some(native.verify_jwt);
        }
        if let Some(version) = self.deployed(name) {
            return Some(version.verify_jwt);
        }
        let project = self.0.project.as_ref()?;
        let is_known = self.slot_of(name).is_some_and(|slot| slot.has_worker()) || project.find(name).is_some();
        is_known.then(|| project.settings(name).verify_jwt)
    }

    /// The deployed version that answers for the function: with `--dev` none where the project's folder has the function.
    pub(crate) fn deployed(&self, name: &str) -> Option<Arc<Version>> {
        let version = self.0.deployments.served(name)?;
        let project = self.0.project.as_ref();
        let is_hidden = |project: &Project| project.is_off(name) || (self.0.dev && project.find(name).is_some());
        (!project.is_some_and(is_hidden)).then_some(version)
    }

    /// The function with this name.
    fn find(&self, name: &str) -> Option<Definition> {
        match self.deployed(name) {
            Some(version) => self.0.deployments.definition(&version),
            None => self.0.project.as_ref()?.find(name),
        }
    }

    fn slot_of(&self, name: &str) -> Option<Arc<Slot>> {
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The slot of a function; made on its first call.
    fn slot(&self, name: &str) -> Arc<Slot> {
        let mut slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Slot::new(name, &self.0.folders.logs));
        slots.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// Returns a process of the function that can take a request. Starts one if none is running.
    ///
    /// # Errors
    /// [`FunctionError::NotFound`], [`FunctionError::NoDeno`], [`FunctionError::Boot`], [`FunctionError::Busy`].
    pub(crate) async fn enter(&self, name: &str) -> Result<Ticket, FunctionError> {
        let is_known = || self.find(name).is_some();
        // Slots stay: names that anyone makes up must not get one.
        if !is_name(name) || (self.slot_of(name).is_none() && !is_known()) {
            return Err(FunctionError::NotFound);
        }
        for _ in 0..ATTEMPTS {
            if self.0.is_stopping.load(Ordering::Relaxed) {
                return Err(FunctionError::Stopping);
            }
            let slot = self.slot(name);
            if let Some(ticket) = slot.current(self, name).and_then(|worker| worker.enter()) {
                return Ok(ticket);
            }
            // Goes on even if this request is given up: others wait for the process, too.
            let (state, name) = (self.clone(), name.to_owned());
            let started = self.0.runtime.spawn(async move { slot.start(&state, &name).await });
            let worker = started.await.map_err(FunctionError::internal)??;
            if let Some(ticket) = worker.enter() {
                return Ok(ticket);
            }
        }
        Err(FunctionError::Boot)
    }

    /// The processes that run.
    pub(crate) fn workers(&self) -> Vec<Arc<Worker>> {
        let slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.values().filter_map(|slot| slot.worker()).filter(|worker| !worker.has_ended()).collect()
    }

    /// Cuts long responses, and starts no more processes.
    pub(crate) fn drain(&self) {
        self.0.draining.send_replace(true);
    }

    /// Stops all processes.
    pub(crate) async fn stop(&self, within: Duration) {
        self.0.is_stopping.store(true, Ordering::Relaxed);
        self.0.waiting.clear();
        let workers = self.workers();
        let stopped = join_all(workers.iter().map(|worker| worker.end("termination")));
        // Those that are left end with us.
        let _ = tokio::time::timeout(within, stopped).await;
    }
}
