//! `tls-server-end-point`: binds a SCRAM authentication to the certificate of its TLS session, so that a man in the middle
//! cannot relay it: <https://www.rfc-editor.org/rfc/rfc5929#section-4>

use sha2::{Digest, Sha256, Sha384, Sha512};
use x509_cert::Certificate;
use x509_cert::der::Decode;

/// Hashes a certificate (DER) with the hash function of its signature, or SHA-256 instead of MD5 and SHA-1. `None` if the
/// signature has no such function (EdDSA, RSA-PSS), for which the binding is undefined.
pub(super) fn tls_server_end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let signature = Certificate::from_der(certificate).ok()?.signature_algorithm.oid;
    Some(match signature.to_string().as_str() {
        // RSA with MD5, SHA-1 and SHA-256; ECDSA with SHA-1 and SHA-256.
        "1.2.840.113549.1.1.4"
        | "1.2.840.113549.1.1.5"
        | "1.2.840.113549.1.1.11"
        | "1.2.840.10045.4.1"
        | "1.2.840.10045.4.3.2" => Sha256::digest(certificate).to_vec(),
        // RSA and ECDSA with SHA-384, then with SHA-512.
        "1.2.840.113549.1.1.12" | "1.2.840.10045.4.3.3" => Sha384::digest(certificate).to_vec(),
        "1.2.840.113549.1.1.13" | "1.2.840.10045.4.3.4" => Sha512::digest(certificate).to_vec(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rustls_pki_types::{CertificateDer, pem::PemObject};

    use super::*;

    // openssl req -new -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /CN=t -days 36500
    const ECDSA_SHA256: &str = "\
-----BEGIN CERTIFICATE-----
MIIBcDCCARWgAwIBAgIUE0w71EHLsRMoQH2rVAbOZ1Q9H0IwCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBdDAgFw0yNjExMjEwNDM2MzdaGA8yMTI2MTAyODA0MzYzN1ow
DDEKMAgGA1UEAwwBdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKV0LY3j9PzE
aL8hy8D0ZN5ynq8gmaUBQ3ZXkuoCyOgooETryGAJMmcwrrszDJrO0tes6f1RufOI
ss8zTLCyliujUzBRMB0GA1UdDgQWBBRcxcQIjs7Sby72H+NKbNKJRLoQtDAfBgNV
HSMEGDAWgBRcxcQIjs7Sby72H+NKbNKJRLoQtDAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0kAMEYCIQDI33TzaGrHEgm55nMgrVLgMminIYC4cf/YdpccnSiM
uwIhAMbfGqwL1/i/i3DzLn1Fl6JVO9tCrvDx2nfJgoqolPYF
-----END CERTIFICATE-----";
    // The same with -sha384.
    const ECDSA_SHA384: &str = "\
-----BEGIN CERTIFICATE-----
MIIBcDCCARWgAwIBAgIUcBy1p3qhOF/2n0z5SmxwIw14q3kwCgYIKoZIzj0EAwMw
DDEKMAgGA1UEAwwBdDAgFw0yNjExMjEwNDM2MzdaGA8yMTI2MTAyODA0MzYzN1ow
DDEKMAgGA1UEAwwBdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA8jSlYBGPq0
4k0jV1Xb4CI5UrhG9hLyU5nY7NlcLfQsidpvDXYqXoK2cK46fA2JF6e5xEuwghsL
zIerDpVXB/2jUzBRMB0GA1UdDgQWBBS+5bCMlbSoRtwc8deHhU2zYadl8zAfBgNV
HSMEGDAWgBS+5bCMlbSoRtwc8deHhU2zYadl8zAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMDA0kAMEYCIQD7bswYdIVLz1Ay3bdjOxn51nhkj8FD9rydXG0qyQJ2
pwIhANkD6mUrnfVnP4znalABodBP5GYasFxfSYbNQ5U3Qr2t
-----END CERTIFICATE-----";
    // The same with -newkey ed25519.
    const ED25519: &str = "\
-----BEGIN CERTIFICATE-----
MIIBLjCB4aADAgECAhQHPcjngIY9QL7j37rBad6WqXrbGjAFBgMrZXAwDDEKMAgG
A1UEAwwBdDAgFw0yNjExMjEwNDM2MzdaGA8yMTI2MTAyODA0MzYzN1owDDEKMAgG
A1UEAwwBdDAqMAUGAytlcAMhAI8TbiCvXndkX0eG7DjfxWi9D2H8uNE4qnwFz2BJ
XHWko1MwUTAdBgNVHQ4EFgQUo/9F8fLUE76fAPm7WzFN9juRwawwHwYDVR0jBBgw
FoAUo/9F8fLUE76fAPm7WzFN9juRwawwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
QQCxeM2OXi5fTzOKuwVlMRTKS+TsFeXRwsiSVwC6SIApHR1z19fFb1QYISJpQtoT
xJ3DOGbLvnVXsYmuzEoceYME
-----END CERTIFICATE-----";

    #[test]
    fn the_hash_function_is_that_of_the_certificates_signature() {
        for (pem, hash) in [
            (ECDSA_SHA256, Some("1dcc432a650edd217c09cfc38f12629a81efbea2a7c01c4b00b75a89d38744fd")),
            (
                ECDSA_SHA384,
                Some(
                    "fc8d94087edd1a74c30b8f0e605d07b0555d01a287dc94839d5f4de7702b180e74fc70f064135972d28ed5099c004f49",
                ),
            ),
            (ED25519, None),
        ] {
            let der = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
            let found = tls_server_end_point(&der);
            let hex = found.map(|hash| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            assert_eq!(hex.as_deref(), hash);
        }
        assert_eq!(tls_server_end_point(b"no certificate"), None);
    }
}
