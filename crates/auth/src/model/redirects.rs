//! Checks redirect targets: the app itself, and what the allow list permits.
//!
//! Source: supabase/auth, `internal/utilities/request.go`; globs as in gobwas/glob with the separators `.` and `/`.

use std::net::IpAddr;

use url::{Host, Url};

use crate::config::Config;

/// Maximum length of an address that is checked, in bytes.
const MAX_LENGTH: usize = 8192;
/// Hosts on which apps may listen on any port (RFC 8252 section 7.3).
const LOCAL: [&str; 5] = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"];

/// Schemes that run code or read local files. They are refused, whatever the allow list says.
const NEVER: [&str; 6] = ["javascript", "data", "vbscript", "file", "blob", "about"];

/// The first allowed one of `wishes`, else the site URL.
pub(crate) fn target<'a>(config: &'a Config, wishes: impl IntoIterator<Item = &'a str>) -> &'a str {
    wishes.into_iter().find(|wish| is_allowed(config, wish)).unwrap_or(&config.site_url)
}

/// True for a scheme of the web, the site's own, or one that the allow list spells out.
fn is_allowed_scheme(config: &Config, site: &Url, scheme: &str) -> bool {
    let listed = || config.redirect_patterns.iter().any(|pattern| pattern.scheme.as_deref() == Some(scheme));
    !NEVER.contains(&scheme) && (matches!(scheme, "http" | "https") || scheme == site.scheme() || listed())
}

