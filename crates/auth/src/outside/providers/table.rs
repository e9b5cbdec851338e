//! The built-in providers, one row each: their addresses, requests and answer readers.
//!
//! Source: supabase/auth, `internal/api/provider/`, and the providers' documentation.

use super::id_claims::{APPLE, GOOGLE, LINKEDIN, VERCEL};
use super::profiles::{self, Read};

/// A built-in provider.
pub(crate) struct Row {
    /// The name in requests, settings and identities.
    pub(crate) name: &'static str,
    pub(super) entrance: Entrance,
    /// The default scopes.
    pub(super) scopes: &'static [&'static str],
    /// True if clients may request more scopes.
    pub(super) more_scopes: bool,
    pub(super) identity: Source,
    pub(super) dialect: Dialect,
}

/// The authorization and token URLs.
pub(super) enum Entrance {
    /// Fixed addresses.
    At { authorize: Place, token: Place },
    /// From the issuer's discovery document.
    Discovered(&'static str),
    /// OAuth 1.0a.
    Twitter(Place),
}

/// Where the profile comes from.
pub(super) enum Source {
    /// The API's answers to these paths. The API's address is the issuer.
    Api { api: Place, paths: &'static [&'static str], read: Read },
    /// The ID token of this issuer.
    IdToken(&'static str),
    /// Google's ID token, or without one the API.
    Google { api: Place, read: Read },
    /// The ID token of an Azure tenant.
    Azure,
    /// The token response; the address is the issuer.
    Token { api: Place, read: Read },
}

/// Quirks of single providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    None,
    /// Sends its answer by POST; accepts no parameters of the client; expects the client credentials in the form.
    Apple,
    /// A self-hosted instance has its API at another path.
    GitHub,
    /// Requires every request to be signed with the secret.
    Facebook,
    /// Requires the API version in every request.
    Notion,
    /// Requires the client id in every request.
    Twitch,
    /// Requires PKCE.
    X,
    /// Expects the client credentials in the form.
    Kakao,
}

/// A path on a host; a setting can replace the host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) host: &'static str,
    pub(super) path: &'static str,
}

impl Place {
    /// The address; `None` if the provider is always self-hosted and no setting names the host.
    pub(super) fn under(self, base: Option<&str>) -> Option<String> {
        match (base, self.host) {
            (Some(base), _) => Some(format!("{base}{}", self.path)),
            (None, "") => None,
            (None, host) => Some(format!("https://{host}{}", self.path)),
        }
    }
}

const fn at(host: &'static str, path: &'static str) -> Place {
    Place { host, path }
}

const fn entrance(authorize: Place, token: Place) -> Entrance {
    Entrance::At { authorize, token }
}

const fn api(api: Place, paths: &'static [&'static str], read: Read) -> Source {
    Source::Api { api, paths, read }
}

