//! Gets a user's profile from a provider with the provider's tokens.

use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;
use url::Url;

use super::id_claims::{self, is_azure, is_azure_for_customers};
use super::id_token::{self, IdToken};
use super::issuers::{Issuer, Whereabouts};
use super::oauth1::{self, Signer};
use super::profiles::Read;
use super::provider::{Kind, Provider};
use super::table::{Dialect, Place, Source};
use super::{Answer, Failure, Network, Profile, Tokens, custom};
use crate::store::custom_oauth_providers::CustomOauthProvider;

/// The version of Notion's API.
const NOTION_VERSION: &str = "2021-08-16";
/// Azure's issuers for all tenants, which issue no tokens themselves.
const AZURE_FOR_ALL: [&str; 2] =
    ["https://login.microsoftonline.com/common/v2.0", "https://login.microsoftonline.com/organizations/v2.0"];

impl Provider {
    /// The profile of the tokens' user.
    ///
    /// # Errors
    /// If the provider gives no profile, or its ID token is invalid.
    pub(crate) async fn identify(
        &self,
        network: &Network,
        tokens: &Tokens,
        now: DateTime<Utc>,
    ) -> Result<Profile, Failure> {
        match &self.kind {
            Kind::Custom(custom) => self.identify_custom(custom, tokens, now).await,
            Kind::Row { row, base } => {
                let base = base.as_deref();
                match &row.identity {
                    Source::Api { api, paths, read } => {
                        let api = api_of(row.dialect, *api, base);
                        self.ask(row.dialect, &api, paths, *read, &tokens.access_token).await
                    }
                    Source::Google { api, read } => match &self.own_token(tokens, now).await? {
                        Some(token) => id_claims::profile(&token.issuer, &token.claims),
                        None => {
                            self.ask(row.dialect, &api_of(row.dialect, *api, None), &[""], *read, &tokens.access_token)
                                .await
                        }
                    },
                    Source::IdToken(_) => match &self.own_token(tokens, now).await? {
                        Some(token) => id_claims::profile(&token.issuer, &token.claims),
                        // An empty profile: the flow then fails for the missing address.
                        None => Ok(Profile::default()),
                    },
                    Source::Azure => self.identify_azure(network, base, tokens, now).await,
                    Source::Token { api, read } => {
                        let answer = Value::Object(tokens.answer.clone());
                        read(&api.under(base).unwrap_or_default(), &[Answer::from(&answer)])
                    }
                }
            }
        }
    }

    /// The profile for a token and verifier of OAuth 1.0a, with the access token.
    ///
    /// # Errors
    /// If the provider refuses them.
    pub(crate) async fn identify_oauth1(
        &self,
        token: &str,
        verifier: &str,
        now: DateTime<Utc>,
    ) -> Result<(Profile, Tokens), Failure> {
        let Kind::Row { row, base } = &self.kind else { return Err(other_protocol()) };
        let Source::Api { api, read, .. } = &row.identity else { return Err(other_protocol()) };
        let signer = Signer { token, ..self.signer() };
        let access = oauth1::access_token(&self.http, &self.access_token_url(), signer, verifier, now).await?;
        let signer = Signer { token: &access.token, token_secret: &access.secret, ..self.signer() };
        let url = api.under(base.as_deref()).unwrap_or_default();
        let query = [("include_entities", "false"), ("skip_status", "true"), ("include_email", "true")];
        let answer = oauth1::get(&self.http, &url, signer, &query, now).await?;
        let profile = read(&url, &[Answer::from(&answer)])?;
        Ok((profile, Tokens { access_token: access.token, ..Tokens::default() }))
    }

    /// Requests the API's paths one by one.
    async fn ask(
        &self,
        dialect: Dialect,
        api: &str,
        paths: &[&str],
        read: Read,
        access_token: &str,
    ) -> Result<Profile, Failure> {
        let bearer = format!("Bearer {access_token}");
        let mut headers = vec![("authorization", bearer.as_str()), ("accept", "application/json")];
        match dialect {
            Dialect::Twitch => headers.push(("client-id", &self.client_id)),
            Dialect::Notion => headers.push(("notion-version", NOTION_VERSION)),
            _ => {}
        }
        let proof = match dialect {
            Dialect::Facebook => format!("&appsecret_proof={}", proof(self.secret.reveal(), access_token)),
            _ => String::new(),
        };
        let mut answers = Vec::new();
        for path in paths {
            answers.push(self.get(&format!("{api}{path}{proof}"), &headers).await?);
        }
        let answers: Vec<Answer<'_>> = answers.iter().map(Answer::from).collect();
        read(api, &answers)
    }

