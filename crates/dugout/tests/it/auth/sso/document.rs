//! Hand-written responses of an identity provider: every part can be changed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ACS, AUDIENCE};
use crate::kit::{ENTITY_ID, saml_idp};

pub const RESPONSE: &str = "/*[local-name()='Response']";
pub const ASSERTION: &str = "//*[local-name()='Assertion']";

/// A response about a user.
#[derive(Clone, Debug)]
pub struct Document {
    pub id: String,
    pub assertion_id: String,
    pub issuer: String,
    pub destination: String,
    pub recipient: String,
    pub audience: String,
    pub in_response_to: String,
    pub status: String,
    /// The attributes and the content of the element NameID.
    pub name: (String, String),
    /// The content of the AttributeStatement.
    pub attributes: String,
    /// Attributes of the AuthnStatement.
    pub session: String,
    pub issued: DateTime<Utc>,
    pub begins: DateTime<Utc>,
    pub ends: DateTime<Utc>,
}

impl Document {
    /// An unsolicited response that is valid now.
    pub fn of(email: &str) -> Self {
        let now = Utc::now();
        Document {
            id: format!("_{}", Uuid::new_v4()),
            assertion_id: format!("_{}", Uuid::new_v4()),
            issuer: ENTITY_ID.to_owned(),
            destination: ACS.to_owned(),
            recipient: ACS.to_owned(),
            audience: AUDIENCE.to_owned(),
            in_response_to: String::new(),
            status: "urn:oasis:names:tc:SAML:2.0:status:Success".to_owned(),
            name: ("Format='urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'".to_owned(), email.to_owned()),
            attributes: String::new(),
            session: String::new(),
            issued: now,
            begins: now - TimeDelta::minutes(1),
            ends: now + TimeDelta::minutes(5),
        }
    }

    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub fn assertion(&self) -> String {
        let Document { assertion_id, issuer, recipient, audience, name, attributes, session, .. } = self;
        let [issued, begins, ends] = [self.issued, self.begins, self.ends].map(time);
        let (format, name) = name;
        let answered = self.answered();
        format!(
            r#"<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{assertion_id}" Version="2.0" IssueInstant="{issued}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject><saml:NameID {format}>{name}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{ends}" Recipient="{recipient}"{answered}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{begins}" NotOnOrAfter="{ends}"><saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{issued}" {session}><saml:AuthnContext/></saml:AuthnStatement><saml:AttributeStatement>{attributes}</saml:AttributeStatement></saml:Assertion>"#
        )
    }

    pub fn xml(&self) -> String {
        let Document { id, issuer, destination, status, .. } = self;
        let (issued, assertion, answered) = (time(self.issued), self.assertion(), self.answered());
        format!(
            r#"<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0" IssueInstant="{issued}" Destination="{destination}"{answered}><saml:Issuer>{issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status>{assertion}</samlp:Response>"#
        )
    }

    fn answered(&self) -> String {
        match self.in_response_to.as_str() {
            "" => String::new(),
            id => format!(r#" InResponseTo="{id}""#),
        }
    }

    /// The response with a signature over the assertion.
    pub async fn signed(&self) -> String {
        self.signed_with(json!([{ "element": ASSERTION }])).await
    }

    pub async fn signed_with(&self, signatures: Value) -> String {
        saml_idp().sign(&self.xml(), &signatures).await
    }
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The form that a browser posts.
pub fn form(xml: &str, relay_state: &str) -> String {
    encoded_form(&BASE64_STANDARD.encode(xml), relay_state)
}

pub fn encoded_form(response: &str, relay_state: &str) -> String {
    let pairs = [("SAMLResponse", response), ("RelayState", relay_state)];
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
