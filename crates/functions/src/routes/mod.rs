//! The route tables: one endpoint for calls, by every method, and those of deployments.

mod invoke;
mod management;

use actix_web::http::Method;
use gateway::Route;

pub(crate) use management::{MANAGEMENT, management};

/// Bodies pass to Deno as they arrive: the limit is that of functions in Rust.
const STREAMED: &str = "streamed";

/// The route table.
pub(crate) fn routes() -> Vec<Route> {
    let methods =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    let of = |path: &'static str| {
        methods.clone().map(|method| Route::new(method, path, invoke::invoke).named_check(STREAMED).upgraded())
    };
    ["/{name}", "/{name}/{rest:.*}"].into_iter().flat_map(of).collect()
}
