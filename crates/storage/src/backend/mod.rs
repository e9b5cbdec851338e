//! The bytes of objects: files named by bucket, key and version, which never change once they have their name.

mod files;
mod parts;
mod reading;
mod resumable;
mod writing;

pub(crate) use files::{Files, Place};
pub(crate) use parts::Parts;
pub(crate) use reading::Bytes;
pub(crate) use resumable::{Held, Info, Resumables};
pub(crate) use writing::{Upload, Written, blocking};
