//! A deployed function must not read files or servers by importing them: Deno loads modules without asking for permissions.

use reqwest::Method;
use serde_json::json;

use super::deploy::{FORM, form};
use super::{Functions, Project};
use crate::kit::{Answer, Calls};

const ENTRY: &str = "supabase/functions/prying/index.ts";

/// Deploys a function that returns what it imports.
async fn deploy(s: &Functions, import: &str) -> Answer {
    let metadata = json!({ "entrypoint_path": ENTRY, "verify_jwt": false }).to_string();
    let text = format!("{import}\nDeno.serve(() => Response.json(found));");
    let config = ("supabase/functions/prying/deno.json", r#"{ "unstable": ["raw-imports"] }"#);
    let body = form(&metadata, &[(ENTRY, &*text), config, ("supabase/functions/_shared/own.json", r#"{"a": 1}"#)]);
    let at = "/v1/projects/abcdefghijklmnopqrst/functions/deploy?slug=prying";
    s.server.request(Method::POST, at).bearer(&s.server.service_role_key).body(body).header("content-type", FORM).await
}

#[tokio::test]
async fn a_deployed_function_imports_no_file_but_its_own() {
    let Some(s) = Functions::start(&[]).await else { return };
    deploy(&s, "import found from '../_shared/own.json' with { type: 'json' };").await.is(201);
    assert_eq!(s.get("prying").await.is(200).json(), json!({ "a": 1 }));
    let secrets = s.data().join("secrets.json");
    std::fs::write(&secrets, "{}").unwrap();
    let secrets = secrets.display();
    for import in [
        format!("import found from '{secrets}' with {{ type: 'json' }};"),
        format!("import found from 'file://{secrets}' with {{ type: 'json' }};"),
        format!("import found from '{secrets}' with {{ type: 'text' }};"),
        format!("const {{ default: found }} = await import('{secrets}', {{ with: {{ type: 'json' }} }});"),
        format!("const found = () => import('{secrets}.later', {{ with: {{ type: 'text' }} }});"),
        "import found from '/etc/passwd' with { type: 'text' };".to_owned(),
        "import found from '../../../../../current' with { type: 'text' };".to_owned(),
    ] {
        let refused = deploy(&s, &import).await.is(400).json()["message"].to_string();
        assert!(refused.contains("is not among its files"), "{import}: {refused}");
    }
    assert_eq!(s.get("prying").await.is(200).json(), json!({ "a": 1 }), "what was served is served on");
}

#[tokio::test]
async fn a_function_imports_nothing_from_addresses_that_it_may_not_reach() {
    let Some(project) = Project::new("", &[]) else { return };
    let admin = crate::kit::free_port().to_string();
    let s = project.start(&[("DUGOUT_ADMIN_PORT", &admin)]).await;
    for address in [format!("127.0.0.1:{admin}/metrics"), "169.254.169.254/latest/meta-data/".to_owned()] {
        let import = format!("import found from 'http://{address}' with {{ type: 'text' }};");
        let refused = deploy(&s, &import).await.is(400).json()["message"].to_string();
        assert!(refused.contains("Requires import access"), "{refused}");
    }
}
