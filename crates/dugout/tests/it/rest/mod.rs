//! The data API from outside. What is expected of it is what PostgREST's source says (github:PostgREST/postgrest, August
//! 2026); its own suite is run beside these tests (`tests/conformance/`).

mod count;
mod functions;
mod openapi;
mod options;
mod permissions;
mod raised;
mod writes;
