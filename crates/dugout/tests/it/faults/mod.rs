//! Faults around the process: the real binary, its own PostgreSQL, as root and as an ordinary user.

mod data_api;
pub mod kill;
mod multipart;
mod postgres;
mod realtime;
mod refusals;
mod shutdown;
mod slot;
mod sockets;
mod stream_tls;
pub mod uploads;
