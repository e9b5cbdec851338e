//! Recognises statements that Supabase's platform lets `postgres` execute although PostgreSQL reserves them for superusers or
//! the owner of a table. The functions of `bootstrap/07_platform.sql` execute them in the script's own transaction.
//!
//! DEVIATION (stricter): only statements of migrations and seeds are recognised. Over another connection, or inside a function
//! or DO, PostgreSQL refuses them.

use super::lexer::{Lexeme, lexemes};
use super::plain;

/// Extensions that new projects of the platform have or used to have, and that our new databases lack.
const OF_EVERY_PROJECT: [&str; 3] = ["pg_graphql", "pgjwt", "pgsodium"];

/// Extensions that Supabase's projects have from the start, so that nearly every dump begins with them, and that nothing replaces.
///
/// DEVIATION (more): `CREATE EXTENSION IF NOT EXISTS` of pg_graphql and pgsodium in a migration succeeds with a warning, and the
/// extension is not there.
const HEADS_OF_DUMPS: [&str; 2] = ["pg_graphql", "pgsodium"];

/// What the server executes instead of a statement, or before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// Before `ALTER DATABASE … SET name` and `ALTER ROLE … SET name`.
    AllowSetting { name: String },
    /// `CREATE EXTENSION IF NOT EXISTS name …`, for one of [`HEADS_OF_DUMPS`].
    ExtensionOfDump { name: String },
    /// `CREATE EXTENSION name [SCHEMA schema]`, for an extension that new databases already have, or that [`plain`] can create.
    CreateExtension { name: String, schema: Option<String> },
    /// `ALTER EXTENSION name SET SCHEMA schema`.
    MoveExtension { name: String, schema: String },
    /// `DROP EXTENSION name`, for one of [`OF_EVERY_PROJECT`].
    DropExtension { name: String },
    /// `DROP TRIGGER name ON auth.table`, if that trigger exists.
    DropAuthTrigger { name: String, table: String },
    /// `CREATE PUBLICATION name FOR ALL TABLES [WITH (options)]`.
    CreatePublication { name: String, options: String },
    /// `DROP PUBLICATION name`, if it is for all tables.
    DropPublication { name: String },
    /// `CREATE EVENT TRIGGER name ON event [WHEN TAG IN (tags)] EXECUTE FUNCTION function()`.
    CreateEventTrigger { name: String, event: String, tags: Vec<String>, function: String },
    /// `COMMENT ON EVENT TRIGGER name IS comment`.
    CommentEventTrigger { name: String, comment: Option<String> },
    /// `DROP EVENT TRIGGER name`, `ALTER EVENT TRIGGER name ENABLE …` or `OWNER TO postgres`. `action` is in lower case.
    ChangeEventTrigger { name: String, action: String, may_lack: bool },
}

/// Recognises a statement; `None` for those that PostgreSQL executes itself.
pub(super) fn recognise(sql: &str) -> Option<Platform> {
    // The first word excludes most statements, so that few are parsed.
    let first = super::split::words(sql).next()?;
    if !["CREATE", "ALTER", "DROP", "COMMENT"].contains(&first.as_str()) {
        return None;
    }
    let all = lexemes(sql)?;
    let mut reader = Reader { rest: &all };
    match (first.as_str(), reader.keywords(&["alter", "database"]) || reader.keywords(&["alter", "role"])) {
        ("ALTER", true) => return setting(&mut reader),
        ("ALTER", false) if reader.keywords(&["alter", "user"]) => return setting(&mut reader),
        _ => {}
    }
    if reader.keywords(&["drop", "trigger"]) {
        return drop_trigger(&mut reader);
    }
    if reader.keywords(&["create", "extension"]) {
        return create_extension(&mut reader);
    }
    if reader.keywords(&["alter", "extension"]) {
        let name = reader.name()?;
        let schema = if reader.keywords(&["set", "schema"]) { reader.name()? } else { return None };
        return reader.ends().then_some(Platform::MoveExtension { name, schema });
    }
    if reader.keywords(&["drop", "extension"]) {
        let name = reader.name().filter(|name| OF_EVERY_PROJECT.contains(&name.as_str()))?;
        let _ = reader.keywords(&["cascade"]) || reader.keywords(&["restrict"]);
        return reader.ends().then_some(Platform::DropExtension { name });
    }
    if reader.keywords(&["create", "publication"]) {
        return create_publication(&mut reader);
    }
    if reader.keywords(&["drop", "publication"]) {
        reader.keywords(&["if", "exists"]);
        let name = reader.name()?;
        return reader.ends().then_some(Platform::DropPublication { name });
    }
    if reader.keywords(&["create", "event", "trigger"]) {
        return create_event_trigger(&mut reader);
    }
    if reader.keywords(&["drop", "event", "trigger"]) {
        let may_lack = reader.keywords(&["if", "exists"]);
        let name = reader.name()?;
        let _ = reader.keywords(&["cascade"]) || reader.keywords(&["restrict"]);
        return reader.ends().then_some(Platform::ChangeEventTrigger { name, action: "drop".to_owned(), may_lack });
    }
    if reader.keywords(&["alter", "event", "trigger"]) {
        return alter_event_trigger(&mut reader);
    }
    if reader.keywords(&["comment", "on", "event", "trigger"]) {
        return comment_event_trigger(&mut reader);
    }
    None
}

