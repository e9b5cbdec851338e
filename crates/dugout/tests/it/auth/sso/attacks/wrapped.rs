//! Valid signatures that cover something else now (signature wrapping).

use super::{ME, Parts, Row, UNREADABLE, VICTIM, between, parts};
use crate::auth::sso::document::{ASSERTION, RESPONSE};

/// The eight named signature wrapping attacks (XSW1 to XSW8), as in SAML Raider.
pub(super) async fn wrapped() -> Vec<Row> {
    let Parts { xml, signature, .. } = parts(RESPONSE).await;
    let bare = xml.replace(&signature, "");
    let forged = bare.replace(ME, VICTIM).replacen("ID=\"_", "ID=\"_forged", 1).replace("ID=\"_", "ID=\"_f");
    let forged_with = |content: &str| forged.replacen("<samlp:Status>", &format!("{content}<samlp:Status>"), 1);
    let around = signature.replace("</ds:Signature>", &format!("{bare}</ds:Signature>"));
    let assertions = "there is not exactly one assertion";
    let mut rows = vec![
        ("XSW1: the signed response inside of its signature, in a forged one", forged_with(&around), assertions),
        (
            "XSW2: the signed response beside its signature, in a forged one",
            forged_with(&(bare.clone() + &signature)),
            assertions,
        ),
    ];
    let Parts { xml, assertion, signature, forged } = parts(ASSERTION).await;
    let signed = between(&xml, "<saml:Assertion", "</saml:Assertion>");
    let with = |content: String| xml.replace(signed, &content);
    let inside =
        |outer: &str, content: &str| outer.replace("</saml:Assertion>", &format!("{content}</saml:Assertion>"));
    let signed_by = |signature: &str| forged.replace("<saml:Subject>", &format!("{signature}<saml:Subject>"));
    let wrapping = |content: &str| signature.replace("</ds:Signature>", &format!("{content}</ds:Signature>"));
    rows.extend([
        ("XSW3: a forged assertion before the signed one", with(format!("{forged}{signed}")), assertions),
        ("XSW4: the signed assertion in a forged one", with(inside(&forged, signed)), assertions),
        (
            "XSW5: the signature in a forged assertion, the signed one after it",
            with(signed_by(&signature) + &assertion),
            assertions,
        ),
        (
            "XSW6: the signed assertion in its signature, in a forged one",
            with(signed_by(&wrapping(&assertion))),
            assertions,
        ),
        (
            "XSW7: a forged assertion among extensions",
            xml.replace("<samlp:Status>", &format!("<samlp:Extensions>{forged}</samlp:Extensions><samlp:Status>")),
            assertions,
        ),
        (
            "XSW8: the signed assertion as an object of its signature, in a forged one",
            with(signed_by(&wrapping(&format!("<ds:Object>{assertion}</ds:Object>")))),
            assertions,
        ),
        // The same where counting assertions does not help: the signed element has another name.
        (
            "the signed assertion's signature in a forged one",
            with(signed_by(&signature)),
            "the signature is not that of the element it stands in",
        ),
        (
            "a forged assertion with the id of the signed one",
            with(signed_by(&signature).replace("_forged", id_of(&assertion))),
            "the signature is that of something else",
        ),
        (
            "two assertions of one id",
            with(format!("{signed}{}", forged.replace("_forged", id_of(&assertion)))),
            UNREADABLE,
        ),
    ]);
    rows
}

fn id_of(assertion: &str) -> &str {
    assertion.split_once(" ID=\"").unwrap().1.split('"').next().unwrap()
}
