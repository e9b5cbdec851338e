//! Rate limit settings.

use std::time::Duration;

use actix_web::http::header::HeaderName;

use super::Config;
use super::reader::Reader;

/// `GOTRUE_RATE_LIMIT_…`, and two rate limits with other names. Requests per client and route, in five minutes unless
/// stated otherwise.
#[derive(Clone, Debug)]
pub struct RateLimits {
    /// `HEADER`: where a proxy writes the client's address. The operator must make sure that clients cannot set this
    /// header themselves.
    pub header: Option<HeaderName>,
    /// `GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED`: the same for the header `Sb-Forwarded-For`, which takes precedence.
    pub sb_forwarded_for: bool,
    /// True if `dugout auth` runs in place of GoTrue's container and no setting names the proxy: see
    /// [`super::Config::stand_in_for_container`].
    pub proxy_is_undeclared: bool,
    /// `TOKEN_REFRESH`: every grant type except web3.
    pub token_refresh: f64,
    /// `VERIFY`: attempts to verify one-time codes.
    pub verify: f64,
    /// `OTP`: everything that sends a code, sign-ups, and changes of a user.
    pub otp: f64,
    /// `SSO`
    pub sso: f64,
    /// `GOTRUE_SAML_RATE_LIMIT_ASSERTION`
    pub saml_assertion: f64,
    /// `ANONYMOUS_USERS`, per hour.
    pub anonymous_users: f64,
    /// `WEB3`
    pub web3: f64,
    /// `PASSKEY`
    pub passkey: f64,
    /// `OAUTH_DYNAMIC_CLIENT_REGISTER`
    pub oauth_dynamic_client_register: f64,
    /// `GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`, per minute.
    pub mfa_challenge_and_verify: f64,
    /// `EMAIL_SENT`: mails of the whole project; zero sends no mail.
    pub email_sent: Allowance,
    /// `SMS_SENT`: messages of the whole project.
    pub sms_sent: Allowance,
}

/// How much the project may send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowance {
    /// `N`: this many per hour.
    Hourly(u64),
    /// `N/duration`: a token bucket of N that gains one token per duration.
    Bucket(u64, Duration),
}

impl Allowance {
    /// True if nothing may be sent.
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Allowance::Hourly(0) | Allowance::Bucket(0, _))
    }
}

impl Config {
    /// For `dugout auth`, which replaces GoTrue's container with the container's settings. If neither `HEADER` nor
    /// `DUGOUT_TRUSTED_PROXIES` is set, there may be an unnamed proxy, whose address must not count as one client.
    /// Returns true in that case.
    pub fn stand_in_for_container(&mut self) -> bool {
        let limits = &mut self.rate_limits;
        limits.proxy_is_undeclared = limits.header.is_none() && self.listen.trusted_proxies.0.is_empty();
        limits.proxy_is_undeclared
    }
}

pub(super) fn rate_limits(reader: &mut Reader) -> RateLimits {
    let prefix = "GOTRUE_RATE_LIMIT_";
    let header =
        reader.parse(&format!("{prefix}HEADER"), None, "must be the name of a header, such as X-Real-Ip", |text| {
            text.parse::<HeaderName>().ok().map(Some)
        });
    let mut rate = |name: &str, default: f64| {
        let key = if name.starts_with("GOTRUE_") { name.to_owned() } else { format!("{prefix}{name}") };
        reader.parse(&key, default, "must be a number of requests", |text| {
            text.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate >= 0.0)
        })
    };
    RateLimits {
        header,
        proxy_is_undeclared: false,
        token_refresh: rate("TOKEN_REFRESH", 150.0),
        verify: rate("VERIFY", 30.0),
        otp: rate("OTP", 30.0),
        sso: rate("SSO", 30.0),
        saml_assertion: rate("GOTRUE_SAML_RATE_LIMIT_ASSERTION", 15.0),
        anonymous_users: rate("ANONYMOUS_USERS", 30.0),
        web3: rate("WEB3", 30.0),
        passkey: rate("PASSKEY", 30.0),
        oauth_dynamic_client_register: rate("OAUTH_DYNAMIC_CLIENT_REGISTER", 10.0),
        mfa_challenge_and_verify: rate("GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", 15.0),
        email_sent: allowance(reader, "GOTRUE_RATE_LIMIT_EMAIL_SENT"),
        sms_sent: allowance(reader, "GOTRUE_RATE_LIMIT_SMS_SENT"),
        sb_forwarded_for: reader.flag("GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED", false),
    }
}

fn allowance(reader: &mut Reader, key: &str) -> Allowance {
    let usual = Allowance::Hourly(30);
    reader.parse(key, usual, "must be a number for each hour, or such as 10/1m30s", |text| match text.split_once('/') {
        Some((count, every)) => {
            let every = super::reader::duration(every)?;
            // As in Go: a zero duration means one hour.
            let every = if every.is_zero() { Duration::from_secs(3600) } else { every };
            Some(Allowance::Bucket(count.parse().ok()?, every))
        }
        None => {
            let count = text.parse::<f64>().ok().filter(|count| (0.0..=1e15).contains(count))?;
            // Whole numbers only; the bounds above keep the conversion exact.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            Some(Allowance::Hourly(count as u64))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_are_gotrues() {
        let read = |text: &str| {
            let mut reader = Reader::new([("K".to_owned(), text.to_owned())]);
            let allowance = allowance(&mut reader, "K");
            if reader.problems.is_empty() { Some(allowance) } else { None }
        };
        for (text, expected) in [
            ("", Some(Allowance::Hourly(30))),
            ("100", Some(Allowance::Hourly(100))),
            ("2.9", Some(Allowance::Hourly(2))),
            ("0", Some(Allowance::Hourly(0))),
            ("10/1m30s", Some(Allowance::Bucket(10, Duration::from_secs(90)))),
            ("10/0", Some(Allowance::Bucket(10, Duration::from_secs(3600)))),
            ("-1", None),
            ("1.5/1s", None),
            ("10/", None),
            ("many", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
