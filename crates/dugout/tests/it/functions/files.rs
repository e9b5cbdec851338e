//! Where modules, settings and variables of a function come from.

use serde_json::{Value, json};

use super::{Functions, Project};

#[tokio::test]
async fn modules_are_found_by_every_kind_of_map() {
    let files = [
        ("_shared/text.ts", "export const shared = 'shared';"),
        ("plain/index.ts", "import { shared } from '../_shared/text.ts';\nDeno.serve(() => new Response(shared));"),
        (
            "config/index.tsx",
            "import { a } from 'own/a.ts';\nconst element = <b>{a}</b>;\nDeno.serve(() => Response.json(element));",
        ),
        (
            "config/deno.json",
            r#"{ // jsonc
              "imports": { "own/": "./lib/", "jsx/jsx-runtime": "./lib/jsx.ts" },
              "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "jsx" },
            }"#,
        ),
        ("config/lib/a.ts", "export const a = 'from deno.json';"),
        ("config/lib/jsx.ts", "export const jsx = (tag: string, props: unknown) => ({ tag, props });"),
        ("map/index.ts", "import { shared } from 'texts';\nDeno.serve(() => new Response(`${shared} by map`));"),
        ("map/import_map.json", r#"{ "imports": { "texts": "../_shared/text.ts" } }"#),
        ("named/main.js", "import { shared } from 'texts';\nDeno.serve(() => new Response(`${shared} by name`));"),
        ("named.json", r#"{ "imports": { "texts": "./_shared/text.ts" } }"#),
        ("exported/index.ts", "export default { fetch: (req: Request) => new Response(`exported ${req.method}`) };"),
        (
            "foreign/index.ts",
            "import 'jsr:@supabase/functions-js/edge-runtime.d.ts';\n\
             import { serve } from 'https://deno.land/std@0.168.0/http/server.ts';\n\
             import { decode, encode } from 'https://deno.land/std@0.177.0/encoding/base64.ts';\n\
             serve((_req, info) => new Response(encode(decode('Z3LDvMOfZQ==')) + info.remoteAddr.hostname));",
        ),
        (
            "node/index.ts",
            "import http from 'node:http';\n\
             http.createServer((req, res) => res.end(`node ${req.url}`)).listen(8000, '0.0.0.0', () => console.log('up'));",
        ),
        (
            "twice/index.ts",
            "Deno.serve({ port: 1 }, () => new Response('first'));\nDeno.serve({ port: 2, handler: () => new Response('second') });",
        ),
    ];
    let config = "[functions.named]\nverify_jwt = false\nentrypoint = \"./functions/named/main.js\"\nimport_map = \"./functions/named.json\"\n";
    let Some(project) = Project::new(config, &files) else { return };
    let s = project.start(&[]).await;
    for (name, body) in [
        ("plain", "shared"),
        ("config", r#"{"tag":"b","props":{"children":"from deno.json"}}"#),
        ("map", "shared by map"),
        ("named", "shared by name"),
        ("exported", "exported GET"),
        ("foreign", "Z3LDvMOfZQ==127.0.0.1"),
        ("node/a?b", "node /node/a?b"),
        ("twice", "second"),
    ] {
        assert_eq!(s.get(name).await.is(200).body, body, "{name}");
    }
}

const VARIABLES: &str = "Deno.serve(() => Response.json(Deno.env.toObject()));";

#[tokio::test]
async fn a_function_has_its_own_variables_and_no_others() {
    let config = "[edge_runtime.secrets]\nFROM_CONFIG = \"one\"\nBOTH = \"config\"\nFROM_ENV = \"env(OWN_SECRET)\"\nUNSET = \"env(NOT_SET)\"\n";
    let files = [("vars/index.ts", VARIABLES), (".env", "FROM_FILE=two\nBOTH=file\nSUPABASE_URL=evil\nHOME=/evil\n")];
    let Some(project) = Project::new(config, &files) else { return };
    let s = project.start(&[("OWN_SECRET", "three"), ("ANOTHER", "secret of the server")]).await;
    let mut seen = s.get("vars").await.is(200).json();
    let variables = seen.as_object_mut().unwrap();
    for (name, value) in [
        ("FROM_CONFIG", "one"),
        ("BOTH", "file"),
        ("FROM_FILE", "two"),
        ("FROM_ENV", "three"),
        ("SUPABASE_URL", s.server.url.as_str()),
        ("SUPABASE_ANON_KEY", s.server.anon_key.as_str()),
        ("SUPABASE_SERVICE_ROLE_KEY", s.server.service_role_key.as_str()),
    ] {
        assert_eq!(variables.remove(name), Some(json!(value)), "{name}");
    }
    let json_of = |value: Option<Value>| serde_json::from_str::<Value>(value.unwrap().as_str().unwrap()).unwrap();
    for (name, key) in [("SUPABASE_PUBLISHABLE_KEYS", "sb_publishable_"), ("SUPABASE_SECRET_KEYS", "sb_secret_")] {
        let keys = json_of(variables.remove(name));
        assert!(keys["default"].as_str().unwrap().starts_with(key), "{keys}");
    }
    assert!(json_of(variables.remove("SUPABASE_JWKS"))["keys"].is_array());
    // PostgreSQL has a socket only.
    assert!(!variables.contains_key("SUPABASE_DB_URL"));
    let left: Vec<&String> = variables.keys().collect();
    let known = [
        "DENO_DEPLOYMENT_ID",
        "DENO_TLS_CA_STORE",
        "NO_COLOR",
        "SB_EXECUTION_ID",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "TMPDIR",
    ];
    assert!(left.iter().all(|name| known.contains(&name.as_str())), "{left:?}");
}

#[tokio::test]
async fn a_function_reads_its_own_and_its_static_files_and_writes_to_a_tmp_of_its_own() {
    let files = r#"
      Deno.serve(async (req) => {
        const path = new URL(req.url).searchParams.get("path");
        if (req.method === "POST") {
          await Deno.writeTextFile(path, await req.text());
          return new Response(null, { status: 201 });
        }
        return new Response(await Deno.readTextFile(path.startsWith("/") ? path : new URL(path, import.meta.url)));
      });"#;
    let config = "[functions.one]\nverify_jwt = false\nstatic_files = [\"./functions/static/*.txt\"]\n";
    let all = [
        ("one/index.ts", files),
        ("two/index.ts", files),
        ("one/own.txt", "own"),
        ("static/a.txt", "static"),
        ("static/a.md", "no"),
    ];
    let Some(project) = Project::new(config, &all) else { return };
    let supabase = project.supabase();
    let s = project.start(&[]).await;
    for (path, status) in [
        ("one?path=own.txt", 200),
        ("one?path=../static/a.txt", 200),
        ("one?path=../static/a.md", 500),
        ("two?path=../static/a.txt", 500),
        ("two?path=../one/own.txt", 500),
        ("one?path=../../config.toml", 500),
        ("one?path=/etc/passwd", 500),
        ("one?path=/proc/self/environ", 500),
    ] {
        s.get(path).await.is(status);
    }
    let write = |name: &str, path: &str| s.call(reqwest::Method::POST, &format!("{name}?path={path}")).body("text");
    write("one", "/tmp/own.txt").await.is(201);
    assert_eq!(s.get("one?path=/tmp/own.txt").await.is(200).body, "text");
    s.get("two?path=/tmp/own.txt").await.is(500);
    assert!(!std::path::Path::new("/tmp/own.txt").exists());
    for path in ["/etc/dugout-test", supabase.join("functions/one/own.txt").to_str().unwrap(), "/var/tmp/dugout-test"] {
        write("one", path).await.is(500);
    }
    assert_eq!(s.get("one?path=own.txt").await.is(200).body, "own");
}

#[tokio::test]
async fn what_cannot_be_used_is_named_in_the_log() {
    let hello = "Deno.serve(() => new Response('hi'));";
    let files = [("bad/index.ts", hello), ("bad/deno.json", "{"), ("good/index.ts", hello)];
    let Some(s) = Functions::start(&files).await else { return };
    let refused = s.get("bad").await.is(503).json();
    let wanted = json!({ "code": "BOOT_ERROR", "message": "Worker failed to boot (please check logs)" });
    assert_eq!(refused, wanted);
    s.get("good").await.is(200);
    s.write(".env", "no variable");
    std::fs::remove_file(s.supabase().join("functions/bad/deno.json")).unwrap();
    s.get("bad").await.is(503);
    s.write(".env", "A=b");
    s.get("bad").await.is(200);
}

#[tokio::test]
async fn packages_of_npm_are_loaded_before_the_first_start() {
    let files = [(
        "packages/index.ts",
        "import isNumber from 'npm:is-number@7.0.0';\nDeno.serve(() => Response.json(isNumber('5e3')));",
    )];
    let Some(project) = Project::new("", &files) else { return };
    let cache = tempfile::tempdir().unwrap();
    let s = project.start(&[("DUGOUT_FUNCTIONS_CACHE", cache.path().to_str().unwrap())]).await;
    let answer = s.get("packages").await;
    if answer.status == 503 {
        let log = std::fs::read_to_string(s.data().join("functions/logs/packages.log")).unwrap();
        assert!(log.contains("is-number"), "{log}");
        crate::kit::skip("npm's registry, which scripts/install.sh needs, too, cannot be reached");
        return;
    }
    assert_eq!(answer.is(200).body, "true");
}
