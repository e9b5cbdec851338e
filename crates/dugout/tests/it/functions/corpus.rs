//! Small functions, each for one thing that programs written for edge-runtime rely on. Its `test_cases` name the things.

use super::Project;

/// What a request to a function answers.
struct Case {
    /// The function, with what follows it in the address.
    path: &'static str,
    files: &'static [(&'static str, &'static str)],
    status: u16,
    /// The body, or how it begins when this ends in `…`.
    body: &'static str,
}

const fn case(
    path: &'static str,
    files: &'static [(&'static str, &'static str)],
    status: u16,
    body: &'static str,
) -> Case {
    Case { path, files, status, body }
}

const CASES: &[Case] = &[
    case(
        "commonjs",
        &[
            ("commonjs/index.ts", "import lib from './lib.cjs';\nDeno.serve(() => new Response(lib.greet('Ana')));"),
            (
                "commonjs/lib.cjs",
                "const { join } = require('node:path');\nexports.greet = (name) => join('hello', name);",
            ),
        ],
        200,
        "hello/Ana",
    ),
    case(
        "json-import",
        &[
            (
                "json-import/index.ts",
                "import data from './data.json' with { type: 'json' };\nDeno.serve(() => Response.json(data.list[1]));",
            ),
            ("json-import/data.json", r#"{ "list": [1, { "two": 2 }] }"#),
        ],
        200,
        r#"{"two":2}"#,
    ),
    case(
        "node-built-in",
        &[(
            "node-built-in/index.ts",
            "import { createHash } from 'node:crypto';\nimport { Buffer } from 'node:buffer';\nimport process from 'node:process';\n\
             import { EventEmitter } from 'node:events';\nimport assert from 'node:assert';\n\
             const emitter = new EventEmitter();\nlet seen = 0;\nemitter.on('x', () => seen++);\nemitter.emit('x');\n\
             assert.equal(seen, 1);\nprocess.env.OWN = 'set';\n\
             Deno.serve(() => new Response(createHash('sha256').update(Buffer.from('a')).digest('hex').slice(0, 8) + process.env.OWN));",
        )],
        200,
        "ca978112set",
    ),
    case(
        "wasm",
        &[(
            "wasm/index.ts",
            "const code = Uint8Array.fromBase64('AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=');\n\
             const { instance } = await WebAssembly.instantiate(code);\n\
             const add = instance.exports.add as (a: number, b: number) => number;\n\
             Deno.serve(() => Response.json(add(40, 2)));",
        )],
        200,
        "42",
    ),
    case(
        "decorators",
        &[(
            "decorators/index.ts",
            "function twice(method: (n: number) => number) { return (n: number) => 2 * method(n); }\n\
             class Counter { @twice add(n: number) { return n + 1; } }\n\
             Deno.serve(() => Response.json(new Counter().add(4)));",
        )],
        200,
        "10",
    ),
    case(
        "old-decorators",
        &[
            (
                "old-decorators/index.ts",
                "function mark(target: Function) { target.prototype.mark = 'marked'; }\n@mark\nclass Marked {}\n\
                 Deno.serve(() => new Response((new Marked() as any).mark));",
            ),
            ("old-decorators/deno.json", r#"{ "compilerOptions": { "experimentalDecorators": true } }"#),
        ],
        200,
        "marked",
    ),
    case(
        "declarative",
        &[("declarative/index.js", "export default { fetch: (req) => new Response(new URL(req.url).pathname) };")],
        200,
        "/declarative",
    ),
    case(
        "no-response",
        &[("no-response/index.ts", "Deno.serve((() => 'text') as any);")],
        500,
        "Internal Server Error",
    ),
    case("empty", &[("empty/index.ts", "Deno.serve(() => new Response());")], 200, ""),
    case("no-content", &[("no-content/index.ts", "Deno.serve(() => new Response(null, { status: 204 }));")], 204, ""),
    case(
        "chunks",
        &[(
            "chunks/index.ts",
            "Deno.serve(() => new Response(new ReadableStream({ async start(to) {\n\
               for (const piece of 'meow') {\n\
                 await new Promise((next) => setTimeout(next, Math.random() * 50));\n\
                 to.enqueue(new TextEncoder().encode(piece));\n\
               }\n\
               to.close();\n\
             } })));",
        )],
        200,
        "meow",
    ),
    case(
        "read-large",
        &[(
            "read-large/index.ts",
            "await Deno.writeFile('/tmp/large', new Uint8Array(20 << 20));\n\
             const read = Deno.readFileSync('/tmp/large').length;\nDeno.serve(() => Response.json(read));",
        )],
        200,
        "20971520",
    ),
    case(
        "tmp",
        &[(
            "tmp/index.ts",
            "Deno.serve(async () => {\n\
               await Deno.mkdir('/tmp/a/b', { recursive: true });\n\
               await Deno.writeTextFile('/tmp/a/b/c.txt', 'kept');\n\
               await Deno.rename('/tmp/a/b/c.txt', '/tmp/d.txt');\n\
               const names = (await Array.fromAsync(Deno.readDir('/tmp'))).map((entry) => entry.name).sort();\n\
               return Response.json([await Deno.readTextFile('/tmp/d.txt'), ...names]);\n\
             });",
        )],
        200,
        r#"["kept","a","d.txt"]"#,
    ),
    case(
        "bad-import",
        &[("bad-import/index.ts", "import 'nothing-that-is-there';\nDeno.serve(() => new Response());")],
        503,
        "{\"code\":\"BOOT_ERROR\"…",
    ),
    case(
        "bad-graph",
        &[
            ("bad-graph/index.ts", "import { a } from './a.ts';\nDeno.serve(() => new Response(a));"),
            ("bad-graph/a.ts", "export const b = 1;"),
        ],
        503,
        "{\"code\":\"BOOT_ERROR\"…",
    ),
    case(
        "import-map",
        &[
            ("import-map/index.ts", "import { std } from 'std/own.ts';\nDeno.serve(() => new Response(std));"),
            ("import-map/import_map.json", r#"{ "imports": { "std/": "./vendor/" } }"#),
            ("import-map/vendor/own.ts", "export const std = 'mapped';"),
        ],
        200,
        "mapped",
    ),
    case(
        "brotli",
        &[(
            "brotli/index.ts",
            "import zlib from 'node:zlib';\nimport { promisify } from 'node:util';\n\
             const packed = await promisify(zlib.brotliCompress)('meow');\n\
             Deno.serve(async () => new Response(await promisify(zlib.brotliDecompress)(packed)));",
        )],
        200,
        "meow",
    ),
    case(
        "redirect",
        &[("redirect/index.ts", "Deno.serve(() => Response.redirect('http://127.0.0.1:1/elsewhere', 307));")],
        307,
        "",
    ),
    case(
        "background",
        &[(
            "background/index.ts",
            "let done = 0;\nDeno.serve(async (req) => {\n\
               if (!req.url.endsWith('?wait')) { EdgeRuntime.waitUntil(new Promise((next) => setTimeout(() => next(done++), 20))); }\n\
               while (done === 0) await new Promise((next) => setTimeout(next, 5));\n\
               return Response.json(done > 0);\n\
             });",
        )],
        200,
        "true",
    ),
    case(
        "rejection",
        &[(
            "rejection/index.ts",
            "addEventListener('unhandledrejection', (event) => { event.preventDefault(); });\n\
             Deno.serve(() => { Promise.reject(new Error('nobody cares')); return new Response('alive'); });",
        )],
        200,
        "alive",
    ),
    case("main", &[("main/index.ts", "if (import.meta.main) Deno.serve(() => new Response('main'));")], 200, "main"),
    case(
        "dynamic",
        &[
            (
                "dynamic/index.ts",
                "Deno.serve(async (req) => new Response((await import(`./${new URL(req.url).searchParams.get('m')}.ts`)).own));",
            ),
            ("dynamic/late.ts", "export const own = 'loaded late';"),
        ],
        200,
        "loaded late",
    ),
    case(
        "globals",
        &[(
            "globals/index.ts",
            "const names = ['EdgeRuntime', 'Supabase', 'crypto', 'caches', 'WebSocket', 'structuredClone', 'BroadcastChannel'];\n\
             Deno.serve(() => Response.json(names.filter((name) => !(name in globalThis))));",
        )],
        200,
        "[]",
    ),
];

async fn all(warm: &str) {
    let files: Vec<_> = CASES.iter().flat_map(|case| case.files.iter().copied()).collect();
    let Some(project) = Project::new("", &files) else { return };
    let s = project.start(&[("DUGOUT_FUNCTIONS_WARM", warm), ("DUGOUT_FUNCTIONS_PROCESSES", "4")]).await;
    let mut wrong = Vec::new();
    for Case { path, status, body, .. } in CASES {
        if warm != "0" {
            super::warm::one(&s).await;
        }
        let path = if *path == "dynamic" { "dynamic?m=late" } else { path };
        let answer = s.get(path).await;
        let is_body = match body.strip_suffix('…') {
            Some(beginning) => answer.body.starts_with(beginning),
            None => answer.body == *body,
        };
        if answer.status != *status || !is_body {
            let name = path.split('?').next().unwrap();
            let log = std::fs::read_to_string(s.data().join(format!("functions/logs/{name}.log")));
            wrong.push(format!("{path}: {} {} {}", answer.status, answer.body, log.unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn programs_of_every_kind_run() {
    all("0").await;
}

#[tokio::test]
async fn programs_of_every_kind_run_in_processes_that_waited_for_them() {
    all("1").await;
}
