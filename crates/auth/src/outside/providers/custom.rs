//! Profiles of custom providers, mapped as the administrator configured.
//!
//! Source: supabase/auth, `internal/api/provider/custom_oauth.go`.

use serde_json::{Map, Value};

use super::{Claims, Failure, Profile, id_claims};
use crate::store::custom_oauth_providers::CustomOauthProvider;

/// The profile in an answer of the provider's API.
///
/// # Errors
/// If a claim has the wrong type.
pub(super) fn of_answer(provider: &CustomOauthProvider, raw: &Map<String, Value>) -> Result<Profile, Failure> {
    let claims = Claims::read(raw).map_err(|wrong| Failure::Answer(format!("is not as it should be: {wrong}")))?;
    let claims = mapped(provider, raw, claims);
    // Read after the mapping, which may define the address.
    let (email, verified) = (claims.text("email").to_owned(), claims.flag("email_verified"));
    Ok(Profile::with_email(claims, &email, verified))
}

/// The profile in an ID token of the provider.
///
/// # Errors
/// If a claim has the wrong type.
pub(super) fn of_token(
    provider: &CustomOauthProvider,
    issuer: &str,
    raw: &Map<String, Value>,
) -> Result<Profile, Failure> {
    let profile = id_claims::profile(issuer, raw)?;
    Ok(Profile { emails: profile.emails, claims: mapped(provider, raw, profile.claims) })
}

fn mapped(provider: &CustomOauthProvider, raw: &Map<String, Value>, mut claims: Claims) -> Claims {
    for name in &provider.custom_claims_allowlist {
        if let Some(value) = raw.get(name) {
            claims.add_custom(name, value.clone());
        }
    }
    map(claims, &provider.attribute_mapping)
}

/// Applies a mapping: a string names a source claim, any other value is a literal. A mapping that results in a wrong
/// type is ignored as a whole.
fn map(claims: Claims, mapping: &Map<String, Value>) -> Claims {
    let mut made = claims.as_map().clone();
    for (target, source) in mapping {
        let value = match source {
            Value::String(name) => made.get(name).cloned(),
            literal => Some(literal.clone()),
        };
        if let Some(value) = value {
            made.insert(target.clone(), value);
        }
    }
    Claims::read(&made).unwrap_or(claims)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mapped_by(mapping: Value) -> Value {
        let claims = Claims::of([("sub", "1"), ("nickname", "ana"), ("email", "ana@x.test")]);
        Value::Object(map(claims, mapping.as_object().unwrap()).as_map().clone())
    }

    #[test]
    fn texts_name_claims_and_the_rest_is_meant() {
        let plain = json!({ "sub": "1", "nickname": "ana", "email": "ana@x.test" });
        for (mapping, added) in [
            (json!({}), json!({})),
            (json!({ "name": "nickname" }), json!({ "name": "ana" })),
            (json!({ "name": "unknown" }), json!({})),
            (json!({ "custom_claims": { "a": 1 } }), json!({ "custom_claims": { "a": 1 } })),
            (json!({ "unknown": "nickname" }), json!({})),
            // A wrong type: nothing is mapped.
            (json!({ "name": 1, "full_name": "nickname" }), json!({})),
        ] {
            let mut expected = plain.clone();
            expected.as_object_mut().unwrap().extend(added.as_object().unwrap().clone());
            assert_eq!(mapped_by(mapping.clone()), expected, "{mapping}");
        }
        assert_eq!(mapped_by(json!({ "sub": null }))["sub"], json!(null));
    }
}
