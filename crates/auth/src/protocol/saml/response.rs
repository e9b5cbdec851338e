//! Validates SAML responses (saml-core-2.0, section 3.3; saml-profiles-2.0, section 4.1.4).
//!
//! Values are only taken from bytes whose signature was verified, see [`super::signature`]. The rest of the document
//! can only lead to a refusal.

use chrono::{DateTime, TimeDelta, Utc};
use rsa::RsaPublicKey;

use super::assertion::Assertion;
use super::decryption::{self, DecryptionError};
use super::metadata::time;
use super::service_provider::ServiceProvider;
use super::signature::{self, SignatureError};
use super::xml::{self, Element, XmlError};
use super::{ASSERTION, Metadata, PROTOCOL, keys, request};

const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";
const BEARER: &str = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
/// Maximum age of a response or assertion.
const MAX_AGE: TimeDelta = TimeDelta::seconds(90);
/// Leeway for clock skew of identity providers.
const SKEW: TimeDelta = TimeDelta::seconds(180);

/// What a response must match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation<'a> {
    pub(crate) provider: &'a Metadata,
    pub(crate) service: &'a ServiceProvider,
    /// The request it answers; `None` if the identity provider started the flow.
    pub(crate) request_id: Option<&'a str>,
    pub(crate) now: DateTime<Utc>,
}

