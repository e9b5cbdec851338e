//! `GET /user` and `PUT /user`

mod get;
mod update;

pub(crate) use get::{__path_get, get};
pub(crate) use update::{__path_update, update};
