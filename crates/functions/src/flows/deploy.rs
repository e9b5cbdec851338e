//! Functions that are deployed to the running server: checked, written, switched to, rolled back, deleted.
//!
//! Requests in flight finish in the process of the version that they began with.

use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use gateway::faults::report;
use serde_json::json;

use super::start::{DOWNLOAD, write_config};
use crate::model::bundle::BundleError;
use crate::model::{Bundle, Version};
use crate::native;
use crate::outside::modules::Modules;
use crate::state::State;

/// Why a function is not deployed, or not deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DeployError {
    /// The request has no form that can be read.
    #[error("{0}")]
    Form(String),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// What Deno says about the modules.
    #[error("The function cannot be loaded: {0}")]
    Modules(String),
    /// A native function has the name.
    #[error("{0} is a function of the server itself")]
    Native(String),
    #[error("Function not found")]
    NotFound,
    #[error("Function {0} has no version {1}")]
    NoVersion(String, u32),
    #[error("Function {0} has no earlier version")]
    NoEarlier(String),
    /// No function can be checked; says what is missing.
    #[error("{0}")]
    NoDeno(String),
    /// The details are in the log.
    #[error("The deployment failed due to an internal server error")]
    Internal,
}

impl DeployError {
    fn internal(detail: impl std::fmt::Display) -> Self {
        report("functions", "a deployment", detail);
        DeployError::Internal
    }
}

impl ResponseError for DeployError {
    fn status_code(&self) -> StatusCode {
        match self {
            DeployError::Bundle(BundleError::TooLong | BundleError::TooMany) => StatusCode::PAYLOAD_TOO_LARGE,
            DeployError::Form(_) | DeployError::Bundle(_) | DeployError::Modules(_) => StatusCode::BAD_REQUEST,
            DeployError::NoEarlier(_) | DeployError::Native(_) => StatusCode::CONFLICT,
            DeployError::NotFound | DeployError::NoVersion(..) => StatusCode::NOT_FOUND,
            DeployError::NoDeno(_) => StatusCode::SERVICE_UNAVAILABLE,
            DeployError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::build(self.status_code()).json(json!({ "message": self.to_string() }))
    }
}

impl State {
    /// Writes a new version, and checks that Deno can load its modules. It is not served yet.
    ///
    /// # Errors
    /// [`DeployError`]; what was served is served on.
    pub(crate) async fn stage(&self, bundle: Bundle) -> Result<Version, DeployError> {
        if native::find(&bundle.name).is_some() {
            return Err(DeployError::Native(bundle.name));
        }
        let turn = self.0.deploying.lock().await;
        let so_far = || self.verify_jwt(&bundle.name).unwrap_or_else(|| self.settings_want_token(&bundle.name));
        let verify_jwt = bundle.verify_jwt.unwrap_or_else(so_far);
        let state = self.clone();
        let now = chrono::Utc::now().timestamp_millis();
        let written = self.0.runtime.spawn_blocking(move || state.0.deployments.stage(&bundle, verify_jwt, now));
        let version = written.await.map_err(DeployError::internal)?.map_err(DeployError::internal)?;
        drop(turn);
        match self.check(&version).await {
            Ok(()) => Ok(version),
            Err(error) => {
                let _turn = self.0.deploying.lock().await;
                let state = self.clone();
                let discarded = self.0.runtime.spawn_blocking(move || state.0.deployments.discard(&version));
                let _ = discarded.await;
                Err(error)
            }
        }
    }

