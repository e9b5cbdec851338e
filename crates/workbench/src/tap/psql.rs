//! A script as psql would run it with `--quiet --tuples-only --no-align --set ON_ERROR_STOP=1`, as far as test files need that:
//! statements one by one, `\i` and `\ir`, and `\echo`. Settings of psql's own output have no meaning here and are skipped.

use std::path::{Path, PathBuf};

use pg::Script;
use pg::migrations::split;

/// How deep files may include each other.
const DEPTH: usize = 16;

/// Metacommands that change only how psql itself behaves.
const WITHOUT_EFFECT: [&str; 8] = ["set", "unset", "pset", "timing", "t", "a", "x", "encoding"];

/// Why a script ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
    pub(super) message: String,
}

/// A part of a script.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// SQL from this line on.
    Sql(usize, String),
    /// A metacommand on this line: its name and the rest.
    Meta(usize, String, String),
}

/// Runs the file and hands every line of its output to `print`.
pub(super) async fn run(script: &Script, file: &Path, print: &mut dyn FnMut(&str)) -> Result<(), Stop> {
    let mut waiting: Vec<(PathBuf, std::vec::IntoIter<Part>)> = vec![(file.to_owned(), read(file, file, 1)?)];
    while let Some((path, parts)) = waiting.last_mut() {
        let Some(part) = parts.next() else {
            waiting.pop();
            continue;
        };
        let path = path.clone();
        match part {
            Part::Sql(line, sql) => statements(script, &path, line, &sql, print).await?,
            Part::Meta(line, name, rest) => match name.as_str() {
                "echo" | "qecho" => print(&rest),
                "i" | "include" | "ir" | "include_relative" => {
                    if waiting.len() == DEPTH {
                        return Err(stop(&path, line, format!("files include each other more than {DEPTH} deep")));
                    }
                    let relative = name.starts_with("ir") || name.ends_with("relative");
                    let folder = path.parent().filter(|_| relative).unwrap_or(Path::new(""));
                    let included = folder.join(rest.trim_matches('\''));
                    let parts = read(&included, &path, line)?;
                    waiting.push((included, parts));
                }
                name if WITHOUT_EFFECT.contains(&name) => {}
                _ => return Err(stop(&path, line, format!("psql's \\{name} does not work here"))),
            },
        }
    }
    Ok(())
}

async fn statements(
    script: &Script,
    file: &Path,
    first: usize,
    sql: &str,
    print: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    for statement in split(sql) {
        let rows = script.rows(&statement.text).await;
        let failed = |error: pg::Error| stop(file, first + statement.line - 1, said(&error));
        for row in rows.map_err(failed)? {
            let columns: Vec<&str> = row.iter().map(|column| column.as_deref().unwrap_or_default()).collect();
            // A function such as finish() returns several lines in a row.
            columns.join("|").lines().for_each(&mut *print);
        }
    }
    Ok(())
}

fn said(error: &pg::Error) -> String {
    error.database().map_or_else(|| error.to_string(), |error| format!("{}:  {}", error.severity, error.message))
}

fn stop(file: &Path, line: usize, message: String) -> Stop {
    Stop { file: file.display().to_string(), line, message }
}

/// The parts of a file; `from` and `line` say who asked for it.
fn read(path: &Path, from: &Path, line: usize) -> Result<std::vec::IntoIter<Part>, Stop> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| stop(from, line, format!("{}: {error}", path.display())))?;
    Ok(parts(text.trim_start_matches('\u{feff}')).into_iter())
}

/// Divides a script at its metacommands: lines that begin with a backslash outside of quotes.
fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut sql, mut began) = (String::new(), 1);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let meta = line.trim().strip_prefix('\\').filter(|_| !is_inside_quotes(&sql));
        let Some(meta) = meta else {
            sql.push_str(line);
            continue;
        };
        if !sql.trim().is_empty() {
            parts.push(Part::Sql(began, std::mem::take(&mut sql)));
        }
        sql.clear();
        began = index + 2;
        let (name, rest) = meta.split_once(char::is_whitespace).unwrap_or((meta, ""));
        parts.push(Part::Meta(index + 1, name.to_owned(), rest.trim().to_owned()));
    }
    if !sql.trim().is_empty() {
        parts.push(Part::Sql(began, sql));
    }
    parts
}

/// Whether what follows `sql` continues a string or a comment: its end is then no end of a statement wherever one is put.
fn is_inside_quotes(sql: &str) -> bool {
    if sql.trim().is_empty() {
        return false;
    }
    let count = |end: &str| split(&format!("{sql}{end}")).len();
    count("\n;select 1;") == count("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metacommands_divide_a_script_and_strings_do_not() {
        let text = "\\set QUIET 1\n\nbegin;\n\\ir 'a b.sql'\nselect '\n\\no command\n';\n\\echo done now\nselect 1\n";
        assert_eq!(
            parts(text),
            [
                Part::Meta(1, "set".to_owned(), "QUIET 1".to_owned()),
                Part::Sql(2, "\nbegin;\n".to_owned()),
                Part::Meta(4, "ir".to_owned(), "'a b.sql'".to_owned()),
                Part::Sql(5, "select '\n\\no command\n';\n".to_owned()),
                Part::Meta(8, "echo".to_owned(), "done now".to_owned()),
                Part::Sql(9, "select 1\n".to_owned()),
            ]
        );
    }

    #[test]
    fn a_dollar_quoted_body_is_one_string() {
        let text = "create function f() returns text as $$\n\\set x\n$$ language sql;\nselect 1;\n";
        assert_eq!(parts(text), [Part::Sql(1, text.to_owned())]);
        let text = "/* open\n\\set x\n*/ select 1;\n";
        assert_eq!(parts(text), [Part::Sql(1, text.to_owned())]);
    }
}
