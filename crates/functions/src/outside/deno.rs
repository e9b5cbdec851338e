//! Where Deno is.

use std::path::{Path, PathBuf};

/// The npm packages with Deno's program for this machine, by operating system and processor.
const PACKAGES: [(&str, &str, &str); 4] = [
    ("linux", "x86_64", "@deno/linux-x64-glibc"),
    ("linux", "aarch64", "@deno/linux-arm64-glibc"),
    ("macos", "x86_64", "@deno/darwin-x64"),
    ("macos", "aarch64", "@deno/darwin-arm64"),
];

/// What a person is told who calls a function where there is no Deno.
pub(crate) const MISSING: &str =
    "Deno was not found: run `npm install deno` in the project's folder, or name the program in DUGOUT_DENO";

/// The program: the one that the settings name, or else `deno` beside our own executable, the npm package, the one in PATH.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) fn find(named: Option<&Path>, project: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        return program(named).ok_or_else(|| format!("DUGOUT_DENO names {}, which does not exist", named.display()));
    }
    let executable = std::env::current_exe().ok().and_then(|exe| exe.canonicalize().ok());
    let beside = executable.as_deref().and_then(Path::parent).map(|folder| folder.join("deno"));
    let roots = project.into_iter().chain(executable.as_deref()).flat_map(Path::ancestors);
    let of_npm = roots.filter_map(|root| Some(root.join("node_modules").join(package()?).join("deno")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let of_system = std::env::split_paths(&path).map(|folder| folder.join("deno")).collect::<Vec<_>>();
    beside.into_iter().chain(of_npm).chain(of_system).find_map(|path| program(&path)).ok_or_else(|| MISSING.to_owned())
}

/// The file without symbolic links, because it is run in another folder. The `deno` that npm puts into `.bin` is a script that needs
/// Node; the program is beside it.
fn program(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok().filter(|path| path.is_file())?;
    let is_script = path.extension().is_some_and(|ending| ending == "cjs");
    if is_script { Some(path.with_file_name("deno")).filter(|program| program.is_file()) } else { Some(path) }
}

fn package() -> Option<&'static str> {
    let (os, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    PACKAGES.iter().find(|(own_os, own, _)| *own_os == os && *own == processor).map(|(_, _, package)| *package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_name_is_made_absolute() {
        let found = find(Some(Path::new("Cargo.toml")), None).unwrap();
        assert!(found.is_absolute() && found.ends_with("functions/Cargo.toml"), "{}", found.display());
        assert!(find(Some(Path::new("gone")), None).unwrap_err().contains("gone, which does not exist"));
    }
}
