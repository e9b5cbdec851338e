//! `/admin/users`

use reqwest::Method;
use serde_json::{Value, json};

use super::refused;
use crate::kit::{Answer, Calls, PASSWORD, Request, Server};

const USERS: &str = "/auth/v1/admin/users";

fn list(s: &Server, query: &str) -> Request {
    s.as_service(Method::GET, &format!("{USERS}?{query}"))
}

async fn create(s: &Server, body: Value) -> Answer {
    s.as_service(Method::POST, USERS).json(&body).await
}

async fn change(s: &Server, id: &Value, body: Value) -> Answer {
    s.as_service(Method::PUT, &format!("{USERS}/{}", id.as_str().unwrap())).json(&body).await
}

async fn delete(s: &Server, id: &Value, body: Value) -> Answer {
    s.as_service(Method::DELETE, &format!("{USERS}/{}", id.as_str().unwrap())).json(&body).await
}

fn emails(answer: &Answer) -> Vec<String> {
    let users = answer.json()["users"].as_array().unwrap().clone();
    users.iter().map(|user| user["email"].as_str().unwrap().to_owned()).collect()
}

async fn sign_in(s: &Server, email: &str, password: &str) -> Answer {
    s.post("/auth/v1/token?grant_type=password", json!({ "email": email, "password": password })).await
}

#[tokio::test]
async fn users_can_be_created_with_all_fields() {
    let s = Server::start().await;
    let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    let body = json!({
        "id": id, "email": "Ana@x.test", "phone": "+41 79 1", "password": "x", "role": " editor ", "email_confirm": true,
        "user_metadata": { "full_name": "Ana" }, "app_metadata": { "plan": "gold" }, "ban_duration": "1h",
    });
    let made = create(&s, body).await.is(200);
    insta::assert_snapshot!(made.wire());
    let user = made.json();
    assert_eq!((&user["id"], &user["email"], &user["role"]), (&json!(id), &json!("ana@x.test"), &json!("editor")));
    let shown = s.as_service(Method::GET, &format!("{USERS}/{id}")).await.is(200).json();
    assert_eq!(shown, user);
    change(&s, &user["id"], json!({ "ban_duration": "none" })).await.is(200);
    // Password rules apply to users, not to administrators.
    sign_in(&s, "ana@x.test", "x").await.is(200);
}

#[tokio::test]
async fn users_can_be_created_with_a_hash_or_without_a_password() {
    let s = Server::start().await;
    let row = "select encrypted_password from auth.users where email = $1";
    let client = s.database.connect().await;
    for (email, hash) in [
        ("ana@x.test", "$2a$10$MzdT9afBtqHMjwrYjrdcSu/0YXDNSVGx4Gc45/F9Mb52mPmyfCRmy"),
        (
            "bob@x.test",
            "$argon2id$v=19$m=64,t=2,p=1$YSBzYWx0IGZvciB0ZXN0cw$muzDzqoEf31L7dO8aA9rriULeu+aYh+GRJJv5441NG4",
        ),
        (
            "cyd@x.test",
            "$fbscrypt$v=1,n=10,r=8,p=1,ss=Bw==,sk=YSBzaWduZXIga2V5IG9mIGV4YWN0bHkgc2l4dHktZm91ciBieXRlcywgbWFkZSBmb3IgdGhpcyBvbmUgdGVzdA==$YSBzYWx0IGZvciB0ZXN0cw==$matnrM9/4e7uaonuejzLnwrFYB+xwYrlnoB40Kaduugc6VZixM/wAISHWx8AntPVWTICVt5L6JqFdim4c7sE2w==",
        ),
    ] {
        create(&s, json!({ "email": email, "password_hash": hash, "email_confirm": true })).await.is(200);
        assert_eq!(client.query_one(row, &[&email]).await.unwrap().get::<_, &str>(0), hash);
        sign_in(&s, email, PASSWORD).await.is(200);
        sign_in(&s, email, "wrong").await.is(400);
    }
    create(&s, json!({ "email": "dan@x.test" })).await.is(200);
    let unknown: String = client.query_one(row, &[&"dan@x.test"]).await.unwrap().get(0);
    assert!(unknown.starts_with("$2a$10$"), "a random password is stored: {unknown}");
}

