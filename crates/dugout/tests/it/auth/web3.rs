//! `POST /token?grant_type=web3`, with messages signed by another library than the server's.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Answer, Calls, Server, node};

const GRANT: &str = "/auth/v1/token?grant_type=web3";
const ON: [(&str, &str); 3] = [
    ("GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED", "true"),
    ("GOTRUE_SITE_URL", "https://app.test"),
];

/// The wallet's signature of a message; more options go into `with`.
fn signed(chain: &str, message: &str, mut with: Value) -> Value {
    with["chain"] = json!(chain);
    with["message"] = json!(message);
    let mut said = node("wallet.mjs", &with);
    said["chain"] = json!(chain);
    said
}

fn message(chain: &str, issued: DateTime<Utc>) -> String {
    let (name, network) = if chain == "ethereum" { ("Ethereum", "1") } else { ("Solana", "solana:mainnet") };
    let issued = issued.to_rfc3339_opts(SecondsFormat::Millis, true);
    format!(
        "app.test wants you to sign in with your {name} account:\n{{address}}\n\nÀ bientôt\n\nURI: https://app.test/in\n\
         Version: 1\nChain ID: {network}\nNonce: abcdefgh\nIssued At: {issued}"
    )
}

#[track_caller]
fn not_granted(answer: &Answer, description: &str) {
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert_eq!(answer.json(), json!({ "error": "invalid_grant", "error_description": description }));
}

#[tokio::test]
async fn the_holder_of_the_key_is_signed_in() {
    let s = Server::with(&ON).await;
    for (chain, network, variants) in [
        ("ethereum", "1", vec![json!({}), json!({ "bare": true }), json!({ "high": true })]),
        ("solana", "solana:mainnet", vec![json!({}), json!({ "url": true }), json!({ "ledger": true })]),
    ] {
        let mut key = Value::Null;
        let mut id = Value::Null;
        for mut with in variants {
            if !key.is_null() {
                with["key"] = key.clone();
            }
            let wallet = signed(chain, &message(chain, s.clock.now()), with.clone());
            let session = s.post(GRANT, wallet.clone()).await.is(200).json();
            let (user, access) = (&session["user"], claims(session["access_token"].as_str().unwrap()));
            assert_eq!(access["amr"][0]["method"], "web3");
            let name = format!("web3:{chain}:{}", wallet["address"].as_str().unwrap());
            let data = json!({
                "sub": name,
                "email_verified": false,
                "phone_verified": false,
                "custom_claims": {
                    "address": wallet["address"], "chain": chain, "network": network, "domain": "app.test",
                    "statement": "À bientôt",
                },
            });
            assert_eq!(user["user_metadata"], data);
            assert_eq!(user["app_metadata"], json!({ "provider": "web3", "providers": ["web3"] }));
            assert_eq!(
                (&user["email"], &user["is_anonymous"], &user["role"]),
                (&json!(""), &json!(false), &json!("authenticated"))
            );
            let identity = &user["identities"][0];
            assert_eq!((&identity["id"], &identity["identity_data"]), (&json!(name), &data));
            assert!(id.is_null() || id == user["id"], "{with}: the same key is the same user");
            (key, id) = (wallet["key"].clone(), user["id"].clone());
        }
    }
    let users: i64 = s.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(users, 2);
}

#[tokio::test]
async fn messages_of_others_are_refused() {
    let s = Server::with(&ON).await;
    for chain in ["ethereum", "solana"] {
        let fresh = message(chain, s.clock.now());
        let ana = signed(chain, &fresh, json!({}));
        let mut other = signed(chain, &fresh, json!({}));
        other["signature"] = ana["signature"].clone();
        not_granted(&s.post(GRANT, other).await, "Signature does not match address in message");
        let mut changed = ana.clone();
        changed["message"] = json!(ana["message"].as_str().unwrap().replace("bientôt", "jamais!"));
        not_granted(&s.post(GRANT, changed).await, "Signature does not match address in message");

        let name = if chain == "ethereum" { "Ethereum" } else { "Solana" };
        let elsewhere = signed(chain, &fresh.replace("app.test", "evil.test"), json!({}));
        let description = format!(
            "Signed {name} message is using URI which is not allowed on this server, message was signed for another app"
        );
        not_granted(&s.post(GRANT, elsewhere).await, &description);
        let ended = s.clock.now() - TimeDelta::seconds(1);
        let ended = format!(
            "{}\nExpiration Time: {}",
            message(chain, ended - TimeDelta::seconds(5)),
            ended.to_rfc3339_opts(SecondsFormat::Millis, true)
        );
        not_granted(
            &s.post(GRANT, signed(chain, &ended, json!({}))).await,
            &format!("Signed {name} message is expired"),
        );
        s.clock.advance(TimeDelta::seconds(601));
        not_granted(&s.post(GRANT, ana).await, &format!("{name} message was issued too long ago"));
    }
    let users: i64 = s.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(users, 0);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let off = Server::start().await;
    refused(&off.post(GRANT, json!({})).await, 422, "web3_provider_disabled", "Web3 provider is disabled");
    let s = Server::with(&[ON[0], ON[2]]).await;
    let long = "x".repeat(64);
    let signature = format!("0x{}", "1".repeat(130));
    for (body, status, code, text) in [
        (json!({}), 400, "web3_unsupported_chain", "Unsupported chain"),
        (json!({ "chain": "solana" }), 422, "web3_provider_disabled", "Solana Web3 provider is disabled"),
        (json!({ "chain": "ethereum" }), 400, "validation_failed", "message is too short"),
        (
            json!({ "chain": "ethereum", "message": "x".repeat(20 * 1024 + 1) }),
            400,
            "validation_failed",
            "message must not exceed 20KB",
        ),
        (
            json!({ "chain": "ethereum", "message": long, "signature": "0x1" }),
            400,
            "validation_failed",
            "signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string",
        ),
        (
            json!({ "chain": "ethereum", "message": long, "signature": signature }),
            400,
            "validation_failed",
            "siwe: message needs at least 6 lines",
        ),
    ] {
        refused(&s.post(GRANT, body).await, status, code, text);
    }
    let closed = Server::with(&[ON[0], ON[2], ("GOTRUE_DISABLE_SIGNUP", "true")]).await;
    let wallet = signed("ethereum", &message("ethereum", closed.clock.now()), json!({}));
    refused(&closed.post(GRANT, wallet).await, 422, "signup_disabled", "Signups not allowed for this instance");
}
