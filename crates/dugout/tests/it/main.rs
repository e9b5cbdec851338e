//! Tests of the whole from outside. The folders correspond to what they test: `auth/` and `rest/` the endpoints,
//! `architecture/` the sources, `faults/` the process, `security/` permissions and attacks.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    unreachable_pub,
    reason = "this is a test binary: clippy's exceptions for tests do not apply to helper functions, \
              and what the kit offers is pub for its readers"
)]

mod app_races;
mod architecture;
mod auth;
mod cli;
mod extensions;
mod faults;
mod first_light;
mod functions;
mod kit;
mod pgtap;
mod rank;
mod realtime;
mod registry;
mod rest;
mod score;
mod security;
mod seed;
mod stats;
mod stats_import;
mod storage;
mod supabase_cli;
