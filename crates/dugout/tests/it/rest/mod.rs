//! The data API from outside. What is expected of it is what PostgREST's source says (github:PostgREST/postgrest, August
//! 2026); its own suite is run beside these tests (`tests/conformance/`).

mod catalog;
mod configuration;
mod count;
mod functions;
mod hostile;
mod limits;
mod openapi;
mod options;
mod permissions;
mod raised;
mod reload;
mod shaping;
mod streaming;
mod writes;

/// Lifts the 3 seconds that anonymous statements have, for what is large: machines that run tests are slow.
const PATIENCE: (&str, &str) = ("PGRST_DB_PRE_REQUEST", "api.patience");
const PATIENCE_SQL: &str = "create function patience() returns void language sql as
    $$ select set_config('statement_timeout', '60000', true) $$;";