/// Why a response is invalid, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Invalid {
    #[error("the document cannot be read: {0}")]
    Xml(#[from] XmlError),
    #[error("the signature {0}")]
    Signature(#[from] SignatureError),
    #[error("{0}")]
    Decryption(#[from] DecryptionError),
    #[error("neither the response nor the assertion is signed")]
    Unsigned,
    #[error("there is a signature where none belongs")]
    StraySignature,
    #[error("there is not exactly one assertion")]
    Assertions,
    #[error("there is no {0}")]
    Missing(&'static str),
    #[error("{0} cannot be read")]
    Unreadable(&'static str),
    #[error("{0} is not what it should be")]
    Wrong(&'static str),
    #[error("the identity provider could not sign anybody in: {0}")]
    Status(String),
    #[error("{0} is too old")]
    Old(&'static str),
    #[error("{0} is not yet valid")]
    Early(&'static str),
}

/// The unverified Issuer of a response. Only use it to look up the provider.
///
/// # Errors
/// If the document is not a response.
pub(crate) fn issuer(text: &str) -> Result<String, Invalid> {
    let document = xml::parse(text)?;
    let response = root(Element::root(&document), PROTOCOL, "Response")?;
    let issuer = response.only(ASSERTION, "Issuer")?.map(Element::text).transpose()?;
    Ok(issuer.unwrap_or_default())
}

/// Validates a response and returns its assertion.
///
/// DEVIATION (stricter): a SAML response must contain exactly one assertion; all its subject confirmations must be of
/// the method bearer; all its conditions must be known and met, an audience included; it must not be from the future; a
/// signature must use exclusive canonicalization and refer to its parent element; if both response and assertion are
/// signed, both signatures must be valid. GoTrue takes the first assertion that it finds valid, needs no confirmation
/// and no audience, and one valid signature is enough.
///
/// # Errors
/// [`Invalid`]
pub(crate) fn read(text: &str, expected: Expectation<'_>) -> Result<Assertion, Invalid> {
    let keys = keys::of(expected.provider, expected.now);
    let document = xml::parse(text)?;
    let response = root(Element::root(&document), PROTOCOL, "Response")?;
    // A failed sign-in has no assertion, so check the status first.
    check_status(response)?;
    check_shape(response)?;
    let Some(signed) = signature::check(response, &keys)? else {
        check_response(response, false, expected)?;
        return read_assertion(response, false, &keys, expected);
    };
    // Check the assertion's own signature in the original document: its bytes may depend on namespaces that the
    // canonical form of the response no longer declares.
    if let Some(assertion) = response.only(ASSERTION, "Assertion")? {
        signature::check(assertion, &keys)?;
    }
    let document = xml::parse(signed.xml())?;
    let response = root(Element::root(&document), PROTOCOL, "Response")?;
    check_response(response, true, expected)?;
    read_assertion(response, true, &keys, expected)
}

/// Exactly one assertion, directly in the response, and signatures only in those two elements.
fn check_shape(response: Element<'_>) -> Result<(), Invalid> {
    let is_assertion =
        |element: &Element<'_>| element.is(ASSERTION, "Assertion") || element.is(ASSERTION, "EncryptedAssertion");
    let inside = response.elements().filter(is_assertion);
    let anywhere = response.descendants().filter(is_assertion).count();
    let inside: Vec<Element<'_>> = inside.collect();
    if inside.len() != 1 || anywhere != 1 {
        return Err(Invalid::Assertions);
    }
    let belonging = |element: Element<'_>| element.all(signature::NAMESPACE, "Signature").count();
    let signatures = response.descendants().filter(|element| element.is(signature::NAMESPACE, "Signature")).count();
    let ours = belonging(response) + inside.iter().map(|assertion| belonging(*assertion)).sum::<usize>();
    if signatures == ours { Ok(()) } else { Err(Invalid::StraySignature) }
}

/// Checks the attributes of the response. They can only lead to a refusal.
fn check_response(response: Element<'_>, is_signed: bool, expected: Expectation<'_>) -> Result<(), Invalid> {
    match response.attribute("Destination").unwrap_or_default() {
        "" if !is_signed => {}
        destination if destination == expected.service.acs() => {}
        _ => return Err(Invalid::Wrong("the Destination of the response")),
    }
    if !answers(response, expected) {
        return Err(Invalid::Wrong("the InResponseTo of the response"));
    }
    check_issue(response, "the response", expected.now)?;
    if let Some(issuer) = response.only(ASSERTION, "Issuer")?
        && issuer.text()? != expected.provider.entity_id
    {
        return Err(Invalid::Wrong("the Issuer of the response"));
    }
    check_status(response)
}

/// True if the response answers the request that its RelayState belongs to.
///
/// DEVIATION (stricter): a response to one of our SAML requests needs its RelayState, so that it cannot start a session
/// where the app expects a code; without one GoTrue treats it as started by the identity provider. Foreign request ids,
/// which some providers set, are accepted.
fn answers(element: Element<'_>, expected: Expectation<'_>) -> bool {
    let said = element.attribute("InResponseTo");
    match expected.request_id {
        Some(_) => said == expected.request_id,
        None => !said.is_some_and(request::is_ours),
    }
}

fn check_status(response: Element<'_>) -> Result<(), Invalid> {
    let status = response.only(PROTOCOL, "Status")?.ok_or(Invalid::Missing("Status"))?;
    let code = status.only(PROTOCOL, "StatusCode")?.ok_or(Invalid::Missing("StatusCode"))?;
    match code.attribute("Value").unwrap_or_default() {
        SUCCESS => Ok(()),
        other => Err(Invalid::Status(other.to_owned())),
    }
}

/// Returns the assertion only if a verified signature covers it.
fn read_assertion(
    response: Element<'_>,
    is_signed: bool,
    keys: &[RsaPublicKey],
    expected: Expectation<'_>,
) -> Result<Assertion, Invalid> {
    if let Some(assertion) = response.only(ASSERTION, "Assertion")? {
        if is_signed {
            check_assertion(assertion, expected)?;
            return Assertion::read(assertion);
        }
        return read_signed(assertion, is_signed, keys, expected);
    }
    let encrypted = response.only(ASSERTION, "EncryptedAssertion")?.ok_or(Invalid::Assertions)?;
    let plain = decryption::open(encrypted, expected.service)?;
    // A signature over the response covers the decrypted content, too. Parse errors must not reveal why the content
    // cannot be read.
    let document = xml::parse(&plain).map_err(|_| DecryptionError::Failed)?;
    let assertion = root(Element::root(&document), ASSERTION, "Assertion").map_err(|_| DecryptionError::Failed)?;
    read_signed(assertion, is_signed, keys, expected).map_err(|invalid| match invalid {
        // Unsigned input must not reveal whether decryption succeeded.
        Invalid::Signature(_) | Invalid::Unsigned if !is_signed => DecryptionError::Failed.into(),
        other => other,
    })
}

fn read_signed(
    assertion: Element<'_>,
    is_signed: bool,
    keys: &[RsaPublicKey],
    expected: Expectation<'_>,
) -> Result<Assertion, Invalid> {
    match signature::check(assertion, keys)? {
        Some(signed) => {
            let document = xml::parse(signed.xml())?;
            let assertion = root(Element::root(&document), ASSERTION, "Assertion")?;
            check_assertion(assertion, expected)?;
            Assertion::read(assertion)
        }
        // The signature of the response covers it.
        None if is_signed => {
            check_assertion(assertion, expected)?;
            Assertion::read(assertion)
        }
        None => Err(Invalid::Unsigned),
    }
}

fn root<'d>(root: Option<Element<'d>>, namespace: &str, name: &'static str) -> Result<Element<'d>, Invalid> {
    root.filter(|root| root.is(namespace, name)).ok_or(Invalid::Missing(name))
}

fn check_assertion(assertion: Element<'_>, expected: Expectation<'_>) -> Result<(), Invalid> {
    check_issue(assertion, "the assertion", expected.now)?;
    let issuer = assertion.only(ASSERTION, "Issuer")?.ok_or(Invalid::Missing("Issuer of the assertion"))?;
    if issuer.text()? != expected.provider.entity_id {
        return Err(Invalid::Wrong("the Issuer of the assertion"));
    }
    let subject = assertion.only(ASSERTION, "Subject")?.ok_or(Invalid::Missing("Subject"))?;
    check_confirmations(subject, expected)?;
    check_conditions(assertion, expected)
}

/// Checks version and time of a response or assertion.
fn check_issue(element: Element<'_>, what: &'static str, now: DateTime<Utc>) -> Result<(), Invalid> {
    if element.attribute("Version") != Some("2.0") {
        return Err(Invalid::Wrong("the Version"));
    }
    let issued = instant(element, "IssueInstant")?.ok_or(Invalid::Missing("IssueInstant"))?;
    if issued + MAX_AGE < now {
        return Err(Invalid::Old(what));
    }
    if issued - SKEW > now { Err(Invalid::Early(what)) } else { Ok(()) }
}

/// Checks the subject confirmations: at least one, and all of them must be valid bearer confirmations.
fn check_confirmations(subject: Element<'_>, expected: Expectation<'_>) -> Result<(), Invalid> {
    let mut confirmed = false;
    for confirmation in subject.all(ASSERTION, "SubjectConfirmation") {
        if confirmation.attribute("Method") != Some(BEARER) {
            return Err(Invalid::Wrong("the Method of a SubjectConfirmation"));
        }
        let data = confirmation.only(ASSERTION, "SubjectConfirmationData")?;
        let data = data.ok_or(Invalid::Missing("SubjectConfirmationData"))?;
        if !answers(data, expected) {
            return Err(Invalid::Wrong("the InResponseTo of the assertion"));
        }
        if data.attribute("Recipient") != Some(expected.service.acs().as_str()) {
            return Err(Invalid::Wrong("the Recipient of the assertion"));
        }
        let end = instant(data, "NotOnOrAfter")?.ok_or(Invalid::Missing("NotOnOrAfter of the confirmation"))?;
        if end + SKEW <= expected.now {
            return Err(Invalid::Old("the confirmation"));
        }
        if instant(data, "NotBefore")?.is_some_and(|begin| begin - SKEW > expected.now) {
            return Err(Invalid::Early("the confirmation"));
        }
        confirmed = true;
    }
    if confirmed { Ok(()) } else { Err(Invalid::Missing("SubjectConfirmation")) }
}

/// Checks validity period and audience.
fn check_conditions(assertion: Element<'_>, expected: Expectation<'_>) -> Result<(), Invalid> {
    let conditions = assertion.only(ASSERTION, "Conditions")?.ok_or(Invalid::Missing("Conditions"))?;
    if instant(conditions, "NotBefore")?.is_some_and(|begin| begin - SKEW > expected.now) {
        return Err(Invalid::Early("the assertion"));
    }
    if instant(conditions, "NotOnOrAfter")?.is_some_and(|end| end + SKEW <= expected.now) {
        return Err(Invalid::Old("the assertion"));
    }
    let us = expected.service.entity_id();
    let mut is_for_us = false;
    for condition in conditions.elements() {
        if condition.is(ASSERTION, "AudienceRestriction") {
            let audiences = condition.all(ASSERTION, "Audience").map(Element::text).collect::<Result<Vec<_>, _>>()?;
            if !audiences.contains(&us) {
                return Err(Invalid::Wrong("the Audience"));
            }
            is_for_us = true;
        } else if !condition.is(ASSERTION, "OneTimeUse") && !condition.is(ASSERTION, "ProxyRestriction") {
            // saml-core-2.0, section 2.5.1.1: an unknown condition makes the assertion's validity indeterminate.
            return Err(Invalid::Wrong("a condition"));
        }
    }
    if is_for_us { Ok(()) } else { Err(Invalid::Missing("Audience")) }
}

fn instant(element: Element<'_>, name: &'static str) -> Result<Option<DateTime<Utc>>, Invalid> {
    let text = element.attribute(name);
    text.map(|text| time(text).ok_or(Invalid::Unreadable(name))).transpose()
}
