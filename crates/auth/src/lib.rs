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
//! The original is supabase/auth.
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
mod state;
mod store;

use std::sync::Arc;

use actix_web::middleware::from_fn;
use actix_web::web;
use pg::bootstrap::ServiceMigration;
use pg::bootstrap::ServiceSchema;

pub use config::{Config, Problem};
pub use outside::mail::{Mail, Mailbox, WithoutSmtp};
pub use routes::openapi::openapi;
pub use routes::{routes, scim_routes};
use routes::{scim_wire, wire};
pub use state::State;

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
];

/// Mounts only the OAuth server's metadata, at the root of the origin: RFC 8414 section 3.1 has clients look there,
/// before the path of the service.
pub fn configure_metadata(state: State) -> impl Fn(&mut web::ServiceConfig) + Clone {
    move |scope| {
        let service = web::scope("")
            .wrap(from_fn(wire::finish))
            .app_data(web::Data::new(state.clone()))
            .configure(|scope| gateway::route::mount(routes::metadata(), Arc::new(wire::GoTrueWire), scope));
        scope.service(service);
    }
}

/// Mounts the service into a scope: `/auth/v1` behind the server, `/` in place of GoTrue's container. The scope must be
/// wrapped by [`gateway::caller::resolve`].
pub fn configure(state: State) -> impl Fn(&mut web::ServiceConfig) + Clone {
    move |scope| {
        let state = web::Data::new(state.clone());
        let service = web::scope("")
            .wrap(from_fn(wire::finish))
            .app_data(state)
            .service(web::scope(scim_wire::MOUNT).configure(|scope| {
                gateway::route::mount(scim_routes(), Arc::new(scim_wire::ScimWire), scope);
            }))
            .configure(|scope| gateway::route::mount(routes(), Arc::new(wire::GoTrueWire), scope));
        scope.service(service);
    }
}
