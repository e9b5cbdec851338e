//! Whom a provider has let in.

use super::claims::Claims;
use crate::model::account::Metadata;

/// An address that a provider knows somebody by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Email {
    pub(crate) address: String,
    /// Whether the provider vouches for it.
    pub(crate) verified: bool,
    /// Whether it is the one that counts.
    pub(crate) primary: bool,
}

/// Whom a provider has let in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    pub(crate) emails: Vec<Email>,
    pub(crate) claims: Claims,
}

impl Profile {
    /// With at most one address, which counts; an empty one is none.
    pub(crate) fn with_email(claims: Claims, address: &str, verified: bool) -> Self {
        let email = Email { address: address.to_owned(), verified, primary: true };
        let emails = if address.is_empty() { Vec::new() } else { vec![email] };
        Profile { emails, claims }
    }

    /// Writes into the claims which address counts: the primary one, or without one the last.
    pub(crate) fn settle_email(&mut self) {
        let counts = self.emails.iter().find(|email| email.primary).or(self.emails.last());
        match counts {
            Some(email) => self.claims.set_email(&email.address, email.verified),
            None => {
                let address = self.claims.text("email").to_owned();
                self.claims.set_email(&address, false);
            }
        }
    }

    /// The data of the identity that it makes.
    pub(crate) fn identity_data(&self) -> Metadata {
        self.claims.clone().into_identity_data()
    }
}
