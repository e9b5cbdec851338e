//! The lines of a dump that another project could not restore, changed or left out. The rules are those that the Supabase CLI
//! gives to sed and awk (`supabase db dump --dry-run` prints them).

use std::io::{self, Write};

use regex::bytes::{Captures, Regex};

use super::arguments::PLATFORM;
use super::{Content, Dump};

/// Roles that every project has. As regular expressions.
const RESERVED: &str = "anon|authenticated|authenticator|cli_login_.*|dashboard_user|pgbouncer|postgres|service_role|\
    supabase_.*|pgsodium_keyholder|pgsodium_keyiduser|pgsodium_keymaker|pgtle_admin|dugout_.*";

/// A rule: what a line must match, and what takes the place of the match. `$0` is the match.
type Rule = (Regex, &'static str);

/// Statements that succeed where the object is there already.
const REPEATABLE: [(&str, &str); 6] = [
    (r#"^CREATE SCHEMA ""#, r#"CREATE SCHEMA IF NOT EXISTS ""#),
    (r#"^CREATE TABLE ""#, r#"CREATE TABLE IF NOT EXISTS ""#),
    (r#"^CREATE SEQUENCE ""#, r#"CREATE SEQUENCE IF NOT EXISTS ""#),
    (r#"^CREATE VIEW ""#, r#"CREATE OR REPLACE VIEW ""#),
    (r#"^CREATE FUNCTION ""#, r#"CREATE OR REPLACE FUNCTION ""#),
    (r#"^CREATE TRIGGER ""#, r#"CREATE OR REPLACE TRIGGER ""#),
];

/// Statements that only the platform may execute, made comments: event triggers, its publication, its roles' rights.
const RESERVED_STATEMENTS: [&str; 12] = [
    r#"^CREATE PUBLICATION "supabase_realtime"#,
    "^CREATE EVENT TRIGGER ",
    "^         WHEN TAG IN ",
    "^   EXECUTE FUNCTION ",
    "^ALTER EVENT TRIGGER ",
    r#"^ALTER PUBLICATION "supabase_realtime_"#,
    "^ALTER FOREIGN DATA WRAPPER (.+) OWNER TO ",
    r#"^ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin""#,
    r#"^GRANT ALL ON FOREIGN DATA WRAPPER (.+) TO "postgres" WITH GRANT OPTION"#,
    "^COMMENT ON EXTENSION (.+)",
    r#"^CREATE POLICY "cron_job_"#,
    r#"^ALTER TABLE "cron""#,
];

/// Writes what remains of a dump.
pub(super) struct Filter {
    rules: Vec<Rule>,
    drops_comments: bool,
    /// For dumps of roles: which lines are inside of quotes, and the last line written.
    roles: Option<Roles>,
}

struct Roles {
    parameters: Regex,
    quote: Option<u8>,
    last: Option<Vec<u8>>,
}

impl Filter {
    pub(super) fn new(dump: &Dump) -> Self {
        // psql's commands, which other clients do not know.
        let mut rules = vec![rule(r"^\\(?:un)?restrict .*$", "-- $0")];
        let (drops_comments, roles) = match dump.content {
            Content::Data { .. } => (false, None),
            Content::Schema { keep_comments } => {
                rules.extend(schema_rules(dump.schemas.is_empty()));
                (!keep_comments, None)
            }
            Content::Roles { keep_comments } => {
                rules.extend(role_rules());
                let parameters = format!(r#"^GRANT [A-Z ,]+ ON PARAMETER ".*" TO "(?:{RESERVED})"(?:[ ;]|$)"#);
                (!keep_comments, Some(Roles { parameters: regex(&parameters), quote: None, last: None }))
            }
        };
        Filter { rules, drops_comments, roles }
    }

    /// Writes a line as the rules want it.
    pub(super) fn write(&mut self, line: &[u8], output: &mut dyn Write) -> io::Result<()> {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, &b"\n"[..]),
            None => (line, &b""[..]),
        };
        let mut text = text.to_vec();
        if let Some(roles) = &mut self.roles {
            let is_reserved = roles.quote.is_none() && roles.parameters.is_match(&text);
            roles.follow(&text);
            if is_reserved {
                text.splice(..0, *b"-- ");
            }
        }
        for (pattern, replacement) in &self.rules {
            let changed = pattern.replace_all(&text, |found: &Captures<'_>| expanded(found, replacement));
            if let std::borrow::Cow::Owned(changed) = changed {
                text = changed;
            }
        }
        if self.drops_comments && text.starts_with(b"--") {
            return Ok(());
        }
        if let Some(roles) = &mut self.roles {
            if roles.last.as_ref() == Some(&text) {
                return Ok(());
            }
            roles.last = Some(text.clone());
        }
        output.write_all(&text)?;
        output.write_all(end)
    }
}

impl Roles {
    /// Whether a quote is open at the end of the line. A doubled quote closes and opens.
    fn follow(&mut self, line: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            let next = line.get(at + 1);
            match self.quote {
                Some(quote) if byte == quote && next == Some(&quote) => at += 1,
                Some(quote) if byte == quote => self.quote = None,
                Some(_) => {}
                None if byte == b'\'' || byte == b'"' => self.quote = Some(byte),
                None if byte == b'-' && next == Some(&b'-') => return,
                None => {}
            }
            at += 1;
        }
    }
}

fn schema_rules(without_platform: bool) -> Vec<Rule> {
    let mut rules: Vec<Rule> = REPEATABLE.iter().map(|(pattern, replacement)| rule(pattern, replacement)).collect();
    rules.extend(RESERVED_STATEMENTS.iter().map(|pattern| rule(pattern, "-- $0")));
    if without_platform {
        for verb in ["GRANT", "REVOKE"] {
            rules.push(rule(&format!(r#"^{verb} (.+) ON (.+) "(?:{PLATFORM})""#), "-- $0"));
        }
    }
    for extension in ["pg_tle", "pgsodium", "pgmq"] {
        rules.push(rule(&format!(r#"^(CREATE EXTENSION IF NOT EXISTS "{extension}").+"#), "$1;"));
    }
    rules.push(rule("^SET transaction_timeout = 0;", "-- $0"));
    rules
}

fn role_rules() -> Vec<Rule> {
    vec![
        rule(&format!(r#"^CREATE ROLE "(?:{RESERVED})""#), "-- $0"),
        rule(&format!(r#"^ALTER ROLE "(?:{RESERVED})""#), "-- $0"),
        rule(" (?:NOSUPERUSER|NOREPLICATION)", ""),
        // Settings that a project may change on reserved roles.
        rule(
            r#"^-- (.* SET "(?:pgaudit.*|pgrst.*|session_replication_role|statement_timeout|track_io_timing)" .*)"#,
            "$1",
        ),
        rule(&[r#"GRANT ".*" TO "(?:"#, RESERVED, r#")""#].concat(), "-- $0"),
    ]
}

fn rule(pattern: &str, replacement: &'static str) -> Rule {
    (regex(pattern), replacement)
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and a test makes every one of them")]
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern is well-formed")
}

/// The replacement with its groups. Only `$0` and `$1` occur.
fn expanded(found: &Captures<'_>, replacement: &str) -> Vec<u8> {
    let mut text = Vec::new();
    found.expand(replacement.as_bytes(), &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(content: Content, schemas: &[&str], text: &str) -> String {
        let dump = Dump { content, schemas: schemas.iter().map(|schema| (*schema).to_owned()).collect() };
        let mut filter = Filter::new(&dump);
        let mut output = Vec::new();
        for line in text.split_inclusive('\n') {
            filter.write(line.as_bytes(), &mut output).unwrap();
        }
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_schema_can_be_restored_twice_and_has_nothing_of_the_platform() {
        let text = "-- a comment\n\\restrict x\nCREATE TABLE \"public\".\"a\" (\n    \"id\" integer\n);\n\
            CREATE EVENT TRIGGER \"e\" ON ddl_command_end\n   EXECUTE FUNCTION \"f\"();\n\
            GRANT USAGE ON SCHEMA \"auth\" TO \"anon\";\nGRANT USAGE ON SCHEMA \"app\" TO \"anon\";\n\
            CREATE EXTENSION IF NOT EXISTS \"pgmq\" WITH SCHEMA \"pgmq\";\nSET transaction_timeout = 0;\n";
        let schema = filtered(Content::Schema { keep_comments: false }, &[], text);
        assert_eq!(
            schema,
            "CREATE TABLE IF NOT EXISTS \"public\".\"a\" (\n    \"id\" integer\n);\n\
             GRANT USAGE ON SCHEMA \"app\" TO \"anon\";\nCREATE EXTENSION IF NOT EXISTS \"pgmq\";\n"
        );
        let kept = filtered(Content::Schema { keep_comments: true }, &["auth"], text);
        assert!(kept.contains("-- a comment\n-- \\restrict x\n") && kept.contains("\nGRANT USAGE ON SCHEMA \"auth\""));
    }

    #[test]
    fn rows_that_look_like_comments_stay() {
        let text = "\\unrestrict x\nINSERT INTO \"a\" VALUES ('\n-- not a comment\nCREATE TABLE \"b\"');\n";
        let data = filtered(Content::Data { use_copy: false, exclude: Vec::new() }, &[], text);
        assert_eq!(data, format!("-- {text}"));
    }

    #[test]
    fn reserved_roles_are_left_out_and_their_settings_stay() {
        let text = "CREATE ROLE \"anon\";\nALTER ROLE \"anon\" WITH NOSUPERUSER LOGIN;\nCREATE ROLE \"mine\";\n\
            ALTER ROLE \"mine\" WITH NOSUPERUSER INHERIT NOREPLICATION;\n\
            ALTER ROLE \"anon\" SET \"statement_timeout\" TO '3s';\nALTER ROLE \"anon\" SET \"search_path\" TO 'x';\n\
            GRANT \"mine\" TO \"postgres\" WITH INHERIT TRUE;\nGRANT \"anon\" TO \"mine\";\n\
            GRANT SET ON PARAMETER \"x\" TO \"anon\";\n\
            COMMENT ON ROLE \"mine\" IS 'it''s\nGRANT SET ON PARAMETER \"x\" TO \"anon\";\n';\n\n\n";
        let roles = filtered(Content::Roles { keep_comments: false }, &[], text);
        assert_eq!(
            roles,
            "CREATE ROLE \"mine\";\nALTER ROLE \"mine\" WITH INHERIT;\n\
             ALTER ROLE \"anon\" SET \"statement_timeout\" TO '3s';\nGRANT \"anon\" TO \"mine\";\n\
             COMMENT ON ROLE \"mine\" IS 'it''s\nGRANT SET ON PARAMETER \"x\" TO \"anon\";\n';\n\n"
        );
    }
}
