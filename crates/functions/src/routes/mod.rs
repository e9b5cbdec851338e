//! The route table: one endpoint, by every method.

mod invoke;

use actix_web::http::Method;
use gateway::Route;

/// Bodies pass as they arrive, so that nothing is collected that a limit would be needed for.
const STREAMED: &str = "streamed";

/// The route table.
pub(crate) fn routes() -> Vec<Route> {
    let methods =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    let of = |path: &'static str| {
        methods.clone().map(|method| {
            Route::new(method, path, invoke::invoke).body_limit(usize::MAX).named_check(STREAMED).upgraded()
        })
    };
    ["/{name}", "/{name}/{rest:.*}"].into_iter().flat_map(of).collect()
}
