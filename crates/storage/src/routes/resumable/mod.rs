//! `/upload/resumable` and `/upload/resumable/sign`: TUS 1.0

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod head;
pub(crate) mod options;
pub(crate) mod part;

use actix_web::HttpResponseBuilder;
use actix_web::http::Method;
use chrono::DateTime;
use gateway::{Anyone, Route};
use std::time::SystemTime;

use crate::flows::resumable::Progress;
use crate::protocol::tus::{Refusal, VERSION};

const LIMITED: &str = "the bucket's limit";

/// The routes for callers with a JWT, and those for a signed upload token.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = Vec::new();
    for path in ["/upload/resumable/sign", "/upload/resumable/sign/", "/upload/resumable/sign/{id}"] {
        routes.push(Route::new(Method::OPTIONS, path, options::options));
        routes.push(Route::new(Method::POST, path, create::signed).named_check(LIMITED));
        routes.push(Route::new(Method::PATCH, path, part::signed).named_check(LIMITED));
        routes.push(Route::new(Method::HEAD, path, head::signed));
        routes.push(Route::new(Method::DELETE, path, delete::signed));
        routes.push(Route::new(Method::PUT, path, unknown));
    }
    for path in ["/upload/resumable", "/upload/resumable/", "/upload/resumable/{id}"] {
        routes.push(Route::new(Method::OPTIONS, path, options::options));
        routes.push(Route::new(Method::POST, path, create::token_holder).named_check(LIMITED));
        routes.push(Route::new(Method::PATCH, path, part::token_holder).named_check(LIMITED));
        routes.push(Route::new(Method::HEAD, path, head::token_holder));
        routes.push(Route::new(Method::DELETE, path, delete::token_holder));
        routes.push(Route::new(Method::PUT, path, unknown));
    }
    routes
}

async fn unknown(_: Anyone) -> Result<&'static str, Refusal> {
    Err(Refusal::new(404, "Not found\n"))
}

/// The headers of every response.
///
/// DEVIATION: resumable uploads expire and answers have `Upload-Expires`; upstream's file backend keeps them for ever.
fn describe(response: &mut HttpResponseBuilder, progress: &Progress) {
    response.insert_header(("tus-resumable", VERSION));
    if !progress.complete
        && let Some(at) = DateTime::from_timestamp(progress.expires, 0)
    {
        response.insert_header(("upload-expires", httpdate::fmt_http_date(SystemTime::from(at))));
    }
}
