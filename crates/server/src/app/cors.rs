//! Cross-origin requests: any origin may call the API with a token, none may send cookies, as in front of Supabase.

use actix_cors::Cors;

/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: usize = 3600;

/// The middleware, the same for both services.
///
/// DEVIATION: a page of any origin may send any header by any method, but no cookies; GoTrue has a list of headers and methods, and
/// lets cookies come along.
///
/// supabase-js sends `apikey`, `authorization`, `x-client-info`, `prefer`, profiles and more: whatever a
/// preflight asks for is allowed, since nothing here trusts a header for who the caller is but `Authorization`.
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
