//! Responses that were changed in transit.

use super::{ME, Parts, Row, UNREADABLE, VICTIM, between, parts};
use crate::auth::sso::document::{ASSERTION, RESPONSE};

/// Changes of a correctly signed response.
pub(super) async fn tampered() -> Vec<Row> {
    let Parts { xml, signature, .. } = parts(ASSERTION).await;
    let response = parts(RESPONSE).await;
    let unsigned = "neither the response nor the assertion is signed";
    let other = "the signature is that of something else";
    let method = "rsa-sha256";
    let twice = signature.replacen(
        "</ds:SignedInfo>",
        &format!("</ds:SignedInfo>{}", between(&signature, "<ds:SignedInfo>", "</ds:SignedInfo>")),
        1,
    );
    vec![
        ("no signature", xml.replace(&signature, ""), unsigned),
        ("another name", xml.replace(ME, VICTIM), other),
        ("another name in a signed response", response.xml.replace(ME, VICTIM), other),
        (
            "a comment for a digest",
            xml.replace(ME, VICTIM).replace("<ds:DigestValue>", "<ds:DigestValue><!--AAAA-->"),
            other,
        ),
        (
            "another algorithm",
            xml.replace(method, "rsa-sha512"),
            "the signature is made by no key of the identity provider",
        ),
        (
            "no algorithm",
            xml.replace("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", ""),
            "the signature uses the algorithm , which is not allowed",
        ),
        (
            "a shared secret for a key",
            xml.replace(
                "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
            ),
            "the signature uses the algorithm http://www.w3.org/2001/04/xmldsig-more#hmac-sha256, which is not allowed",
        ),
        (
            "two SignedInfos",
            xml.replace(&signature, &twice),
            "the signature cannot be read: it has more than one SignedInfo where there can be one",
        ),
        (
            "the signature twice",
            xml.replace(&signature, &signature.repeat(2)),
            "the signature cannot be read: it has more than one Signature where there can be one",
        ),
        (
            "the signature elsewhere",
            xml.replace(&signature, "")
                .replace("<saml:Conditions", &format!("<saml:Advice>{signature}</saml:Advice><saml:Conditions")),
            "there is a signature where none belongs",
        ),
    ]
}

/// Additions around or inside a correctly signed response.
pub(super) async fn dressed() -> Vec<Row> {
    let Parts { xml, .. } = parts(ASSERTION).await;
    let response = parts(RESPONSE).await;
    vec![
        ("a document type", format!("<!DOCTYPE r [<!ATTLIST r ID ID #IMPLIED>]>{xml}"), UNREADABLE),
        ("an entity", format!("<!DOCTYPE r [<!ENTITY v '{VICTIM}'>]>{}", xml.replace(ME, "&v;")), UNREADABLE),
        ("a processing instruction", xml.replace(ME, &format!("{VICTIM}<?x {ME}?>")), UNREADABLE),
        (
            "a long list of prefixes",
            xml.replacen(
                "<ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>",
                &format!(
                    "<ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"><InclusiveNamespaces \
                     xmlns=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"{}\"/></ds:CanonicalizationMethod>",
                    "p ".repeat(33)
                ),
                1,
            ),
            "the signature has a list of 33 prefixes, which is not allowed there",
        ),
        ("many attributes", xml.replacen("<saml:Issuer", &format!("<saml:Issuer x=\"{}\"", "=".repeat(251)), 1), UNREADABLE),
        ("two roots", format!("{xml}{xml}"), UNREADABLE),
        (
            "another status",
            xml.replace("status:Success", "status:Responder"),
            "the identity provider could not sign anybody in: urn:oasis:names:tc:SAML:2.0:status:Responder",
        ),
        (
            "another destination of a signed response",
            response.xml.replace("Destination=\"https://api.test", "Destination=\"https://api.test\" x=\""),
            "the signature is that of something else",
        ),
    ]
}
