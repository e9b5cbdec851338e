//! Second factors: their kinds, challenges, and what is stored of each.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::model::account::Factor;
use crate::model::authentication_method::AuthenticationMethod;

/// A row of `auth.mfa_challenges` that is about to be.
#[derive(Debug)]
pub(crate) struct Challenge {
    pub(crate) id: Uuid,
    pub(crate) factor_id: Uuid,
    pub(crate) created_at: DateTime<Utc>,
    /// Where it was asked for; its answer must come from there.
    pub(crate) ip: IpAddr,
    /// The code that was sent, as it is stored.
    pub(crate) otp_code: Option<String>,
    /// What a security key was asked.
    pub(crate) session_data: Option<Value>,
}

/// A challenge that waits for its answer, with what the answer is checked against.
pub(crate) struct Pending {
    pub(crate) id: Uuid,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) verified_at: Option<DateTime<Utc>>,
    pub(crate) ip: String,
    pub(crate) otp_code: Option<String>,
    pub(crate) session_data: Option<Value>,
    /// Of the factor, as it is stored.
    pub(crate) secret: Option<String>,
}

impl Challenge {
    pub(crate) fn new(factor: &Factor, ip: IpAddr, now: DateTime<Utc>) -> Self {
        Challenge { id: Uuid::new_v4(), factor_id: factor.id, created_at: now, ip, otp_code: None, session_data: None }
    }
}

/// What is stored of a new factor.
pub(crate) struct NewFactor<'a> {
    pub(crate) id: Uuid,
    pub(crate) kind: Kind,
    pub(crate) friendly_name: &'a str,
    /// As it is stored.
    pub(crate) secret: Option<String>,
    pub(crate) phone: Option<&'a str>,
}

/// What a security key leaves behind.
pub(crate) struct Answer {
    /// The credential, as it is stored from now on.
    pub(crate) credential: Value,
    pub(crate) aaguid: Option<uuid::Uuid>,
    /// Challenge and response, which users see among their factors.
    pub(crate) last_challenge: Value,
}

/// The kinds of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Totp,
    Phone,
    WebAuthn,
}

impl Kind {
    /// By its name in requests and in the database.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Kind::Totp, Kind::Phone, Kind::WebAuthn].into_iter().find(|kind| kind.as_str() == name)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Totp => "totp",
            Kind::Phone => "phone",
            Kind::WebAuthn => "webauthn",
        }
    }

    /// What a session has done that has proven such a factor.
    pub(crate) fn method(self) -> AuthenticationMethod {
        match self {
            Kind::Totp => AuthenticationMethod::Totp,
            Kind::Phone => AuthenticationMethod::MfaPhone,
            Kind::WebAuthn => AuthenticationMethod::MfaWebAuthn,
        }
    }
}
