//! Where the bytes are: files named by bucket, key and version, that never change once they have their name.

mod files;
mod reading;
mod writing;

pub(crate) use files::{Files, Place};
pub(crate) use reading::Bytes;
pub(crate) use writing::{Upload, Written, blocking};
