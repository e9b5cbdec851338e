//! The lane and LISTEN. Tests use a real PostgreSQL, whose superuser's URL is in `DUGOUT_TEST_DATABASE_URL` (`make test` starts
//! one), and scripted servers for misbehaviour that a real one does not show on request.

#![allow(clippy::unwrap_used, clippy::panic)] // clippy.toml allows them in test functions only, not in helpers.

mod database;
mod faults;
mod hot;
mod listen;
mod pool;
mod startup;
mod statements;
mod strangers;
mod tail;
mod transactions;
