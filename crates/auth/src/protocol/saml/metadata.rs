//! Metadata of identity providers (saml-metadata-2.0): entity id, sign-in address and keys.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Datelike, NaiveDateTime, Utc};

use super::xml::{self, Element, XmlError};
use crate::error::SamlError;

const NAMESPACE: &str = "urn:oasis:names:tc:SAML:2.0:metadata";
const SIGNATURE: &str = "http://www.w3.org/2000/09/xmldsig#";
const REDIRECT: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/// The parts of an `EntityDescriptor` with one `IDPSSODescriptor` that we use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) entity_id: String,
    /// When it expires.
    pub(crate) valid_until: Option<DateTime<Utc>>,
    /// How long after fetching it may be used.
    pub(crate) cache_duration: Option<Duration>,
    /// The address of the redirect binding.
    pub(crate) sign_in_url: Option<String>,
    /// X.509 certificates (DER) of the signing keys, not validated yet.
    pub(crate) signing_certificates: Vec<Vec<u8>>,
}

impl Metadata {
    /// Parses metadata. In an `EntitiesDescriptor` the first identity provider is used.
    ///
    /// DEVIATION (words): unreadable SAML metadata is refused with 400 and the reason, and so is metadata with a DTD;
    /// GoTrue answers 500 to the former and ignores the DTD.
    ///
    /// # Errors
    /// [`SamlError::MetadataUnreadable`], [`SamlError::MetadataWithoutEntityId`], [`SamlError::MetadataWithoutIdp`],
    /// [`SamlError::MetadataWithManyIdps`].
    pub(crate) fn read(text: &str) -> Result<Self, SamlError> {
        let document = xml::parse(text.trim_start_matches('\u{feff}')).map_err(unreadable)?;
        let root = Element::root(&document).ok_or_else(|| unreadable("it is empty"))?;
        let entity = if root.is(NAMESPACE, "EntityDescriptor") {
            root
        } else if root.is(NAMESPACE, "EntitiesDescriptor") {
            let mut entities = root.all(NAMESPACE, "EntityDescriptor");
            let is_idp = |entity: &Element<'_>| entity.all(NAMESPACE, "IDPSSODescriptor").next().is_some();
            entities.find(is_idp).ok_or_else(|| unreadable("no entity in it has an IDPSSODescriptor"))?
        } else {
            return Err(unreadable("its outermost element is no EntityDescriptor of SAML 2.0"));
        };
        Self::of(entity)
    }

    fn of(entity: Element<'_>) -> Result<Self, SamlError> {
        let entity_id = entity.attribute("entityID").unwrap_or_default().to_owned();
        if entity_id.is_empty() {
            return Err(SamlError::MetadataWithoutEntityId);
        }
        let mut descriptors = entity.all(NAMESPACE, "IDPSSODescriptor");
        let descriptor = descriptors.next().ok_or(SamlError::MetadataWithoutIdp)?;
        if descriptors.next().is_some() {
            return Err(SamlError::MetadataWithManyIdps);
        }
        let valid_until = entity.attribute("validUntil").filter(|text| !text.is_empty());
        let cache_duration = entity.attribute("cacheDuration").filter(|text| !text.is_empty());
        Ok(Metadata {
            entity_id,
            valid_until: valid_until
                .map(|text| time(text).ok_or_else(|| unreadable("validUntil is no time")))
                .transpose()?,
            cache_duration: cache_duration
                .map(|text| duration(text).ok_or_else(|| unreadable("cacheDuration is no duration")))
                .transpose()?
                .filter(|duration| !duration.is_zero()),
            sign_in_url: sign_in_url(descriptor)?,
            signing_certificates: signing_certificates(descriptor)?,
        })
    }
}

fn unreadable(reason: impl ToString) -> SamlError {
    SamlError::MetadataUnreadable(reason.to_string())
}

fn sign_in_url(descriptor: Element<'_>) -> Result<Option<String>, SamlError> {
    let mut services = descriptor.all(NAMESPACE, "SingleSignOnService");
    let Some(service) = services.find(|service| service.attribute("Binding") == Some(REDIRECT)) else {
        return Ok(None);
    };
    let location = service.attribute("Location").unwrap_or_default();
    let is_web = url::Url::parse(location).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_web {
        Ok(Some(location.to_owned()))
    } else {
        Err(unreadable("SingleSignOnService has no address of the web"))
    }
}

/// The certificates of keys for signing or without a stated use.
fn signing_certificates(descriptor: Element<'_>) -> Result<Vec<Vec<u8>>, SamlError> {
    let keys = descriptor.all(NAMESPACE, "KeyDescriptor");
    let keys = keys.filter(|key| matches!(key.attribute("use"), None | Some("" | "signing")));
    let certificates = keys
        .flat_map(|key| key.all(SIGNATURE, "KeyInfo"))
        .flat_map(|info| info.all(SIGNATURE, "X509Data"))
        .flat_map(|data| data.all(SIGNATURE, "X509Certificate"));
    let read = |certificate: Element<'_>| -> Result<Vec<u8>, XmlError> {
        let mut text = certificate.text()?;
        text.retain(|letter| !letter.is_whitespace());
        // An unreadable certificate verifies nothing.
        Ok(BASE64_STANDARD.decode(text).unwrap_or_default())
    };
    certificates.map(read).collect::<Result<_, _>>().map_err(unreadable)
}

/// An xs:dateTime between the years 1 and 9999; UTC if it has no zone.
pub(super) fn time(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let zoned = DateTime::parse_from_rfc3339(text).map(|time| time.to_utc()).ok();
    let time = zoned.or_else(|| Some(text.parse::<NaiveDateTime>().ok()?.and_utc()))?;
    // Later times would overflow in calculations.
    (1..=9999).contains(&time.year()).then_some(time)
}

