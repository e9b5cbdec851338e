//! Checks URLs of custom providers: only public hosts, only HTTPS. URLs are checked when they are set, and by the
//! client on every request.
//!
//! Source: supabase/auth, `internal/utilities/url_validator.go`.

use std::net::IpAddr;

use gateway::address::{Reach, reach};
use url::{Host, Url};

/// Checks a URL and resolves its host.
///
/// DEVIATION (stricter): custom providers may not be in any special-purpose network (shared, reserved, translated);
/// GoTrue only refuses private ones.
///
/// # Errors
/// What is wrong with it, in GoTrue's words.
pub(crate) async fn check(text: &str) -> Result<(), &'static str> {
    let url = Url::parse(text).map_err(|_| "Invalid URL format")?;
    if url.scheme() != "https" {
        return Err("URL must use HTTPS");
    }
    let name = match url.host() {
        None => return Err("URL must have a valid hostname"),
        Some(Host::Ipv4(ip)) => return literal(ip.into()),
        Some(Host::Ipv6(ip)) => return literal(ip.into()),
        Some(Host::Domain(name)) => name.trim_end_matches('.'),
    };
    if name == "localhost" || name.ends_with(".localhost") {
        return Err(LOCAL);
    }
    let found = tokio::net::lookup_host((name, 443)).await.map_err(|_| "Unable to resolve hostname")?;
    found.map(|found| found.ip()).try_for_each(resolved)
}

const LOCAL: &str = "URL cannot point to localhost or loopback addresses";

fn literal(ip: IpAddr) -> Result<(), &'static str> {
    match reach(ip) {
        Reach::Unspecified => Err(LOCAL),
        Reach::Loopback if ip.to_string() == "127.0.0.1" || ip.to_string() == "::1" => Err(LOCAL),
        _ => resolved(ip),
    }
}

fn resolved(ip: IpAddr) -> Result<(), &'static str> {
    match reach(ip) {
        Reach::Public => Ok(()),
        Reach::Loopback => Err("URL cannot resolve to loopback addresses"),
        Reach::Private => Err("URL cannot resolve to private network addresses"),
        Reach::LinkLocal => Err("URL cannot resolve to link-local addresses"),
        Reach::Multicast => Err("URL cannot resolve to multicast addresses"),
        Reach::Unspecified => Err("URL cannot resolve to unspecified addresses"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_leads_into_our_own_network() {
        for (text, said) in [
            ("", "Invalid URL format"),
            ("/x", "Invalid URL format"),
            ("http://93.184.216.34/", "URL must use HTTPS"),
            ("ftp://93.184.216.34/", "URL must use HTTPS"),
            ("https://localhost/", LOCAL),
            ("https://LOCALHOST./", LOCAL),
            ("https://a.localhost:8443/", LOCAL),
            ("https://127.0.0.1/", LOCAL),
            ("https://2130706433/", LOCAL),
            ("https://0x7f.1/", LOCAL),
            ("https://[::1]/", LOCAL),
            ("https://0.0.0.0/", LOCAL),
            ("https://127.1.2.3/", "URL cannot resolve to loopback addresses"),
            ("https://[::ffff:127.0.0.1]/", "URL cannot resolve to loopback addresses"),
            ("https://user@10.0.0.1/", "URL cannot resolve to private network addresses"),
            ("https://[fd00::1]/", "URL cannot resolve to private network addresses"),
            ("https://169.254.169.254/latest/meta-data", "URL cannot resolve to link-local addresses"),
            ("https://224.0.0.1/", "URL cannot resolve to multicast addresses"),
            ("https://no-such-host.invalid/", "Unable to resolve hostname"),
        ] {
            assert_eq!(check(text).await, Err(said), "{text}");
        }
        assert_eq!(check("https://93.184.216.34/.well-known").await, Ok(()));
    }
}
