//! What administrators do: one file for each resource.

mod generate_link;

pub(crate) use generate_link::{__path_generate_link, GenerateLinkBody, generate_link};
