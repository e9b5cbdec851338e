//! What a client may read about a user: ID tokens, and the answer of the userinfo endpoint.
//!
//! Source: OpenID Connect Core 1.0, sections 2 and 5.3; supabase/auth, `internal/tokens/service.go`.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::model::account::User;
use crate::model::oauth_authorization::Authorization;
use crate::model::scopes::Scopes;

/// Lifetime of an ID token, in seconds.
const ID_TOKEN_LIFETIME: i64 = 3600;

/// The claims of the ID token for the client of this authorization.
pub(crate) fn id_token(
    issuer: &str,
    user: &User,
    authorization: &Authorization,
    now: DateTime<Utc>,
) -> Map<String, Value> {
    let scopes = Scopes(&authorization.scope);
    let user = &limited(user.clone(), scopes);
    let (email, phone) = (scopes.has("email"), scopes.has("phone"));
    let mut claims = Map::new();
    let mut claim = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    if !issuer.is_empty() {
        claim("iss", json!(issuer));
    }
    claim("sub", json!(user.id));
    claim("aud", json!(authorization.client_id));
    claim("exp", json!(now.timestamp() + ID_TOKEN_LIFETIME));
    claim("iat", json!(now.timestamp()));
    if let Some(nonce) = authorization.nonce.as_ref().filter(|nonce| !nonce.is_empty()) {
        claim("nonce", json!(nonce));
    }
    claim("auth_time", json!(user.last_sign_in_at.unwrap_or(now).timestamp()));
    if email && !user.email.is_empty() {
        claim("email", json!(user.email));
    }
    claim("email_verified", json!(email && user.email_confirmed_at.is_some()));
    if phone && !user.phone.is_empty() {
        claim("phone_number", json!(user.phone));
    }
    claim("phone_number_verified", json!(phone && user.phone_confirmed_at.is_some()));
    claim("client_id", json!(authorization.client_id));
    if scopes.has("profile") {
        claims.extend(profile(user));
    }
    claims
}

/// Reduces a user to what these scopes allow: `email` and `phone` cover the address of that kind, `profile` covers the
/// user's own metadata. Identities, factors and pending codes are never shown. `app_metadata` and the role stay,
/// because row policies depend on them.
pub(crate) fn limited(mut user: User, scopes: Scopes<'_>) -> User {
    let (email, phone, profile) = (scopes.has("email"), scopes.has("phone"), scopes.has("profile"));
    // Providers copy addresses into the metadata.
    user.user_metadata.retain(|name, _| match name.as_str() {
        "email" | "email_verified" => profile && email,
        "phone" | "phone_verified" | "phone_number" | "phone_number_verified" => profile && phone,
        _ => profile,
    });
    if !email {
        user.email = String::new();
        user.email_confirmed_at = None;
    }
    if !phone {
        user.phone = String::new();
        user.phone_confirmed_at = None;
    }
    User {
        confirmed_at: user.confirmed_at.filter(|_| email || phone),
        encrypted_password: None,
        invited_at: None,
        confirmation_sent_at: None,
        recovery_sent_at: None,
        email_change: String::new(),
        email_change_sent_at: None,
        phone_change: String::new(),
        phone_change_sent_at: None,
        reauthentication_sent_at: None,
        banned_until: None,
        identities: Vec::new(),
        factors: Vec::new(),
        ..user
    }
}

/// The userinfo answer for these scopes.
///
/// DEVIATION (safer): without the scope `email`, neither `name` nor the metadata of `/oauth/userinfo` contain the e-mail
/// address, and likewise for `phone`; GoTrue uses the address as a missing name and shows all metadata under `profile`.
pub(crate) fn user_info(user: &User, scopes: Scopes<'_>) -> Map<String, Value> {
    let user = &limited(user.clone(), scopes);
    let mut info = Map::new();
    let mut say = |name: &str, value: Value| info.insert(name.to_owned(), value);
    say("sub", json!(user.id));
    if scopes.has("email") {
        if !user.email.is_empty() {
            say("email", json!(user.email));
        }
        if user.email_confirmed_at.is_some() {
            say("email_verified", json!(true));
        }
    }
    if scopes.has("phone") {
        if !user.phone.is_empty() {
            say("phone", json!(user.phone));
        }
        if user.phone_confirmed_at.is_some() {
            say("phone_verified", json!(true));
        }
    }
    if scopes.has("profile") {
        say("user_metadata", json!(user.user_metadata));
        info.extend(profile(user));
    }
    info
}

