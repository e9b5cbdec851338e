//! The syntax of fields in wallet messages.

/// A host name of letters, digits and hyphens, or `localhost`, with an optional port.
pub(super) fn is_domain(text: &str) -> bool {
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    if port.is_some_and(|port| !(1..=5).contains(&port.len()) || !port.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    if host == "localhost" {
        return true;
    }
    let Some((labels, top)) = host.rsplit_once('.') else { return false };
    top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic()) && labels.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&text.len()) && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

/// Twenty bytes in hexadecimal; the checksum in the case of its letters (ERC-55) is not checked.
pub(super) fn is_ethereum_address(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A positive number (EIP-155).
pub(super) fn is_ethereum_network(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| number > 0)
}

pub(super) fn is_solana_network(text: &str) -> bool {
    matches!(text, "solana:mainnet" | "solana:devnet" | "solana:testnet" | "solana:localnet")
}

/// The public key that the address encodes.
pub(super) fn solana_key(address: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    let length = bs58::decode(address).onto(&mut key).ok()?;
    (length == key.len()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        for domain in ["app.test", "a.b-c.example.org", "localhost", "localhost:3000", "app.test:443", "1.x.test"] {
            assert!(is_domain(domain), "{domain}");
        }
        let long = format!("{}.test", "a".repeat(64));
        for text in [
            "",
            "test",
            "app..test",
            "-a.test",
            "a-.test",
            "a.t",
            "a.b1",
            "app.test:",
            "app.test:123456",
            "a_b.test",
            &long,
        ] {
            assert!(!is_domain(text), "{text}");
        }
    }

    #[test]
    fn networks() {
        assert!(is_ethereum_network("1") && is_ethereum_network("11155111"));
        assert!(["", "0", "-1", "0x1", "1.5", "99999999999999999999"].iter().all(|text| !is_ethereum_network(text)));
        assert!(is_solana_network("solana:mainnet") && !is_solana_network("mainnet"));
    }
}
