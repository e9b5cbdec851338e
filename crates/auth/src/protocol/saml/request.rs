//! AuthnRequests to identity providers (saml-core-2.0, section 3.4) by the redirect binding (saml-bindings-2.0, section
//! 3.4).

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rand::Rng;
use uppsala::XmlWriter;
use url::Url;
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

use super::service_provider::{ServiceProvider, instant};
use super::{ASSERTION, PERSISTENT, PROTOCOL};

const POST: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
/// The format of names in an Issuer.
const ENTITY: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity";

/// An authentication request.
#[derive(Clone, Debug)]
pub(crate) struct AuthnRequest<'a> {
    /// The id that the response refers to.
    pub(crate) id: &'a str,
    /// The identity provider's address for requests.
    pub(crate) destination: &'a str,
    /// The requested name id format; `None` requests a persistent one.
    pub(crate) name_id_format: Option<&'a str>,
    pub(crate) issued_at: DateTime<Utc>,
}

/// True if the id has the format of our request ids.
pub(crate) fn is_ours(id: &str) -> bool {
    let hex = id.strip_prefix("id-").unwrap_or_default();
    hex.len() == 40 && hex.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// 160 random bits; starts with a letter, as XML ids must.
pub(crate) fn new_id() -> String {
    let bytes: [u8; 20] = rand::rng().random();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("id-{hex}")
}

impl AuthnRequest<'_> {
    fn xml(&self, service: &ServiceProvider) -> String {
        let (issued_at, acs) = (instant(self.issued_at), service.acs());
        let mut xml = XmlWriter::new();
        xml.start_element(
            "samlp:AuthnRequest",
            &[
                ("xmlns:saml", ASSERTION),
                ("xmlns:samlp", PROTOCOL),
                ("ID", self.id),
                ("Version", "2.0"),
                ("IssueInstant", &issued_at),
                ("Destination", self.destination),
                ("AssertionConsumerServiceURL", &acs),
                ("ProtocolBinding", POST),
            ],
        );
        xml.start_element("saml:Issuer", &[("Format", ENTITY)]);
        xml.text(&service.entity_id());
        xml.end_element("saml:Issuer");
        let format = self.name_id_format.unwrap_or(PERSISTENT);
        xml.empty_element("samlp:NameIDPolicy", &[("Format", format), ("AllowCreate", "true")]);
        xml.end_element("samlp:AuthnRequest");
        xml.into_string()
    }

    /// The signed URL that carries the request to the identity provider.
    ///
    /// DEVIATION (behaviour): SAML requests to identity providers are signed with SHA-256, over the parameters that the
    /// standard names; GoTrue signs with SHA-1, and includes the query of the identity provider's own address.
    ///
    /// # Errors
    /// If the identity provider's address is invalid, or the request cannot be signed; for the log.
    pub(crate) fn redirect(&self, service: &ServiceProvider, relay_state: Uuid) -> Result<String, String> {
        let mut url = Url::parse(self.destination).map_err(|error| error.to_string())?;
        let text = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let request = text(&BASE64_STANDARD.encode(deflate(&self.xml(service))));
        let signed = format!("SAMLRequest={request}&RelayState={relay_state}&SigAlg={}", text(RSA_SHA256));
        let signature =
            text(&BASE64_STANDARD.encode(service.sign(signed.as_bytes()).map_err(|error| error.to_string())?));
        let own = url.query().filter(|query| !query.is_empty()).map(|query| format!("{query}&")).unwrap_or_default();
        url.set_query(Some(&format!("{own}{signed}&Signature={signature}")));
        Ok(url.into())
    }
}

/// RFC 1951, without a header.
fn deflate(text: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail. If it did, the request would be empty and refused.
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_ours_are_known_again() {
        assert!(is_ours(&new_id()));
        for id in
            ["", "id-", "_0123456789abcdef0123456789abcdef01234567", "id-0123456789abcdef0123456789abcdef0123456g"]
        {
            assert!(!is_ours(id), "{id}");
        }
    }
}
