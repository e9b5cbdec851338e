//! The parameters for registering or changing an OAuth client.
//!
//! Source: RFC 7591 section 2; supabase/auth, `internal/api/oauthserver/service.go`.

use url::Url;
use utoipa::ToSchema;

use super::redirect;
use crate::model::oauth_client::{AuthMethod, Changes, ClientType, Registration};
use crate::protocol::body::params;

/// Maximum number of redirect URIs per client.
const MAX_REDIRECT_URIS: usize = 10;
/// Maximum length of a client name, in bytes.
const MAX_NAME: usize = 1024;
/// Maximum length of a URI, in bytes.
const MAX_URI: usize = 2048;

/// An unchecked registration.
#[derive(Clone, Debug, Default, ToSchema)]
pub(crate) struct RegisterBody {
    pub(super) redirect_uris: Option<Vec<String>>,
    /// `public` or `confidential`; by default derived from the authentication method.
    pub(super) client_type: String,
    pub(super) token_endpoint_auth_method: String,
    pub(super) grant_types: Option<Vec<String>>,
    pub(super) client_name: String,
    pub(super) client_uri: String,
    pub(super) logo_uri: String,
}
params!(RegisterBody as "OAuthServerClientRegisterParams" {
    redirect_uris: Texts, client_type: Text, token_endpoint_auth_method: Text, grant_types: Texts, client_name: Text,
    client_uri: Text, logo_uri: Text,
});

/// An unchecked change. Absent fields keep their value.
#[derive(Clone, Debug, Default, ToSchema)]
pub(crate) struct UpdateBody {
    pub(super) redirect_uris: Option<Vec<String>>,
    pub(super) grant_types: Option<Vec<String>>,
    pub(super) client_name: Option<String>,
    pub(super) client_uri: Option<String>,
    pub(super) logo_uri: Option<String>,
    pub(super) token_endpoint_auth_method: Option<String>,
}
params!(UpdateBody as "OAuthServerClientUpdateParams" {
    redirect_uris: Texts, grant_types: Texts, client_name: OptionalText, client_uri: OptionalText,
    logo_uri: OptionalText, token_endpoint_auth_method: OptionalText,
});

impl RegisterBody {
    /// Checks the registration.
    ///
    /// # Errors
    /// The first problem, worded for the client.
    pub(crate) fn check(self) -> Result<Registration, String> {
        let redirect_uris = self.redirect_uris.unwrap_or_default();
        if redirect_uris.is_empty() {
            return Err("redirect_uris is required".to_owned());
        }
        check_redirect_uris(&redirect_uris)?;
        let grant_types = self.grant_types.filter(|types| !types.is_empty());
        if let Some(types) = &grant_types {
            check_grant_types(types)?;
        }
        check_name(&self.client_name)?;
        check_uri("client_uri", &self.client_uri)?;
        check_uri("logo_uri", &self.logo_uri)?;
        let (client_type, auth_method) = kind(&self.client_type, &self.token_endpoint_auth_method)?;
        let given = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Registration {
            client_type,
            auth_method,
            redirect_uris,
            grant_types: grant_types
                .unwrap_or_else(|| ["authorization_code", "refresh_token"].map(str::to_owned).to_vec()),
            name: given(self.client_name),
            uri: given(self.client_uri),
            logo_uri: given(self.logo_uri),
        })
    }
}

impl UpdateBody {
    pub(crate) fn is_empty(&self) -> bool {
        let lists = [&self.redirect_uris, &self.grant_types];
        let texts = [&self.client_name, &self.client_uri, &self.logo_uri, &self.token_endpoint_auth_method];
        lists.iter().all(|list| list.is_none()) && texts.iter().all(|text| text.is_none())
    }

    /// Checks a change of a client of this type.
    ///
    /// # Errors
    /// The first problem, worded for the client.
    pub(crate) fn check(self, client_type: ClientType) -> Result<Changes, String> {
        if let Some(uris) = &self.redirect_uris {
            check_redirect_uris(uris)?;
        }
        if let Some(types) = &self.grant_types {
            check_grant_types(types)?;
        }
        check_name(self.client_name.as_deref().unwrap_or_default())?;
        check_uri("client_uri", self.client_uri.as_deref().unwrap_or_default())?;
        check_uri("logo_uri", self.logo_uri.as_deref().unwrap_or_default())?;
        let auth_method = self.token_endpoint_auth_method.map(|name| fit(&name, client_type)).transpose()?;
        Ok(Changes {
            redirect_uris: self.redirect_uris,
            grant_types: self.grant_types,
            name: self.client_name,
            uri: self.client_uri,
            logo_uri: self.logo_uri,
            auth_method,
        })
    }
}

/// Client type and authentication method must match. A missing one is derived from the other; without either the client
/// is confidential.
fn kind(client_type: &str, auth_method: &str) -> Result<(ClientType, AuthMethod), String> {
    let named = ClientType::named(client_type);
    if named.is_none() && !client_type.is_empty() {
        return Err("client_type must be 'public' or 'confidential'".to_owned());
    }
    let method = AuthMethod::named(auth_method);
    if method.is_none() && !auth_method.is_empty() {
        return Err(format!("token_endpoint_auth_method must be one of: {}", names(&AuthMethod::ALL)));
    }
    match (named, method) {
        (Some(named), Some(method)) if named != method.client_type() => Err(format!(
            "client_type '{client_type}' is inconsistent with token_endpoint_auth_method '{auth_method}' (expected client_type '{}')",
            method.client_type().as_str()
        )),
        (_, Some(method)) => Ok((method.client_type(), method)),
        (named, None) => {
            let client_type = named.unwrap_or(ClientType::Confidential);
            Ok((client_type, client_type.auth_methods()[0]))
        }
    }
}

