//! `/factors` and below

mod challenge;
mod enroll;
mod unenroll;
mod verify;

pub(crate) use challenge::{__path_challenge, challenge};
pub(crate) use enroll::{__path_enroll, enroll};
pub(crate) use unenroll::{__path_unenroll, unenroll};
pub(crate) use verify::{__path_verify, verify};
