//! Everything outside of this process: Deno, the processes of functions, their sockets, folders and logs.

pub(crate) mod connections;
pub(crate) mod deno;
pub(crate) mod deployments;
pub(crate) mod folders;
pub(crate) mod launch;
pub(crate) mod log;
pub(crate) mod modules;
pub(crate) mod usage;
pub(crate) mod warm;
pub(crate) mod worker;
