//! Classifies IP addresses: an address that somebody else chose must not lead into our own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The scope of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The public internet.
    Public,
    /// This machine.
    Loopback,
    /// A private network, or one that is reserved for other uses.
    Private,
    /// The local link, including the metadata services of clouds.
    LinkLocal,
    /// A multicast group.
    Multicast,
    /// The unspecified address, which systems treat as this machine.
    Unspecified,
}

/// The scope of `ip` by the IANA registries of special-purpose addresses (RFC 6890). An IPv4 address embedded in an
/// IPv6 one is judged by itself.
pub fn reach(ip: IpAddr) -> Reach {
    match ip {
        IpAddr::V4(ip) => of_v4(ip),
        IpAddr::V6(ip) => embedded(ip).map_or_else(|| of_v6(ip), of_v4),
    }
}

/// The network of one client: an IPv4 address, or the /64 of an IPv6 address, which most providers give to one customer.
pub fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & (u128::MAX << 64)).into(),
        v4 => v4,
    }
}

fn of_v4(ip: Ipv4Addr) -> Reach {
    let [a, b, c, _] = ip.octets();
    match (a, b, c) {
        _ if ip.is_unspecified() => Reach::Unspecified,
        _ if ip.is_loopback() => Reach::Loopback,
        _ if ip.is_link_local() => Reach::LinkLocal,
        _ if ip.is_multicast() => Reach::Multicast,
        _ if ip.is_private() || ip.is_broadcast() || ip.is_documentation() => Reach::Private,
        // "This network", shared (carrier-grade NAT), protocol assignments, benchmarking, reserved.
        (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18 | 19, _) => Reach::Private,
        _ => Reach::Public,
    }
}

fn of_v6(ip: Ipv6Addr) -> Reach {
    let first = ip.segments()[0];
    match first {
        _ if ip.is_unspecified() => Reach::Unspecified,
        _ if ip.is_loopback() => Reach::Loopback,
        _ if ip.is_multicast() => Reach::Multicast,
        _ if ip.is_unicast_link_local() => Reach::LinkLocal,
        // Global unicast is 2000::/3, except for documentation and Teredo.
        0x2001 if matches!(ip.segments()[1], 0x0db8 | 0) => Reach::Private,
        0x2000..=0x3fff => Reach::Public,
        _ => Reach::Private,
    }
}

/// The IPv4 address embedded in an IPv6 one: mapped (RFC 4291), translated (RFC 6052), or 6to4 (RFC 3056).
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match ip.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for (text, expected) in [
            ("93.184.216.34", Reach::Public),
            ("2606:2800:220:1::1", Reach::Public),
            ("127.0.0.1", Reach::Loopback),
            ("127.9.9.9", Reach::Loopback),
            ("::1", Reach::Loopback),
            ("::ffff:127.0.0.1", Reach::Loopback),
            ("0.0.0.0", Reach::Unspecified),
            ("::", Reach::Unspecified),
            ("0.1.2.3", Reach::Private),
            ("10.1.2.3", Reach::Private),
            ("172.16.0.1", Reach::Private),
            ("172.32.0.1", Reach::Public),
            ("192.168.1.1", Reach::Private),
            ("100.64.0.1", Reach::Private),
            ("100.128.0.1", Reach::Public),
            ("192.0.0.8", Reach::Private),
            ("198.18.0.1", Reach::Private),
            ("240.0.0.1", Reach::Private),
            ("255.255.255.255", Reach::Private),
            ("169.254.169.254", Reach::LinkLocal),
            ("fe80::1", Reach::LinkLocal),
            ("fc00::1", Reach::Private),
            ("64:ff9b::10.0.0.1", Reach::Private),
            ("64:ff9b::5db8:d822", Reach::Public),
            ("2002:7f00:1::", Reach::Loopback),
            ("224.0.0.1", Reach::Multicast),
            ("ff02::1", Reach::Multicast),
            ("2001:db8::1", Reach::Private),
        ] {
            assert_eq!(reach(text.parse().unwrap()), expected, "{text}");
        }
    }
}
