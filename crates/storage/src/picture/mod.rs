//! Image rendering: sizes, decoding and encoding, worker threads, the cache on disk.

mod cache;
mod render;
mod size;
mod workers;

pub(crate) use cache::Renditions;
pub(crate) use render::Output;
