//! The main use case from a Rust client: sign up, read with the unmodified `postgrest` crate, and no access to others'
//! rows.

use postgrest::Postgrest;
use serde_json::{Value, json};

use crate::kit::{Calls, Server, User};

/// The client as an app would create it.
fn client(s: &Server, user: Option<&User>) -> Postgrest {
    let client = Postgrest::new(format!("{}/rest/v1", s.url)).insert_header("apikey", &s.anon_key);
    match user {
        Some(user) => client.insert_header("authorization", format!("Bearer {}", user.access_token)),
        None => client,
    }
}

async fn rows(builder: postgrest::Builder) -> Vec<Value> {
    let answer = builder.execute().await.unwrap();
    let (status, body) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{status} {body}");
    serde_json::from_str(&body).unwrap()
}

#[tokio::test]
async fn a_new_player_has_an_account_a_profile_and_a_bonus() {
    let s = Server::start().await;
    let ana = s.signed_up_with("ana@x.test", json!({ "full_name": "Ana", "role": "player" })).await;
    let profile = rows(
        client(&s, Some(&ana))
            .from("users")
            .select("id,email,full_name,role,referral_tokens,bonus_tokens_awarded")
            .eq("id", &ana.id),
    )
    .await;
    assert_eq!(
        profile,
        [json!({
            "id": ana.id, "email": "ana@x.test", "full_name": "Ana", "role": "player",
            "referral_tokens": 150, "bonus_tokens_awarded": true,
        })]
    );
    let hash: String = s
        .database
        .connect()
        .await
        .query_one("select encrypted_password from auth.users where email = 'ana@x.test'", &[])
        .await
        .unwrap()
        .get(0);
    assert!(hash.starts_with("$2a$10$"), "{hash}");
}

#[tokio::test]
async fn no_request_makes_a_user_an_admin() {
    let s = Server::start().await;
    for (email, role) in
        [("eve@x.test", json!("admin")), ("mal@x.test", json!({ "admin": true })), ("nil@x.test", Value::Null)]
    {
        let user = s.signed_up_with(email, json!({ "role": role })).await;
        let own = user.get("/rest/v1/users?select=role").await.is(200).json();
        assert_eq!(own, json!([{ "role": "fan" }]), "{email}");
    }
}

#[tokio::test]
async fn private_rows_are_hidden_from_others_and_anonymous_visitors() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let bob = s.signed_up("bob@x.test").await;
    ana.post("/rest/v1/page_views", json!({ "page_path": "/" })).await.is(201);
    for table in ["users", "page_views", "token_ledger"] {
        let of_ana = |client: Postgrest| {
            let column = if table == "users" { "id" } else { "user_id" };
            client.from(table).select("*").eq(column, &ana.id)
        };
        assert_eq!(rows(of_ana(client(&s, Some(&bob)))).await, Vec::<Value>::new(), "{table} as another user");
        let stranger = of_ana(client(&s, None)).execute().await.unwrap();
        let (status, body) = (stranger.status().as_u16(), stranger.text().await.unwrap());
        assert!(status == 401 || body == "[]", "{table} as an anonymous client: {status} {body}");
        assert_ne!(rows(of_ana(client(&s, Some(&ana)))).await, Vec::<Value>::new(), "{table} as its owner");
    }
}

#[tokio::test]
async fn logging_out_invalidates_the_access_token() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    ana.get("/auth/v1/user").await.is(200);
    ana.post("/auth/v1/logout", json!({})).await.is(204);
    let refused = ana.get("/auth/v1/user").await.is(403).json();
    assert_eq!(refused["error_code"], "session_not_found");
}

#[tokio::test]
async fn tokens_rotate_and_a_late_reuse_ends_the_session() {
    let s = Server::start().await;
    let mut ana = s.signed_up("ana@x.test").await;
    let stolen = ana.refresh_token.clone();
    ana.refresh().await.is(200);
    assert_ne!(ana.refresh_token, stolen);
    s.clock.advance(chrono::TimeDelta::seconds(11));
    ana.refresh().await.is(200);
    s.clock.advance(chrono::TimeDelta::seconds(11));
    let replay = json!({ "refresh_token": stolen });
    let refused = s.post("/auth/v1/token?grant_type=refresh_token", replay).await.is(400).json();
    assert_eq!(refused["error_code"], "refresh_token_already_used");
    // After the reuse interval, in which upstream accepts a token that was just revoked.
    s.clock.advance(chrono::TimeDelta::seconds(11));
    ana.refresh().await.is(400);
}
