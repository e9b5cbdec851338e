//! Maps the claims of an ID token to a profile, per issuer. Pure functions.
//!
//! Source: supabase/auth, `internal/api/provider/oidc.go`, and the issuers' documentation.

use regex::Regex;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

use super::{Answer, Claims, Email, Failure, Profile};

pub(crate) const APPLE: &str = "https://appleid.apple.com";
/// Apple's second issuer name.
pub(crate) const APPLE_ACCOUNT: &str = "https://account.apple.com";
pub(crate) const FACEBOOK: &str = "https://www.facebook.com";
pub(crate) const GOOGLE: &str = "https://accounts.google.com";
pub(crate) const KAKAO: &str = "https://kauth.kakao.com";
pub(crate) const LINKEDIN: &str = "https://www.linkedin.com/oauth";
pub(crate) const SNAPCHAT: &str = "https://accounts.snapchat.com/accounts/oauth2/token";
pub(crate) const VERCEL: &str = "https://marketplace.vercel.com";

/// Azure's claims that describe the token, or that are stored elsewhere.
const NOT_KEPT_OF_AZURE: [&str; 16] = [
    "aud",
    "iss",
    "iat",
    "nbf",
    "exp",
    "c_hash",
    "at_hash",
    "aio",
    "nonce",
    "rh",
    "uti",
    "jti",
    "ver",
    "sub",
    "name",
    "preferred_username",
];

const CONSTANT: &str = "a constant, which a test compiles";

pub(crate) fn is_apple(issuer: &str) -> bool {
    issuer == APPLE || issuer == APPLE_ACCOUNT
}

/// True if the issuer is an Azure tenant.
pub(crate) fn is_azure(issuer: &str) -> bool {
    static TENANT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^https://login[.]microsoftonline[.]com/([^/]+)/v2[.]0/?$").expect(CONSTANT));
    TENANT.is_match(issuer)
}

/// True if the issuer is an Azure tenant for customers (CIAM).
pub(crate) fn is_azure_for_customers(issuer: &str) -> bool {
    static TENANT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^https://[a-z0-9-]+[.]ciamlogin[.]com/([^/]+)/v2[.]0/?$").expect(CONSTANT));
    TENANT.is_match(issuer)
}

/// The profile in a verified ID token.
///
/// # Errors
/// If a claim has the wrong type.
pub(crate) fn profile(issuer: &str, raw: &Map<String, Value>) -> Result<Profile, Failure> {
    let value = Value::Object(raw.clone());
    let token = Answer::from(&value);
    match issuer {
        GOOGLE => google(token),
        LINKEDIN => linkedin(token),
        KAKAO => kakao(token),
        VERCEL => vercel(token),
        FACEBOOK => facebook(token),
        SNAPCHAT => snapchat(raw),
        _ if is_azure(issuer) => azure(token, raw),
        _ if is_apple(issuer) => apple(token),
        _ => generic(raw),
    }
}

fn google(token: Answer<'_>) -> Result<Profile, Failure> {
    let (subject, name, picture) = (token.text("sub")?, token.text("name")?, token.text("picture")?);
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", subject),
        ("name", name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", name),
        ("provider_id", subject),
    ]);
    let mut custom = Map::new();
    // The Google Workspace domain of the account.
    if !token.text("hd")?.is_empty() {
        custom.insert("hd".to_owned(), json!(token.text("hd")?));
    }
    let verified = token.flag("verified_email")? || token.flag("email_verified")?;
    Ok(Profile::with_email(claims.with_custom(custom), token.text("email")?, verified))
}

/// Limited Login. Its addresses are verified.
fn facebook(token: Answer<'_>) -> Result<Profile, Failure> {
    let (subject, email) = (token.text("sub")?, token.text("email")?);
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", subject),
        ("name", token.text("name")?),
        ("picture", token.text("picture")?),
        ("provider_id", subject),
    ]);
    Ok(Profile::with_email(claims, email, true))
}

