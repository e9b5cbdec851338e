//! Second factors: their types, challenges and stored fields.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::model::account::Factor;
use crate::model::authentication_method::AuthenticationMethod;

/// A new row of `auth.mfa_challenges`.
#[derive(Debug)]
pub(crate) struct Challenge {
    pub(crate) id: Uuid,
    pub(crate) factor_id: Uuid,
    pub(crate) created_at: DateTime<Utc>,
    /// The client's address; the answer must come from the same one.
    pub(crate) ip: IpAddr,
    /// The code that was sent: plain, or encrypted where the server has a key for that.
    pub(crate) otp_code: Option<String>,
    /// The state of a WebAuthn ceremony.
    pub(crate) session_data: Option<Value>,
}

/// A challenge that waits for its answer, with the data to check it.
pub(crate) struct Pending {
    pub(crate) id: Uuid,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) verified_at: Option<DateTime<Utc>>,
    pub(crate) ip: String,
    pub(crate) otp_code: Option<String>,
    pub(crate) session_data: Option<Value>,
    /// The factor's secret as stored.
    pub(crate) secret: Option<String>,
}

impl Challenge {
    pub(crate) fn new(factor: &Factor, ip: IpAddr, now: DateTime<Utc>) -> Self {
        Challenge { id: Uuid::new_v4(), factor_id: factor.id, created_at: now, ip, otp_code: None, session_data: None }
    }
}

/// The fields of a new factor.
pub(crate) struct NewFactor<'a> {
    pub(crate) id: Uuid,
    pub(crate) kind: Kind,
    pub(crate) friendly_name: &'a str,
    /// As stored.
    pub(crate) secret: Option<String>,
    pub(crate) phone: Option<&'a str>,
}

/// What to store of a security key's answer.
pub(crate) struct Answer {
    /// The credential to store.
    pub(crate) credential: Value,
    pub(crate) aaguid: Option<uuid::Uuid>,
    /// Challenge and response, shown to users with their factor.
    pub(crate) last_challenge: Value,
}

/// The types of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Totp,
    Phone,
    WebAuthn,
}

impl Kind {
    /// The type with this name in requests and in the database.
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

    /// The authentication method of a session that has verified such a factor.
    pub(crate) fn method(self) -> AuthenticationMethod {
        match self {
            Kind::Totp => AuthenticationMethod::Totp,
            Kind::Phone => AuthenticationMethod::MfaPhone,
            Kind::WebAuthn => AuthenticationMethod::MfaWebAuthn,
        }
    }
}
