//! Type checks of token claims. A project can sign tokens with any claims. A `session_id` that is not a string must not
//! be treated as absent.
//!
//! Source: supabase/auth, `internal/api/auth.go`; the messages are those of golang-jwt v5 and Go's `encoding/json`.
//!
//! DEVIATION (behaviour): names of token claims are case-sensitive; GoTrue also reads `Role` as `role`.

use gateway::Claims;
use serde_json::Value;

use crate::protocol::body::kind;

/// String claims, with their field names in GoTrue's struct.
const TEXTS: &[(&str, &str)] = &[
    ("iss", "RegisteredClaims.iss"),
    ("sub", "RegisteredClaims.sub"),
    ("jti", "RegisteredClaims.jti"),
    ("email", "email"),
    ("phone", "phone"),
    ("role", "role"),
    ("aal", "aal"),
    ("session_id", "session_id"),
    ("client_id", "client_id"),
    ("scope", "scope"),
];
const OBJECTS: &[&str] = &["app_metadata", "user_metadata"];
const FLAG: &str = "is_anonymous";
const METHODS: &str = "amr";

/// The message about the first claim of a wrong type; `null` counts as absent.
pub(super) fn wrong(claims: &Claims) -> Option<String> {
    let found = |name: &str| claims.get(name).filter(|value| !value.is_null());
    let texts = TEXTS.iter().filter_map(|(name, field)| {
        let value = found(name).filter(|value| !value.is_string())?;
        Some((value, *field, "string"))
    });
    let objects = OBJECTS.iter().filter_map(|name| {
        let value = found(name).filter(|value| !value.is_object())?;
        Some((value, *name, "map[string]interface {}"))
    });
    let flag = found(FLAG).filter(|value| !value.is_boolean()).map(|value| (value, FLAG, "bool"));
    let unfit = texts.chain(objects).chain(flag).next().map(|(value, field, expected)| {
        format!(
            "json: cannot unmarshal {} into Go struct field AccessTokenClaims.{field} of type {expected}",
            kind(value)
        )
    });
    let unfit = unfit.or_else(|| {
        let is_wrong = found(METHODS).is_some_and(|value| !is_methods(value));
        is_wrong.then(|| format!("the claim {METHODS} must be a list of methods"))
    });
    unfit.map(|reason| format!("token is malformed: could not JSON decode claim: {reason}"))
}

/// A list of method names or of objects that describe methods.
fn is_methods(value: &Value) -> bool {
    let is_method = |item: &Value| match item {
        Value::Object(fields) => ["method", "provider"].iter().all(|name| {
            let value = fields.get(*name).unwrap_or(&Value::Null);
            value.is_null() || value.is_string()
        }),
        other => other.is_string() || other.is_null(),
    };
    value.as_array().is_some_and(|items| items.iter().all(is_method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_of_their_types() {
        let wrong = |claims: &str| wrong(&Claims::parse(claims).unwrap());
        for good in [
            "{}",
            r#"{"sub":null,"session_id":"","is_anonymous":false,"app_metadata":{},"amr":["otp",{"method":"otp","timestamp":1}]}"#,
            r#"{"exp":1,"aud":["a"],"mine":[7]}"#,
        ] {
            assert_eq!(wrong(good), None, "{good}");
        }
        for (claims, reason) in [
            (
                r#"{"session_id":7}"#,
                "cannot unmarshal number into Go struct field AccessTokenClaims.session_id of type string",
            ),
            (
                r#"{"iss":[]}"#,
                "cannot unmarshal array into Go struct field AccessTokenClaims.RegisteredClaims.iss of type string",
            ),
            (r#"{"user_metadata":"x"}"#, "AccessTokenClaims.user_metadata of type map[string]interface {}"),
            (r#"{"is_anonymous":"no"}"#, "AccessTokenClaims.is_anonymous of type bool"),
            (r#"{"amr":"otp"}"#, "the claim amr must be a list of methods"),
            (r#"{"amr":[{"method":7}]}"#, "the claim amr must be a list of methods"),
        ] {
            assert!(wrong(claims).is_some_and(|said| said.ends_with(reason)), "{claims}");
        }
    }
}
