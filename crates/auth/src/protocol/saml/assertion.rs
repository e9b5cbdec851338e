//! The content of a SAML assertion (saml-core-2.0, section 2.3.3), read from bytes whose signature was verified.
//!
//! Source of its interpretation: supabase/auth, `internal/api/samlassertion.go`.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::mapping::AttributeSource;
use super::metadata::time;
use super::response::Invalid;
use super::xml::{Element, XmlError};
use super::{ASSERTION, AttributeMapping, EMAIL_ADDRESS, TRANSIENT};

/// The attribute with a permanent id of the user (saml-subject-id-attr-v1.0).
const SUBJECT_ID: &str = "urn:oasis:names:tc:SAML:attribute:subject-id";
/// Attributes that are known to hold e-mail addresses.
const EMAILS: [&str; 5] = [
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "http://schemas.xmlsoap.org/claims/EmailAddress",
    "mail",
    "email",
];

/// A user as described by the identity provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// The assertion's unique id.
    pub(crate) id: String,
    name: String,
    name_format: String,
    attributes: Vec<Attribute>,
    /// The end of the session, as the identity provider wants it.
    pub(crate) session_not_after: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Attribute {
    name: String,
    friendly_name: String,
    values: Vec<String>,
}

impl Assertion {
    pub(super) fn read(assertion: Element<'_>) -> Result<Self, Invalid> {
        let id =
            assertion.attribute("ID").filter(|id| !id.is_empty()).ok_or(Invalid::Missing("ID of the assertion"))?;
        let subject = assertion.only(ASSERTION, "Subject")?;
        let name = subject.map(|subject| subject.only(ASSERTION, "NameID")).transpose()?.flatten();
        let statements = assertion.all(ASSERTION, "AttributeStatement");
        let attributes = statements.flat_map(|statement| statement.all(ASSERTION, "Attribute")).map(Attribute::read);
        let mut session_not_after = None;
        for statement in assertion.all(ASSERTION, "AuthnStatement") {
            if let Some(text) = statement.attribute("SessionNotOnOrAfter") {
                session_not_after = Some(time(text).ok_or(Invalid::Unreadable("SessionNotOnOrAfter"))?);
                break;
            }
        }
        Ok(Assertion {
            id: id.to_owned(),
            name: name.map(Element::text).transpose()?.unwrap_or_default(),
            name_format: name.and_then(|name| name.attribute("Format")).unwrap_or_default().to_owned(),
            attributes: attributes.collect::<Result<_, _>>()?,
            session_not_after,
        })
    }

    /// All values of the attributes with this name or friendly name, compared case-insensitively.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let is = |known: &str| known.to_lowercase() == name.to_lowercase();
        let named = self.attributes.iter().filter(move |known| is(&known.name) || is(&known.friendly_name));
        named.flat_map(|attribute| attribute.values.iter().map(String::as_str))
    }

    /// The user's permanent id at the identity provider; `None` if there is none.
    pub(crate) fn user_id(&self) -> Option<String> {
        if let Some(id) = self.values(SUBJECT_ID).next() {
            return Some(id.to_owned()).filter(|id| !id.is_empty());
        }
        if self.name.is_empty() || self.name_format == TRANSIENT {
            return None;
        }
        Some(if self.name_format == EMAIL_ADDRESS { self.name.trim().to_lowercase() } else { self.name.clone() })
    }

    /// The user's e-mail address, from any of its possible places.
    pub(crate) fn email(&self) -> Option<&str> {
        let known = EMAILS.iter().flat_map(|name| self.values(name)).find(|value| !value.is_empty());
        known.or_else(|| Some(self.name.as_str()).filter(|_| self.name_format == EMAIL_ADDRESS))
    }

    /// The claims that the administrator's mapping defines.
    pub(crate) fn claims(&self, mapping: &AttributeMapping) -> Map<String, Value> {
        let claims = mapping.keys.iter().filter_map(|(name, source)| Some((name.clone(), self.claim(source)?)));
        claims.collect()
    }

    fn claim(&self, source: &AttributeSource) -> Option<Value> {
        let names = std::iter::once(&source.name).filter(|name| !name.is_empty()).chain(&source.names);
        for name in names {
            let mut values = self.values(name).filter(|value| !value.is_empty()).peekable();
            if values.peek().is_some() {
                return if source.array {
                    Some(json!(values.collect::<Vec<_>>()))
                } else {
                    values.next().map(Value::from)
                };
            }
        }
        source.default.clone()
    }
}

