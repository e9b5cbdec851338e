//! Addresses of modules that are replaced: those of deno.land, esm.sh and JSR for which npm or this crate has the same.
//!
//! DEVIATION (behaviour): modules of npm's CDNs (esm.sh, jsDelivr, Skypack) are taken from npm itself. So are `jsr:@supabase/*`
//! and other modules of JSR and deno.land/x that npm has in the same version. Some of deno.land/std are replaced by own ones. A
//! project so starts in a network that has npm only; upstream loads them from where they are.

use url::Url;

/// The modules that this crate brings, as URLs of the files that they are written to.
#[derive(Clone, Debug)]
pub(crate) struct Shims {
    pub(crate) empty: Url,
    pub(crate) http_server: Url,
    pub(crate) base64: Url,
}

/// Packages of JSR, and their names on npm.
const JSR: [(&str, &str); 4] = [
    ("@supabase/supabase-js", "@supabase/supabase-js"),
    ("@hono/hono", "hono"),
    ("@openai/openai", "openai"),
    ("@zod/zod", "zod"),
];
/// Modules of deno.land/x, and their names on npm. Version numbers and the exports of `mod.ts` are the same on both.
const DENO_LAND: [(&str, &str); 6] = [
    ("grammy", "grammy"),
    ("hono", "hono"),
    ("imagescript", "imagescript"),
    ("openai", "openai"),
    ("postgresjs", "postgres"),
    ("zod", "zod"),
];
/// Names of the main module of a package on deno.land/x.
const MAIN: [&str; 4] = ["mod.ts", "mod.js", "index.ts", "main.ts"];
/// Where the packages of npm are served to browsers.
const CDNS: [&str; 3] = ["https://esm.sh/", "https://cdn.jsdelivr.net/npm/", "https://cdn.skypack.dev/"];

impl Shims {
    /// What is loaded in the place of `specifier`; `None` where that itself is.
    pub(crate) fn replacement(&self, specifier: &str) -> Option<String> {
        if let Some(package) = specifier.strip_prefix("jsr:") {
            return self.of_jsr(package.trim_start_matches('/'));
        }
        if let Some(path) = specifier.strip_prefix("https://deno.land/std") {
            return self.of_std(path.split_once('/')?.1);
        }
        if let Some(module) = specifier.strip_prefix("https://deno.land/x/") {
            return self.of_deno_land(module);
        }
        self.of_cdn(CDNS.iter().find_map(|cdn| specifier.strip_prefix(cdn))?)
    }

    fn of_jsr(&self, package: &str) -> Option<String> {
        let (name, rest) = split_package(package)?;
        match name {
            // This package only declares types.
            "@supabase/functions-js" => return Some(self.empty.to_string()),
            "@std/encoding" | "@std/dotenv" => {
                let module = rest.split_once('/')?.1;
                return self.of_std(&format!("{}/{module}.ts", &name["@std/".len()..]));
            }
            _ => {}
        }
        let (_, on_npm) = JSR.iter().find(|(on_jsr, _)| *on_jsr == name)?;
        Some(format!("npm:{on_npm}{rest}"))
    }

    /// `module` is what follows `x`: `zod@v3.22.4/mod.ts`.
    fn of_deno_land(&self, module: &str) -> Option<String> {
        let (package, path) = module.split_once('/')?;
        let (name, version) = package.split_once('@').unwrap_or((package, ""));
        if name == "xhr" {
            // A polyfill of `XMLHttpRequest` for browser builds from a CDN. The builds on npm do not need it.
            return Some(self.empty.to_string());
        }
        let (_, on_npm) = DENO_LAND.iter().find(|(own, _)| *own == name).filter(|_| MAIN.contains(&path))?;
        let version = version.trim_start_matches('v');
        Some(if version.is_empty() { format!("npm:{on_npm}") } else { format!("npm:{on_npm}@{version}") })
    }

    /// `module` is the path in the standard library: `http/server.ts`.
    fn of_std(&self, module: &str) -> Option<String> {
        let shim = match module {
            "http/server.ts" | "http/mod.ts" => &self.http_server,
            "encoding/base64.ts" => &self.base64,
            "dotenv/load.ts" => &self.empty,
            _ => return None,
        };
        Some(shim.to_string())
    }

