//! `/admin/sso/providers`

use reqwest::Method;
use serde_json::{Value, json};

use super::super::refused;
use super::metadata_of as metadata;
use crate::kit::{Answer, Calls, HttpCatcher, Saying, Server};

const PATH: &str = "/auth/v1/admin/sso/providers";

async fn admin(s: &Server, method: Method, path: &str, body: Value) -> Answer {
    s.as_service(method, &format!("{PATH}{path}")).json(&body).await
}

/// A provider with this entity id and more parameters.
fn named(entity_id: &str, more: Value) -> Value {
    let mut body = json!({ "type": "saml", "metadata_xml": metadata(entity_id) });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[tokio::test]
async fn a_provider_is_created_shown_changed_and_deleted() {
    let s = Server::start().await;
    let transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
    let more = json!({
        "domains": ["z.test", "b.test", "Z.test"], "resource_id": "R1", "disabled": false, "name_id_format": transient,
        "attribute_mapping": { "keys": { "z": { "name": "Z" }, "a": { "names": ["x"], "default": 0, "array": true } } },
    });
    let made = admin(&s, Method::POST, "", named("https://idp.test/a", more)).await.is(201).json();
    assert_eq!(made["domains"], json!([{ "domain": "z.test" }, { "domain": "b.test" }]));
    assert_eq!((&made["resource_id"], &made["disabled"]), (&json!("R1"), &json!(false)));
    assert_eq!(
        made["saml"],
        json!({
            "entity_id": "https://idp.test/a", "metadata_xml": metadata("https://idp.test/a"), "name_id_format": transient,
            "attribute_mapping": { "keys": { "a": { "names": ["x"], "default": 0, "array": true }, "z": { "name": "Z" } } },
        })
    );
    let other = admin(&s, Method::POST, "", named("https://idp.test/b", json!({}))).await.is(201).json();
    assert_eq!((&other["disabled"], &other["domains"], other.get("resource_id")), (&Value::Null, &json!([]), None));
    assert_eq!(other["saml"]["attribute_mapping"], json!({}));

    let id = format!("/{}", made["id"].as_str().unwrap());
    let get = |path: String| s.as_service(Method::GET, &format!("{PATH}{path}"));
    assert_eq!(get(id.clone()).await.is(200).json(), made);
    assert_eq!(get("/resource_R1".to_owned()).await.is(200).json(), made);
    let all = get(String::new()).await.is(200).json();
    let listed = |body: &Value| {
        let ids = body["items"].as_array().unwrap().iter();
        assert!(body["items"].as_array().unwrap().iter().all(|item| item["saml"].get("metadata_xml").is_none()));
        ids.map(|item| item["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(&all), [made["id"].clone(), other["id"].clone()]);
    for (query, count) in
        [("resource_id=R1", 1), ("resource_id=r1", 0), ("resource_id_prefix=R", 1), ("resource_id=%00", 0)]
    {
        assert_eq!(listed(&get(format!("?{query}")).await.is(200).json()).len(), count, "{query}");
    }

    let put = async |body: Value| {
        let changed = admin(&s, Method::PUT, &id, body).await.is(200).json();
        assert_eq!(get(id.clone()).await.is(200).json(), changed);
        changed
    };
    // Absent fields keep their value.
    let mut same = put(json!({})).await;
    assert_ne!(same["updated_at"], made["updated_at"]);
    same["updated_at"] = made["updated_at"].clone();
    assert_eq!(same, made);
    let changed = put(json!({
        "domains": ["B.TEST", "n.test"], "resource_id": "R2", "disabled": true, "name_id_format": "",
        "attribute_mapping": { "keys": {} },
    }))
    .await;
    assert_eq!(changed["domains"], json!([{ "domain": "b.test" }, { "domain": "n.test" }]));
    assert_eq!((&changed["resource_id"], &changed["disabled"]), (&json!("R2"), &json!(true)));
    assert_eq!((&changed["saml"]["attribute_mapping"], changed["saml"].get("name_id_format")), (&json!({}), None));
    let changed = put(json!({ "domains": [], "resource_id": "" })).await;
    assert_eq!((&changed["domains"], changed.get("resource_id")), (&json!([]), None));
    let newer = metadata("https://idp.test/a").replace("x=1", "x=2");
    assert_eq!(put(json!({ "metadata_xml": newer })).await["saml"]["metadata_xml"], json!(newer));

    let gone = admin(&s, Method::DELETE, &id, json!({})).await.is(200).json();
    assert_eq!(gone["id"], made["id"]);
    refused(&get(id).await, 404, "sso_provider_not_found", "SSO Identity Provider not found");
}

/// A provider with this metadata.
fn xml(xml: &str) -> Value {
    json!({ "type": "saml", "metadata_xml": xml })
}

/// A provider with a domain and a resource id, and another one; returns their ids.
async fn two_providers(s: &Server) -> [String; 2] {
    let first = json!({ "domains": ["a.test"], "resource_id": "R" });
    let first = admin(s, Method::POST, "", named("https://idp.test/a", first)).await.is(201).json();
    let other = admin(s, Method::POST, "", named("https://idp.test/b", json!({}))).await.is(201).json();
    [first, other].map(|made| made["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn parameters_of_a_provider_are_validated() {
    let s = Server::start().await;
    let failed = "validation_failed";
    for (body, status, code, message) in [
        (json!({}), 400, failed, "Only 'saml' supported for SSO provider type".to_owned()),
        (json!({ "type": "saml" }), 400, failed, "Either metadata_xml or metadata_url must be set".to_owned()),
        (
            named("https://idp.test", json!({ "metadata_url": "https://idp.test" })),
            400,
            failed,
            "Only one of metadata_xml or metadata_url needs to be set".to_owned(),
        ),
        (json!({ "type": "saml", "metadata_url": "x" }), 400, failed, "metadata_url is not a valid URL".to_owned()),
        (
            json!({ "type": "saml", "metadata_url": "http://idp.test" }),
            400,
            failed,
            "metadata_url is not a HTTPS URL".to_owned(),
        ),
        (
            json!({ "type": "saml", "metadata_url": "https://127.0.0.1/" }),
            400,
            failed,
            "metadata_url cannot be used: URL cannot point to localhost or loopback addresses".to_owned(),
        ),
    ] {
        refused(&admin(&s, Method::POST, "", body).await, status, code, &message);
    }
}

#[tokio::test]
async fn invalid_new_providers_are_refused() {
    let s = Server::start().await;
    let [id, _] = two_providers(&s).await;
    let failed = "validation_failed";
    let two = metadata("https://idp.test/c");
    let two = two.replace("</md:EntityDescriptor>", "<md:IDPSSODescriptor/></md:EntityDescriptor>");
    let new = |more: Value| named("https://idp.test/c", more);
    for (body, status, code, message) in [
        (xml(&metadata("")), 400, failed, "SAML Metadata does not contain an EntityID".to_owned()),
        (xml(&two), 400, failed, "SAML Metadata contains multiple IDPSSODescriptors".to_owned()),
        (
            xml("<a/>"),
            400,
            failed,
            "SAML Metadata cannot be read: its outermost element is no EntityDescriptor of SAML 2.0".to_owned(),
        ),
        (
            new(json!({ "attribute_mapping": { "keys": { "a": { "name": 1 } } } })),
            400,
            "bad_json",
            "Could not parse request body as JSON: json: cannot unmarshal number into Go struct field \
             SAMLAttribute.attribute_mapping.keys.name of type string"
                .to_owned(),
        ),
        (
            named("https://idp.test/a", json!({})),
            422,
            "saml_idp_already_exists",
            "SAML Identity Provider with this EntityID (https://idp.test/a) already exists".to_owned(),
        ),
        (
            new(json!({ "domains": ["A.test"] })),
            400,
            "sso_domain_already_exists",
            format!("SSO Domain 'A.test' is already assigned to an SSO identity provider ({id})"),
        ),
        (new(json!({ "domains": [""] })), 400, failed, "SSO Domain must not be empty".to_owned()),
        (
            new(json!({ "resource_id": "r" })),
            422,
            "conflict",
            "SSO provider with this resource_id already exists".to_owned(),
        ),
    ] {
        refused(&admin(&s, Method::POST, "", body).await, status, code, &message);
    }
    let answer = admin(&s, Method::POST, "", new(json!({ "name_id_format": "x" }))).await.is(400).json();
    assert!(answer["msg"].as_str().unwrap().starts_with("name_id_format must be unspecified or one of "));
}

#[tokio::test]
async fn invalid_changes_of_a_provider_are_refused() {
    let s = Server::start().await;
    let [id, other] = two_providers(&s).await;
    let other = format!("/{other}");
    for (body, status, code, message) in [
        (
            xml(&metadata("https://idp.test/c")),
            400,
            "saml_entity_id_mismatch",
            "SAML Metadata can be updated only if the EntityID matches for the provider; expected 'https://idp.test/b' but \
             got 'https://idp.test/c'"
                .to_owned(),
        ),
        (
            json!({ "domains": ["a.test"] }),
            400,
            "sso_domain_already_exists",
            format!("SSO domain 'a.test' already assigned to another provider ({id})"),
        ),
        (
            json!({ "resource_id": "r" }),
            422,
            "conflict",
            "Updating SSO provider failed, likely due to a conflict. Try again?".to_owned(),
        ),
    ] {
        refused(&admin(&s, Method::PUT, &other, body).await, status, code, &message);
    }
    for path in ["/x", "/00000000-0000-0000-0000-000000000001", "/resource_x", "/resource_%00"] {
        let answer = s.as_service(Method::GET, &format!("{PATH}{path}")).await;
        refused(&answer, 404, "sso_provider_not_found", "SSO Identity Provider not found");
    }
    refused(&s.get(PATH).await, 403, "not_admin", "User not allowed");
}

#[tokio::test]
async fn metadata_is_fetched_from_its_url() {
    let s = Server::with(&[("GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES", "true")]).await;
    let idp = HttpCatcher::start(200, &metadata("https://idp.test/fetched"));
    let at = |path: &str| json!({ "type": "saml", "metadata_url": format!("{}{path}", idp.url) });
    let made = admin(&s, Method::POST, "", at("/metadata")).await.is(201).json();
    assert_eq!(made["saml"]["entity_id"], "https://idp.test/fetched");
    assert_eq!(made["saml"]["metadata_url"], json!(format!("{}/metadata", idp.url)));
    let asked = &idp.caught()[0];
    assert_eq!(
        (asked.line.as_str(), asked.headers["accept"].as_str()),
        ("GET /metadata", "application/xml;charset=UTF-8")
    );
    idp.answers_once(Saying::new(404, ""));
    let message = format!("HTTP 404 error fetching SAML Metadata from URL '{}/gone'", idp.url);
    refused(&admin(&s, Method::POST, "", at("/gone")).await, 400, "saml_metadata_fetch_failed", &message);
}
