//! Edge Functions at `/functions/v1/<name>`: Deno programs in processes of their own.
//!
//! A request goes from [`routes`] through a guard (`verify_jwt`) to [`flows`], which finds the function's process or starts it, and
//! proxies the request over the process's unix socket. The original is supabase/edge-runtime.
//!
//! | Question | File |
//! |---|---|
//! | Who may call? | `guard.rs` |
//! | What happens to a request? | `flows/proxy.rs`, then `upload.rs`, `respond.rs`, or `upgrade.rs` for WebSockets |
//! | Which process takes it? | `State::enter` in `flows/mod.rs` |
//! | How does a process start? | `flows/start.rs`; from a warm process: `flows/warm.rs`, `outside/warm.rs` |
//! | What may it do? | `outside/launch.rs`: Deno's permissions, limits of the kernel, environment |
//! | When is it stopped? | `outside/worker/limits.rs` |
//! | Where do modules come from? | `model/deno_config.rs`, `model/specifier.rs`, `outside/modules.rs` |
//! | What runs before the function's own code? | `runtime/preload.js` |
//! | How is a function deployed? | `flows/deploy.rs`, `outside/deployments.rs` |
//! | How do functions in Rust run? | `native.rs`, `flows/native.rs` |
//!
//! Invariants:
//! - a function runs in a process of its own, with its own environment and permissions, and can end only itself;
//! - concurrent first requests start one process;
//! - a warm process has loaded no function, and drops its read access to the other functions' files before it loads its own;
//! - a deployed version is served as a whole, or not at all, whenever the server is killed;
//! - a process that still has requests or background work is stopped only at its limits or when the server stops;
//! - bodies are streamed both ways, never collected.

mod access_token;
mod config;
mod error;
mod flows;
mod guard;
mod model;
pub mod native;
mod outside;
pub mod project;
mod routes;
mod service;
mod state;
mod wire;

pub use service::SERVICE;
