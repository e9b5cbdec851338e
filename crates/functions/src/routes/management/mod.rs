//! `/v1/projects/{ref}/functions`: what Supabase's CLI deploys with, as far as it concerns functions.
//!
//! Source: Supabase's management API and the CLI that calls it (`functions deploy|list|delete`). A server has one project: any
//! reference means it.
//!
//! DEVIATION (missing): the management API of functions has list, read, deploy, bulk update and delete. A bundle of the CLI's
//! own bundler (`application/vnd.denoland.eszip`, used with Docker) is refused, and `supabase functions download` is not served.
//! DEVIATION (more): `GET …/functions/{name}/versions` lists the versions that are kept, and `POST …/functions/{name}/rollback`
//! serves an earlier one again.

mod delete;
mod deploy;
mod list;
mod read;
mod rollback;
mod update;
mod versions;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gateway::service::Table;
use gateway::wire::Plain;
use gateway::{Route, body};
use serde::Deserialize;

use crate::model::Version;
use crate::model::bundle::MAX_BYTES;

/// Where the routes are mounted.
pub(crate) const MANAGEMENT: &str = "/v1/projects";

/// A form around the files: metadata, names, boundaries, in bytes.
const FORM: usize = 1024 * 1024;

/// The route table.
pub(crate) fn management() -> Table {
    let routes = vec![
        Route::new(Method::GET, "/{ref}/functions", list::list),
        Route::new(Method::PUT, "/{ref}/functions", update::update).body_limit(body::DEFAULT_LIMIT),
        Route::new(Method::GET, "/{ref}/functions/{name}", read::read),
        // The path has the word `deploy` in the place of a name.
        Route::new(Method::POST, "/{ref}/functions/{name}", deploy::deploy).body_limit(MAX_BYTES + FORM),
        Route::new(Method::DELETE, "/{ref}/functions/{name}", delete::delete),
        Route::new(Method::GET, "/{ref}/functions/{name}/versions", versions::versions),
        Route::new(Method::POST, "/{ref}/functions/{name}/rollback", rollback::rollback),
    ];
    Table { at: "", routes, wire: Arc::new(Plain) }
}

/// The parts of the path.
#[derive(Deserialize)]
struct Place {
    name: String,
}

type Name = web::Path<Place>;

fn shown(version: &Version) -> HttpResponse {
    HttpResponse::Ok().json(version.shown())
}
