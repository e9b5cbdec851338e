//! Our side as SAML service provider: addresses, keys and metadata.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Months, SecondsFormat, TimeDelta, Utc};
use gateway::{PublicUrl, Secret};
use rsa::rand_core::OsRng;
use rsa::sha2::{Digest, Sha256};
use rsa::{Pkcs1v15Sign, RsaPrivateKey};
use uppsala::XmlWriter;

use super::{EMAIL_ADDRESS, PERSISTENT, PROTOCOL, certificate, signature};

const METADATA: &str = "urn:oasis:names:tc:SAML:2.0:metadata";
const POST: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
/// Validity of the metadata.
const VALIDITY: TimeDelta = TimeDelta::days(2);
/// Validity of downloaded metadata: five years.
const DOWNLOADED: Months = Months::new(60);
/// The accepted encryption algorithms for content and keys.
const ENCRYPTION: [&str; 5] = [
    "http://www.w3.org/2009/xmlenc11#aes128-gcm",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
    "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
];

/// One of our keys with its certificate.
#[derive(Debug)]
struct OwnKey {
    key: Secret<RsaPrivateKey>,
    /// DER.
    certificate: Vec<u8>,
}

/// Our service provider.
#[derive(Debug)]
pub(crate) struct ServiceProvider {
    /// The base of our addresses.
    base: PublicUrl,
    current: OwnKey,
    /// The key for a future rotation, already published to identity providers.
    next: Option<OwnKey>,
    /// True if encrypted assertions are accepted.
    allow_encrypted: bool,
}

/// How the metadata will be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Fetched regularly.
    Served,
    /// Saved as a file.
    Downloaded,
}

impl ServiceProvider {
    /// Certificates name `host`; all addresses are below `base`.
    ///
    /// # Errors
    /// What is wrong with the host, as the end of a sentence.
    pub(crate) fn new(
        base: PublicUrl,
        host: &str,
        key: RsaPrivateKey,
        next: Option<RsaPrivateKey>,
        allow_encrypted: bool,
    ) -> Result<Self, String> {
        let own = |key: RsaPrivateKey| {
            let made = certificate::make(&key, host, allow_encrypted);
            let certificate = made.map_err(|error| format!("gives no certificate for {host}: {error}"))?;
            Ok::<_, String>(OwnKey { key: Secret::new(key), certificate })
        };
        Ok(ServiceProvider { base, current: own(key)?, next: next.map(own).transpose()?, allow_encrypted })
    }

    /// Our entity id, which is also the address of our metadata.
    pub(crate) fn entity_id(&self) -> String {
        self.base.join("/sso/saml/metadata")
    }

    /// The assertion consumer service.
    pub(crate) fn acs(&self) -> String {
        self.base.join("/sso/saml/acs")
    }

    /// True if a key for a future rotation is configured.
    pub(crate) fn has_next_key(&self) -> bool {
        self.next.is_some()
    }

    /// The keys for encrypted assertions; none if these are not accepted.
    pub(super) fn decryption_keys(&self) -> impl Iterator<Item = &RsaPrivateKey> {
        let all = std::iter::once(&self.current).chain(&self.next);
        all.filter(|_| self.allow_encrypted).map(|own| own.key.reveal())
    }

    /// Signs with RSA and SHA-256 (PKCS#1 v1.5). Blinded, so that the time reveals nothing about the key.
    ///
    /// # Errors
    /// If the operating system provides no randomness.
    pub(super) fn sign(&self, bytes: &[u8]) -> rsa::Result<Vec<u8>> {
        let key = self.current.key.reveal();
        key.sign_with_rng(&mut OsRng, Pkcs1v15Sign::new::<Sha256>(), &Sha256::digest(bytes))
    }

    /// Our metadata (saml-metadata-2.0).
    ///
    /// DEVIATION (behaviour): our SAML metadata lists neither the artifact binding, which is not supported, nor
    /// `/sso/saml/slo`, which GoTrue does not have either; its encryption algorithms include AES-GCM.
    pub(crate) fn metadata(&self, purpose: Purpose, now: DateTime<Utc>) -> String {
        let end = now + VALIDITY;
        let document_end = match purpose {
            Purpose::Served => end,
            Purpose::Downloaded => now.checked_add_months(DOWNLOADED).unwrap_or(end),
        };
        let [end, document_end] = [end, document_end].map(instant);
        let entity_id = self.entity_id();
        let mut entity = vec![("xmlns", METADATA), ("validUntil", &document_end)];
        if self.next.is_some() {
            entity.push(("cacheDuration", "PT1H"));
        }
        entity.push(("entityID", &entity_id));
        let mut xml = XmlWriter::new();
        xml.start_element("EntityDescriptor", &entity);
        xml.start_element(
            "SPSSODescriptor",
            &[("validUntil", end.as_str()), ("protocolSupportEnumeration", PROTOCOL), ("WantAssertionsSigned", "true")],
        );
        for (number, own) in std::iter::once(&self.current).chain(&self.next).enumerate() {
            if self.allow_encrypted && number == 0 {
                key_descriptor(&mut xml, "encryption", own, &ENCRYPTION);
            }
            key_descriptor(&mut xml, "signing", own, &[]);
            if self.allow_encrypted && number > 0 {
                key_descriptor(&mut xml, "encryption", own, &[]);
            }
        }
        for format in [EMAIL_ADDRESS, PERSISTENT] {
            element(&mut xml, "NameIDFormat", format);
        }
        let acs = self.acs();
        xml.empty_element("AssertionConsumerService", &[("Binding", POST), ("Location", acs.as_str()), ("index", "1")]);
        xml.end_element("SPSSODescriptor");
        xml.end_element("EntityDescriptor");
        xml.into_string()
    }
}

fn key_descriptor(xml: &mut XmlWriter, usage: &str, own: &OwnKey, methods: &[&str]) {
    xml.start_element("KeyDescriptor", &[("use", usage)]);
    xml.start_element("KeyInfo", &[("xmlns", signature::NAMESPACE)]);
    xml.start_element("X509Data", &[]);
    element(xml, "X509Certificate", &BASE64_STANDARD.encode(&own.certificate));
    xml.end_element("X509Data");
    xml.end_element("KeyInfo");
    for method in methods {
        xml.empty_element("EncryptionMethod", &[("Algorithm", *method)]);
    }
    xml.end_element("KeyDescriptor");
}

/// An element that contains only text.
pub(super) fn element(xml: &mut XmlWriter, name: &str, text: &str) {
    xml.start_element(name, &[]);
    xml.text(text);
    xml.end_element(name);
}

/// A time in XML Schema's format, in milliseconds.
pub(super) fn instant(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}