/// An xs:duration, with months of 30 days and years of 365; `None` if it is negative.
fn duration(text: &str) -> Option<Duration> {
    let rest = text.trim().strip_prefix('P')?;
    let (date, clock) = rest.split_once('T').map_or((rest, None), |(date, clock)| (date, Some(clock)));
    const DAY: f64 = 86_400.0;
    let date = parts(date, &[('Y', 365.0 * DAY), ('M', 30.0 * DAY), ('D', DAY)])?;
    let clock = clock.map_or(Some((0.0, false)), |clock| parts(clock, &[('H', 3600.0), ('M', 60.0), ('S', 1.0)]))?;
    if !date.1 && !clock.1 {
        return None;
    }
    Duration::try_from_secs_f64(date.0 + clock.0).ok()
}

/// Numbers with their units, each unit at most once and in order. Returns seconds, and whether there was any number.
fn parts(text: &str, units: &[(char, f64)]) -> Option<(f64, bool)> {
    let mut rest = text;
    let mut seconds = 0.0;
    for (unit, length) in units {
        if let Some((number, after)) = rest.split_once(*unit) {
            if !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
                return None;
            }
            seconds += number.parse::<f64>().ok()? * length;
            rest = after;
        }
    }
    rest.is_empty().then_some((seconds, !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESCRIPTOR: &str = r#"<md:IDPSSODescriptor>
        <md:KeyDescriptor use="encryption"><d:KeyInfo><d:X509Data><d:X509Certificate>AAAA</d:X509Certificate></d:X509Data></d:KeyInfo></md:KeyDescriptor>
        <md:KeyDescriptor use="signing"><d:KeyInfo><d:X509Data><d:X509Certificate>
            AQ
            I=</d:X509Certificate></d:X509Data></d:KeyInfo></md:KeyDescriptor>
        <md:KeyDescriptor><d:KeyInfo><d:X509Data><d:X509Certificate>Aw==</d:X509Certificate></d:X509Data></d:KeyInfo></md:KeyDescriptor>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.test/post"/>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/in?a=1"/>
        </md:IDPSSODescriptor>"#;

    fn entity(attributes: &str, content: &str) -> String {
        format!(
            "<md:EntityDescriptor xmlns:md='{NAMESPACE}' xmlns:d='{SIGNATURE}' {attributes}>{content}</md:EntityDescriptor>"
        )
    }

    #[test]
    fn what_is_published_is_read() {
        let attributes = "entityID='https://idp.test' validUntil='2030-01-01T00:00:00Z' cacheDuration='P1DT1H'";
        let one = entity(attributes, DESCRIPTOR);
        let expected = Metadata {
            entity_id: "https://idp.test".to_owned(),
            valid_until: Some("2030-01-01T00:00:00Z".parse().unwrap()),
            cache_duration: Some(Duration::from_secs(25 * 3600)),
            sign_in_url: Some("https://idp.test/in?a=1".to_owned()),
            signing_certificates: vec![vec![1, 2], vec![3]],
        };
        assert_eq!(Metadata::read(&one).unwrap(), expected);
        let other = entity("entityID='https://sp.test'", "");
        let many = format!("\u{feff}<EntitiesDescriptor xmlns='{NAMESPACE}'>{other}{one}</EntitiesDescriptor>");
        assert_eq!(Metadata::read(&many).unwrap(), expected);
    }

    #[test]
    fn what_is_missing_is_told() {
        let named = "entityID='https://idp.test'";
        let ftp = DESCRIPTOR.replace("https://idp.test/in", "ftp://idp.test/in");
        for (text, message) in [
            (entity("", DESCRIPTOR), "SAML Metadata does not contain an EntityID"),
            (entity(named, ""), "SAML Metadata does not contain any IDPSSODescriptor"),
            (entity(named, &DESCRIPTOR.repeat(2)), "SAML Metadata contains multiple IDPSSODescriptors"),
            (
                "<a/>".to_owned(),
                "SAML Metadata cannot be read: its outermost element is no EntityDescriptor of SAML 2.0",
            ),
            (
                format!("<EntitiesDescriptor xmlns='{NAMESPACE}'>{}</EntitiesDescriptor>", entity(named, "")),
                "SAML Metadata cannot be read: no entity in it has an IDPSSODescriptor",
            ),
            (entity(named, &ftp), "SAML Metadata cannot be read: SingleSignOnService has no address of the web"),
            (
                entity(&format!("{named} validUntil='soon'"), DESCRIPTOR),
                "SAML Metadata cannot be read: validUntil is no time",
            ),
            (
                entity(&format!("{named} cacheDuration='1h'"), DESCRIPTOR),
                "SAML Metadata cannot be read: cacheDuration is no duration",
            ),
        ] {
            assert_eq!(Metadata::read(&text).unwrap_err().message(), message);
        }
    }

    #[test]
    fn durations_are_those_of_xml_schema() {
        for (text, seconds) in [
            ("PT1H30M", Some(5400.0)),
            ("P1Y2M3DT4H5M6.5S", Some(365.0 * 86400.0 + 63.0 * 86400.0 + 14_706.5)),
            ("P7D", Some(604_800.0)),
            ("PT0S", Some(0.0)),
            ("P", None),
            ("PT", None),
            ("-PT1H", None),
            ("PT1M1H", None),
            ("P1H", None),
            ("PTinfS", None),
            ("", None),
        ] {
            assert_eq!(duration(text).map(|duration| duration.as_secs_f64()), seconds, "{text}");
        }
    }
}
