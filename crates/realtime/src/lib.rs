//! Supabase Realtime. So far its schema: what projects use of it in their migrations, policies and triggers.

use gateway::service::{Login, Manifest, Schema};
use pg::bootstrap::{ServiceMigration, ServiceSchema};
use pg::budget::Part;

/// Realtime, as the server knows it: a schema, and nothing that runs.
pub const SERVICE: Manifest = Manifest {
    name: "realtime",
    prefix: "/realtime/v1",
    login: Login::Authenticator,
    schema: Some(Schema { name: "realtime", owner: "supabase_realtime_admin", migrations: &SCHEMA }),
    connections: Part::Nothing,
    settings: &[],
    variables: &[],
    tables: Vec::new,
    configure: |_, _| None,
    alone: None,
};

/// The part of the schema `realtime` that projects use. It runs as the administrator of the database and gives each object to
/// `supabase_realtime_admin`.
pub const SCHEMA: ServiceSchema = ServiceSchema {
    role: None,
    recorded: "select version::text from realtime.schema_migrations",
    record: "insert into realtime.schema_migrations (version, inserted_at) \
             select version::bigint, now() from unnest($1::text[]) as version on conflict do nothing",
    files: &[ServiceMigration {
        name: "20260709120001_messages_and_subscriptions",
        sql: include_str!("../migrations/20260709120001_messages_and_subscriptions.sql"),
    }],
};
