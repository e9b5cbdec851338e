//! Identifies clients for rate limits.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName};
use gateway::RequestContext;
use gateway::address::{Reach, reach};
use sha2::{Digest, Sha256};

use crate::config::RateLimits;

const SB_FORWARDED_FOR: HeaderName = HeaderName::from_static("sb-forwarded-for");

/// A client: an IPv4 address, or an IPv6 /64 network, which one customer gets. A name from a proxy's header is stored
/// as its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Address(IpAddr),
    Name([u8; 16]),
    /// A client behind an undeclared proxy, which cannot be told apart from others there.
    Undeclared,
}

/// Headers that a proxy adds.
const FORWARDED: [&str; 4] = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

impl Client {
    /// The client of a request.
    ///
    /// DEVIATION (stricter): without `GOTRUE_RATE_LIMIT_HEADER` limits apply by client address, IPv6 by /64; GoTrue
    /// then has no limits, nor for a request without the header.
    ///
    /// DEVIATION (behaviour): `dugout auth` with neither `GOTRUE_RATE_LIMIT_HEADER` nor `DUGOUT_TRUSTED_PROXIES` limits
    /// only requests that come directly from a public address. Requests from a private address or with a proxy's
    /// headers are not limited by client, as in GoTrue. This is safe because what protects accounts is not counted by
    /// client: wrong passwords and codes count by account and factor, mails and messages by address and project, and
    /// hashing has a bounded queue.
    pub(crate) fn of(request: &HttpRequest, config: &RateLimits) -> Self {
        Self::named(request.headers(), config).unwrap_or_else(|| {
            let address = RequestContext::of(request).client_ip;
            let is_forwarded = || FORWARDED.iter().any(|name| request.headers().contains_key(*name));
            if config.proxy_is_undeclared && (reach(address) != Reach::Public || is_forwarded()) {
                Client::Undeclared
            } else {
                Client::at(address)
            }
        })
    }

    /// True if this client can be told apart from others.
    pub(crate) fn is_distinct(self) -> bool {
        self != Client::Undeclared
    }

    /// The client's network in PostgreSQL's notation; `None` if the client is not the address `peer`.
    pub(crate) fn network(self, peer: IpAddr) -> Option<String> {
        match self {
            Client::Address(address) if self == Client::at(peer) => {
                Some(format!("{address}/{}", if address.is_ipv6() { 64 } else { 32 }))
            }
            _ => None,
        }
    }

    /// The client that a proxy's header names.
    fn named(headers: &HeaderMap, config: &RateLimits) -> Option<Self> {
        let first = |name: &HeaderName| {
            let text = headers.get(name)?.to_str().ok()?.split(',').next()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let forwarded = config.sb_forwarded_for.then(|| first(&SB_FORWARDED_FOR)).flatten();
        if let Some(address) = forwarded.and_then(|text| text.parse().ok()) {
            return Some(Client::at(address));
        }
        let text = first(config.header.as_ref()?)?;
        Some(text.parse().map_or_else(|_| Client::called(&text), Client::at))
    }

    /// The client at an address.
    pub(crate) fn at(address: IpAddr) -> Self {
        Client::Address(gateway::address::network(address))
    }

    /// The client with a name that is not an address.
    pub(crate) fn called(name: &str) -> Self {
        let digest = Sha256::digest(name);
        let mut short = [0; 16];
        short.copy_from_slice(&digest[..16]);
        Client::Name(short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use actix_web::test::TestRequest;

    fn client(config: &[(&str, &str)], headers: &[(&str, &str)], peer: &str) -> Client {
        let least = [
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("API_EXTERNAL_URL", "https://api.test"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let all = least.iter().chain(config).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let (mut config, _) = Config::from_env(all).unwrap();
        config.stand_in_for_container();
        let mut request = TestRequest::default().peer_addr(peer.parse().unwrap());
        for header in headers {
            request = request.append_header(*header);
        }
        Client::of(&request.to_http_request(), &config.rate_limits)
    }

    #[test]
    fn clients_are_told_apart_by_address_or_by_what_a_proxy_says() {
        let at = |text: &str| Client::at(text.parse().unwrap());
        let declared = [("DUGOUT_TRUSTED_PROXIES", "192.0.2.0/24")];
        let proxy = [("GOTRUE_RATE_LIMIT_HEADER", "X-Real-Ip")];
        let sb = [("GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED", "true"), proxy[0]];
        for (config, headers, peer, expected) in [
            (&[][..], &[("x-real-ip", "1.1.1.1")][..], "9.9.9.9:9", Client::Undeclared),
            (&[], &[("x-forwarded-for", "1.1.1.1")], "9.9.9.9:9", Client::Undeclared),
            (&[], &[], "10.1.2.3:9", Client::Undeclared),
            (&[], &[], "127.0.0.1:9", Client::Undeclared),
            (&[], &[("sb-forwarded-for", "1.1.1.1")], "9.9.9.9:9", at("9.9.9.9")),
            (&[], &[], "[2606:2800:1:2:3:4:5:6]:9", at("2606:2800:1:2::")),
            (&[], &[], "[::ffff:9.9.9.9]:9", at("9.9.9.9")),
            (&declared, &[("x-real-ip", "1.1.1.1")], "10.1.2.3:9", at("10.1.2.3")),
            (&declared, &[], "127.0.0.1:9", at("127.0.0.1")),
            (&proxy, &[("x-real-ip", "1.1.1.1, 2.2.2.2")], "192.0.2.1:9", at("1.1.1.1")),
            (&proxy, &[("x-real-ip", "2001:db8:1:2::9")], "192.0.2.1:9", at("2001:db8:1:2::1")),
            (&proxy, &[("x-real-ip", " , 2.2.2.2")], "192.0.2.1:9", at("192.0.2.1")),
            (&proxy, &[], "192.0.2.1:9", at("192.0.2.1")),
            (&proxy, &[("x-real-ip", "tenant-7")], "192.0.2.1:9", Client::called("tenant-7")),
            (&sb, &[("sb-forwarded-for", "3.3.3.3,1.1.1.1"), ("x-real-ip", "2.2.2.2")], "192.0.2.1:9", at("3.3.3.3")),
            (&sb, &[("sb-forwarded-for", "nobody"), ("x-real-ip", "2.2.2.2")], "192.0.2.1:9", at("2.2.2.2")),
        ] {
            assert_eq!(client(config, headers, peer), expected, "{config:?} {headers:?} {peer}");
        }
        assert_ne!(at("2001:db8:1:2::9"), at("2001:db8:1:3::9"));
    }
}
