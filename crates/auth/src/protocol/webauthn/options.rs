//! The options of `navigator.credentials.create()` and `.get()`, as JSON.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use uuid::Uuid;

use super::TIMEOUT;

/// The supported signature algorithms, best first (IANA COSE Algorithms).
///
/// DEVIATION (missing): WebAuthn authenticators are only asked for ES256, ES384, ES512 or RS256; GoTrue also accepts
/// EdDSA and the other RSA algorithms.
pub(super) const ALGORITHMS: [i64; 4] = [-7, -35, -36, -257];

/// The use of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Sign-in without a user name: the authenticator stores the user's id.
    Passkey,
    /// After signing in by another method.
    SecondFactor,
}

/// The user of a new credential, with the names that the authenticator shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person<'a> {
    pub(crate) id: Uuid,
    pub(crate) name: &'a str,
    pub(crate) display_name: &'a str,
}

/// A credential that the browser may look for.
#[derive(Clone, Debug)]
pub(crate) struct Descriptor {
    pub(crate) id: Vec<u8>,
    /// The known transports of the authenticator.
    pub(crate) transports: Vec<String>,
}

impl Use {
    /// The option `userVerification`; empty leaves it to the browser.
    pub(super) fn user_verification(self) -> &'static str {
        match self {
            Use::Passkey => "preferred",
            Use::SecondFactor => "",
        }
    }
}

/// `PublicKeyCredentialCreationOptionsJSON`.
pub(super) fn creation(
    rp_id: &str,
    rp_name: &str,
    person: &Person<'_>,
    purpose: Use,
    challenge: &str,
    exclude: &[Descriptor],
) -> Value {
    let mut options = json!({
        "rp": { "name": rp_name, "id": rp_id },
        "user": {
            "name": person.name,
            "displayName": person.display_name,
            "id": BASE64_URL_SAFE_NO_PAD.encode(person.id.to_string()),
        },
        "challenge": challenge,
        "pubKeyCredParams": parameters(),
        "timeout": TIMEOUT.as_millis(),
    });
    if !exclude.is_empty() {
        options["excludeCredentials"] = exclude.iter().map(descriptor).collect();
    }
    match purpose {
        Use::Passkey => {
            options["authenticatorSelection"] = json!({ "residentKey": "required", "userVerification": "preferred" });
            options["attestation"] = json!("none");
        }
        Use::SecondFactor => options["authenticatorSelection"] = json!({}),
    }
    options
}

/// `PublicKeyCredentialRequestOptionsJSON`.
pub(super) fn request(rp_id: &str, purpose: Use, challenge: &str, allow: &[Descriptor]) -> Value {
    let mut options = json!({ "challenge": challenge, "timeout": TIMEOUT.as_millis(), "rpId": rp_id });
    if !allow.is_empty() {
        options["allowCredentials"] = allow.iter().map(descriptor).collect();
    }
    if purpose == Use::Passkey {
        options["userVerification"] = json!(purpose.user_verification());
    }
    options
}

/// `pubKeyCredParams`.
pub(super) fn parameters() -> Value {
    ALGORITHMS.iter().map(|algorithm| json!({ "type": "public-key", "alg": algorithm })).collect()
}

fn descriptor(credential: &Descriptor) -> Value {
    let mut descriptor = json!({ "type": "public-key", "id": BASE64_URL_SAFE_NO_PAD.encode(&credential.id) });
    if !credential.transports.is_empty() {
        descriptor["transports"] = json!(credential.transports);
    }
    descriptor
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected shapes were answered by GoTrue.
    #[test]
    fn options_are_gotrues_but_for_the_algorithms() {
        let person = Person { id: Uuid::nil(), name: "a@x.test", display_name: "Ana" };
        let key = Descriptor { id: vec![1, 2, 3], transports: vec!["usb".to_owned()] };
        let bare = Descriptor { id: vec![4], transports: Vec::new() };
        let mut passkey = creation("x.test", "App", &person, Use::Passkey, "Y2g", std::slice::from_ref(&bare));
        let algorithms: Vec<i64> =
            passkey["pubKeyCredParams"].as_array().unwrap().iter().map(|one| one["alg"].as_i64().unwrap()).collect();
        assert_eq!(algorithms, ALGORITHMS);
        passkey["pubKeyCredParams"] = Value::Null;
        assert_eq!(
            passkey.to_string(),
            concat!(
                r#"{"rp":{"name":"App","id":"x.test"},"#,
                r#""user":{"name":"a@x.test","displayName":"Ana","id":"MDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAw"},"#,
                r#""challenge":"Y2g","pubKeyCredParams":null,"timeout":300000,"#,
                r#""excludeCredentials":[{"type":"public-key","id":"BA"}],"#,
                r#""authenticatorSelection":{"residentKey":"required","userVerification":"preferred"},"attestation":"none"}"#
            )
        );
        let second = creation("x.test", "App", &person, Use::SecondFactor, "Y2g", &[]);
        assert_eq!((&second["authenticatorSelection"], second.get("attestation")), (&json!({}), None));
        assert_eq!(second.get("excludeCredentials"), None);
        assert_eq!(
            request("x.test", Use::Passkey, "Y2g", &[]).to_string(),
            r#"{"challenge":"Y2g","timeout":300000,"rpId":"x.test","userVerification":"preferred"}"#
        );
        assert_eq!(
            request("x.test", Use::SecondFactor, "Y2g", &[key]).to_string(),
            concat!(
                r#"{"challenge":"Y2g","timeout":300000,"rpId":"x.test","#,
                r#""allowCredentials":[{"type":"public-key","id":"AQID","transports":["usb"]}]}"#
            )
        );
    }
}
