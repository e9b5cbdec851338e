//! Redirect URIs of OAuth clients.

use url::Url;
use url::form_urlencoded::{Serializer, parse};

/// Schemes whose addresses run code or point into the user's own machine.
const DANGEROUS: [&str; 6] = ["javascript", "data", "file", "vbscript", "about", "blob"];

/// Checks whether a client may register `uri` (RFC 6749 section 3.1.2, RFC 6819 section 5.1.1).
///
/// DEVIATION (stricter): a redirect URI with a comma, a backslash, white space or control characters cannot be
/// registered; GoTrue accepts it and splits it at commas.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(uri: &str) -> Result<(), String> {
    if uri.is_empty() {
        return Err("redirect URI cannot be empty".to_owned());
    }
    let odd = |letter: char| letter.is_control() || letter.is_whitespace() || letter == '\\';
    let (scheme, rest) = uri.split_once(':').unwrap_or_default();
    let has_host = rest.strip_prefix("//").is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']));
    if uri.contains(odd) {
        return Err("invalid URL format".to_owned());
    }
    if scheme.is_empty() || !has_host {
        return Err("must have scheme and host".to_owned());
    }
    let url = Url::parse(uri).map_err(|_| "invalid URL format".to_owned())?;
    if DANGEROUS.contains(&url.scheme()) {
        return Err(format!("scheme '{}' is not allowed for security reasons", url.scheme()));
    }
    if url.scheme() == "http" && !matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
        return Err("HTTP scheme only allowed for localhost".to_owned());
    }
    if url.fragment().is_some_and(|fragment| !fragment.is_empty()) {
        return Err("fragment not allowed in redirect URI".to_owned());
    }
    if uri.contains(',') {
        return Err("comma not allowed in redirect URI".to_owned());
    }
    Ok(())
}

/// The registered `uri` with `pairs` in its query, replacing parameters of the same name; sorted by name, as Go does.
pub(crate) fn with_query(uri: &str, pairs: &[(&str, &str)]) -> String {
    let uri = uri.split_once('#').map_or(uri, |(uri, _)| uri);
    let (base, query) = uri.split_once('?').unwrap_or((uri, ""));
    let given = |name: &str| pairs.iter().any(|(new, _)| *new == name);
    let mut all: Vec<(String, String)> =
        parse(query.as_bytes()).into_owned().filter(|(name, _)| !given(name)).collect();
    all.extend(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    format!("{base}?{}", Serializer::new(String::new()).extend_pairs(all).finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_registered() {
        for uri in [
            "https://app.test/cb",
            "https://app.test",
            "https://app.test/cb?a=1#",
            "http://localhost:3000/cb",
            "http://127.0.0.1/",
            "http://[::1]:8080/",
            "myapp://callback",
            "com.app.name://oauth/back",
        ] {
            assert_eq!(check(uri), Ok(()), "{uri}");
        }
        for (uri, problem) in [
            ("", "redirect URI cannot be empty"),
            ("/cb", "must have scheme and host"),
            ("app.test/cb", "must have scheme and host"),
            ("https:///cb", "must have scheme and host"),
            ("https:app.test", "must have scheme and host"),
            ("javascript:alert(1)", "must have scheme and host"),
            ("JavaScript://x/%0aalert(1)", "scheme 'javascript' is not allowed for security reasons"),
            ("data://x", "scheme 'data' is not allowed for security reasons"),
            ("http://app.test/cb", "HTTP scheme only allowed for localhost"),
            ("http://localhost.evil.test/", "HTTP scheme only allowed for localhost"),
            ("http://localhost@evil.test/", "HTTP scheme only allowed for localhost"),
            ("https://app.test/#x", "fragment not allowed in redirect URI"),
            ("https://app.test/a,b", "comma not allowed in redirect URI"),
            ("java\tscript://x", "invalid URL format"),
            ("https://evil.test\\@app.test/", "invalid URL format"),
            ("https://[::1/", "invalid URL format"),
        ] {
            assert_eq!(check(uri).unwrap_err(), problem, "{uri}");
        }
    }

    #[test]
    fn answers_go_into_the_query() {
        assert_eq!(with_query("https://a.test", &[("code", "c 1")]), "https://a.test?code=c+1");
        let back = with_query("myapp://cb?z=1&code=old&a=%26", &[("state", "x&y"), ("code", "new")]);
        assert_eq!(back, "myapp://cb?a=%26&code=new&state=x%26y&z=1");
    }
}
