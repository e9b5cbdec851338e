//! The data API over HTTP. Expected results follow PostgREST's source (github:PostgREST/postgrest, August 2026). Its own test
//! suite also runs (`tests/conformance/`).

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

/// Raises the 3-second statement timeout of anonymous requests, for large requests on slow machines.
const PATIENCE: (&str, &str) = ("PGRST_DB_PRE_REQUEST", "api.patience");
const PATIENCE_SQL: &str = "create function patience() returns void language sql as
    $$ select set_config('statement_timeout', '60000', true) $$;";
