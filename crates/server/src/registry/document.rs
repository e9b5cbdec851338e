//! Generates docs/settings.md from the tables of settings.

use std::fmt::Write;

use gateway::service::Manifest;
use gateway::settings::Setting;

use crate::config::SETTINGS;

const INTRODUCTION: &str = "\
# Settings

Generated from the tables in the code: `UPDATE=1 cargo test -p dugout --test it document_of_settings`.

`dugout start` reads each setting from the first of these sources that has it: the command line, the environment,
`supabase/config.toml` (or `supabase/dugout.toml` for settings that the Supabase CLI does not have), the default. A setting of
config.toml can also be given in an environment variable, as for the CLI: `SUPABASE_` and its path, such as
`SUPABASE_AUTH_SITE_URL`. `dugout start --print-config` shows every value with its origin. Secrets are shown as three stars.
";

const HEAD: &str = "\
| Name | Meaning | Default | In a file | Environment | Notes |
|---|---|---|---|---|---|
";

/// The whole document: the server's settings, then those of each service.
pub fn settings_document(services: &[&'static Manifest]) -> String {
    let mut text = String::from(INTRODUCTION);
    section(&mut text, "The server", "", SETTINGS);
    for service in services {
        section(&mut text, &format!("`{}` at `{}`", service.name, service.prefix), "", service.settings);
        let note = "\nVariables with upstream's names, which the service reads itself.\n";
        section(&mut text, &format!("Variables of `{}`", service.name), note, service.variables);
    }
    text
}

fn section(text: &mut String, title: &str, note: &str, settings: &[Setting]) {
    if settings.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "\n## {title}\n{note}\n{HEAD}");
    for setting in settings {
        let file =
            setting.config.map(code).or_else(|| setting.dugout.map(|path| format!("{} (dugout.toml)", code(path))));
        let notes = [setting.flag.map(code), setting.secret.then(|| "secret".to_owned())];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let cells = [
            code(setting.key),
            setting.meaning.replace('|', "\\|"),
            code(setting.default),
            file.unwrap_or_default(),
            setting.env.map(code).unwrap_or_default(),
            notes.join(", "),
        ];
        let _ = writeln!(
            text,
            "|{}|",
            cells.map(|cell| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") }).join("|")
        );
    }
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}
