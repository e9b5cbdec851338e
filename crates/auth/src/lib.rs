//! GoTrue: users, sign-in, sessions and tokens over the schema `auth`.
//!
//! Five floors; a file imports from its own floor or from one below, never from above:
//!
//! 1. `routes`: one file per endpoint, and the wire format of errors;
//! 2. `flows`: what the endpoints do, over the shared `state`;
//! 3. `outside`: everything that leaves the process or its threads;
//! 4. `store`: one file per table, SQL beside it;
//! 5. `model`, `error`, `config`, `protocol`: values, the table of errors, settings, formats and checks of the
//!    protocols.
//!
//! Above them, `service` is what the server mounts: settings in, routes out. The original is supabase/auth.
//!
//! Invariants:
//! - every error is a row of the table in [`error`];
//! - only `store` contains SQL, and `store` makes no decisions;
//! - passwords are hashed on dedicated threads, never on threads that serve requests.

pub mod config;
mod error;
mod flows;
mod model;
mod outside;
mod protocol;
mod routes;
mod service;
mod state;
mod store;

use pg::bootstrap::ServiceMigration;
use pg::bootstrap::ServiceSchema;

pub use config::{Config, Problem};
pub use routes::openapi::openapi;
pub use service::SERVICE;

/// The schema `auth`. Each file can be applied to a database at any state of upstream's own migrations.
pub const SCHEMA: ServiceSchema = ServiceSchema {
    role: None,
    recorded: "select version::text from auth.schema_migrations",
    record: "insert into auth.schema_migrations (version) select unnest($1::text[]) on conflict do nothing",
    files: MIGRATIONS,
};

const MIGRATIONS: &[ServiceMigration] = &[
    ServiceMigration {
        name: "20220614074223_users_and_refresh_tokens",
        sql: include_str!("../migrations/20220614074223_users_and_refresh_tokens.sql"),
    },
    ServiceMigration {
        name: "20221021073300_sessions_and_mfa",
        sql: include_str!("../migrations/20221021073300_sessions_and_mfa.sql"),
    },
    ServiceMigration {
        name: "20221215195900_single_sign_on",
        sql: include_str!("../migrations/20221215195900_single_sign_on.sql"),
    },
    ServiceMigration {
        name: "20231117164230_flow_state",
        sql: include_str!("../migrations/20231117164230_flow_state.sql"),
    },
    ServiceMigration {
        name: "20240612123726_one_time_tokens_and_row_level_security",
        sql: include_str!("../migrations/20240612123726_one_time_tokens_and_row_level_security.sql"),
    },
    ServiceMigration {
        name: "20241009103726_mfa_by_phone_and_webauthn",
        sql: include_str!("../migrations/20241009103726_mfa_by_phone_and_webauthn.sql"),
    },
    ServiceMigration {
        name: "20260121000000_oauth_server",
        sql: include_str!("../migrations/20260121000000_oauth_server.sql"),
    },
    ServiceMigration {
        name: "20260625000000_custom_providers_and_passkeys",
        sql: include_str!("../migrations/20260625000000_custom_providers_and_passkeys.sql"),
    },
    ServiceMigration {
        name: "20260625000001_sessions_that_end",
        sql: include_str!("../migrations/20260625000001_sessions_that_end.sql"),
    },
    ServiceMigration {
        name: "20260625000002_ended_sessions",
        sql: include_str!("../migrations/20260625000002_ended_sessions.sql"),
    },
    ServiceMigration {
        name: "20260625000003_ended_sessions_of_storage",
        sql: include_str!("../migrations/20260625000003_ended_sessions_of_storage.sql"),
    },
];
