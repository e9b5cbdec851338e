//! Event files in a folder or a ZIP archive, as Retrosheet publishes seasons.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use sabermetrics::model::Game;
use sabermetrics::notation::parse_file;
use sabermetrics::stats::Hands;

use super::output::note;
use crate::exit::Failure;

/// Maximum size of an event file. A team's season has some 400 kB.
const MAX_FILE: u64 = 64 << 20;

/// Why files of deduced plays (`*.EDA`, `*.EDN`) and box scores (`*.EBA`, `*.EBN`) are skipped.
pub const DERIVED: &str = "it has deduced plays or a box score, and no plays as they were scored";

/// Maximum number of files in a folder or archive. All of Retrosheet's are some 3,000.
const MAX_FILES: usize = 20_000;

/// Calls `each` with every game of the event files (`*.EV?`) in a folder, a ZIP archive or one file, in the order of
/// the file names. Returns a sentence about each game that could not be read. Names the files of deduced plays and box
/// scores, which are left out, on stderr.
pub fn for_each_game(source: &Path, mut each: impl FnMut(Game) -> Result<(), Failure>) -> Result<Vec<String>, Failure> {
    for name in derived_files(source)? {
        note(&format!("{name} is skipped: {DERIVED}\n"))?;
    }
    let mut skipped = Vec::new();
    let files = for_each_file(source, is_event_file, |name, text| {
        for game in parse_file(text) {
            match game {
                Ok(game) => each(game)?,
                Err(error) => skipped.push(format!("{name}, {error}")),
            }
        }
        Ok(())
    })?;
    if files == 0 {
        return Err(Failure::new(format!("there are no event files (*.EVA, *.EVN, *.EVE, …) in {}", source.display())));
    }
    Ok(skipped)
}

/// The players of the rosters (`*.ROS`) beside the event files, with their hands; none if the source is one file.
pub fn rosters(source: &Path) -> Result<Hands, Failure> {
    let mut hands = Hands::default();
    if source.is_dir() || is_archive(source) {
        for_each_file(source, is_roster, |_, text| {
            hands.add_roster(text);
            Ok(())
        })?;
    }
    Ok(hands)
}

/// Calls `each` with the name and text of every file with such a name, in order; a source that is one file has any name.
/// Returns the number of files.
pub fn for_each_file(
    source: &Path,
    wanted: fn(&str) -> bool,
    mut each: impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut files = 0_usize;
    let mut file = |name: &str, text: &str| {
        files += 1;
        each(name, text)
    };
    if source.is_dir() {
        folder(source, wanted, &mut file)?;
    } else if is_archive(source) {
        archive(source, wanted, &mut file)?;
    } else {
        let opened = File::open(source).map_err(|error| unreadable(source, &error))?;
        file(&source.display().to_string(), &read(opened, &source.display().to_string())?)?;
    }
    Ok(files)
}

/// The number of files with such a name; a source that is one file has any name.
pub fn count_files(source: &Path, wanted: fn(&str) -> bool) -> Result<usize, Failure> {
    if source.is_dir() || is_archive(source) { file_names(source, wanted).map(|names| names.len()) } else { Ok(1) }
}

/// The files of a folder or archive whose plays are deduced (`*.ED?`) or that only have box scores (`*.EB?`), in order.
pub fn derived_files(source: &Path) -> Result<Vec<String>, Failure> {
    file_names(source, is_derived)
}

/// The names of such files in a folder or archive, in order.
fn file_names(source: &Path, wanted: fn(&str) -> bool) -> Result<Vec<String>, Failure> {
    if source.is_dir() {
        return Ok(folder_paths(source, wanted)?.iter().map(|path| path.display().to_string()).collect());
    }
    if !is_archive(source) {
        return Ok(Vec::new());
    }
    let mut names: Vec<String> =
        opened_archive(source)?.file_names().filter(|name| wanted(name)).map(str::to_owned).collect();
    names.sort();
    Ok(names)
}

fn is_archive(source: &Path) -> bool {
    source.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

fn folder(
    source: &Path,
    wanted: fn(&str) -> bool,
    file: &mut impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for path in folder_paths(source, wanted)? {
        let name = path.display().to_string();
        let opened = File::open(&path).map_err(|error| unreadable(&path, &error))?;
        file(&name, &read(opened, &name)?)?;
    }
    Ok(())
}

fn folder_paths(source: &Path, wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(source).map_err(|error| unreadable(source, &error))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(wanted));
    paths.sort();
    limit(paths.len(), source)?;
    Ok(paths)
}

fn archive(
    source: &Path,
    wanted: fn(&str) -> bool,
    file: &mut impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut archive = opened_archive(source)?;
    let mut names: Vec<String> = archive.file_names().filter(|name| wanted(name)).map(str::to_owned).collect();
    names.sort();
    limit(names.len(), source)?;
    for name in names {
        let entry = archive.by_name(&name).map_err(|error| unreadable(source, &error))?;
        file(&name, &read(entry, &name)?)?;
    }
    Ok(())
}

fn opened_archive(source: &Path) -> Result<zip::ZipArchive<BufReader<File>>, Failure> {
    let opened = File::open(source).map_err(|error| unreadable(source, &error))?;
    zip::ZipArchive::new(BufReader::new(opened)).map_err(|error| unreadable(source, &error))
}

fn limit(files: usize, source: &Path) -> Result<(), Failure> {
    if files > MAX_FILES {
        return Err(Failure::new(format!("{} has more than {MAX_FILES} event files", source.display())));
    }
    Ok(())
}

/// The text of a file; bytes that are not UTF-8, as in names of older files, are replaced.
fn read(file: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::new(format!("{name} is larger than {} MB", MAX_FILE >> 20)));
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// True for a roster's name.
pub fn is_roster(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("ROS"))
}

/// True for the name of an event file.
pub fn is_event_file(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_uppercase());
    extension.is_some_and(|extension| extension.len() == 3 && extension.starts_with("EV"))
}

/// True for a file whose plays are deduced from other sources, or that has box scores without plays.
fn is_derived(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_uppercase());
    extension.is_some_and(|extension| ["EDA", "EDN", "EDF", "EBA", "EBN", "EBF"].contains(&extension.as_str()))
}

fn unreadable(source: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{} cannot be read: {error}", source.display()))
}