/// A row with the usual values.
const fn row(name: &'static str, entrance: Entrance, scopes: &'static [&'static str], identity: Source) -> Row {
    Row { name, entrance, scopes, more_scopes: true, identity, dialect: Dialect::None }
}

const FACEBOOK_PROFILE: &str = "/me?fields=email,first_name,last_name,name,picture";
const LINKEDIN_PROFILE: &str =
    "/v2/me?projection=(id,firstName,lastName,profilePicture(displayImage~:playableStreams))";
const LINKEDIN_EMAIL: &str = "/v2/emailAddress?q=members&projection=(elements*(handle~))";
const SNAPCHAT_QUERY: &str = "?query=%7Bme+%7B+externalId+displayName+bitmoji+%7B+avatar+id+%7D+email+%7D+%7D";
const X_PROFILE: &str = "/2/users/me?user.fields=id,name,username,confirmed_email,profile_image_url,url,created_at";

/// All built-in providers.
#[rustfmt::skip]
pub(crate) static PROVIDERS: [Row; 25] = [
    Row { dialect: Dialect::Apple, more_scopes: false,
        ..row("apple", Entrance::Discovered(APPLE), &["email", "name"], Source::IdToken(APPLE)) },
    row("azure",
        entrance(at("login.microsoftonline.com/common", "/oauth2/v2.0/authorize"),
            at("login.microsoftonline.com/common", "/oauth2/v2.0/token")),
        &["openid"], Source::Azure),
    Row { more_scopes: false, ..row("bitbucket",
        entrance(at("bitbucket.org", "/site/oauth2/authorize"), at("bitbucket.org", "/site/oauth2/access_token")),
        &["account", "email"],
        api(at("api.bitbucket.org", "/2.0"), &["/user", "/user/emails"], profiles::bitbucket)) },
    row("discord",
        entrance(at("discord.com", "/api/oauth2/authorize"), at("discord.com", "/api/oauth2/token")),
        &["email", "identify"],
        api(at("discord.com", "/api"), &["/users/@me"], profiles::discord)),
    Row { dialect: Dialect::Facebook, ..row("facebook",
        entrance(at("www.facebook.com", "/dialog/oauth"), at("graph.facebook.com", "/oauth/access_token")),
        &["email"],
        api(at("graph.facebook.com", FACEBOOK_PROFILE), &[""], profiles::facebook)) },
    row("figma",
        entrance(at("www.figma.com", "/oauth"), at("api.figma.com", "/v1/oauth/token")),
        &["current_user:read"],
        api(at("api.figma.com", ""), &["/v1/me"], profiles::figma)),
    row("fly",
        entrance(at("api.fly.io", "/oauth/authorize"), at("api.fly.io", "/oauth/token")),
        &["read"],
        api(at("api.fly.io", ""), &["/oauth/token/info"], profiles::fly)),
    Row { dialect: Dialect::GitHub, ..row("github",
        entrance(at("github.com", "/login/oauth/authorize"), at("github.com", "/login/oauth/access_token")),
        &["user:email"],
        api(at("api.github.com", ""), &["/user", "/user/emails"], profiles::github)) },
    row("gitlab",
        entrance(at("gitlab.com", "/oauth/authorize"), at("gitlab.com", "/oauth/token")),
        &["read_user"],
        api(at("gitlab.com", ""), &["/api/v4/user", "/api/v4/user/emails"], profiles::gitlab)),
    row("google", Entrance::Discovered(GOOGLE), &["email", "profile"],
        Source::Google { api: at("www.googleapis.com", "/userinfo/v2/me"), read: profiles::google }),
    Row { dialect: Dialect::Kakao, ..row("kakao",
        entrance(at("kauth.kakao.com", "/oauth/authorize"), at("kauth.kakao.com", "/oauth/token")),
        &["account_email", "profile_image", "profile_nickname"],
        api(at("kapi.kakao.com", ""), &["/v2/user/me"], profiles::kakao)) },
    row("keycloak",
        entrance(at("", "/protocol/openid-connect/auth"), at("", "/protocol/openid-connect/token")),
        &["profile", "email"],
        api(at("", ""), &["/protocol/openid-connect/userinfo"], profiles::keycloak)),
    row("linkedin",
        entrance(at("api.linkedin.com", "/oauth/v2/authorization"), at("api.linkedin.com", "/oauth/v2/accessToken")),
        &["r_emailaddress", "r_liteprofile"],
        api(at("api.linkedin.com", ""), &[LINKEDIN_PROFILE, LINKEDIN_EMAIL], profiles::linkedin)),
    row("linkedin_oidc",
        entrance(at("api.linkedin.com", "/oauth/v2/authorization"), at("api.linkedin.com", "/oauth/v2/accessToken")),
        &["openid", "email", "profile"], Source::IdToken(LINKEDIN)),
    Row { dialect: Dialect::Notion, more_scopes: false, ..row("notion",
        entrance(at("api.notion.com", "/v1/oauth/authorize"), at("api.notion.com", "/v1/oauth/token")),
        &[],
        api(at("api.notion.com", ""), &["/v1/users/me"], profiles::notion)) },
    row("slack",
        entrance(at("slack.com", "/oauth/authorize"), at("slack.com", "/api/oauth.access")),
        &["profile", "email", "openid"],
        api(at("slack.com", "/api"), &["/openid.connect.userInfo"], profiles::slack)),
    row("slack_oidc",
        entrance(at("slack.com", "/openid/connect/authorize"), at("slack.com", "/api/openid.connect.token")),
        &["profile", "email", "openid"],
        api(at("slack.com", "/api"), &["/openid.connect.userInfo"], profiles::slack_oidc)),
    row("snapchat",
        entrance(at("accounts.snapchat.com", "/accounts/oauth2/auth"), at("accounts.snapchat.com", "/accounts/oauth2/token")),
        &["https://auth.snapchat.com/oauth2/api/user.external_id", "https://auth.snapchat.com/oauth2/api/user.display_name",
            "https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar"],
        api(at("kit.snapchat.com", "/v1/me"), &[SNAPCHAT_QUERY], profiles::snapchat)),
    row("spotify",
        entrance(at("accounts.spotify.com", "/authorize"), at("accounts.spotify.com", "/api/token")),
        &["user-read-email"],
        api(at("api.spotify.com/v1", ""), &["/me"], profiles::spotify)),
    Row { dialect: Dialect::Twitch, ..row("twitch",
        entrance(at("id.twitch.tv", "/oauth2/authorize"), at("id.twitch.tv", "/oauth2/token")),
        &["user:read:email"],
        api(at("api.twitch.tv", ""), &["/helix/users"], profiles::twitch)) },
    Row { more_scopes: false, ..row("twitter", Entrance::Twitter(at("api.twitter.com", "")), &[],
        api(at("api.twitter.com", "/1.1/account/verify_credentials.json"), &[""], profiles::twitter)) },
    Row { dialect: Dialect::X, ..row("x",
        entrance(at("x.com", "/i/oauth2/authorize"), at("api.x.com", "/2/oauth2/token")),
        &["users.email", "tweet.read", "users.read", "offline.access"],
        api(at("api.x.com", ""), &[X_PROFILE], profiles::x)) },
    row("vercel_marketplace",
        entrance(at("api.vercel.com", "/oauth/v2/authorization"), at("api.vercel.com", "/oauth/v2/accessToken")),
        &[], Source::IdToken(VERCEL)),
    Row { more_scopes: false, ..row("workos",
        entrance(at("api.workos.com", "/sso/authorize"), at("api.workos.com", "/sso/token")),
        &[], Source::Token { api: at("api.workos.com", ""), read: profiles::workos }) },
    Row { more_scopes: false, ..row("zoom",
        entrance(at("zoom.us", "/oauth/authorize"), at("zoom.us", "/oauth/token")),
        &[],
        api(at("api.zoom.us", "/v2"), &["/users/me"], profiles::zoom)) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_one() {
        for row in &PROVIDERS {
            let base = (row.name == "keycloak").then_some("https://id.test/realms/one");
            let places = match &row.entrance {
                Entrance::At { authorize, token } => vec![*authorize, *token],
                Entrance::Twitter(place) => vec![*place],
                Entrance::Discovered(issuer) => {
                    assert!(url::Url::parse(issuer).is_ok(), "{issuer}");
                    Vec::new()
                }
            };
            let api = match &row.identity {
                Source::Api { api, paths, .. } => paths.iter().map(|path| (*api, *path)).collect(),
                Source::Google { api, .. } | Source::Token { api, .. } => vec![(*api, "")],
                Source::IdToken(_) | Source::Azure => Vec::new(),
            };
            for (place, path) in places.into_iter().map(|place| (place, "")).chain(api) {
                let address = format!("{}{path}", place.under(base).unwrap());
                assert!(url::Url::parse(&address).is_ok_and(|url| url.scheme() == "https"), "{address}");
            }
        }
    }

    #[test]
    fn every_provider_of_the_settings_has_one_row() {
        let rows: Vec<&str> = PROVIDERS.iter().map(|row| row.name).collect();
        assert_eq!(rows, crate::config::PROVIDER_NAMES);
    }

    #[test]
    fn a_setting_takes_the_place_of_the_host() {
        assert_eq!(at("gitlab.com", "/x").under(None).unwrap(), "https://gitlab.com/x");
        assert_eq!(at("gitlab.com", "/x").under(Some("https://git.test")).unwrap(), "https://git.test/x");
        assert_eq!(at("", "/x").under(None), None);
    }
}
