//! The schema `storage`: brought to upstream's latest state from any earlier one.

use pg::bootstrap::{ServiceMigration, ServiceSchema};

/// The schema `storage` with upstream's bookkeeping, so that both services can use each other's databases.
pub const SCHEMA: ServiceSchema = ServiceSchema {
    role: Some("supabase_storage_admin"),
    recorded: "select name::text from storage.migrations",
    record: include_str!("../migrations/record.sql"),
    files: &[
        ServiceMigration {
            name: "01_buckets_and_objects",
            sql: include_str!("../migrations/01_buckets_and_objects.sql"),
        },
        ServiceMigration {
            name: "02_multipart_vectors_and_iceberg",
            sql: include_str!("../migrations/02_multipart_vectors_and_iceberg.sql"),
        },
        ServiceMigration {
            name: "03_policies_and_triggers",
            sql: include_str!("../migrations/03_policies_and_triggers.sql"),
        },
        ServiceMigration { name: "04_listing", sql: include_str!("../migrations/04_listing.sql") },
    ],
};
