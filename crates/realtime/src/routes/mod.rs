//! One file per endpoint, and the route table.

mod broadcast;
mod broadcast_one;
mod headers;
mod ping;
mod websocket;

use actix_web::http::Method;
use gateway::Route;

/// Maximum size of a request's body, in bytes, before the limit of its payloads is looked at.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// The route table.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        socket("/websocket"),
        // Where upstream's container has it, behind no gateway.
        socket("/socket/websocket"),
        Route::new(Method::GET, "/api/ping", ping::ping),
        Route::new(Method::POST, "/api/broadcast", broadcast::broadcast).body_limit(MAX_BODY),
        Route::new(Method::POST, "/api/broadcast/{topic}/events/{event}", broadcast_one::broadcast)
            .body_limit(MAX_BODY),
    ]
}

fn socket(path: &'static str) -> Route {
    Route::new(Method::GET, path, websocket::websocket).named_check("the token's role and exp").upgraded()
}