fn alter_event_trigger(reader: &mut Reader<'_>) -> Option<Platform> {
    let name = reader.name()?;
    if reader.keywords(&["owner", "to"]) {
        let is_ours = reader.name()? == "postgres" && reader.ends();
        let action = "owner to postgres".to_owned();
        return is_ours.then_some(Platform::ChangeEventTrigger { name, action, may_lack: false });
    }
    let action = ["enable always", "enable replica", "enable", "disable"]
        .into_iter()
        .find(|action| reader.keywords(&action.split(' ').collect::<Vec<_>>()))?
        .to_owned();
    reader.ends().then_some(Platform::ChangeEventTrigger { name, action, may_lack: false })
}

fn comment_event_trigger(reader: &mut Reader<'_>) -> Option<Platform> {
    let name = reader.name()?;
    let comment = match (reader.keywords(&["is"]), reader.next()?) {
        (true, Lexeme::Text(comment)) => Some(comment),
        (true, Lexeme::Word(word)) if word == "null" => None,
        _ => return None,
    };
    reader.ends().then_some(Platform::CommentEventTrigger { name, comment })
}

fn create_extension(reader: &mut Reader<'_>) -> Option<Platform> {
    let may_exist = reader.keywords(&["if", "not", "exists"]);
    let name = reader.name()?;
    if may_exist && HEADS_OF_DUMPS.contains(&name.as_str()) {
        return Some(Platform::ExtensionOfDump { name });
    }
    reader.keywords(&["with"]);
    let schema = if reader.keywords(&["schema"]) { Some(reader.name()?) } else { None };
    plain::is_offered(&name).then_some(Platform::CreateExtension { name, schema })
}

/// `database SET app.settings.x = …`, `role [IN DATABASE database] SET pgrst.x TO …`. Only names with a dot need a grant.
fn setting(reader: &mut Reader<'_>) -> Option<Platform> {
    reader.name()?;
    if reader.keywords(&["in", "database"]) {
        reader.name()?;
    }
    if !reader.keywords(&["set"]) {
        return None;
    }
    let mut name = reader.name()?;
    while reader.symbol('.') {
        name = format!("{name}.{}", reader.name()?);
    }
    name.contains('.').then_some(Platform::AllowSetting { name })
}

fn drop_trigger(reader: &mut Reader<'_>) -> Option<Platform> {
    reader.keywords(&["if", "exists"]);
    let name = reader.name()?;
    let on_auth = reader.keywords(&["on"]) && reader.name()? == "auth" && reader.symbol('.');
    let table = reader.name()?;
    let _ = reader.keywords(&["cascade"]) || reader.keywords(&["restrict"]);
    (on_auth && reader.ends()).then_some(Platform::DropAuthTrigger { name, table })
}

fn create_publication(reader: &mut Reader<'_>) -> Option<Platform> {
    let name = reader.name()?;
    if !reader.keywords(&["for", "all", "tables"]) {
        return None;
    }
    let mut options = String::new();
    if reader.keywords(&["with"]) && reader.symbol('(') {
        while !reader.symbol(')') {
            options.push_str(&reader.next()?.to_sql());
        }
    }
    reader.ends().then_some(Platform::CreatePublication { name, options })
}

fn create_event_trigger(reader: &mut Reader<'_>) -> Option<Platform> {
    let name = reader.name()?;
    let event = if reader.keywords(&["on"]) { reader.name()? } else { return None };
    let mut tags = Vec::new();
    if reader.keywords(&["when", "tag", "in"]) && reader.symbol('(') {
        while !reader.symbol(')') {
            tags.push(reader.string()?);
            reader.symbol(',');
        }
    }
    if !reader.keywords(&["execute", "function"]) && !reader.keywords(&["execute", "procedure"]) {
        return None;
    }
    let mut function = String::new();
    while let Some(lexeme) = reader.next() {
        function.push_str(&lexeme.to_sql());
    }
    function.ends_with("()").then_some(Platform::CreateEventTrigger { name, event, tags, function })
}

