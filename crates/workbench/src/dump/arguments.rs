//! The programs' arguments.

use super::{Content, Dump, DumpError};

/// Schemas that the platform makes by itself in every project, or that belong to extensions: their definitions are left out.
/// Patterns of pg_dump.
pub(super) const PLATFORM: &str = "information_schema|pg_*|_analytics|_realtime|_supavisor|auth|etl|extensions|pgbouncer|\
    realtime|storage|supabase_functions|supabase_migrations|cron|dbdev|graphql|graphql_public|net|pgmq|pgsodium|\
    pgsodium_masks|pgtle|repack|tiger|tiger_data|timescaledb_*|_timescaledb_*|topology|vault|dugout_platform";

/// Schemas whose rows are left out: users in `auth` and objects in `storage` are a project's data.
const WITHOUT_ROWS: &str = "information_schema|pg_*|graphql|graphql_public|pgsodium|pgsodium_masks|pgtle|repack|tiger|\
    tiger_data|timescaledb_*|_timescaledb_*|topology|vault|etl|extensions|pgbouncer|realtime|supabase_migrations|_analytics|\
    _realtime|_supavisor|dugout_platform";

/// The services' own bookkeeping.
const BOOKKEEPING: [&str; 3] = ["auth.schema_migrations", "storage.migrations", "supabase_functions.migrations"];

/// The program's name and its arguments.
pub(super) fn of(dump: &Dump, role: Option<&str>) -> Result<(&'static str, Vec<String>), DumpError> {
    let schemas = dump.schemas.join("|");
    let is_all = schemas.is_empty();
    let mut arguments = vec!["--quote-all-identifier".to_owned()];
    arguments.extend(role.map(|role| format!("--role={role}")));
    let program = match &dump.content {
        Content::Schema { .. } => {
            arguments.push("--schema-only".to_owned());
            arguments.push(if is_all { format!("--exclude-schema={PLATFORM}") } else { format!("--schema={schemas}") });
            "pg_dump"
        }
        Content::Data { use_copy, exclude } => {
            arguments.push("--data-only".to_owned());
            arguments.push(format!("--schema={}", if is_all { "*" } else { &schemas }));
            if is_all {
                arguments.push(format!("--exclude-schema={WITHOUT_ROWS}"));
            }
            arguments.extend(BOOKKEEPING.map(|table| format!("--exclude-table={table}")));
            for table in exclude {
                arguments.push(format!("--exclude-table={}", quoted(table)?));
            }
            if !use_copy {
                arguments.extend(["--column-inserts", "--rows-per-insert=100000"].map(str::to_owned));
            }
            "pg_dump"
        }
        Content::Roles { .. } => {
            arguments.extend(["--roles-only", "--no-role-passwords", "--no-comments"].map(str::to_owned));
            "pg_dumpall"
        }
    };
    Ok((program, arguments))
}

/// `a.b` as `"a"."b"`: a name, not a pattern.
fn quoted(table: &str) -> Result<String, DumpError> {
    let bad = || DumpError::Table(table.to_owned());
    let (schema, name) = table.split_once('.').ok_or_else(bad)?;
    if schema.is_empty() || name.is_empty() || table.contains('"') {
        return Err(bad());
    }
    Ok(format!("\"{schema}\".\"{name}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(schemas: &[&str], exclude: &[&str], use_copy: bool) -> Result<String, DumpError> {
        let exclude = exclude.iter().map(|table| (*table).to_owned()).collect();
        let schemas = schemas.iter().map(|schema| (*schema).to_owned()).collect();
        let dump = Dump { content: Content::Data { use_copy, exclude }, schemas };
        of(&dump, Some("postgres")).map(|(_, arguments)| arguments.join(" "))
    }

    #[test]
    fn rows_are_chosen_by_schema_and_table() {
        let all = data(&[], &["public.a"], false).unwrap();
        assert!(all.contains("--schema=* --exclude-schema=information_schema|"), "{all}");
        assert!(all.contains("--exclude-table=\"public\".\"a\" --column-inserts"), "{all}");
        let some = data(&["public", "auth"], &[], true).unwrap();
        assert!(some.contains("--schema=public|auth") && !some.contains("--exclude-schema"), "{some}");
        assert!(!some.contains("inserts"), "{some}");
        for bad in ["a", ".a", "a.", "a.\"b\""] {
            assert!(data(&[], &[bad], false).is_err(), "{bad}");
        }
    }
}
