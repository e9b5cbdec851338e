//! The lane and LISTEN against a real PostgreSQL, whose superuser's URL is in `DUGOUT_TEST_DATABASE_URL`
//! (`make test` starts one), and against scripted servers where a real one would not misbehave on request.

#![allow(clippy::unwrap_used, clippy::panic)] // clippy.toml allows them in functions marked as tests only

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
