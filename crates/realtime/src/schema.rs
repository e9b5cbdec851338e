//! The schema `realtime`.

use pg::bootstrap::{ServiceMigration, ServiceSchema};

/// What projects use of the schema: messages with their row policies, `topic()`, `send()`, `broadcast_changes()`.
pub const SCHEMA: ServiceSchema = ServiceSchema {
    role: None,
    recorded: "select version::text from realtime.schema_migrations",
    record: "insert into realtime.schema_migrations (version, inserted_at) \
             select version::bigint, now() from unnest($1::text[]) as version on conflict do nothing",
    files: &[
        ServiceMigration {
            name: "20260709120001_messages_and_subscriptions",
            sql: include_str!("../migrations/20260709120001_messages_and_subscriptions.sql"),
        },
        ServiceMigration {
            name: "20260709120002_messages_publication",
            sql: include_str!("../migrations/20260709120002_messages_publication.sql"),
        },
        ServiceMigration {
            name: "20260709120003_relayed",
            sql: include_str!("../migrations/20260709120003_relayed.sql"),
        },
        ServiceMigration {
            name: "20260709120004_messages_in_utc",
            sql: include_str!("../migrations/20260709120004_messages_in_utc.sql"),
        },
        ServiceMigration {
            name: "20261124050000_messages_by_time",
            sql: include_str!("../migrations/20261124050000_messages_by_time.sql"),
        },
    ],
};
