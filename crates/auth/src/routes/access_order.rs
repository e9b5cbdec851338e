//! Access checks for unknown paths and methods below protected prefixes: callers without access get the refusal and do
//! not learn which routes exist there.
//!
//! DEVIATION (words): unknown paths and methods below `/admin` and other protected prefixes are judged without the
//! database: an unsupported method on a user, factor or client that does not exist is a 405; GoTrue looks it up before
//! it checks the method.
//!
//! Source: supabase/auth, `internal/api/api.go`: the middleware of its nested routers.

use actix_web::{HttpRequest, web};
use gateway::Authenticated;
use uuid::Uuid;

use crate::error::{AuthError, ExternalError, MfaError, OAuthServerError};
use crate::flows::{administrator, passkeys};
use crate::routes::wire::in_our_words;
use crate::state::State;

/// A check before a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Administrator,
    User,
    OauthServer,
    CustomProviders,
    ManualLinking,
    Passkeys,
    Saml,
    /// The path contains the id of a user, factor or client.
    UserId,
    FactorId,
    ClientId,
}

/// The first failing check for a request whose path or method does not exist, if any.
pub(crate) fn refusal(request: &HttpRequest) -> Option<AuthError> {
    let state = request.app_data::<web::Data<State>>()?;
    let path = request.path();
    let segments: Vec<&str> = path.strip_prefix("/auth/v1").unwrap_or(path).split('/').skip(1).collect();
    let shut = |(door, name): (Door, &str)| shut(door, name, request, state);
    doors(&segments).into_iter().find_map(shut)
}

/// The checks of a path in order, each with the path segment it looks at.
fn doors<'a>(segments: &[&'a str]) -> Vec<(Door, &'a str)> {
    use Door::{
        Administrator, ClientId, CustomProviders, FactorId, ManualLinking, OauthServer, Passkeys, Saml, User, UserId,
    };
    match segments {
        ["admin", "oauth", "clients", id, ..] if !id.is_empty() => {
            vec![(Administrator, ""), (OauthServer, ""), (ClientId, id)]
        }
        ["admin", "oauth", ..] => vec![(Administrator, ""), (OauthServer, "")],
        ["admin", "custom-providers", ..] => vec![(Administrator, ""), (CustomProviders, "")],
        ["admin", "users", id, "factors", factor, ..] if !factor.is_empty() => {
            vec![(Administrator, ""), (UserId, id), (FactorId, factor)]
        }
        ["admin", "users", id, ..] if !id.is_empty() => vec![(Administrator, ""), (UserId, id)],
        ["admin", ..] => vec![(Administrator, "")],
        ["user", "identities", ..] => vec![(User, ""), (ManualLinking, "")],
        ["user", "oauth", "grants", ..] => vec![(User, ""), (OauthServer, "")],
        ["user" | "reauthenticate", ..] => vec![(User, "")],
        ["factors", id, ..] if !id.is_empty() => vec![(User, ""), (FactorId, id)],
        ["factors", ..] => vec![(User, "")],
        ["passkeys"] | ["passkeys", "authentication", ..] => vec![(Passkeys, "")],
        ["passkeys", ..] => vec![(Passkeys, ""), (User, "")],
        ["oauth", ..] => vec![(OauthServer, "")],
        ["sso", ..] => vec![(Saml, "")],
        _ => Vec::new(),
    }
}

/// The error of a failing check.
fn shut(door: Door, name: &str, request: &HttpRequest, state: &State) -> Option<AuthError> {
    let config = &state.config;
    let unless = |open: bool, error: AuthError| (!open).then_some(error);
    let is_id = Uuid::parse_str(name).is_ok();
    match door {
        Door::Administrator => administrator::admit(request).err().map(|refusal| in_our_words(request, refusal)),
        Door::User => Authenticated::of(request).err().map(|refusal| in_our_words(request, refusal)),
        Door::OauthServer => config.oauth_server.require().err(),
        Door::CustomProviders => {
            unless(config.custom_oauth.enabled, AuthError::External(ExternalError::CustomFeatureDisabled))
        }
        Door::ManualLinking => {
            unless(config.security.manual_linking_enabled, AuthError::External(ExternalError::ManualLinkingDisabled))
        }
        Door::Passkeys => passkeys::check_enabled(state).err().map(AuthError::from),
        Door::Saml => unless(config.saml.is_some(), AuthError::SamlDisabled),
        Door::UserId => unless(is_id, AuthError::UserIdNotUuid),
        Door::FactorId => unless(is_id, MfaError::FactorId.into()),
        Door::ClientId => unless(is_id, AuthError::OAuthServer(OAuthServerError::ClientIdFormat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_doors() {
        use Door::{Administrator, ClientId, FactorId, OauthServer, Passkeys, User, UserId};
        for (path, expected) in [
            ("/admin", &[Administrator][..]),
            ("/admin/nowhere", &[Administrator]),
            ("/admin/users", &[Administrator]),
            ("/admin/users/", &[Administrator]),
            ("/admin/users/x/factors", &[Administrator, UserId]),
            ("/admin/users/x/factors/y", &[Administrator, UserId, FactorId]),
            ("/admin/oauth/clients/x", &[Administrator, OauthServer, ClientId]),
            ("/user", &[User]),
            ("/users", &[]),
            ("/factors/x", &[User, FactorId]),
            ("/factors/x/challenge", &[User, FactorId]),
            ("/passkeys", &[Passkeys]),
            ("/passkeys/authentication/verify", &[Passkeys]),
            ("/passkeys/x", &[Passkeys, User]),
            ("/oauth/token", &[OauthServer]),
            ("/logout", &[]),
            ("/", &[]),
        ] {
            let segments: Vec<&str> = path.split('/').skip(1).collect();
            let found: Vec<Door> = doors(&segments).into_iter().map(|(door, _)| door).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}
