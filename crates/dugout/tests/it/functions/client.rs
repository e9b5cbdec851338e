//! functions-js, unmodified, as npm has it.

use serde_json::json;

use super::Project;
use crate::architecture::root;
use crate::kit::{node, skip};

/// Behaviours of the client's own tests, and some more.
const BEHAVIOURS: usize = 32;

const MIRROR: &str = r#"
Deno.serve(async (req) => {
  const kind = req.headers.get("response-type");
  let body;
  if (kind === "json") body = await req.json();
  else if (kind === "form") body = [...(await req.formData()).entries()];
  else if (kind === "blob") body = await (await req.blob()).text();
  else if (kind === "arrayBuffer") body = new TextDecoder().decode(await req.arrayBuffer());
  else body = await req.text();
  return Response.json({ url: req.url, method: req.method, headers: [...req.headers], body });
});"#;

const SLOW: &str = r#"
Deno.serve(async (req) => {
  const ms = Number(new URL(req.url).searchParams.get("ms") ?? 500);
  await new Promise((resolve) => setTimeout(resolve, ms));
  return new Response("Slow Response");
});"#;

const TYPED: &str = r#"
Deno.serve((req) => {
  const { type, status } = Object.fromEntries(new URL(req.url).searchParams);
  return new Response('{"foo":"bar"}', { status: Number(status ?? 200), headers: { "content-type": type } });
});"#;

const HELLO: &str = r#"
import { serve } from "https://deno.land/std@0.177.0/http/server.ts";
serve(() => new Response("Hello World"));"#;

const HIJACK: &str = "Deno.serve((req) => Deno.upgradeWebSocket(req).response);";

#[tokio::test]
async fn functions_js_finds_what_it_promises() {
    if !root().join("frontend/node_modules/@supabase/functions-js").exists() {
        return skip("functions-js is missing: `npm ci` in frontend/ installs it");
    }
    let names = ["hello", "mirror", "slow", "typed", "hijack"];
    let config: String = names.iter().map(|name| format!("[functions.{name}]\nverify_jwt = true\n")).collect();
    let files = names.map(|name| format!("{name}/index.ts"));
    let texts = [HELLO, MIRROR, SLOW, TYPED, HIJACK];
    let files: Vec<(&str, &str)> = files.iter().map(String::as_str).zip(texts).collect();
    let Some(project) = Project::new(&config, &files) else { return };
    let s = project.start(&[]).await;
    let ana = s.server.signed_up("ana@x.test").await;
    let wrong = format!("{}x", s.server.anon_key);
    let input = json!({
        "url": s.server.url, "anonKey": s.server.anon_key, "userToken": ana.access_token, "wrongToken": wrong,
    });
    let results = tokio::task::spawn_blocking(move || node("functions-client.mjs", &input)).await.unwrap();
    let results: Vec<(String, String)> = serde_json::from_value(results).unwrap();
    let wrong: Vec<_> = results.iter().filter(|(_, result)| result != "ok").collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(results.len(), BEHAVIOURS);
}