#[tokio::test]
async fn invalid_users_are_refused() {
    let s = Server::start().await;
    s.signed_up("taken@x.test").await;
    create(&s, json!({ "phone": "4179000" })).await.is(200);
    let taken_id = create(&s, json!({ "email": "id@x.test" })).await.is(200).json()["id"].clone();
    let v = "validation_failed";
    let exists = "A user with this email address has already been registered";
    let unreadable =
        "The password hash must be one of bcrypt (of a cost up to 16), argon2i, argon2id or Firebase scrypt";
    for (body, status, code, message) in [
        (json!({}), 400, v, "Cannot create a user without either an email or phone"),
        (json!({ "email": "x" }), 400, v, "Unable to validate email address: invalid format"),
        (json!({ "email": "TAKEN@x.test" }), 422, "email_exists", exists),
        (json!({ "phone": "+4179000" }), 422, "phone_exists", "Phone number already registered by another user"),
        (
            json!({ "email": "a@x.test", "password": "x", "password_hash": "y" }),
            400,
            v,
            "Only a password or a password hash should be provided",
        ),
        (json!({ "email": "a@x.test", "id": "x" }), 400, v, "ID must conform to the uuid v4 format"),
        (
            json!({ "email": "a@x.test", "id": "00000000-0000-0000-0000-000000000000" }),
            400,
            v,
            "ID cannot be a nil uuid",
        ),
        (json!({ "email": "a@x.test", "id": taken_id }), 409, "conflict", "A user with this ID already exists"),
        (
            json!({ "email": "a@x.test", "ban_duration": "1d" }),
            400,
            v,
            "invalid format for ban duration: time: unknown unit \"d\" in duration \"1d\"",
        ),
        (
            json!({ "email": "a@x.test", "password": "é".repeat(37) }),
            400,
            v,
            "bcrypt: password length exceeds 72 bytes",
        ),
        (json!({ "email": "a@x.test", "password_hash": "$argon2d$v=19$m=1,t=1,p=1$YQ$YQ" }), 400, v, unreadable),
        // Verifying this hash would take two days.
        (
            json!({ "email": "a@x.test", "password_hash": "$2a$31$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z3z8Zl4Z2xTgYyXo9n1b0a1K" }),
            400,
            v,
            unreadable,
        ),
    ] {
        refused(&create(&s, body).await, status, code, message);
    }
    assert_eq!(emails(&list(&s, "filter=a@x.test").await.is(200)).len(), 0, "no user was created");
}

#[tokio::test]
async fn only_the_given_fields_are_changed() {
    let s = Server::start().await;
    let metadata = json!({ "full_name": "Ana", "city": "Bern" });
    let ana = create(&s, json!({ "email": "ana@x.test", "user_metadata": metadata, "app_metadata": { "a": 1 } })).await;
    let id = ana.is(200).json()["id"].clone();
    let app = json!({ "a": null, "b": [2] });
    let user =
        change(&s, &id, json!({ "user_metadata": { "city": null }, "app_metadata": app, "role": "editor" })).await;
    let user = user.is(200).json();
    assert_eq!(user["user_metadata"], json!({ "full_name": "Ana" }));
    assert_eq!(user["app_metadata"], json!({ "provider": "email", "providers": ["email"], "b": [2] }));
    assert_eq!((&user["role"], user.get("email_confirmed_at")), (&json!("editor"), None));

    let user = change(&s, &id, json!({ "email": "Ana2@x.test", "email_confirm": true })).await.is(200).json();
    let identity = &user["identities"][0]["identity_data"];
    assert_eq!((&identity["email"], &identity["email_verified"]), (&json!("ana2@x.test"), &json!(true)));
    assert!(user["confirmed_at"].is_string() && user["user_metadata"]["email_verified"] == true, "{user}");
    let user = change(&s, &id, json!({ "phone": "+4179", "phone_confirm": true })).await.is(200).json();
    assert_eq!((&user["phone"], &user["identities"][1]["provider"]), (&json!("4179"), &json!("phone")));

    s.signed_up("bob@x.test").await;
    let exists = "A user with this email address has already been registered";
    refused(&change(&s, &id, json!({ "email": "bob@x.test" })).await, 422, "email_exists", exists);
    let weak = change(&s, &id, json!({ "password": "x" })).await.is(422).json();
    assert_eq!(weak["error_code"], "weak_password");
    let same = s.as_service(Method::GET, &format!("{USERS}/{}", id.as_str().unwrap())).await.is(200).json();
    assert_eq!(same, user, "a refused request changes nothing");
}

