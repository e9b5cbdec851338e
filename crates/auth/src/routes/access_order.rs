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
enum Check {
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
    let failure = |(check, name): (Check, &str)| failure(check, name, request, state);
    checks(&segments).into_iter().find_map(failure)
}

/// The checks of a path in order, each with the path segment it looks at.
fn checks<'a>(segments: &[&'a str]) -> Vec<(Check, &'a str)> {
    use Check::{
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
fn failure(check: Check, name: &str, request: &HttpRequest, state: &State) -> Option<AuthError> {
    let config = &state.config;
    let unless = |open: bool, error: AuthError| (!open).then_some(error);
    let is_id = Uuid::parse_str(name).is_ok();
    match check {
        Check::Administrator => administrator::check_role(request).err().map(|refusal| in_our_words(request, refusal)),
        Check::User => Authenticated::of(request).err().map(|refusal| in_our_words(request, refusal)),
        Check::OauthServer => config.oauth_server.require().err(),
        Check::CustomProviders => {
            unless(config.custom_oauth.enabled, AuthError::External(ExternalError::CustomFeatureDisabled))
        }
        Check::ManualLinking => {
            unless(config.security.manual_linking_enabled, AuthError::External(ExternalError::ManualLinkingDisabled))
        }
        Check::Passkeys => passkeys::check_enabled(state).err().map(AuthError::from),
        Check::Saml => unless(config.saml.is_some(), AuthError::SamlDisabled),
        Check::UserId => unless(is_id, AuthError::UserIdNotUuid),
        Check::FactorId => unless(is_id, MfaError::FactorId.into()),
        Check::ClientId => unless(is_id, AuthError::OAuthServer(OAuthServerError::ClientIdFormat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_doors() {
        use Check::{Administrator, ClientId, FactorId, OauthServer, Passkeys, User, UserId};
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
            let found: Vec<Check> = checks(&segments).into_iter().map(|(check, _)| check).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}
