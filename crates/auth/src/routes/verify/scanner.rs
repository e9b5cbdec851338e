//! Detects mail link scanners, messenger previews and prefetching browsers: they open links that nobody has clicked,
//! and a link works only once (auth#368).

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, REFERRER_POLICY, USER_AGENT, X_FRAME_OPTIONS,
};
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse};

use crate::state::State;

/// Headers of a browser that prefetches a page.
const AHEAD: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
/// Parts of user agents of programs that open links, in lower case. A person with such a user agent gets the page with
/// the button, which works, too.
const PROGRAMS: [&str; 14] = [
    "bot",
    "crawler",
    "spider",
    "preview",
    "scanner",
    "externalhit",
    "linkexpanding",
    "barracuda",
    "mimecast",
    "proofpoint",
    "safelinks",
    "urldefense",
    "whatsapp",
    "imageproxy",
];

/// The visitor of a link.
pub(crate) enum Visitor {
    Person,
    /// With the link's query.
    Scanner(String),
}

impl FromRequest for Visitor {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(match is_scanner(request.headers()) {
            true => Visitor::Scanner(request.query_string().to_owned()),
            false => Visitor::Person,
        }))
    }
}

fn is_scanner(headers: &HeaderMap) -> bool {
    let text = |name: &str| {
        headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).to_lowercase()).unwrap_or_default()
    };
    let ahead = |name: &&str| ["prefetch", "prerender", "preview"].iter().any(|word| text(name).contains(word));
    let agent = text(USER_AGENT.as_str());
    AHEAD.iter().any(ahead) || PROGRAMS.iter().any(|program| agent.contains(program))
}

/// A page with a button that follows the link: scanners do not press it.
pub(super) fn page(state: &State, query: &str) -> HttpResponse {
    let escaped = query.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    let action = state.config.external_url.join("/verify");
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Continue</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">\
         <h1>One more click</h1><p>This link works once. Press the button to use it.</p>\
         <form method=\"post\" action=\"{action}?{escaped}\"><button>Continue</button></form></html>"
    );
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"))
        .insert_header((X_FRAME_OPTIONS, "DENY"))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .body(html)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn programs_are_told_from_people() {
        const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        for (header, value, scanner) in [
            ("user-agent", FIREFOX, false),
            ("user-agent", "node", false),
            ("user-agent", "Mozilla/5.0 (compatible; bingbot/2.0) BingPreview/1.0b", true),
            ("user-agent", "Slackbot-LinkExpanding 1.0", true),
            ("user-agent", "facebookexternalhit/1.1", true),
            ("sec-purpose", "prefetch;prerender", true),
            ("x-moz", "prefetch", true),
            ("purpose", "preview", true),
            ("sec-fetch-mode", "navigate", false),
        ] {
            let request = TestRequest::default().insert_header((header, value)).to_http_request();
            assert_eq!(is_scanner(request.headers()), scanner, "{header}: {value}");
        }
    }
}
