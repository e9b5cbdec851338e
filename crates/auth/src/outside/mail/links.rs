//! Links in mails. They lead to the configured address, whatever host the request names.
//!
//! DEVIATION (safer): `MAILER_EXTERNAL_HOSTS` has no effect: no header determines where a link leads
//! (GHSA-3529-5m8x-rpv3).

use url::Url;
use url::form_urlencoded::byte_serialize;

use crate::config::Config;
use crate::model::email_kind::EmailKind;

/// The link that verifies an address. `verification` is the `type` of `GET /verify`.
///
/// DEVIATION (behaviour): without `MAILER_URLPATHS_…` the link leads to `/verify` below `API_EXTERNAL_URL` including
/// its path; GoTrue drops that path.
pub(crate) fn verify(config: &Config, kind: EmailKind, verification: &str, token: &str, redirect_to: &str) -> String {
    let path = match kind {
        EmailKind::Invite => &config.mailer.link_paths.invite,
        EmailKind::Confirmation => &config.mailer.link_paths.confirmation,
        EmailKind::EmailChange => &config.mailer.link_paths.email_change,
        _ => &config.mailer.link_paths.recovery,
    };
    let base = match path {
        None => config.external_url.join("/verify"),
        Some(path) => resolve(config.external_url.as_str(), path),
    };
    let token: String = byte_serialize(token.as_bytes()).collect();
    // Without these characters the value is encoded already or needs no encoding.
    let redirect_to = match redirect_to.contains(['&', '=', '#']) {
        true => byte_serialize(redirect_to.as_bytes()).collect(),
        false => redirect_to.to_owned(),
    };
    format!("{base}?token={token}&type={verification}&redirect_to={redirect_to}")
}

/// RFC 3986 section 5.2, then drops the query.
fn resolve(base: &str, path: &str) -> String {
    let resolved = Url::parse(base).and_then(|base| base.join(path));
    resolved.map_or_else(
        |_| path.to_owned(),
        |mut url| {
            url.set_query(None);
            url.to_string()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_configured_place() {
        let config = |path: &str| {
            let variables = [
                ("GOTRUE_SITE_URL", "https://app.test"),
                ("API_EXTERNAL_URL", "https://api.test/auth/v1"),
                ("GOTRUE_MAILER_URLPATHS_INVITE", path),
                ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
            ];
            Config::from_env(variables.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap().0
        };
        let invite = |path: &str, to: &str| verify(&config(path), EmailKind::Invite, "invite", "a+b", to);
        for (path, base) in [
            ("", "https://api.test/auth/v1/verify"),
            ("/auth/v1/verify", "https://api.test/auth/v1/verify"),
            ("/signed_in", "https://api.test/signed_in"),
            ("https://other.test/verify", "https://other.test/verify"),
        ] {
            let link = invite(path, "https://app.test/in");
            assert_eq!(link, format!("{base}?token=a%2Bb&type=invite&redirect_to=https://app.test/in"));
        }
        assert!(invite("", "https://app.test/?a=1&b").ends_with("&redirect_to=https%3A%2F%2Fapp.test%2F%3Fa%3D1%26b"));
    }
}
