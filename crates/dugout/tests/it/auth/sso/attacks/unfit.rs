//! Correctly signed responses with the wrong content.

use chrono::TimeDelta;
use serde_json::json;

use super::{Row, VICTIM, between};
use crate::auth::sso::document::{ASSERTION, Document};
use crate::kit::saml_idp;

/// Correctly signed responses with the wrong content.
pub(super) async fn unfit() -> Vec<Row> {
    type Change = fn(&mut Document);
    let changes: [(&'static str, Change, &'static str); 10] = [
        (
            "for a request of ours, without its RelayState",
            |d| d.in_response_to = format!("id-{}", "0123456789".repeat(4)),
            "the InResponseTo of the response is not what it should be",
        ),
        ("it is over", |d| d.ends -= TimeDelta::minutes(9), "the confirmation is too old"),
        ("it has not begun", |d| d.begins += TimeDelta::minutes(5), "the assertion is not yet valid"),
        ("it is old", |d| d.issued -= TimeDelta::seconds(95), "the response is too old"),
        ("it is from tomorrow", |d| d.issued += TimeDelta::days(1), "the response is not yet valid"),
        ("for another audience", |d| d.audience += "2", "the Audience is not what it should be"),
        ("for another recipient", |d| d.recipient += "2", "the Recipient of the assertion is not what it should be"),
        (
            "to another destination",
            |d| d.destination += "2",
            "the Destination of the response is not what it should be",
        ),
        (
            "no assertion",
            |d| d.status = "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed".to_owned(),
            "the identity provider could not sign anybody in: urn:oasis:names:tc:SAML:2.0:status:AuthnFailed",
        ),
        (
            "a time that is none",
            |d| d.session = "SessionNotOnOrAfter='soon'".to_owned(),
            "SessionNotOnOrAfter cannot be read",
        ),
    ];
    let mut rows = Vec::new();
    for (name, change, words) in changes {
        rows.push((name, Document::of(VICTIM).with(change).signed().await, words));
    }
    // The latest time, to which nothing can be added.
    let good = Document::of(VICTIM).xml();
    let issued = between(&good, "IssueInstant=", "Z\" Destination");
    let late = good.replacen(issued, "IssueInstant=\"+262142-12-31T23:59:59\" Destination", 1);
    rows.push(("a time without a successor", late, "IssueInstant cannot be read"));
    // Reasons may quote the input, up to this length.
    let long = good.replace("status:Success", &"x".repeat(1000));
    let said = "the identity provider could not sign anybody in: urn:oasis:names:tc:SAML:2.0:";
    rows.push(("a long reason", long, format!("{said}{}", "x".repeat(300 - said.len())).leak()));
    rows
}

/// Responses that lack something, or contain too much.
pub(super) async fn incomplete() -> Vec<Row> {
    let mut rows = Vec::new();
    let good = Document::of(VICTIM).xml();
    let confirmation = between(&good, "<saml:SubjectConfirmation ", "</saml:SubjectConfirmation>");
    let audience = between(&good, "<saml:AudienceRestriction>", "</saml:AudienceRestriction>");
    let conditions = between(&good, "<saml:Conditions", "</saml:Conditions>");
    let issuer = "<saml:Issuer>https://idp.test/metadata</saml:Issuer><saml:Subject>";
    for (name, xml, words) in [
        ("nobody is confirmed", good.replace(confirmation, ""), "there is no SubjectConfirmation"),
        (
            "confirmed by a key",
            good.replace("cm:bearer", "cm:holder-of-key"),
            "the Method of a SubjectConfirmation is not what it should be",
        ),
        ("no audience", good.replace(audience, ""), "there is no Audience"),
        ("no conditions", good.replace(conditions, ""), "there is no Conditions"),
        (
            "an unknown condition",
            good.replace(audience, &format!("{audience}<saml:Condition/>")),
            "a condition is not what it should be",
        ),
        (
            "two audiences, one of them another",
            good.replace(
                audience,
                &format!(
                    "{audience}<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>"
                ),
            ),
            "the Audience is not what it should be",
        ),
        ("SAML 1.1", good.replace("Version=\"2.0\"", "Version=\"1.1\""), "the Version is not what it should be"),
        (
            "another issuer of the assertion",
            good.replace(issuer, "<saml:Issuer>https://idp.test/other</saml:Issuer><saml:Subject>"),
            "the Issuer of the assertion is not what it should be",
        ),
        (
            "two names",
            good.replace("</saml:NameID>", "</saml:NameID><saml:NameID>x</saml:NameID>"),
            "the document cannot be read: it has more than one NameID where there can be one",
        ),
        (
            "a name with elements in it",
            good.replace(VICTIM, &format!("{VICTIM}<b/>")),
            "the document cannot be read: NameID has elements where there should be text",
        ),
    ] {
        rows.push((name, saml_idp().sign(&xml, &json!([{ "element": ASSERTION }])).await, words));
    }
    rows
}
