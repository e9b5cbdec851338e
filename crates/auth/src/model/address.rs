//! The address by which somebody signs up or signs in.

use crate::model::account::User;

/// The address by which somebody signs up, in its stored form.
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

    /// Whether `user` has proved this kind of address.
    pub(crate) fn is_confirmed(&self, user: &User) -> bool {
        match self {
            Address::Email(_) => user.email_confirmed_at.is_some(),
            Address::Phone(_) => user.phone_confirmed_at.is_some(),
        }
    }
}