#[tokio::test]
async fn confirmed_at_is_the_earlier_time_and_identity_emails_are_in_lower_case() {
    let s = Server::start().await;
    let body = json!({ "email": "Ana@X.test", "phone": "41790000001", "email_confirm": true });
    let made = s.as_service(Method::POST, USERS).json(&body).await.is(200).json();
    assert_eq!((&made["confirmed_at"], made.get("phone_confirmed_at")), (&made["email_confirmed_at"], None));
    let db = s.database.connect().await;
    let earlier = "update auth.users set phone_confirmed_at = email_confirmed_at - interval '1 day'";
    db.execute(earlier, &[]).await.unwrap();
    let path = format!("{USERS}/{}", made["id"].as_str().unwrap());
    let shown = s.as_service(Method::GET, &path).await.is(200).json();
    assert!(shown["phone_confirmed_at"].is_string(), "{shown}");
    assert_eq!(shown["confirmed_at"], shown["phone_confirmed_at"]);

    // Whatever case a provider returns, the generated column is in lower case.
    db.execute("update auth.identities set identity_data = jsonb_build_object('email', 'ANA@X.test')", &[])
        .await
        .unwrap();
    let identities = s.as_service(Method::GET, &path).await.is(200).json()["identities"].clone();
    let email = identities.as_array().unwrap().iter().find(|identity| identity["provider"] == "email").unwrap();
    assert_eq!((&email["email"], &email["identity_data"]["email"]), (&json!("ana@x.test"), &json!("ANA@X.test")));
}

#[tokio::test]
async fn setting_a_users_password_ends_their_sessions() {
    let s = Server::start().await;
    let mut ana = s.signed_up("ana@x.test").await;
    change(&s, &json!(ana.id), json!({ "password": "another password" })).await.is(200);
    ana.get("/auth/v1/user").await.is(403);
    ana.refresh().await.is(400);
    sign_in(&s, "ana@x.test", PASSWORD).await.is(400);
    sign_in(&s, "ana@x.test", "another password").await.is(200);
}

#[tokio::test]
async fn an_anonymous_user_with_a_confirmed_address_becomes_permanent() {
    let s = Server::with(&[("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true")]).await;
    for (body, anonymous) in
        [(json!({ "email": "a@x.test" }), true), (json!({ "email": "b@x.test", "email_confirm": true }), false)]
    {
        let id = s.post("/auth/v1/signup", json!({})).await.is(200).json()["user"]["id"].clone();
        let user = change(&s, &id, body).await.is(200).json();
        assert_eq!(user["is_anonymous"], json!(anonymous), "{user}");
    }
}