fn apple(token: Answer<'_>) -> Result<Profile, Failure> {
    let subject = token.text("sub")?;
    let claims = Claims::of([("iss", token.text("iss")?), ("sub", subject), ("provider_id", subject)]);
    let mut custom = Map::new();
    let private = token.at("is_private_email")?.value();
    let private = private.as_bool().or_else(|| private.as_str().and_then(|text| text.parse().ok()));
    if let Some(private) = private {
        custom.insert("is_private_email".to_owned(), json!(private));
    }
    if let time @ Value::Number(_) = token.at("auth_time")?.value() {
        custom.insert("auth_time".to_owned(), time.clone());
    }
    if !token.text("transfer_sub")?.is_empty() {
        custom.insert("transfer_sub".to_owned(), json!(token.text("transfer_sub")?));
    }
    // An address is added even if it is empty: Apple sends it only if it was requested.
    let email = Email { address: token.text("email")?.to_owned(), verified: true, primary: true };
    Ok(Profile { emails: vec![email], claims: claims.with_custom(custom) })
}

fn linkedin(token: Answer<'_>) -> Result<Profile, Failure> {
    let subject = token.text("sub")?;
    let (given, family) = (token.text("given_name")?, token.text("family_name")?);
    // LinkedIn sometimes sends a string.
    let verified = match token.at("email_verified")?.value() {
        Value::Bool(verified) => *verified,
        Value::String(text) if text == "true" => true,
        Value::String(text) if text == "false" => false,
        _ => return Err(Failure::Answer("does not say whether the address is verified".to_owned())),
    };
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", subject),
        ("name", format!("{given} {family}").trim()),
        ("family_name", family),
        ("given_name", given),
        ("picture", token.text("picture")?),
        ("locale", token.at("locale")?.value().as_str().unwrap_or_default()),
        ("provider_id", subject),
    ]);
    Ok(Profile::with_email(claims, token.text("email")?, verified))
}

fn azure(token: Answer<'_>, raw: &Map<String, Value>) -> Result<Profile, Failure> {
    let (subject, email) = (token.text("sub")?, token.text("email")?);
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", subject),
        ("preferred_username", token.text("preferred_username")?),
        ("full_name", token.text("name")?),
        ("provider_id", subject),
    ]);
    let kept = raw.iter().filter(|(name, _)| !NOT_KEPT_OF_AZURE.contains(&name.as_str()));
    let custom = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    // True if the tenant owns the address's domain. Tenants without this claim count as verified (learn.microsoft.com,
    // "Migrate away from using email claims for user identification").
    let verified = match raw.get("xms_edov") {
        None | Some(Value::Null) => true,
        Some(Value::Bool(verified)) => *verified,
        Some(Value::String(text)) => text == "1" || text == "true",
        Some(_) => false,
    };
    Ok(Profile::with_email(claims.with_custom(custom), email, verified))
}

fn kakao(token: Answer<'_>) -> Result<Profile, Failure> {
    let (subject, name) = (token.text("sub")?, token.text("nickname")?);
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", subject),
        ("name", name),
        ("preferred_username", name),
        ("provider_id", subject),
        ("picture", token.text("picture")?),
    ]);
    Ok(Profile::with_email(claims, token.text("email")?, true))
}

/// A user has a separate id per Vercel installation; the global id is the same for all.
fn vercel(token: Answer<'_>) -> Result<Profile, Failure> {
    let subject = match token.text("global_user_id")? {
        "" => token.text("sub")?.to_owned(),
        id => format!("global_user_id:{id}"),
    };
    let claims = Claims::of([
        ("iss", token.text("iss")?),
        ("sub", &subject),
        ("provider_id", &subject),
        ("name", token.text("user_name")?),
        ("picture", token.text("user_avatar_url")?),
    ]);
    let email = Email { address: token.text("user_email")?.to_owned(), verified: true, primary: true };
    Ok(Profile { emails: vec![email], claims })
}

fn snapchat(raw: &Map<String, Value>) -> Result<Profile, Failure> {
    let mut profile = generic(raw)?;
    for email in &mut profile.emails {
        email.verified = true;
    }
    Ok(profile)
}

/// As in OpenID Connect Core section 5.1.
pub(super) fn generic(raw: &Map<String, Value>) -> Result<Profile, Failure> {
    let claims = Claims::read(raw).map_err(|wrong| Failure::Answer(format!("is not as it should be: {wrong}")))?;
    let (email, verified) = (claims.text("email").to_owned(), claims.flag("email_verified"));
    Ok(Profile::with_email(claims, &email, verified))
}

#[cfg(test)]
mod tests;