    /// Serves a version from the next request on.
    ///
    /// # Errors
    /// [`DeployError::NoVersion`], [`DeployError::Internal`].
    pub(crate) async fn serve(&self, name: &str, number: u32) -> Result<Arc<Version>, DeployError> {
        let _turn = self.0.deploying.lock().await;
        let (state, own) = (self.clone(), name.to_owned());
        let served = self.0.runtime.spawn_blocking(move || state.0.deployments.serve(&own, number)).await;
        let version = served.map_err(DeployError::internal)?.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => DeployError::NoVersion(name.to_owned(), number),
            _ => DeployError::internal(error),
        })?;
        tracing::info!(event = "function_deployed", function = name, version = number);
        self.fill_pool(Duration::ZERO);
        // A function that is in use is started at once: the next request need not wait for it.
        if let Some(slot) = self.slot_of(name).filter(|slot| slot.has_worker()) {
            let (state, name) = (self.clone(), name.to_owned());
            self.0.runtime.spawn(async move { slot.start(&state, &name).await.map(drop) });
        }
        Ok(version)
    }

    /// Serves an earlier version again: `to`, or the one before that is served.
    ///
    /// # Errors
    /// [`DeployError`].
    pub(crate) async fn roll_back(&self, name: &str, to: Option<u32>) -> Result<Arc<Version>, DeployError> {
        let served = self.0.deployments.served(name).ok_or(DeployError::NotFound)?;
        let earlier = || {
            let versions = self.0.deployments.versions(name);
            versions.iter().map(|version| version.number).rfind(|number| *number < served.number)
        };
        let number = to.or_else(earlier).ok_or_else(|| DeployError::NoEarlier(name.to_owned()))?;
        self.serve(name, number).await
    }

    /// Deletes a deployed function with all versions. One of the same name in the project's folder is served again.
    ///
    /// # Errors
    /// [`DeployError::NotFound`], [`DeployError::Internal`].
    pub(crate) async fn undeploy(&self, name: &str) -> Result<(), DeployError> {
        let _turn = self.0.deploying.lock().await;
        self.0.deployments.served(name).ok_or(DeployError::NotFound)?;
        let (state, own) = (self.clone(), name.to_owned());
        let removed = self.0.runtime.spawn_blocking(move || state.0.deployments.remove(&own)).await;
        let removed = removed.map_err(DeployError::internal)?.map_err(DeployError::internal)?;
        tracing::info!(event = "function_deleted", function = name);
        self.fill_pool(Duration::ZERO);
        // The slot is removed, and with it any start that is still under way. The next function of this name begins at version 1
        // again, so it must not find a process of this one.
        let slot = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        self.0.runtime.spawn(async move {
            if let Some(slot) = slot {
                slot.release().await;
            }
            // What is left is removed at the next start.
            let _ = tokio::fs::remove_dir_all(removed).await;
        });
        Ok(())
    }

    /// Whether config.toml wants a token for a function that is not there yet.
    fn settings_want_token(&self, name: &str) -> bool {
        self.0.project.as_ref().is_none_or(|project| project.settings(name).verify_jwt)
    }

    /// Loads the modules of a version as its process will.
    async fn check(&self, version: &Version) -> Result<(), DeployError> {
        let deno = self.0.deno.as_ref().map_err(|missing| DeployError::NoDeno(missing.clone()))?;
        let definition = self.0.deployments.definition(version).ok_or(DeployError::NotFound)?;
        let graph = self.graph(&definition);
        let folders = &self.0.folders;
        let scratch = folders.scratch().map_err(DeployError::internal)?;
        write_config(self, &definition, &graph, &scratch).map_err(DeployError::Modules)?;
        let config = &scratch.config();
        let modules = Modules { deno, cache: &folders.cache, config, entry: &definition.entry, denied: &self.0.denied };
        let loaded = modules.download(DOWNLOAD).await;
        loaded.map_err(|sentence| {
            // The client knows its files by their paths in the project.
            let folder = definition.origin.files().map(|files| format!("{}/", files.display())).unwrap_or_default();
            let said = sentence.split("\n\nStack backtrace").next().unwrap_or_default();
            let said = said.strip_prefix("error: ").unwrap_or(said);
            DeployError::Modules(said.replace(&format!("file://{folder}"), "").replace(&folder, ""))
        })?;
        // Deno loads local modules without asking for read permission, so an import could expose a file with the server's
        // secrets.
        let (ours, local) = (folders.modules(), modules.local(DOWNLOAD).await.map_err(DeployError::Modules)?);
        let is_own = |path: &Path| definition.origin.files().is_some_and(|files| path.starts_with(files));
        match local.iter().find(|path| !is_own(path) && !ours.contains(path)) {
            Some(outside) => Err(DeployError::Modules(format!("{} is not among its files", outside.display()))),
            None => Ok(()),
        }
    }
}
