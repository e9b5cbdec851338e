//! The client's address. Only this module reads forwarded headers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::http::header::{HeaderMap, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Networks whose `X-Forwarded-For` is trusted. Empty, the default, trusts nobody.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(pub Vec<IpNet>);

impl TrustedProxies {
    /// The variable of services that run alone; their originals have none.
    pub const VARIABLE: &str = "DUGOUT_TRUSTED_PROXIES";

    /// Reads addresses and networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// Those that are neither.
    pub fn parse(items: &[String]) -> Result<Self, Vec<String>> {
        let network = |text: &String| text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let (good, bad): (Vec<_>, Vec<_>) =
            items.iter().map(|text| (text, network(text))).partition(|(_, read)| read.is_ok());
        let bad: Vec<String> = bad.into_iter().map(|(text, _)| text.clone()).collect();
        let networks = good.into_iter().filter_map(|(_, read)| read.ok()).collect();
        if bad.is_empty() { Ok(TrustedProxies(networks)) } else { Err(bad) }
    }

    /// Reads the variable [`Self::VARIABLE`] of a service that runs alone. `complain` gets a sentence about each item that is neither
    /// an address nor a network.
    pub fn of_variable(text: &str, mut complain: impl FnMut(&str)) -> Self {
        let items: Vec<String> =
            text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect();
        Self::parse(&items).unwrap_or_else(|bad| {
            bad.iter().for_each(|item| complain(&format!("“{item}” must be a network such as 10.0.0.0/8")));
            Self::default()
        })
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// The peer, if it sends `X-Forwarded-For` and is no trusted proxy.
pub fn undeclared(peer: Option<SocketAddr>, headers: &HeaderMap, proxies: Option<&TrustedProxies>) -> Option<IpAddr> {
    let peer = canonical(peer?.ip());
    let is_trusted = proxies.is_some_and(|proxies| proxies.trusts(peer));
    (!is_trusted && headers.contains_key(FORWARDED_FOR)).then_some(peer)
}

/// The client's address: the peer, or, if the peer is a trusted proxy, the rightmost address of `X-Forwarded-For` that
/// is not one. A client can write anything to the left of what the first trusted proxy appended.
pub fn of(peer: Option<SocketAddr>, headers: &HeaderMap, proxies: Option<&TrustedProxies>) -> IpAddr {
    let peer = canonical(peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.ip()));
    let Some(proxies) = proxies.filter(|proxies| proxies.trusts(peer)) else { return peer };
    let hops: Vec<&str> = headers
        .get_all(FORWARDED_FOR)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let mut client = peer;
    for hop in hops.into_iter().rev() {
        let Ok(address) = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip())) else {
            break;
        };
        client = canonical(address);
        if !proxies.trusts(client) {
            break;
        }
    }
    client
}

/// `::ffff:192.0.2.1` becomes its IPv4 address.
fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn forwarded_headers_count_only_from_trusted_proxies() {
        let proxies = TrustedProxies(vec!["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
        for (peer, forwarded, client) in [
            ("192.0.2.9:1", "1.1.1.1", "192.0.2.9"),
            ("10.0.0.1:1", "1.1.1.1", "1.1.1.1"),
            ("10.0.0.1:1", "6.6.6.6, 1.1.1.1, 10.0.0.2", "1.1.1.1"),
            ("10.0.0.1:1", "6.6.6.6, unknown", "10.0.0.1"),
            ("10.0.0.1:1", "[2001:db8::1]:443", "2001:db8::1"),
            ("10.0.0.1:1", "", "10.0.0.1"),
            ("[::1]:1", "::ffff:1.1.1.1", "1.1.1.1"),
            ("[::ffff:10.0.0.1]:1", "1.1.1.1", "1.1.1.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(FORWARDED_FOR, HeaderValue::from_str(forwarded).unwrap());
            let peer: SocketAddr = peer.parse().unwrap();
            assert_eq!(of(Some(peer), &headers, Some(&proxies)), client.parse::<IpAddr>().unwrap(), "{forwarded}");
            let is_declared = client != canonical(peer.ip()).to_string() || peer.to_string().contains("10.0.0.1");
            let warned = undeclared(Some(peer), &headers, Some(&proxies));
            assert_eq!(warned, (!is_declared).then(|| canonical(peer.ip())), "{peer}");
            assert_eq!(undeclared(Some(peer), &HeaderMap::new(), None), None);
            assert_eq!(of(Some(peer), &headers, None), canonical(peer.ip()), "no proxy is trusted by default");
        }
    }
}