struct Reader<'a> {
    rest: &'a [Lexeme],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Lexeme> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first.clone())
    }

    /// Consumes these unquoted words in this order, or nothing.
    fn keywords(&mut self, words: &[&str]) -> bool {
        let found = self.rest.len() >= words.len()
            && self.rest.iter().zip(words).all(|(found, word)| *found == Lexeme::Word((*word).to_owned()));
        if found {
            self.rest = &self.rest[words.len()..];
        }
        found
    }

    fn symbol(&mut self, wanted: char) -> bool {
        let found = self.rest.first() == Some(&Lexeme::Symbol(wanted));
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn name(&mut self) -> Option<String> {
        match self.next()? {
            Lexeme::Word(name) | Lexeme::Quoted(name) => Some(name),
            _ => None,
        }
    }

    fn string(&mut self) -> Option<String> {
        match self.next()? {
            Lexeme::Text(text) => Some(text),
            _ => None,
        }
    }

    fn ends(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_the_platform_are_recognised_in_every_spelling() {
        let owned = str::to_owned;
        let publication = |options: &str| Platform::CreatePublication { name: "p".into(), options: options.into() };
        let rows = [
            ("alter database postgres set \"app.settings.jwt_secret\" to 'x'", Some("app.settings.jwt_secret")),
            ("ALTER ROLE authenticator\n SET pgrst.db_schemas = 'a, b'", Some("pgrst.db_schemas")),
            ("alter role x in database postgres set app.x = '1'", Some("app.x")),
            ("alter role postgres set statement_timeout = '1s'", None),
            ("alter database postgres owner to x", None),
        ];
        for (sql, name) in rows {
            let expected = name.map(|name| Platform::AllowSetting { name: owned(name) });
            assert_eq!(recognise(sql), expected, "{sql}");
        }
        let trigger = Some(Platform::DropAuthTrigger { name: owned("on_created"), table: owned("users") });
        assert_eq!(recognise("-- again\nDROP TRIGGER IF EXISTS On_Created ON \"auth\".users /* */ CASCADE"), trigger);
        assert_eq!(recognise("drop trigger a on public.users"), None);
        let extension = |schema| Some(Platform::CreateExtension { name: owned("pg_net"), schema });
        assert_eq!(
            recognise("create extension \"pg_net\" with schema extensions"),
            extension(Some(owned("extensions")))
        );
        assert_eq!(recognise("create extension if not exists pg_net;"), extension(None));
        assert_eq!(recognise("create extension pg_cron"), None);
        let head = "CREATE EXTENSION IF NOT EXISTS \"pg_graphql\" WITH SCHEMA \"graphql\";";
        assert_eq!(recognise(head), Some(Platform::ExtensionOfDump { name: owned("pg_graphql") }));
        assert_eq!(recognise("create extension pg_graphql"), None);
        let moved = Platform::MoveExtension { name: owned("pg_trgm"), schema: owned("extensions") };
        assert_eq!(recognise("ALTER EXTENSION pg_trgm SET SCHEMA \"extensions\""), Some(moved));
        assert_eq!(recognise("alter extension pg_trgm update"), None);
        assert_eq!(
            recognise("drop extension pg_graphql cascade"),
            Some(Platform::DropExtension { name: owned("pg_graphql") })
        );
        assert_eq!(recognise("drop extension pg_graphql, pg_trgm"), None);
        assert_eq!(recognise("drop extension if exists pg_graphql"), None);
        assert_eq!(recognise("create publication p for all tables"), Some(publication("")));
        let all = "publish='insert',publish_via_partition_root=false,publish_generated_columns=none";
        let sql = format!("create publication p for all tables with ({all})");
        assert_eq!(recognise(&sql), Some(publication(all)));
        let sql = "create publication \"p\" for all tables with (publish = 'insert, update')";
        assert_eq!(recognise(sql), Some(publication("publish='insert, update'")));
        assert_eq!(recognise("create publication p for table a"), None);
        assert_eq!(recognise("drop publication if exists p"), Some(Platform::DropPublication { name: owned("p") }));
        let sql = "create event trigger e on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE')\n\
            execute procedure public.\"F x\"()";
        let event = Platform::CreateEventTrigger {
            name: owned("e"),
            event: owned("ddl_command_end"),
            tags: vec![owned("CREATE TABLE"), owned("ALTER TABLE")],
            function: owned("\"public\".\"F x\"()"),
        };
        assert_eq!(recognise(sql), Some(event));
        let change = |action: &str, may_lack| {
            Some(Platform::ChangeEventTrigger { name: owned("e"), action: owned(action), may_lack })
        };
        assert_eq!(recognise("drop event trigger if exists e cascade"), change("drop", true));
        assert_eq!(recognise("alter event trigger e enable always"), change("enable always", false));
        assert_eq!(recognise("alter event trigger \"e\" owner to \"postgres\""), change("owner to postgres", false));
        assert_eq!(recognise("alter event trigger e owner to x"), None);
        let comment = |comment| Some(Platform::CommentEventTrigger { name: owned("e"), comment });
        assert_eq!(recognise("comment on event trigger e is 'it''s mine'"), comment(Some(owned("it's mine"))));
        assert_eq!(recognise("COMMENT ON EVENT TRIGGER e IS NULL"), comment(None));
        assert_eq!(recognise("comment on table e is 'x'"), None);
    }

    #[test]
    fn other_statements_are_not_recognised() {
        for sql in [
            "select 'drop trigger a on auth.users'",
            "do $$ begin drop trigger a on auth.users; end $$",
            "drop trigger a on auth.users, b",
            "drop publication a, b",
            "create event trigger e on ddl_command_end execute function f('x')",
            "create publication p for all tables; drop table x",
        ] {
            assert_eq!(recognise(sql), None, "{sql}");
        }
    }
}