impl Attribute {
    fn read(attribute: Element<'_>) -> Result<Self, XmlError> {
        let named = |name: &str| attribute.attribute(name).unwrap_or_default().to_owned();
        // Ignore a value made of elements.
        let value = |value: Element<'_>| {
            value.text().or_else(|error| match error {
                XmlError::NotText(_) => Ok(String::new()),
                other => Err(other),
            })
        };
        let values = attribute.all(ASSERTION, "AttributeValue").map(value).collect::<Result<_, _>>()?;
        Ok(Attribute { name: named("Name"), friendly_name: named("FriendlyName"), values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::saml::{UNSPECIFIED, xml};

    fn assertion(subject: &str, content: &str) -> Assertion {
        let text = format!(
            "<Assertion xmlns='{ASSERTION}' ID='a-1'><Subject>{subject}</Subject>\
             <AttributeStatement>{content}</AttributeStatement></Assertion>"
        );
        let document = xml::parse(&text).unwrap();
        Assertion::read(Element::root(&document).unwrap()).unwrap()
    }

    fn named(format: &str, name: &str) -> Assertion {
        assertion(&format!("<NameID Format='{format}'>{name}</NameID>"), "")
    }

    fn attribute(name: &str, values: &[&str]) -> String {
        let values: String = values.iter().map(|value| format!("<AttributeValue>{value}</AttributeValue>")).collect();
        format!("<Attribute Name='{name}'>{values}</Attribute>")
    }

    #[test]
    fn people_have_names_that_last() {
        let id = |assertion: Assertion| assertion.user_id();
        assert_eq!(id(named(EMAIL_ADDRESS, " Ana@X.test ")).as_deref(), Some("ana@x.test"));
        assert_eq!(id(named(UNSPECIFIED, "Ana")).as_deref(), Some("Ana"));
        assert_eq!(id(named("", "Ana<!-- x -->Sol")).as_deref(), Some("AnaSol"));
        assert_eq!(id(named(TRANSIENT, "x")), None);
        assert_eq!(id(named(UNSPECIFIED, "")), None);
        assert_eq!(id(assertion("", "")), None);
        let both = assertion("<NameID>x</NameID>", &attribute(SUBJECT_ID, &["ana@scope", "other"]));
        assert_eq!(id(both).as_deref(), Some("ana@scope"));
        assert_eq!(id(assertion("<NameID>x</NameID>", &attribute(SUBJECT_ID, &[""]))), None);
    }

    #[test]
    fn addresses_are_found_where_providers_put_them() {
        for name in EMAILS.iter().chain(&["MAIL", "Email"]) {
            let found = assertion("<NameID>x</NameID>", &attribute(name, &["", "ana@x.test"]));
            assert_eq!(found.email(), Some("ana@x.test"), "{name}");
        }
        assert_eq!(named(EMAIL_ADDRESS, "ana@x.test").email(), Some("ana@x.test"));
        assert_eq!(named(UNSPECIFIED, "ana@x.test").email(), None);
    }

    #[test]
    fn attributes_become_claims() {
        let content = [
            attribute("urn:groups", &["a", "", "b"]),
            attribute("EMPTY", &[""]),
            "<Attribute Name='urn:oid:1' FriendlyName='givenName'><AttributeValue>Ana</AttributeValue></Attribute>"
                .to_owned(),
            "<Attribute Name='deep'><AttributeValue><NameID>x</NameID></AttributeValue></Attribute>".to_owned(),
        ];
        let assertion = assertion("<NameID>x</NameID>", &content.concat());
        let mapping = json!({ "keys": {
            "groups": { "name": "URN:groups", "array": true },
            "first_group": { "name": "urn:groups" },
            "given_name": { "names": ["empty", "deep", "givenname"] },
            "role": { "name": "role", "default": { "is": ["guest"] } },
            "none": { "name": "none" },
        } });
        let mapping: AttributeMapping = serde_json::from_value(mapping).unwrap();
        assert_eq!(
            Value::Object(assertion.claims(&mapping)),
            json!({
                "first_group": "a", "given_name": "Ana", "groups": ["a", "b"], "role": { "is": ["guest"] },
            })
        );
    }
}