fn fit(name: &str, client_type: ClientType) -> Result<AuthMethod, String> {
    let method = AuthMethod::named(name)
        .ok_or_else(|| format!("invalid token_endpoint_auth_method: must be one of {}", names(&AuthMethod::ALL)))?;
    if method.client_type() == client_type {
        return Ok(method);
    }
    let kind = client_type.as_str();
    let valid = names(client_type.auth_methods());
    Err(format!("token_endpoint_auth_method '{name}' is not valid for client_type '{kind}'; valid methods: {valid}"))
}

/// As Go prints a list.
fn names(methods: &[AuthMethod]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    format!("[{}]", names.join(" "))
}

fn check_redirect_uris(uris: &[String]) -> Result<(), String> {
    if uris.is_empty() {
        return Err("redirect_uris cannot be empty".to_owned());
    }
    if uris.len() > MAX_REDIRECT_URIS {
        return Err(format!("redirect_uris cannot exceed {MAX_REDIRECT_URIS} items"));
    }
    uris.iter()
        .try_for_each(|uri| redirect::check(uri).map_err(|problem| format!("invalid redirect_uri '{uri}': {problem}")))
}

fn check_grant_types(types: &[String]) -> Result<(), String> {
    if types.is_empty() {
        return Err("grant_types cannot be empty".to_owned());
    }
    if types.iter().all(|name| matches!(name.as_str(), "authorization_code" | "refresh_token")) {
        return Ok(());
    }
    Err("grant_types must only contain 'authorization_code' and/or 'refresh_token'".to_owned())
}

fn check_name(name: &str) -> Result<(), String> {
    if name.len() > MAX_NAME { Err(format!("client_name cannot exceed {MAX_NAME} characters")) } else { Ok(()) }
}

fn check_uri(field: &str, uri: &str) -> Result<(), String> {
    if uri.len() > MAX_URI {
        return Err(format!("{field} cannot exceed {MAX_URI} characters"));
    }
    // Go accepts a path as a URL, too.
    if uri.is_empty() || uri.starts_with('/') || Url::parse(uri).is_ok() {
        return Ok(());
    }
    Err(format!("{field} must be a valid URL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> RegisterBody {
        RegisterBody { redirect_uris: Some(vec!["https://app.test/cb".to_owned()]), ..RegisterBody::default() }
    }

    #[test]
    fn type_and_method_go_together() {
        for (client_type, method, outcome) in [
            ("", "", Ok(("confidential", "client_secret_basic"))),
            ("", "none", Ok(("public", "none"))),
            ("", "client_secret_post", Ok(("confidential", "client_secret_post"))),
            ("public", "", Ok(("public", "none"))),
            ("confidential", "client_secret_basic", Ok(("confidential", "client_secret_basic"))),
            ("secret", "", Err("client_type must be 'public' or 'confidential'")),
            (
                "",
                "private_key_jwt",
                Err("token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]"),
            ),
            (
                "public",
                "client_secret_basic",
                Err(
                    "client_type 'public' is inconsistent with token_endpoint_auth_method 'client_secret_basic' (expected client_type 'confidential')",
                ),
            ),
        ] {
            let (client_type, token_endpoint_auth_method) = (client_type.to_owned(), method.to_owned());
            let checked = RegisterBody { client_type, token_endpoint_auth_method, ..body() }.check();
            let checked = checked.map(|client| (client.client_type.as_str(), client.auth_method.as_str()));
            assert_eq!(checked, outcome.map_err(str::to_owned));
        }
    }

    #[test]
    fn every_limit_has_its_words() {
        let uris = |count: usize| Some(vec!["https://app.test/cb".to_owned(); count]);
        let types = |name: &str| Some(vec![name.to_owned()]);
        assert!(RegisterBody { redirect_uris: uris(10), client_name: "n".repeat(1024), ..body() }.check().is_ok());
        let long = format!("https://app.test/{}", "x".repeat(2048));
        for (body, problem) in [
            (RegisterBody::default(), "redirect_uris is required"),
            (RegisterBody { redirect_uris: uris(11), ..body() }, "redirect_uris cannot exceed 10 items"),
            (
                RegisterBody { redirect_uris: types("x"), ..body() },
                "invalid redirect_uri 'x': must have scheme and host",
            ),
            (
                RegisterBody { grant_types: types("password"), ..body() },
                "grant_types must only contain 'authorization_code' and/or 'refresh_token'",
            ),
            (RegisterBody { client_name: "n".repeat(1025), ..body() }, "client_name cannot exceed 1024 characters"),
            (RegisterBody { client_uri: long.clone(), ..body() }, "client_uri cannot exceed 2048 characters"),
            (RegisterBody { logo_uri: "nowhere".to_owned(), ..body() }, "logo_uri must be a valid URL"),
        ] {
            assert_eq!(body.check().unwrap_err(), problem);
        }
    }

    #[test]
    fn changes_suit_the_type() {
        let change =
            |method: &str| UpdateBody { token_endpoint_auth_method: Some(method.to_owned()), ..UpdateBody::default() };
        let post = change("client_secret_post").check(ClientType::Confidential).unwrap();
        assert_eq!(post.auth_method, Some(AuthMethod::ClientSecretPost));
        assert_eq!(
            change("none").check(ClientType::Confidential).unwrap_err(),
            "token_endpoint_auth_method 'none' is not valid for client_type 'confidential'; valid methods: [client_secret_basic client_secret_post]"
        );
        let empty = UpdateBody { redirect_uris: Some(Vec::new()), ..UpdateBody::default() };
        assert_eq!(empty.check(ClientType::Public).unwrap_err(), "redirect_uris cannot be empty");
        assert!(UpdateBody::default().is_empty() && !change("none").is_empty());
    }
}
