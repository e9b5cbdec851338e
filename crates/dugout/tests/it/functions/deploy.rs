//! Functions that are deployed to the running server.

use std::io::Write;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Functions, Project};
use crate::kit::{Answer, Calls, Request};

const AT: &str = "/v1/projects/abcdefghijklmnopqrst/functions";
const ENTRY: &str = "supabase/functions/hello/index.ts";

/// The media type of [`form`].
pub(super) const FORM: &str = "multipart/form-data; boundary=edge";

/// A form as a client sends it.
pub(super) fn form(metadata: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (path, text) in files {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=";
        write!(body, "{head}\"{path}\"\r\nContent-Type: application/octet-stream\r\n\r\n{text}\r\n").unwrap();
    }
    write!(body, "--edge\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{metadata}\r\n--edge--\r\n")
        .unwrap();
    body
}

fn says(text: &str) -> String {
    format!("Deno.serve(() => new Response({}));", json!(text))
}

impl Functions {
    /// A request of the project's own server.
    fn manage(&self, method: Method, path: &str) -> Request {
        self.server.request(method, &format!("{AT}{path}")).bearer(&self.server.service_role_key)
    }

    fn send(&self, query: &str, metadata: &str, files: &[(&str, &str)]) -> Request {
        let request = self.manage(Method::POST, &format!("/deploy?slug={query}"));
        request.body(form(metadata, files)).header("content-type", FORM)
    }

    /// Deploys a function that wants no token.
    async fn deploy(&self, name: &str, text: &str) -> Answer {
        let entry = format!("supabase/functions/{name}/index.ts");
        let metadata = json!({ "entrypoint_path": entry, "verify_jwt": false }).to_string();
        self.send(name, &metadata, &[(&entry, text)]).await
    }

    async fn served(&self, name: &str) -> Vec<(i64, i64)> {
        let versions = self.manage(Method::GET, &format!("/{name}/versions")).await.is(200).json();
        let served = self.manage(Method::GET, &format!("/{name}")).await.is(200).json()["version"].as_i64().unwrap();
        versions.as_array().unwrap().iter().map(|version| (version["version"].as_i64().unwrap(), served)).collect()
    }
}

