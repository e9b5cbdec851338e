//! Signatures of Standard Webhooks: HMAC-SHA256 over id, time and body.
//!
//! Source: the Standard Webhooks specification, section "Signature scheme".

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gateway::Secret;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// One signature per secret, in the format of the header `webhook-signature`.
pub(super) fn signatures(secrets: &[Secret<Vec<u8>>], id: &str, seconds: i64, body: &str) -> String {
    let signed: Vec<String> = secrets.iter().map(|secret| sign(secret.reveal(), id, seconds, body)).collect();
    signed.join(", ")
}

fn sign(secret: &[u8], id: &str, seconds: i64, body: &str) -> String {
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(secret).expect("a key of any length is one");
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's own test suite.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let secret = Secret::new(BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap());
        let (id, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", r#"{"test": 2432232314}"#);
        let one = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signatures(std::slice::from_ref(&secret), id, 1_614_265_330, body), one);
        assert_eq!(signatures(&[secret.clone(), secret], id, 1_614_265_330, body), format!("{one}, {one}"));
        assert_eq!(signatures(&[], id, 1, body), "");
    }
}
