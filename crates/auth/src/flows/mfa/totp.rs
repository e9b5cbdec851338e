//! TOTP codes (RFC 6238) with the parameters that every app supports: SHA-1, six digits, thirty seconds.
//!
//! Source: supabase/auth, `internal/api/mfa.go`, and pquerna/otp for the `otpauth` URI.

use chrono::{DateTime, Utc};
use gateway::Secret;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use qrcode::render::svg::Color;
use qrcode::{EcLevel, QrCode};
use rand::Rng;
use totp_rs::Builder;
use url::Url;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::model::account::{Factor, User};
use crate::model::factor::Pending;
use crate::state::State;
use crate::store::mfa_factors;

/// Length of a secret in bytes (RFC 4226 section 4).
const SECRET: usize = 20;
/// Number of digits of a code.
const DIGITS: usize = 6;
/// Length of a time step in seconds. The codes of the previous and the next step are accepted, too.
const STEP: u64 = 30;
const SKEW: u16 = 1;
/// Size of a QR code module in pixels.
const MODULE: u32 = 3;

/// Characters that Go's `url.PathEscape` does not escape.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b':')
    .remove(b'=')
    .remove(b'@');
/// Characters that Go does not escape in a whole path.
const IN_PATH: &AsciiSet = &IN_QUERY.remove(b'/').remove(b';').remove(b',');

/// A new secret, in the forms that an app can import.
pub(crate) struct Totp {
    /// Base32 without padding.
    pub(crate) secret: Secret<String>,
    /// `otpauth://totp/…`
    pub(crate) uri: Secret<String>,
    /// The URI as a QR code in SVG.
    pub(crate) qr_code: Secret<String>,
}

impl Totp {
    /// Creates a secret for the account of `user` at `issuer`; an empty issuer becomes the app's host.
    ///
    /// # Errors
    /// A fault if a name is missing, or the names are too long for a QR code.
    pub(crate) fn new(state: &State, user: &User, issuer: &str) -> Result<Self, AuthError> {
        let issuer = if issuer.is_empty() { host(&state.config.site_url)? } else { issuer.to_owned() };
        let bytes: [u8; SECRET] = rand::rng().random();
        Self::of(bytes, &issuer, &user.email)
    }

    fn of(bytes: [u8; SECRET], issuer: &str, account: &str) -> Result<Self, AuthError> {
        const FAILED: &str = "Error generating QR Code";
        if issuer.is_empty() || account.is_empty() {
            return Err(AuthError::internal(FAILED, "the issuer or the account has no name"));
        }
        let secret = totp_rs::Secret::from(bytes).to_base32();
        let path = format!("{issuer}:{account}");
        let uri = format!(
            "otpauth://totp/{}?algorithm=SHA1&digits={DIGITS}&issuer={}&period={STEP}&secret={secret}",
            utf8_percent_encode(&path, IN_PATH),
            utf8_percent_encode(issuer, IN_QUERY),
        );
        // The highest error correction level, as in GoTrue, or the lowest if the names are too long for it.
        let code = [EcLevel::H, EcLevel::L]
            .into_iter()
            .find_map(|level| QrCode::with_error_correction_level(&uri, level).ok());
        let code = code.ok_or_else(|| AuthError::internal(FAILED, "the names are too long for a QR code"))?;
        // Clients put the SVG into a data URL, where a `#` would end it: use colour names, not hex colours.
        let qr_code = code
            .render::<Color<'_>>()
            .module_dimensions(MODULE, MODULE)
            .dark_color(Color("black"))
            .light_color(Color("white"))
            .build();
        Ok(Totp { secret: Secret::new(secret), uri: Secret::new(uri), qr_code: Secret::new(qr_code) })
    }
}