#[tokio::test]
async fn lists_have_pages_with_links() {
    let s = Server::start().await;
    for name in ["ana", "bob", "cyd"] {
        create(&s, json!({ "email": format!("{name}@x.test") })).await.is(200);
    }
    let first = list(&s, "per_page=2").await.is(200);
    assert_eq!(emails(&first), ["cyd@x.test", "bob@x.test"]);
    assert_eq!((first.header("x-total-count"), &first.json()["aud"]), ("3", &json!("authenticated")));
    let link = |next: &str| {
        let last = format!("<{USERS}?page=2&per_page=2>; rel=\"last\"");
        if next.is_empty() { last } else { format!("<{USERS}?page={next}&per_page=2>; rel=\"next\", {last}") }
    };
    assert_eq!(first.header("link"), link("2"));
    let last = list(&s, "per_page=2&page=2").await.is(200);
    assert_eq!((emails(&last), last.header("link").to_owned()), (vec!["ana@x.test".to_owned()], link("")));
    assert_eq!(first.json()["users"][0]["identities"], Value::Null);
    let nobody = list(&s, "page=9").await.is(200);
    assert_eq!((emails(&nobody).len(), nobody.header("x-total-count")), (0, "3"));
    assert_eq!(emails(&list(&s, "per_page=0").await.is(200)).len(), 3);
    let bad = "Bad Pagination Parameters: strconv.ParseUint: parsing \"-1\": invalid syntax";
    refused(&list(&s, "page=-1").await, 400, "validation_failed", bad);
}

#[tokio::test]
async fn lists_are_filtered_and_sorted() {
    let s = Server::start().await;
    for (email, phone, name) in
        [("ana@x.test", "41791", "Zoe One"), ("bob@x.test", "41792", "Ann Two"), ("cyd@y.test", "41793", "Ann Three")]
    {
        let body = json!({ "email": email, "phone": phone, "user_metadata": { "full_name": name } });
        create(&s, body).await.is(200);
    }
    let ids = list(&s, "").await.is(200).json();
    let id = ids["users"][1]["id"].as_str().unwrap().to_owned();
    let (a, b, c) = ("ana@x.test", "bob@x.test", "cyd@y.test");
    for (query, expected) in [
        ("filter=X.TEST".to_owned(), vec![b, a]),
        ("filter=ann".to_owned(), vec![c, b]),
        ("filter=41793".to_owned(), vec![c]),
        (format!("filter={}", id.to_uppercase()), vec![b]),
        ("filter=' or 1=1 --".to_owned(), vec![]),
        ("sort=email".to_owned(), vec![c, b, a]),
        ("sort=email asc".to_owned(), vec![a, b, c]),
        ("sort=phone ASC&per_page=1&page=2".to_owned(), vec![b]),
        ("sort=created_at asc&filter=ann".to_owned(), vec![b, c]),
        ("sort=last_sign_in_at desc&sort=email asc".to_owned(), vec![a, b, c]),
    ] {
        assert_eq!(emails(&list(&s, &query).await.is(200)), expected, "{query}");
    }
    assert_eq!(list(&s, "filter=ann").await.header("x-total-count"), "2");
    for (sort, message) in [
        ("encrypted_password", "bad field for sort 'encrypted_password'"),
        ("email up", "bad direction for sort 'up', only 'asc' and 'desc' allowed"),
    ] {
        let message = format!("Bad Sort Parameters: {message}");
        refused(&list(&s, &format!("sort={sort}")).await, 400, "validation_failed", &message);
    }
}