    async fn get(&self, url: &str, headers: &[(&str, &str)]) -> Result<Value, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::Answer("comes from an address that is none".to_owned()))?;
        let answer = self.http.get_with(&url, headers, super::MAX_ANSWER).await?;
        if !(200..300).contains(&answer.status) {
            return Err(Failure::Status(answer.status));
        }
        serde_json::from_slice(&answer.body).map_err(|_| Failure::Answer("is not JSON".to_owned()))
    }

    /// The verified ID token; its audience must be us.
    async fn own_token(&self, tokens: &Tokens, now: DateTime<Utc>) -> Result<Option<IdToken>, Failure> {
        let (Some(token), Some(issuer)) = (&tokens.id_token, &self.issuer) else { return Ok(None) };
        self.check(issuer, token, &tokens.access_token, now).await.map(Some)
    }

    async fn check(
        &self,
        issuer: &Issuer,
        token: &str,
        access_token: &str,
        now: DateTime<Utc>,
    ) -> Result<IdToken, Failure> {
        let token = id_token::verify(&self.http, issuer, token, Some(access_token), now).await?;
        if token.audience.contains(&self.client_id) { Ok(token) } else { Err(for_another()) }
    }

    /// Azure tenants issue their own tokens: the tenant is read from the unverified token, which is then verified with
    /// the tenant's keys. Only ID tokens are accepted; the API would also answer for tenants that do not own the
    /// address.
    async fn identify_azure(
        &self,
        network: &Network,
        base: Option<&str>,
        tokens: &Tokens,
        now: DateTime<Utc>,
    ) -> Result<Profile, Failure> {
        let token = tokens.id_token.as_deref().ok_or_else(|| Failure::Answer("has no ID token".to_owned()))?;
        let said = id_token::issuer_of(token).unwrap_or_default();
        let expected = base.map(|base| format!("{base}/v2.0"));
        let expected = expected.filter(|issuer| {
            (is_azure(issuer) || is_azure_for_customers(issuer)) && !AZURE_FOR_ALL.contains(&issuer.as_str())
        });
        // A configured tenant must match exactly; otherwise any Azure tenant is accepted.
        let allowed = expected.as_ref().map_or_else(|| is_azure(&said), |expected| *expected == said);
        if !allowed {
            return Err(Failure::Answer("has an ID token of another issuer".to_owned()));
        }
        let place = Whereabouts { issuer: &said, discovery_url: None };
        let issuer = network.issuers.find(&self.http, place, now).await?;
        let token = self.check(&issuer, token, &tokens.access_token, now).await?;
        id_claims::profile(&token.issuer, &token.claims)
    }

    /// By the ID token, or if there is none, by the API.
    async fn identify_custom(
        &self,
        provider: &CustomOauthProvider,
        tokens: &Tokens,
        now: DateTime<Utc>,
    ) -> Result<Profile, Failure> {
        if let (Some(token), Some(issuer)) = (&tokens.id_token, &self.issuer) {
            let token = id_token::verify(&self.http, issuer, token, Some(&tokens.access_token), now).await?;
            let ours = |one: &String| *one == self.client_id || provider.acceptable_client_ids.contains(one);
            if !token.audience.iter().any(ours) {
                return Err(for_another());
            }
            return custom::of_token(provider, &token.issuer, &token.claims);
        }
        let url = match &self.issuer {
            Some(issuer) => issuer.discovery.userinfo_endpoint.as_str(),
            None => provider.userinfo_url.as_deref().unwrap_or_default(),
        };
        let bearer = format!("Bearer {}", tokens.access_token);
        match self.get(url, &[("authorization", &bearer), ("accept", "application/json")]).await? {
            Value::Object(raw) => custom::of_answer(provider, &raw),
            _ => Err(Failure::Answer("is no object".to_owned())),
        }
    }
}

/// The address of the API, which is also the issuer of its profiles.
fn api_of(dialect: Dialect, place: Place, base: Option<&str>) -> String {
    let address = place.under(base).unwrap_or_default();
    if dialect == Dialect::GitHub && !address.ends_with(place.host) { format!("{address}/api/v3") } else { address }
}

/// Facebook's `appsecret_proof` (developers.facebook.com, "Secure Graph API Calls").
fn proof(secret: &str, access_token: &str) -> String {
    let mut hmac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    hmac.update(access_token.as_bytes());
    hmac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn for_another() -> Failure {
    Failure::Answer("has an ID token that is for somebody else".to_owned())
}

fn other_protocol() -> Failure {
    Failure::Answer("is in another protocol".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_hmacs_in_hexadecimal() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(proof("Jefe", "what do ya want for nothing?"), expected);
    }

    #[test]
    fn a_github_of_ones_own_has_its_api_elsewhere() {
        let place = Place { host: "api.github.com", path: "" };
        assert_eq!(api_of(Dialect::GitHub, place, None), "https://api.github.com");
        assert_eq!(api_of(Dialect::GitHub, place, Some("https://git.test")), "https://git.test/api/v3");
        assert_eq!(api_of(Dialect::None, place, Some("https://git.test")), "https://git.test");
    }
}
