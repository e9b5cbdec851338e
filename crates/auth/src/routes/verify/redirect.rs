//! Redirects after a link was followed.

use url::form_urlencoded::Serializer;
use url::{Position, Url};

use crate::error::AuthError;

/// How the app gets its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// In the fragment.
    Implicit,
    /// By a PKCE code (RFC 7636).
    Pkce,
}

/// Adds an error: in the fragment, and for PKCE also in the query.
pub(super) fn with_error(target: &str, error: &AuthError, flow: Flow) -> String {
    let message = error.message();
    let mut pairs = Vec::new();
    match error.status() {
        400 => pairs.push(("error", "invalid_request")),
        401 => pairs.push(("error", "unauthorized_client")),
        403 => pairs.push(("error", "access_denied")),
        500 => pairs.push(("error", "server_error")),
        503 => pairs.push(("error", "temporarily_unavailable")),
        _ => {}
    }
    pairs.extend([("error_code", error.code()), ("error_description", message.as_str())]);
    both(target, &pairs, flow)
}

/// Adds a message.
pub(super) fn with_message(target: &str, message: &str, flow: Flow) -> String {
    both(target, &[("message", message)], flow)
}

/// Adds a PKCE code.
pub(crate) fn with_code(target: &str, code: &str) -> String {
    with_query(target, &[("code", code)], None)
}

fn both(target: &str, pairs: &[(&str, &str)], flow: Flow) -> String {
    // The last pair marks the answer as Supabase's.
    let fragment = fragment(pairs.iter().copied().chain([("sb", "")]));
    let query = if flow == Flow::Pkce { pairs } else { &[] };
    with_query(target, query, Some(&fragment))
}

/// Pairs sorted by name, as in Go.
pub(crate) fn fragment<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_unstable();
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// `target` with pairs in its query that replace those of the same name, and optionally with a new fragment.
pub(crate) fn with_query(target: &str, pairs: &[(&str, &str)], new_fragment: Option<&str>) -> String {
    // Only checked targets get here; return an unreadable one unchanged.
    let Ok(mut url) = Url::parse(target) else { return target.to_owned() };
    if !pairs.is_empty() {
        let old: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let kept = old.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let kept = kept.filter(|(name, _)| !pairs.iter().any(|(new, _)| new == name));
        url.set_query(Some(&fragment(kept.chain(pairs.iter().copied()))));
    }
    if let Some(text) = new_fragment {
        url.set_fragment(Some(text));
    }
    // Go's library adds no path if there is none.
    let (rest, bare) = (&url[Position::BeforePath..], target.split(['?', '#']).next().unwrap_or_default());
    match rest.strip_prefix('/') {
        Some(rest) if url.path() == "/" && !bare.ends_with('/') => format!("{}{rest}", &url[..Position::BeforePath]),
        _ => url.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_sent_back_as_by_gotrue() {
        let target = "https://app.test/in?a=1&code=old#x";
        assert_eq!(with_code(target, "c-1"), "https://app.test/in?a=1&code=c-1#x");
        assert_eq!(with_code("myapp://callback", "c"), "myapp://callback?code=c");
        assert_eq!(with_code("https://app.test", "c"), "https://app.test?code=c");
        assert_eq!(with_code("https://app.test:444#x", "c"), "https://app.test:444?code=c#x");
        assert_eq!(with_code("https://app.test/", "c"), "https://app.test/?code=c");
        assert_eq!(
            with_error(target, &AuthError::LinkWrong, Flow::Implicit),
            "https://app.test/in?a=1&code=old#error=access_denied&error_code=otp_expired\
             &error_description=Email+link+is+invalid+or+has+expired&sb="
        );
        let pkce = with_error("https://app.test/", &AuthError::LinkWrong, Flow::Pkce);
        let pairs = "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";
        assert_eq!(pkce, format!("https://app.test/?{pairs}#{pairs}&sb="));
        let message = with_message("https://app.test", "Do it", Flow::Implicit);
        assert_eq!(message, "https://app.test#message=Do+it&sb=");
    }
}
