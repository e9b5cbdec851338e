//! A user's profile at a provider.

use super::claims::Claims;
use crate::model::account::Metadata;

/// An e-mail address at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Email {
    pub(crate) address: String,
    /// True if the provider has verified it.
    pub(crate) verified: bool,
    /// True if it is the primary address.
    pub(crate) primary: bool,
}

/// A user's profile at a provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    pub(crate) emails: Vec<Email>,
    pub(crate) claims: Claims,
}

impl Profile {
    /// A profile with at most one address, which is primary; an empty address is left out.
    pub(crate) fn with_email(claims: Claims, address: &str, verified: bool) -> Self {
        let email = Email { address: address.to_owned(), verified, primary: true };
        let emails = if address.is_empty() { Vec::new() } else { vec![email] };
        Profile { emails, claims }
    }

    /// Writes the primary address into the claims, or without one the last.
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

    /// The data for the identity.
    pub(crate) fn identity_data(&self) -> Metadata {
        self.claims.clone().into_identity_data()
    }
}
