//! The address of a sign-up or sign-in.

use crate::model::account::User;

/// An e-mail address or phone number in its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Address {
    Email(String),
    Phone(String),
}

impl Address {
    /// The identity provider of this kind of address.
    pub(crate) fn provider(&self) -> &'static str {
        match self {
            Address::Email(_) => "email",
            Address::Phone(_) => "phone",
        }
    }

    /// True if `user` has confirmed this kind of address.
    pub(crate) fn is_confirmed(&self, user: &User) -> bool {
        match self {
            Address::Email(_) => user.email_confirmed_at.is_some(),
            Address::Phone(_) => user.phone_confirmed_at.is_some(),
        }
    }
}