#[tokio::test]
async fn a_function_is_deployed_replaced_rolled_back_and_deleted() {
    let Some(s) = Functions::start(&[("other/index.ts", &says("of the folder"))]).await else { return };
    s.get("hello").await.is(404);
    let shared = ("supabase/functions/_shared/text.ts", "export const text = 'one';");
    let hello = "import { text } from '../_shared/text.ts'; Deno.serve(() => new Response(text));";
    let metadata = json!({ "entrypoint_path": ENTRY, "verify_jwt": false, "name": "hello", "static_patterns": [] });
    let first = s.send("hello", &metadata.to_string(), &[(ENTRY, hello), shared]).await.is(201).json();
    assert_eq!((&first["slug"], &first["version"], &first["status"]), (&json!("hello"), &json!(1), &json!("ACTIVE")));
    assert_eq!(s.get("hello/path?query").await.is(200).body, "one");

    let second = s.deploy("hello", &says("two")).await.is(201).json();
    assert_eq!((&second["version"], &second["id"]), (&json!(2), &first["id"]));
    assert_ne!(second["ezbr_sha256"], first["ezbr_sha256"]);
    assert_eq!(s.get("hello").await.is(200).body, "two");
    assert_eq!(s.served("hello").await, [(1, 2), (2, 2)]);
    let listed = s.manage(Method::GET, "").await.is(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");

    s.manage(Method::POST, "/hello/rollback").await.is(200);
    assert_eq!(s.get("hello").await.is(200).body, "one");
    let nothing = s.manage(Method::POST, "/hello/rollback").await.is(409).json();
    assert_eq!(nothing, json!({ "message": "Function hello has no earlier version" }));
    s.manage(Method::POST, "/hello/rollback?version=2").await.is(200);
    assert_eq!(s.get("hello").await.is(200).body, "two");
    s.manage(Method::POST, "/hello/rollback?version=3").await.is(404);

    // A deployed function goes before that of the folder, and gives its place back.
    assert_eq!(s.get("other").await.is(200).body, "of the folder");
    s.deploy("other", &says("deployed")).await.is(201);
    assert_eq!(s.get("other").await.is(200).body, "deployed");
    for (name, status) in [("other", 200), ("hello", 404)] {
        s.manage(Method::DELETE, &format!("/{name}")).await.is(200);
        s.manage(Method::DELETE, &format!("/{name}")).await.is(404);
        s.get(name).await.is(status);
    }
    assert_eq!(s.get("other").await.is(200).body, "of the folder");
    s.manage(Method::GET, "/hello").await.is(404);
}

#[tokio::test]
async fn verify_jwt_is_that_of_the_deployment_and_stays_when_it_says_nothing() {
    let Some(s) = Functions::start(&[]).await else { return };
    let deploy = async |verify_jwt: Value| {
        let mut metadata = json!({ "entrypoint_path": ENTRY });
        if !verify_jwt.is_null() {
            metadata["verify_jwt"] = verify_jwt;
        }
        let answer = s.send("hello", &metadata.to_string(), &[(ENTRY, &says("hi"))]).await.is(201).json();
        let nobody = Request::of(Method::GET, &format!("{}/functions/v1/hello", s.server.url)).await.status;
        (answer["verify_jwt"].as_bool().unwrap(), nobody)
    };
    assert_eq!(deploy(Value::Null).await, (true, 401));
    assert_eq!(deploy(json!(false)).await, (false, 200));
    assert_eq!(deploy(Value::Null).await, (false, 200));
    assert_eq!(deploy(json!(true)).await, (true, 401));
}

#[tokio::test]
async fn requests_in_flight_finish_in_the_version_that_they_began_with() {
    let slow = |text: &str| {
        format!(
            "Deno.serve(async (req) => {{\n\
               if (req.method !== 'POST') return new Response('{text}');\n\
               const body = new ReadableStream({{ async start(to) {{\n\
                 to.enqueue(new TextEncoder().encode('begun '));\n\
                 while (!(await fetch('{{URL}}').then((done) => done.text())).includes('two')) {{ await new Promise((next) => setTimeout(next, 50)); }}\n\
                 await new Promise((next) => setTimeout(next, 1000));\n\
                 to.enqueue(new TextEncoder().encode('{text}')); to.close();\n\
               }} }});\n\
               return new Response(body);\n\
             }});"
        )
    };
    let Some(s) = Functions::start(&[]).await else { return };
    // It ends only when the other version is served.
    let url = format!("{}/functions/v1/hello", s.server.url);
    let deploy = async |text: &str| s.deploy("hello", &slow(text).replace("{URL}", &url)).await;
    deploy("one").await.is(201);
    assert_eq!(s.get("hello").await.is(200).body, "one");
    let mut waiting = reqwest::Client::new().post(&url).send().await.unwrap();
    assert_eq!(waiting.chunk().await.unwrap().unwrap(), "begun ");
    deploy("two").await.is(201);
    assert_eq!(s.get("hello").await.is(200).body, "two");
    assert_eq!(waiting.text().await.unwrap(), "one");
}

#[tokio::test]
async fn only_the_service_role_deploys() {
    let Some(project) = Project::new("", &[]) else { return };
    let s = project.start(&[("SUPABASE_AUTH_SECRET_KEY", "sb_secret_own")]).await;
    let ana = s.server.signed_up("ana@x.test").await;
    let metadata = json!({ "entrypoint_path": ENTRY }).to_string();
    let requests: [(Method, &str); 7] = [
        (Method::GET, ""),
        (Method::PUT, ""),
        (Method::GET, "/hello"),
        (Method::POST, "/deploy?slug=hello"),
        (Method::DELETE, "/hello"),
        (Method::GET, "/hello/versions"),
        (Method::POST, "/hello/rollback"),
    ];
    for (method, path) in requests {
        let request = || {
            let request = Request::of(method.clone(), &format!("{}{AT}{path}", s.server.url));
            if method != Method::POST {
                return request;
            }
            request.body(form(&metadata, &[(ENTRY, &says("evil"))])).header("content-type", FORM)
        };
        request().await.is(401);
        request().bearer(&s.server.anon_key).await.is(403);
        request().header("apikey", &s.server.anon_key).await.is(403);
        request().bearer(&ana.access_token).await.is(403);
        request().bearer("sbp_0123456789012345678901234567890123456789").await.is(401);
        request().bearer("nonsense").await.is(401);
    }
    s.get("hello").await.is(404);
    // The opaque secret key is another name of the service role.
    Request::of(Method::GET, &format!("{}{AT}", s.server.url)).header("apikey", "sb_secret_own").await.is(200);
}

#[tokio::test]
async fn what_cannot_be_deployed_is_refused_and_changes_nothing() {
    let Some(s) = Functions::start(&[]).await else { return };
    s.deploy("hello", &says("first")).await.is(201);
    let entry = |path: &str| json!({ "entrypoint_path": path }).to_string();
    let ok = entry(ENTRY);
    let fine = says("evil");
    for (query, metadata, files, status, said) in [
        ("hello", &*ok, &[(ENTRY, "this is no module")][..], 400, "cannot be loaded"),
        ("hello", &ok, &[(ENTRY, "import './gone.ts';")], 400, "gone.ts"),
        ("hello", &ok, &[(ENTRY, &*fine), ("../../evil.ts", "")], 400, "is no path"),
        ("hello", &ok, &[(ENTRY, &fine), ("/etc/cron.d/evil", "")], 400, "is no path"),
        ("hello", &ok, &[(ENTRY, &fine), (ENTRY, &fine)], 400, "there twice"),
        ("hello", &ok, &[(ENTRY, &fine), ("supabase", "")], 400, "a file and a folder"),
        ("hello", &entry("gone.ts"), &[(ENTRY, &fine)], 400, "gone.ts is not among the files"),
        ("hello", "{}", &[(ENTRY, &fine)], 400, "metadata"),
        ("..%2Fevil", &ok, &[(ENTRY, &fine)], 400, "no name of a function"),
        ("_shared", &ok, &[(ENTRY, &fine)], 400, "no name of a function"),
    ] {
        let refused = s.send(query, metadata, files).await.is(status).json();
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(said) && !message.contains("deployed/"), "{message}");
    }
    let many: Vec<String> = (0..1001).map(|number| format!("f{number}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "")).collect();
    s.send("hello", &ok, &many).await.is(413);
    s.send("hello", &ok, &[(ENTRY, &fine), ("long", &"x".repeat(20 << 20))]).await.is(413);
    let body = form(&ok, &[(ENTRY, &fine)]);
    let zipped = s.manage(Method::POST, "/deploy?slug=hello").header("content-encoding", "gzip");
    zipped.body(body.clone()).header("content-type", FORM).await.is(400);
    let eszip = s.manage(Method::POST, "/deploy?slug=hello").body(body);
    eszip.header("content-type", "application/vnd.denoland.eszip").await.is(400);
    assert_eq!(s.get("hello").await.is(200).body, "first");
    assert_eq!(s.served("hello").await, [(1, 1)]);
    assert!(!s.data().join("functions/evil.ts").exists());
}

#[tokio::test]
async fn versions_are_written_first_and_served_together() {
    let Some(s) = Functions::start(&[]).await else { return };
    let mut updates = Vec::new();
    for name in ["one", "two"] {
        let entry = format!("supabase/functions/{name}/index.ts");
        let metadata = json!({ "entrypoint_path": entry, "verify_jwt": false }).to_string();
        let bundled = s.send(&format!("{name}&bundleOnly=true"), &metadata, &[(&entry, &says(name))]).await.is(201);
        updates.push(bundled.json());
        s.get(name).await.is(404);
    }
    let served = s.manage(Method::PUT, "").json(&json!(updates)).await.is(200).json();
    assert_eq!(served["functions"].as_array().unwrap().len(), 2);
    for name in ["one", "two"] {
        assert_eq!(s.get(name).await.is(200).body, name);
    }
    s.manage(Method::PUT, "").json(&json!([{ "slug": "../one", "version": 1 }])).await.is(404);
    s.manage(Method::PUT, "").json(&json!({})).await.is(400);
}

#[tokio::test]
async fn a_deployed_function_reads_its_own_version_only() {
    let reads = |path: &str| {
        format!(
            "import {{ readFile }} from 'node:fs/promises';\n\
             Deno.serve(async () => new Response(await readFile(new URL({}, import.meta.url), 'utf8').catch((e) => e.name)));",
            json!(path)
        )
    };
    let Some(s) = Functions::start(&[]).await else { return };
    let data = "supabase/functions/hello/data.txt";
    let metadata = json!({ "entrypoint_path": ENTRY, "verify_jwt": false }).to_string();
    s.send("hello", &metadata, &[(ENTRY, &reads("./data.txt")), (data, "own")]).await.is(201);
    assert_eq!(s.get("hello").await.is(200).body, "own");
    for outside in
        ["../../../../version.json", "../../../../../1/files/supabase/functions/hello/data.txt", "file:///etc/passwd"]
    {
        s.send("hello", &metadata, &[(ENTRY, &reads(outside))]).await.is(201);
        assert_eq!(s.get("hello").await.is(200).body, "NotCapable", "{outside}");
    }
}

#[tokio::test]
async fn with_dev_the_files_of_the_folder_go_first() {
    let Some(project) = Project::new("", &[("hello/index.ts", &says("of the folder"))]) else { return };
    let s = project.start(&[("DUGOUT_DEV", "true")]).await;
    s.deploy("hello", &says("deployed")).await.is(201);
    s.deploy("more", &says("deployed")).await.is(201);
    assert_eq!(s.get("hello").await.is(200).body, "of the folder");
    assert_eq!(s.get("more").await.is(200).body, "deployed");
}
