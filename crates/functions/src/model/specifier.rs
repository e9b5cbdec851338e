//! Addresses of modules that are replaced: those of deno.land, esm.sh and JSR for which npm or this crate has the same.
//!
//! DEVIATION (behaviour): modules of esm.sh, `jsr:@supabase/*` and some of deno.land/std are taken from npm or replaced by own
//! ones, so that a project starts in a network that has npm only; upstream loads them from where they are.

use url::Url;

/// The modules that this crate brings, as URLs of the files that they are written to.
#[derive(Clone, Debug)]
pub(crate) struct Shims {
    pub(crate) empty: Url,
    pub(crate) http_server: Url,
    pub(crate) base64: Url,
}

/// Packages of JSR that npm has under another name or the same.
const ON_NPM: [(&str, &str); 3] =
    [("@supabase/supabase-js", "@supabase/supabase-js"), ("@supabase/functions-js", ""), ("@hono/hono", "hono")];

impl Shims {
    /// What is loaded in the place of `specifier`; `None` where that itself is.
    pub(crate) fn replacement(&self, specifier: &str) -> Option<String> {
        if let Some(package) = specifier.strip_prefix("jsr:") {
            return self.of_jsr(package.trim_start_matches('/'));
        }
        if let Some(path) = specifier.strip_prefix("https://deno.land/std") {
            return self.of_std(path);
        }
        let path = specifier.strip_prefix("https://esm.sh/")?;
        self.of_esm(path)
    }

    fn of_jsr(&self, package: &str) -> Option<String> {
        let (name, rest) = split_package(package)?;
        let (_, on_npm) = ON_NPM.iter().find(|(on_jsr, _)| *on_jsr == name)?;
        Some(if on_npm.is_empty() { self.empty.to_string() } else { format!("npm:{on_npm}{rest}") })
    }

    /// `path` is what follows `std`: `@0.168.0/http/server.ts`.
    fn of_std(&self, path: &str) -> Option<String> {
        let module = path.split_once('/')?.1;
        let shim = match module {
            "http/server.ts" | "http/mod.ts" => &self.http_server,
            "encoding/base64.ts" => &self.base64,
            "dotenv/load.ts" => &self.empty,
            _ => return None,
        };
        Some(shim.to_string())
    }

    /// `path` is what follows the host: `@supabase/supabase-js@2?target=deno`, `v135/hono@4/cors`.
    fn of_esm(&self, path: &str) -> Option<String> {
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
        // Other registries of esm.sh.
        if ["gh/", "jsr/", "pr/"].iter().any(|registry| path.starts_with(registry)) {
            return None;
        }
        let (name, rest) = split_package(path)?;
        if name == "@supabase/functions-js" {
            return Some(self.empty.to_string());
        }
        // Not part of the package: which build of it esm.sh should serve.
        let rest = rest.split_once("/es20").map_or(rest, |(before, _)| before);
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
            ("jsr:@supabase/functions-js/edge-runtime.d.ts", Some("file:///empty")),
            ("jsr:@supabase/functions-js@^2.4.1/edge-runtime.d.ts", Some("file:///empty")),
            ("jsr:@supabase/supabase-js@2", Some("npm:@supabase/supabase-js@2")),
            ("jsr:@hono/hono@4/cors", Some("npm:hono@4/cors")),
            ("jsr:@std/assert", None),
            ("https://esm.sh/@supabase/supabase-js@2.39.3", Some("npm:@supabase/supabase-js@2.39.3")),
            ("https://esm.sh/stripe@12?target=deno&no-check", Some("npm:stripe@12")),
            ("https://esm.sh/v135/hono@4.0.0/cors", Some("npm:hono@4.0.0/cors")),
            ("https://esm.sh/zod@3/es2022/zod.mjs", Some("npm:zod@3")),
            ("https://esm.sh/gh/user/repo", None),
            ("https://esm.sh/", None),
            ("npm:hono", None),
            ("./local.ts", None),
        ] {
            assert_eq!(shims.replacement(specifier).as_deref(), replaced, "{specifier}");
        }
    }
}
