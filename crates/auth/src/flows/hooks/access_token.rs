//! The hook that customizes the claims of access tokens.
//!
//! Source: supabase/auth, `internal/tokens/service.go` (the schema of the claims).

use pg::pool::Transaction;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{HookName, Place, invoke, metadata};
use crate::error::{AuthError, HookError};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;

/// Required claims with their allowed JSON types; an empty list allows any type.
const REQUIRED: [(&str, &[&str]); 10] = [
    ("aud", &["string", "array"]),
    ("exp", &["integer"]),
    ("iat", &["integer"]),
    ("sub", &["string"]),
    ("email", &["string"]),
    ("phone", &["string"]),
    ("role", &["string"]),
    ("aal", &["string"]),
    ("session_id", &["string"]),
    ("is_anonymous", &[]),
];
/// Optional claims with their allowed JSON types.
const OPTIONAL: [(&str, &[&str]); 7] = [
    ("jti", &["string"]),
    ("iss", &["string"]),
    ("nbf", &["integer"]),
    ("app_metadata", &["object"]),
    ("user_metadata", &["object"]),
    ("amr", &["array"]),
    ("client_id", &["string"]),
];

/// Passes the claims of a token to the hook before signing, and returns the claims that the hook returns.
///
/// DEVIATION (behaviour): the access token hook always gets `aud` as a string; GoTrue passes a list until it has signed
/// the user's first token.
///
/// # Errors
/// The hook's, and a refusal if a required claim is missing or has the wrong type.
pub(crate) async fn customise(
    state: &State,
    db: &Transaction<'_>,
    requester: &Requester,
    user_id: Uuid,
    method: &str,
    claims: Map<String, Value>,
) -> Result<Map<String, Value>, AuthError> {
    ask(state, Place::In(db), requester, user_id, method, claims).await
}

/// Like [`customise`], but after the commit, for a hook that is an HTTP server. The caller must hold no connection.
///
/// # Errors
/// Those of [`customise`].
pub(crate) async fn customise_after(
    state: &State,
    requester: &Requester,
    user_id: Uuid,
    method: &str,
    claims: Map<String, Value>,
) -> Result<Map<String, Value>, AuthError> {
    ask(state, Place::Own, requester, user_id, method, claims).await
}

async fn ask(
    state: &State,
    place: Place<'_>,
    requester: &Requester,
    user_id: Uuid,
    method: &str,
    claims: Map<String, Value>,
) -> Result<Map<String, Value>, AuthError> {
    let Some(hook) = &state.config.hooks.custom_access_token else { return Ok(claims) };
    let name = HookName::CustomizeAccessToken;
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({ "metadata": metadata, "user_id": user_id, "claims": claims, "authentication_method": method });
    let output = invoke(state, place, name, hook, &input).await?;
    read(output).map_err(AuthError::Hook)
}

fn read(mut output: Map<String, Value>) -> Result<Map<String, Value>, HookError> {
    let refused = |text: String| HookError::Refused(500, text);
    let claims = match output.shift_remove("claims") {
        // An empty answer of a hook has no claims either.
        None if output.is_empty() => Value::Null,
        None => return Err(refused("output claims field is missing".to_owned())),
        Some(claims @ (Value::Object(_) | Value::Null)) => claims,
        Some(_) => return Err(HookError::Failed("Error unmarshaling JSON output.".to_owned())),
    };
    let errors = errors(&claims);
    match claims {
        Value::Object(claims) if errors.is_empty() => {
            Ok(claims.into_iter().map(|(name, value)| (name, whole(value))).collect())
        }
        _ => Err(refused(format!(
            "output claims do not conform to the expected schema: \n{}",
            errors.iter().map(|error| format!("- {error}\n")).collect::<String>()
        ))),
    }
}

/// The schema violations of the claims, in the words of the library that GoTrue uses.
fn errors(claims: &Value) -> Vec<String> {
    let Value::Object(claims) = claims else {
        return vec![format!("(root): Invalid type. Expected: object, given: {}", kind(claims))];
    };
    let missing = REQUIRED.iter().filter(|(name, _)| !claims.contains_key(*name));
    let mut errors: Vec<String> = missing.map(|(name, _)| format!("(root): {name} is required")).collect();
    for (name, types) in REQUIRED.iter().chain(&OPTIONAL) {
        let Some(value) = claims.get(*name) else { continue };
        let kind = kind(value);
        if !types.is_empty() && !types.contains(&kind) {
            let expected = if types.len() > 1 { format!("[{}]", types.join(",")) } else { types.join(",") };
            errors.push(format!("{name}: Invalid type. Expected: {expected}, given: {kind}"));
        }
    }
    let methods = claims.get("amr").and_then(Value::as_array).into_iter().flatten();
    for (index, method) in methods.enumerate() {
        if !matches!(method, Value::String(_) | Value::Object(_)) {
            errors.push(format!("amr.{index}: Must validate at least one schema (anyOf)"));
        }
    }
    errors
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if is_whole(number) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_whole(number: &serde_json::Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Writes `1700000000.0` as an integer, as Go does.
fn whole(value: Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value.as_f64() {
        #[allow(clippy::cast_possible_truncation, reason = "a double below 2^53 without a fraction is a whole number")]
        Some(number) if value.is_f64() && number.fract() == 0.0 && number.abs() < EXACT => json!(number as i64),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Value {
        json!({
            "aud": "authenticated", "exp": 1_700_003_600, "iat": 1_700_000_000, "sub": "s", "email": "", "phone": "",
            "role": "authenticated", "aal": "aal1", "session_id": "i", "is_anonymous": false,
        })
    }

    fn said(output: Value) -> String {
        let Value::Object(output) = output else { panic!() };
        match read(output) {
            Ok(claims) => json!(claims).to_string(),
            Err(error) => error.message(),
        }
    }

    #[test]
    fn claims_that_every_client_counts_on_are_there() {
        let with = |name: &str, value: Value| {
            let mut claims = claims();
            claims[name] = value;
            json!({ "claims": claims })
        };
        let schema = |lines: &str| format!("output claims do not conform to the expected schema: \n{lines}");
        let mut none = claims();
        none.as_object_mut().unwrap().shift_remove("role");
        for (output, expected) in [
            (json!({ "claims": claims() }), claims().to_string()),
            (with("exp", json!(1_700_003_600.0)), claims().to_string()),
            (json!({}), schema("- (root): Invalid type. Expected: object, given: null\n")),
            (json!({ "x": 1 }), "output claims field is missing".to_owned()),
            (json!({ "claims": null }), schema("- (root): Invalid type. Expected: object, given: null\n")),
            (json!({ "claims": [] }), "Error unmarshaling JSON output.".to_owned()),
            (json!({ "claims": none }), schema("- (root): role is required\n")),
            (with("aud", json!(1)), schema("- aud: Invalid type. Expected: [string,array], given: integer\n")),
            (with("exp", json!(1.5)), schema("- exp: Invalid type. Expected: integer, given: number\n")),
            (with("amr", json!(["otp", 1])), schema("- amr.1: Must validate at least one schema (anyOf)\n")),
            (
                with("app_metadata", json!("x")),
                schema("- app_metadata: Invalid type. Expected: object, given: string\n"),
            ),
        ] {
            assert_eq!(said(output.clone()), expected, "{output}");
        }
        assert!(said(with("mine", json!({ "a": 1 }))).contains(r#""mine":{"a":1}"#));
        assert!(said(with("is_anonymous", json!("yes"))).contains(r#""is_anonymous":"yes""#));
    }
}
