//! What functions are, as values: where their files lie, which settings apply, how their imports are resolved.

pub(crate) mod bundle;
pub(crate) mod definition;
pub(crate) mod deno_config;
pub(crate) mod environment;
pub(crate) mod graph;
pub(crate) mod specifier;
pub(crate) mod version;

pub(crate) use bundle::Bundle;
pub(crate) use definition::{Definition, Project};
pub(crate) use version::Version;