#[tokio::test]
async fn cursors_are_stable_while_the_list_changes() {
    let s = Server::with(&[("GOTRUE_EXPERIMENTAL_CURSOR_PAGINATION_ENABLED", "true")]).await;
    for name in ["ana", "bob", "cyd"] {
        create(&s, json!({ "email": format!("{name}@x.test") })).await.is(200);
    }
    let first = list(&s, "limit=2").await.is(200);
    assert_eq!((emails(&first), first.header("x-total-count")), (vec!["cyd@x.test".into(), "bob@x.test".into()], ""));
    let cursor = first.json()["pagination"]["next_cursor"].as_str().unwrap().to_owned();
    assert_eq!(first.header("link"), format!("<{USERS}?cursor={cursor}&limit=2>; rel=\"next\""));
    create(&s, json!({ "email": "new@x.test" })).await.is(200);
    let last = list(&s, &format!("limit=2&cursor={cursor}")).await.is(200);
    assert_eq!((emails(&last), last.header("link")), (vec!["ana@x.test".to_owned()], ""));
    assert_eq!(last.json()["pagination"], json!({ "has_more": false }));
    let upwards = list(&s, "limit=1&sort=created_at asc").await.is(200);
    let cursor = upwards.json()["pagination"]["next_cursor"].as_str().unwrap().to_owned();
    let second = list(&s, &format!("limit=1&sort=created_at asc&cursor={cursor}")).await.is(200);
    assert_eq!(emails(&second), ["bob@x.test"]);
    assert_eq!(list(&s, "page=1").await.is(200).header("x-total-count"), "4", "pages by number still work");
    let zero = "Bad Pagination Parameters: limit must be greater than 0";
    refused(&list(&s, "limit=0").await, 400, "validation_failed", zero);
    list(&s, "cursor=x").await.is(400);
    list(&s, "sort=email").await.is(400);
}

#[tokio::test]
async fn deleting_a_user_deletes_all_their_rows() {
    let s = Server::start().await;
    let mut ana = s.signed_up("ana@x.test").await;
    assert_eq!(delete(&s, &json!(ana.id), json!({})).await.is(200).json(), json!({}));
    ana.get("/auth/v1/user").await.is(403);
    ana.refresh().await.is(400);
    let none = "User not found";
    refused(&delete(&s, &json!(ana.id), json!({})).await, 404, "user_not_found", none);
    refused(&delete(&s, &json!("x"), json!({})).await, 404, "validation_failed", "user_id must be an UUID");
    s.signed_up("ana@x.test").await;
}

#[tokio::test]
async fn a_soft_deleted_user_cannot_be_identified() {
    let s = Server::start().await;
    let ana = s.signed_up_with("ana@x.test", json!({ "full_name": "Ana" })).await;
    delete(&s, &json!(ana.id), json!({ "should_soft_delete": true })).await.is(200);
    ana.get("/auth/v1/user").await.is(403);
    sign_in(&s, "ana@x.test", PASSWORD).await.is(400);
    let rows = "select to_jsonb(u)::text || (select string_agg(to_jsonb(i)::text, '') from auth.identities i)
        from auth.users u where deleted_at is not null";
    let row: String = s.database.connect().await.query_one(rows, &[]).await.unwrap().get(0);
    for trace in ["ana@", "Ana", "$2a$"] {
        assert!(!row.contains(trace), "{trace} in {row}");
    }
    delete(&s, &json!(ana.id), json!({ "should_soft_delete": true })).await.is(200);
    let again: String = s.database.connect().await.query_one(rows, &[]).await.unwrap().get(0);
    assert_eq!(again, row, "once is enough");
    s.signed_up("ana@x.test").await;
}

#[tokio::test]
async fn only_administrators_with_a_live_session_are_allowed() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    refused(&s.request(Method::GET, USERS).await, 403, "not_admin", "User not allowed");
    refused(&ana.get(USERS).await, 403, "not_admin", "User not allowed");
    change(&s, &json!(ana.id), json!({ "role": "service_role" })).await.is(200);
    let admin = s.signed_in("ana@x.test").await;
    admin.get(USERS).await.is(200);
    admin.post("/auth/v1/logout", json!({})).await.is(204);
    let gone = "Session from session_id claim in JWT does not exist";
    refused(&admin.get(USERS).await, 403, "session_not_found", gone);
    let other = Server::with(&[("GOTRUE_JWT_ADMIN_ROLES", "boss")]).await;
    refused(&other.as_service(Method::GET, USERS).await, 403, "not_admin", "User not allowed");
}
