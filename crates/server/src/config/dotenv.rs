//! `.env` files beside `supabase/config.toml`, for its `env(NAME)`.
//!
//! They are used for that only: a `DATABASE_URL` in the `.env` of some web app must not point the server at another database.

use std::collections::BTreeMap;
use std::path::Path;

use gateway::settings::Problem;

/// File names, the strongest first, in the CLI's order for the development environment (pkg/config).
const FILES: [&str; 4] = [".env.development.local", ".env.local", ".env.development", ".env"];

/// The environment, completed with the files in `supabase/` and then those in the project folder.
pub(super) fn beneath(
    env: &BTreeMap<String, String>,
    project: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, String> {
    let mut all = env.clone();
    let Some(project) = project else { return all };
    for folder in [project.join("supabase"), project.to_owned()] {
        for path in FILES.map(|name| folder.join(name)) {
            if !path.is_file() {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(dotenvy::Error::Io);
            let read =
                text.and_then(|text| dotenvy::from_read_iter(quoted(&text).as_bytes()).collect::<Result<Vec<_>, _>>());
            match read {
                Ok(pairs) => {
                    for (name, value) in pairs {
                        all.entry(name).or_insert(value);
                    }
                }
                // The parser's message quotes the line, which may contain a secret.
                Err(dotenvy::Error::Io(error)) => {
                    problems.push(Problem::of_file(&path, format!("it cannot be read: {error}")));
                }
                Err(_) => problems.push(Problem::of_file(&path, "a line is not of the form NAME=value".to_owned())),
            }
        }
    }
    all
}

/// The text with quotes added around values with spaces. The CLI's parser (joho/godotenv) does not require them; ours does.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    // The opening quote of a value that continues on the next line.
    let mut open: Option<char> = None;
    for line in text.lines() {
        let value = line.split_once('=').map_or("", |(_, value)| value.trim());
        match open {
            Some(quote) => open = Some(quote).filter(|_| !line.contains(quote)),
            None => open = value.chars().next().filter(|first| "\"'".contains(*first) && !value[1..].contains(*first)),
        }
        let bare = value.split(" #").next().unwrap_or_default().trim_end();
        if open.is_none()
            && bare.contains(char::is_whitespace)
            && !bare.contains(['"', '\'', '\\'])
            && !line.starts_with('#')
        {
            let name = line.split('=').next().unwrap_or_default();
            quoted.extend([name, "=\"", bare, "\""]);
        } else {
            quoted.push_str(line);
        }
        quoted.push('\n');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_then_the_nearer_and_more_specific_file() {
        let project = std::env::temp_dir().join(format!("dugout-dotenv-{}", std::process::id()));
        std::fs::create_dir_all(project.join("supabase")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(project.join(name), text).unwrap();
        write(".env", "A=far\nB=far\nC=far\nD=\"far away\"\n");
        write("supabase/.env", "A=near\nB=near\nC=near\n");
        write("supabase/.env.local", "A=local\nB=local\n");
        let env = BTreeMap::from([("A".to_owned(), "set".to_owned())]);
        let mut problems = Vec::new();
        let all = beneath(&env, Some(&project), &mut problems);
        let values: Vec<&str> = all.values().map(String::as_str).collect();
        assert_eq!(values, ["set", "local", "near", "far away"]);
        write(".env", "# a = b c\nE=Our team # who sends\nF=\"one\ntwo = 2\"\nexport G=a b\nH='x y' # z\n");
        let all = beneath(&BTreeMap::new(), Some(&project), &mut problems);
        for (name, value) in [("E", "Our team"), ("F", "one\ntwo = 2"), ("G", "a b"), ("H", "x y")] {
            assert_eq!(all.get(name).map(String::as_str), Some(value), "{name} {problems:?}");
        }
        write("supabase/.env", "A B geheim\n");
        beneath(&env, Some(&project), &mut problems);
        assert_eq!(problems.len(), 1);
        assert!(!problems[0].to_string().contains("geheim"), "{}", problems[0]);
        std::fs::remove_dir_all(project).unwrap();
    }
}