    /// `path` is what follows the CDN: `@supabase/supabase-js@2?target=deno`, `v135/hono@4/cors`, `zod@3/+esm`.
    fn of_cdn(&self, path: &str) -> Option<String> {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let is_build = |part: &str| {
            part == "stable"
                || part.strip_prefix('v').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let path = match path.split_once('/') {
            Some((first, rest)) if is_build(first) => rest,
            _ => path,
        };
        let path = path.trim_start_matches('*');
        // Registries other than npm on esm.sh, and pinned builds on Skypack.
        if ["gh/", "jsr/", "pr/", "-/", "pin/"].iter().any(|registry| path.starts_with(registry)) {
            return None;
        }
        let (name, rest) = split_package(path)?;
        if name == "@supabase/functions-js" {
            return Some(self.empty.to_string());
        }
        // This suffix is not part of the package. It selects the build that the CDN serves.
        let build = ["/es20", "/+esm"].iter().find_map(|build| rest.find(build));
        let rest = &rest[..build.unwrap_or(rest.len())];
        Some(format!("npm:{name}{rest}"))
    }
}

/// The name with its scope, and what follows: version and path.
fn split_package(text: &str) -> Option<(&str, &str)> {
    let scope = if text.starts_with('@') { text.find('/')? + 1 } else { 0 };
    let end = text[scope..].find(['@', '/']).map_or(text.len(), |at| scope + at);
    (end > scope).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_addresses_become_packages_of_npm_or_own_modules() {
        let file = |name: &str| Url::parse(&format!("file:///{name}")).unwrap();
        let shims = Shims { empty: file("empty"), http_server: file("http"), base64: file("base64") };
        for (specifier, replaced) in [
            ("https://deno.land/std@0.168.0/http/server.ts", Some("file:///http")),
            ("https://deno.land/std/http/server.ts", Some("file:///http")),
            ("https://deno.land/std@0.224.0/encoding/base64.ts", Some("file:///base64")),
            ("https://deno.land/std@0.224.0/assert/mod.ts", None),
            ("https://deno.land/x/oak/mod.ts", None),
            ("https://deno.land/x/zod@v3.22.4/mod.ts", Some("npm:zod@3.22.4")),
            ("https://deno.land/x/zod/mod.ts", Some("npm:zod")),
            ("https://deno.land/x/postgresjs@v3.4.4/mod.js", Some("npm:postgres@3.4.4")),
            ("https://deno.land/x/hono@v4.3.11/middleware.ts", None),
            ("https://deno.land/x/xhr@0.1.0/mod.ts", Some("file:///empty")),
            ("jsr:@supabase/functions-js/edge-runtime.d.ts", Some("file:///empty")),
            ("jsr:@supabase/functions-js@^2.4.1/edge-runtime.d.ts", Some("file:///empty")),
            ("jsr:@supabase/supabase-js@2", Some("npm:@supabase/supabase-js@2")),
            ("jsr:@hono/hono@4/cors", Some("npm:hono@4/cors")),
            ("jsr:@zod/zod@4", Some("npm:zod@4")),
            ("jsr:@std/encoding@1/base64", Some("file:///base64")),
            ("jsr:@std/encoding@1", None),
            ("jsr:@std/dotenv/load", Some("file:///empty")),
            ("jsr:@std/assert", None),
            ("https://esm.sh/@supabase/supabase-js@2.39.3", Some("npm:@supabase/supabase-js@2.39.3")),
            ("https://esm.sh/stripe@12?target=deno&no-check", Some("npm:stripe@12")),
            ("https://esm.sh/v135/hono@4.0.0/cors", Some("npm:hono@4.0.0/cors")),
            ("https://esm.sh/zod@3/es2022/zod.mjs", Some("npm:zod@3")),
            ("https://cdn.jsdelivr.net/npm/@supabase/supabase-js@2/+esm", Some("npm:@supabase/supabase-js@2")),
            ("https://cdn.skypack.dev/lodash@4?dts", Some("npm:lodash@4")),
            ("https://cdn.jsdelivr.net/gh/user/repo", None),
            ("https://esm.sh/gh/user/repo", None),
            ("https://esm.sh/", None),
            ("npm:hono", None),
            ("./local.ts", None),
        ] {
            assert_eq!(shims.replacement(specifier).as_deref(), replaced, "{specifier}");
        }
    }
}
