//! The self-signed certificate of our public key. It is deterministic for a key and a host, because identity providers
//! store it.
//!
//! Source: supabase/auth, `internal/conf/saml.go`; RFC 5280.

use std::time::Duration;

use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::EncodePublicKey;
use rsa::sha2::Sha256;
use rsa::signature::{SignatureEncoding, Signer};
use rsa::{RsaPrivateKey, RsaPublicKey};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{Any, BitString, GeneralizedTime, Ia5String, Null, ObjectIdentifier, SetOfVec, UtcTime};
use x509_cert::der::{self, Decode, Encode, Tag};
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{KeyUsage, KeyUsages, SubjectAltName};
use x509_cert::ext::{AsExtension, Extension};
use x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::{Time, Validity};
use x509_cert::{Certificate, TbsCertificate, Version};

const SHA256_WITH_RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
/// The start of 2170.
const END: Duration = Duration::from_secs(6_311_433_600);

/// The certificate (DER) of `key` for the host of this service.
///
/// # Errors
/// If the host cannot be encoded in a certificate.
pub(super) fn make(key: &RsaPrivateKey, host: &str, encrypts: bool) -> der::Result<Vec<u8>> {
    let algorithm = AlgorithmIdentifierOwned { oid: SHA256_WITH_RSA, parameters: Some(Null.into()) };
    let name = name(&format!("SAML 2.0 Certificate for {host}"))?;
    let public = RsaPublicKey::from(key).to_public_key_der().map_err(|_| der::ErrorKind::Failed)?;
    let mut usages = KeyUsages::DigitalSignature.into();
    if encrypts {
        usages |= KeyUsages::DataEncipherment;
    }
    let tbs_certificate = TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::new(&[0])?,
        signature: algorithm.clone(),
        issuer: name.clone(),
        validity: Validity {
            not_before: Time::UtcTime(UtcTime::from_unix_duration(Duration::ZERO)?),
            not_after: Time::GeneralTime(GeneralizedTime::from_unix_duration(END)?),
        },
        subject: name.clone(),
        subject_public_key_info: SubjectPublicKeyInfoOwned::from_der(public.as_bytes())?,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Some(vec![
            extension(&KeyUsage(usages), &name)?,
            extension(&SubjectAltName(vec![GeneralName::DnsName(Ia5String::new(&format!("_samlsp.{host}"))?)]), &name)?,
        ]),
    };
    let signature = SigningKey::<Sha256>::new(key.clone()).sign(&tbs_certificate.to_der()?);
    let signature = BitString::from_bytes(&signature.to_vec())?;
    Certificate { tbs_certificate, signature_algorithm: algorithm, signature }.to_der()
}

fn extension(extension: &impl AsExtension, subject: &Name) -> der::Result<Extension> {
    extension.to_extension(subject, &[])
}

/// A PrintableString if its characters allow it, else UTF-8.
fn name(text: &str) -> der::Result<Name> {
    let printable = |byte: u8| byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&byte);
    let tag = if text.bytes().all(printable) { Tag::PrintableString } else { Tag::Utf8String };
    let pair = AttributeTypeAndValue { oid: COMMON_NAME, value: Any::new(tag, text.as_bytes())? };
    Ok(RdnSequence(vec![RelativeDistinguishedName(SetOfVec::try_from(vec![pair])?)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::saml::own_key;
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;

    /// The certificates are those that GoTrue publishes for the same key, one with a host that a PrintableString cannot
    /// hold.
    #[test]
    fn certificates_are_gotrues_to_the_byte() {
        let decode = |text: &str| BASE64_STANDARD.decode(text.trim()).unwrap();
        let key = own_key(&decode(include_str!("fixtures/key.b64"))).unwrap();
        for (host, encrypts, expected) in [
            ("localhost", false, include_str!("fixtures/certificate.b64")),
            ("some_host.test", true, include_str!("fixtures/certificate_for_encryption.b64")),
        ] {
            let made = make(&key, host, encrypts).unwrap();
            assert_eq!(BASE64_STANDARD.encode(made), expected.trim(), "{host}");
        }
    }
}