/// The claims of the scope `profile`, taken from the user's own metadata.
fn profile(user: &User) -> Map<String, Value> {
    let said = |names: &[&str]| {
        let texts = names.iter().filter_map(|name| user.user_metadata.get(*name).and_then(Value::as_str));
        texts.filter(|text| !text.is_empty()).map(str::to_owned).next()
    };
    let email = Some(user.email.clone()).filter(|email| !email.is_empty());
    let mut claims = Map::new();
    for (name, text) in [
        ("name", said(&["name"]).or(email)),
        ("picture", said(&["picture", "avatar_url"])),
        ("preferred_username", said(&["preferred_username", "username"])),
    ] {
        if let Some(text) = text {
            claims.insert(name.to_owned(), json!(text));
        }
    }
    if user.updated_at.timestamp() > 0 {
        claims.insert("updated_at".to_owned(), json!(user.updated_at.timestamp()));
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::oauth_authorization::Status;
    use uuid::Uuid;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn user() -> User {
        let said = json!({ "avatar_url": "https://x.test/a.png", "username": "ana", "picture": "" });
        User {
            email: "ana@x.test".to_owned(),
            email_confirmed_at: Some(at(1)),
            phone: "41791234567".to_owned(),
            last_sign_in_at: Some(at(90)),
            updated_at: at(95),
            user_metadata: said.as_object().unwrap().clone(),
            ..User::default()
        }
    }

    fn claims(scope: &str) -> Value {
        let authorization = Authorization {
            id: Uuid::nil(),
            authorization_id: String::new(),
            client_id: Uuid::nil(),
            user_id: None,
            redirect_uri: String::new(),
            scope: scope.to_owned(),
            state: None,
            resource: None,
            challenge: String::new(),
            challenge_method: String::new(),
            nonce: Some("n".to_owned()),
            status: Status::Approved,
            expires_at: at(0),
        };
        Value::Object(id_token("https://api.test", &user(), &authorization, at(100)))
    }

    #[test]
    fn a_client_learns_what_its_scopes_allow() {
        let nobody = Uuid::nil();
        let least = json!({
            "iss": "https://api.test", "sub": nobody, "aud": nobody, "client_id": nobody, "nonce": "n", "iat": 100,
            "exp": 3700, "auth_time": 90, "email_verified": false, "phone_number_verified": false,
        });
        assert_eq!(claims("openid"), least);
        let email = claims("openid email");
        assert_eq!((&email["email"], &email["email_verified"]), (&json!("ana@x.test"), &json!(true)));
        let phone = claims("openid phone");
        assert_eq!((&phone["phone_number"], &phone["phone_number_verified"]), (&json!("41791234567"), &json!(false)));
        let profile = claims("profile openid");
        assert_eq!((profile.get("name"), &profile["picture"]), (None, &json!("https://x.test/a.png")));
        assert_eq!(claims("profile email")["name"], "ana@x.test");
        assert_eq!((&profile["preferred_username"], &profile["updated_at"]), (&json!("ana"), &json!(95)));
        assert_eq!(profile.get("email"), None);
    }

    #[test]
    fn copies_of_the_addresses_in_the_metadata_need_their_scopes_too() {
        let said = json!({ "email": "ana@x.test", "phone": "41791234567", "city": "Zug" });
        let user = User { user_metadata: said.as_object().unwrap().clone(), ..user() };
        let names = |scopes: &str| {
            let user = limited(user.clone(), Scopes(scopes));
            let addresses = (!user.email.is_empty(), !user.phone.is_empty());
            (user.user_metadata.keys().cloned().collect::<Vec<_>>().join(" "), addresses)
        };
        for (scopes, expected, addresses) in [
            ("", "", (false, false)),
            ("openid email phone", "", (true, true)),
            ("profile", "city", (false, false)),
            ("profile email", "email city", (true, false)),
            ("profile phone", "phone city", (false, true)),
        ] {
            assert_eq!(names(scopes), (expected.to_owned(), addresses), "{scopes}");
        }
    }

    #[test]
    fn userinfo_says_the_same_in_its_own_words() {
        let info = |scopes: &str| Value::Object(user_info(&user(), Scopes(scopes)));
        assert_eq!(info(""), json!({ "sub": Uuid::nil() }));
        assert_eq!(info("phone"), json!({ "sub": Uuid::nil(), "phone": "41791234567" }));
        assert_eq!(info("email"), json!({ "sub": Uuid::nil(), "email": "ana@x.test", "email_verified": true }));
        assert_eq!(info("profile")["user_metadata"]["username"], "ana");
    }
}
