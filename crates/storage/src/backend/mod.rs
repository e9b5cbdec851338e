//! The bytes of objects: files named by bucket, key and version, which never change once they have their name.

pub(crate) mod at_once;
mod files;
mod folders;
mod local;
mod parts;
mod reading;
mod remote;
mod resumable;
mod writing;

pub(crate) use files::{Files, Place};
pub(crate) use parts::Parts;
pub(crate) use reading::Bytes;
pub(crate) use remote::Remote;
pub(crate) use resumable::{Held, Info, Resumables};
pub(crate) use writing::{Upload, Written, blocking};
