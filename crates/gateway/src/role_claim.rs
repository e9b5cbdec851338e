//! The path of the role in the claims: PostgREST's `jwt-role-claim-key`.
//!
//! Source: PostgREST `Config/JSPath.hs` (RFC 9535 JSONPath) and `Config/DeprecatedJSPath.hs`, whose grammar it still
//! accepts.

mod jspath;

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};
use serde_json_path::JsonPath;

use jspath::JsPath;

/// A path into the claims.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleClaim(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// `$.name`: the usual case, found without a query.
    Member(String),
    JsonPath(Box<JsonPath>, String),
    Deprecated(JsPath),
}

/// A text that is a path in neither grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"failed to parse role-claim-key value ({path})\" (line 1, column {column}):\nunexpected {unexpected}")]
pub struct RoleClaimError {
    path: String,
    column: usize,
    unexpected: String,
}

impl RoleClaim {
    /// A top-level claim.
    pub fn member(name: &str) -> Self {
        RoleClaim(Kind::Member(name.to_owned()))
    }

    /// The role in `claims`: the first value that the path matches, as JSON text if it is not a string.
    pub fn find(&self, claims: &Map<String, Value>) -> Option<String> {
        let found = match &self.0 {
            Kind::Member(name) => claims.get(name)?.clone(),
            Kind::JsonPath(path, _) => path.query(&Value::Object(claims.clone())).first()?.clone(),
            Kind::Deprecated(path) => path.find(claims)?,
        };
        Some(match found {
            Value::String(role) => role,
            other => other.to_string(),
        })
    }

    /// True if the path is in PostgREST's deprecated grammar.
    pub fn is_deprecated(&self) -> bool {
        matches!(self.0, Kind::Deprecated(_))
    }
}

impl Default for RoleClaim {
    fn default() -> Self {
        RoleClaim::member("role")
    }
}

impl FromStr for RoleClaim {
    type Err = RoleClaimError;

    fn from_str(text: &str) -> Result<Self, RoleClaimError> {
        if let Ok(path) = JsonPath::parse(text) {
            let is_name = |name: &&str| {
                name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            return Ok(match text.strip_prefix("$.").filter(is_name) {
                Some(name) => RoleClaim::member(name),
                None => RoleClaim(Kind::JsonPath(Box::new(path), text.to_owned())),
            });
        }
        let refused = |at: usize| {
            let unexpected = text[at..].chars().next().map_or_else(|| "end of input".to_owned(), |c| format!("{c:?}"));
            RoleClaimError { path: text.to_owned(), column: text[..at].chars().count() + 1, unexpected }
        };
        JsPath::parse(text).map(|path| RoleClaim(Kind::Deprecated(path))).map_err(refused)
    }
}

/// In a form that can be parsed again.
impl fmt::Display for RoleClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Member(name) => write!(f, "$.{name}"),
            Kind::JsonPath(_, text) => f.write_str(text),
            Kind::Deprecated(path) => path.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn role(path: &str, claims: Value) -> Option<String> {
        path.parse::<RoleClaim>().unwrap().find(claims.as_object().unwrap())
    }

    #[test]
    fn a_path_leads_to_the_role() {
        let roles =
            json!({"realm": {"roles": ["other", "author"]}, "role": "a", "n": 7, "https://x.y/z": [{"v": "b"}]});
        for (path, expected) in [
            ("$.role", Some("a")),
            ("$.n", Some("7")),
            ("$.none", None),
            ("$.realm.roles[1]", Some("author")),
            ("$.realm.roles[3]", None),
            (r#"$["https://x.y/z"][0].v"#, Some("b")),
            (r#"$.realm.roles[?(@ == "author")]"#, Some("author")),
            (r#"$.realm.roles[?(@ != "other")]"#, Some("author")),
            ("$..v", Some("b")),
            (".role", Some("a")),
            (".realm.roles[1]", Some("author")),
            (".realm.roles[7]", None),
            (r#"."https://x.y/z"[0].v"#, Some("b")),
            (r#".realm.roles[?(@ == "author")]"#, Some("author")),
            (r#".realm.roles[?(@ != "other")]"#, Some("author")),
            (r#".realm.roles[?(@ ^== "au")]"#, Some("author")),
            (r#".realm.roles[?(@ ==^ "or")]"#, Some("author")),
            (r#".realm.roles[?(@ *== "tho")]"#, Some("author")),
            (r#"."https://x.y/z"[?(@ == "b")]"#, None),
        ] {
            assert_eq!(role(path, roles.clone()).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused_where_it_ends_to_be_one() {
        for (path, column) in [
            ("role.other", 1),
            (".role##", 6),
            (".my_role;;domain", 9),
            (".#$$%&$%/", 2),
            ("1234", 1),
            (".role[?(@ =)]", 11),
            (".role[?(@ == \"x\")].more", 19),
            ("@@.role.other", 1),
            ("$.my_role;;domain", 1),
            ("", 1),
        ] {
            let error = path.parse::<RoleClaim>().unwrap_err().to_string();
            let start = format!("\"failed to parse role-claim-key value ({path})\" (line 1, column {column})");
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn paths_are_shown_as_they_can_be_read_again() {
        for (path, shown) in [
            ("$.role", "$.role"),
            ("$.user[0].real_role", "$.user[0].real_role"),
            (r#".roles[?(@ *== "x")]"#, r#"."roles"[?(@ *== "x")]"#),
            (".a[0].b", r#"."a"[0]."b""#),
        ] {
            let read: RoleClaim = path.parse().unwrap();
            assert_eq!(read.to_string(), shown);
            assert_eq!(shown.parse::<RoleClaim>().unwrap(), read);
        }
    }
}