/// True if users may be redirected to `address`.
///
/// DEVIATION (stricter): a scheme other than `http`, `https` and the site's own must be spelled out in the allow list,
/// and `javascript`, `data` and the like are never allowed; in GoTrue a glob such as `**` allows them all, and a
/// loopback host needs no entry.
///
/// DEVIATION (stricter): addresses are parsed as browsers parse them (WHATWG), and white space and control characters
/// are refused; GoTrue parses them as Go does.
pub(crate) fn is_allowed(config: &Config, address: &str) -> bool {
    let odd = |letter: char| letter.is_control() || letter.is_whitespace();
    if address.is_empty() || address.len() > MAX_LENGTH || address.contains(odd) {
        return false;
    }
    let (Ok(site), Ok(wish)) = (Url::parse(&config.site_url), Url::parse(address)) else { return false };
    if !is_allowed_scheme(config, &site, wish.scheme()) {
        return false;
    }
    let host = wish.host_str().unwrap_or_default();
    let is_number = number_for_host(address);
    if wish.scheme() == site.scheme()
        && site.host_str().unwrap_or_default() == host
        && (site.port() == wish.port() || LOCAL.contains(&host))
        && !is_number
    {
        return true;
    }
    if is_number {
        return false;
    }
    match wish.host() {
        Some(Host::Ipv4(ip)) => return IpAddr::from(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => return IpAddr::from(ip).is_loopback(),
        // The URL parser does not read hosts of unknown schemes as IP addresses.
        Some(Host::Domain(name)) => {
            if let Ok(ip) = name.parse::<IpAddr>() {
                return ip.is_loopback();
            }
        }
        None => {}
    }
    if matches!(wish.scheme(), "http" | "https") && !is_regular(host) {
        return false;
    }
    let without_fragment = address.split_once('#').map_or(address, |(before, _)| before);
    config.redirect_patterns.iter().any(|pattern| pattern.expression.is_match(without_fragment))
}

/// True if the host is an IP address written as one number, decimal or hexadecimal.
fn number_for_host(address: &str) -> bool {
    let Some((_, rest)) = address.split_once(':') else { return false };
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    let digits = host.strip_prefix("0x").or_else(|| host.strip_prefix("0X"));
    match digits {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

fn is_regular(host: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    host.bytes().all(inner) && ends(host.as_bytes().first()) && ends(host.as_bytes().last())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::redirect_pattern::Pattern;

    fn config(site: &str, list: &str) -> Config {
        let variables = [
            ("GOTRUE_SITE_URL", site),
            ("GOTRUE_URI_ALLOW_LIST", list),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Config::from_env(variables).unwrap().0
    }

    /// The decisions of GoTrue's `IsRedirectURLValid`, except for the deviations.
    #[test]
    fn only_what_is_listed_is_allowed() {
        let list = "https://*.x.test/in, https://deep.test/**, myapp://callback, http://localhost:*/*,\
                    com.app://**, https://c[0-9].test/*, https://d[!0-9].test/";
        let config = config("https://app.test", list);
        for (address, allowed) in [
            ("https://app.test", true),
            ("https://app.test/any/path?q#f", true),
            ("http://app.test", false),
            ("https://app.test:8443/", false),
            ("https://app.test.evil.test/", false),
            ("https://app.test@evil.test/", false),
            ("https://evil.test\\@app.test/", false),
            ("https://one.x.test/in", true),
            ("https://one.x.test/in#fragment", true),
            ("https://one.two.x.test/in", false),
            ("https://one.x.test/in/deeper", false),
            ("https://evil.test/x.test/in", false),
            ("https://deep.test/a/b.c?d=e", true),
            ("https://deep.test.evil.test/", false),
            ("myapp://callback", true),
            ("myapp://callback2", false),
            ("com.app://any/where", true),
            ("https://c7.test/x", true),
            ("https://cx.test/x", false),
            ("https://dx.test/", true),
            ("https://d1.test/", false),
            ("http://localhost:3000/in", true),
            ("http://127.0.0.1:1/anything", true),
            ("http://[::1]/", true),
            ("http://10.0.0.1/", false),
            ("http://2130706433/", false),
            ("http://0x7f000001/", false),
            ("/relative", false),
            ("//evil.test", false),
            ("javascript:alert(1)", false),
            ("https://app.test/\n", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(&config, address), allowed, "{address}");
        }
        assert_eq!(target(&config, ["https://evil.test", "myapp://callback"]), "myapp://callback");
        assert_eq!(target(&config, ["https://evil.test"]), "https://app.test");
    }

    #[test]
    fn tricks_lead_nowhere() {
        let config = config("https://app.test", "https://*.x.test/in, myapp://callback");
        for address in [
            "data:text/html,x",
            "///evil.test",
            "/\\evil.test",
            "\\\\evil.test",
            "https:/evil.test",
            "https:evil.test",
            "https:///evil.test",
            "https://evil.test#https://app.test",
            "https://evil.test?https://app.test",
            "https://evil.test/https://app.test",
            "https://evil.test\\.app.test/",
            "https://evil.test%2f.app.test/",
            "https://app.test%2eevil.test/",
            "https://app.test%40evil.test/",
            "https://app.test:443@evil.test/",
            "https://app.test:pw@evil.test/",
            "https://app.test\t.evil.test/",
            "https://app.test\r\nLocation: x",
            "https://app。test.evil。test/",
            "https://аpp.test/",
            "https://appXtest/",
            "https://evilapp.test/",
            "https://sub.app.test/",
            "https://app.test.",
            "HTTP://app.test/",
            "ftp://app.test/",
            "myapp://callback/deeper",
            "myapp:callback",
            "https://one.x.test/in/../../evil",
            "https://.x.test/in",
            "https://one.x.test:1/in",
            "http://[::2]/",
            "http://169.254.169.254/",
        ] {
            assert!(!is_allowed(&config, address), "{address}");
        }
        // Numeric hosts that browsers read as loopback.
        assert!(is_allowed(&config, "http://0177.0.0.1/") && is_allowed(&config, "http://127.1/"));
    }

    #[test]
    fn only_schemes_that_are_spelled_out_are_allowed() {
        let open = config("https://app.test", "**, *://**, myapp://callback, com.app+x://**, javascript:**, data:**");
        for address in ["https://any.test/x", "http://any.test", "myapp://callback", "MyApp://other", "com.app+x:in"] {
            assert!(is_allowed(&open, address), "{address}");
        }
        for address in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "javascript://127.0.0.1/%0aalert(1)",
            "javascript://localhost/%0aalert(1)",
            "javascript://app.test/%0aalert(1)",
            "data:text/html,x",
            "data://127.0.0.1/,x",
            "vbscript:x",
            "file:///etc/passwd",
            "file://127.0.0.1/etc/passwd",
            "blob:https://app.test/x",
            "about:blank",
            "other://callback",
            "other://127.0.0.1/",
            "other://[::1]/",
            "ftp://127.0.0.1/",
            "ws://127.0.0.1/",
            "intent://app.test/#Intent;end",
        ] {
            assert!(!is_allowed(&open, address), "{address}");
        }
        let own = config("myapp://home", "");
        assert!(is_allowed(&own, "myapp://home/x") && !is_allowed(&own, "yourapp://home/x"));
    }

    #[test]
    fn on_this_machine_the_port_is_free() {
        let config = config("http://localhost:3000", "");
        assert!(is_allowed(&config, "http://localhost:5173/x") && !is_allowed(&config, "https://localhost:3000"));
    }

    /// A list splits at commas, so braces with commas only work in a single pattern.
    #[test]
    fn braces_are_alternatives() {
        let pattern = Pattern::parse("https://{a,b}.test/?").unwrap();
        let matches = |text: &str| pattern.expression.is_match(text);
        assert!(matches("https://a.test/x") && matches("https://b.test/y"));
        assert!(!matches("https://c.test/x") && !matches("https://a.test/xy"));
    }

    #[test]
    fn bad_globs_are_none() {
        for glob in ["{a", "[a", "a\\", "[z-a]"] {
            assert!(Pattern::parse(glob).is_none(), "{glob}");
        }
    }
}
