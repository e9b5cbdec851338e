//! Checks URIs.

/// A URI by RFC 3986: a scheme, and only valid characters.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let mut bytes = rest.bytes();
    let mut is_valid = is_scheme;
    while let Some(byte) = bytes.next() {
        is_valid &= match byte {
            b'%' => [bytes.next(), bytes.next()].iter().all(|digit| digit.is_some_and(|d| d.is_ascii_hexdigit())),
            byte => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(&byte),
        };
    }
    is_valid
}

/// The public URL of the API: http or https, a host, and no user, query or fragment.
pub(super) fn is_proxy(text: &str) -> bool {
    let Ok(uri) = text.parse::<http::Uri>() else { return false };
    let is_http =
        uri.scheme_str().is_some_and(|scheme| matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"));
    let has_host = uri.authority().is_some_and(|authority| {
        let port = authority.as_str().rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let is_port = port.is_none_or(|(_, port)| port.is_empty() || port.parse::<u16>().is_ok_and(|port| port > 0));
        !authority.as_str().contains('@') && !authority.host().is_empty() && is_port
    });
    is_http && has_host && uri.query().is_none() && !text.contains('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        for text in ["https://postgrest.org", "urn:x:y", "a:%41"] {
            assert!(is_uri(text), "{text}");
        }
        for text in ["foo://%%$$^^.com", "http://%%localhorst.invalid", "1a:b", "a b:c", "a:b c", ":x"] {
            assert!(!is_uri(text), "{text}");
        }
    }

    #[test]
    fn proxies() {
        for text in ["https://example.com:8443/basePath", "http://a", "HTTPS://a/b", "http://[::1]:80/"] {
            assert!(is_proxy(text), "{text}");
        }
        for text in
            ["htp:/@@x", "ftp://a", "http://u@a", "http://a?b", "http://a#b", "a/b", "http://a:0", "http://a:99999"]
        {
            assert!(!is_proxy(text), "{text}");
        }
    }
}
