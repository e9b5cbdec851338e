//! CORS for the whole API: pages of any origin may call it with a token, but browsers never send cookies along.

use actix_cors::Cors;

/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: usize = 3600;

/// The CORS middleware of the whole server.
///
/// DEVIATION: a page of any origin may send any header by any method, but no cookies; GoTrue has a list of headers and methods, and
/// lets cookies come along.
///
/// supabase-js sends `apikey`, `authorization`, `x-client-info`, `prefer`, profile headers and more. Every header that a
/// preflight asks for is allowed: callers are authenticated by `apikey` and `Authorization` only, which a page must know.
pub(crate) fn cors() -> Cors {
    Cors::default()
        .allow_any_origin()
        .send_wildcard()
        .allow_any_method()
        .allow_any_header()
        .expose_any_header()
        .block_on_origin_mismatch(false)
        .max_age(MAX_AGE)
}