/// The host of the app, with its port.
fn host(site_url: &str) -> Result<String, AuthError> {
    let url = Url::parse(site_url).map_err(|error| AuthError::internal("site url is improperly formatted", error))?;
    let host = url.host_str().unwrap_or_default();
    Ok(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// The time step (RFC 6238 section 4) of a valid code: the current step, the previous or the next one.
fn step(secret: &str, code: &str, now: DateTime<Utc>) -> Option<u64> {
    let secret = secret.trim().trim_end_matches('=').to_ascii_uppercase();
    let secret = totp_rs::Secret::try_from_base32(secret).ok()?;
    let code = code.trim();
    if code.len() != DIGITS || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Imported secrets may have other lengths than the standard's.
    let totp = Builder::new().with_secret(secret).with_skew(SKEW).with_step_duration(STEP).build_noncompliant();
    totp.check(code, u64::try_from(now.timestamp()).ok()?)
}

/// The time step of a code that is valid for the factor's secret; `None` for a wrong code.
///
/// # Errors
/// A fault if the secret cannot be read.
pub(crate) async fn right_step(
    state: &State,
    factor: &Factor,
    pending: &Pending,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<u64>, AuthError> {
    let stored = pending.secret.as_deref().unwrap_or_default();
    let opened = state.config.encryption.open(factor.id, stored);
    let opened = opened.map_err(|error| AuthError::internal("Database error verifying MFA TOTP secret", error))?;
    let secret = opened.value.reveal();
    if opened.is_stale {
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        let sealed = state.config.encryption.seal(factor.id, secret);
        mfa_factors::set_secret(&db, factor.id, &sealed).await.or_fault(UNEXPECTED)?;
    }
    Ok(step(secret, code, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(secret: &str, code: &str, now: DateTime<Utc>) -> bool {
        step(secret, code, now).is_some()
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    /// RFC 6238 appendix B, the last six of its eight digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = totp_rs::Secret::from(*b"12345678901234567890").to_base32();
        for (seconds, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (2_000_000_000, "279037")]
        {
            let own = u64::try_from(seconds).unwrap() / STEP;
            assert_eq!(step(&secret, code, at(seconds)), Some(own), "{seconds}");
            assert_eq!(step(&secret, code, at(seconds + 30)), Some(own), "{seconds}");
            assert!(fits(&secret, &format!(" {code} "), at(seconds + 30)) && fits(&secret, code, at(seconds - 30)));
            assert!(!fits(&secret, code, at(seconds + 60)) && !fits(&secret, code, at(seconds - 61)));
            assert!(!fits(&secret, &code[1..], at(seconds)) && !fits(&secret, &format!("{code}0"), at(seconds)));
        }
        assert!(fits(&format!("{}=", secret.to_lowercase()), "287082", at(59)));
        assert!(!fits("1", "287082", at(59)) && !fits(&secret, "", at(59)) && !fits("", "287082", at(59)));
    }

    /// The expected URI was printed by GoTrue.
    #[test]
    fn apps_read_the_address_from_a_picture_without_hashes() {
        let totp = Totp::of([0; SECRET], "My App:3000/ä", "ana+x@x.test").unwrap();
        assert_eq!(
            totp.uri.reveal(),
            "otpauth://totp/My%20App:3000/%C3%A4:ana+x@x.test?algorithm=SHA1&digits=6&issuer=My%20App:3000%2F%C3%A4\
             &period=30&secret=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        );
        let svg = totp.qr_code.reveal();
        assert!(svg.contains("<svg") && !svg.contains('#'), "{svg}");
        assert!(
            Totp::of([0; SECRET], &"a".repeat(1000), "b").is_ok()
                && Totp::of([0; SECRET], &"a".repeat(3000), "b").is_err()
        );
        assert!(Totp::of([0; SECRET], "", "b").is_err() && Totp::of([0; SECRET], "a", "").is_err());
    }

    #[test]
    fn the_issuer_is_the_apps_host() {
        for (url, name) in [("https://app.test/x", "app.test"), ("http://localhost:3000", "localhost:3000")] {
            assert_eq!(host(url).unwrap(), name);
        }
    }
}
