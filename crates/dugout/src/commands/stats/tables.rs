//! The CSV tables, with Lahman's column names.

use std::collections::BTreeMap;
use std::path::Path;

use sabermetrics::model::Position;
use sabermetrics::stats::{Batting, Counter, Fielding, Line};

use super::replay::Season;
use crate::exit::Failure;

/// Columns of batting.csv after player and season.
const BATTING: &[&str] =
    &["G", "PA", "AB", "R", "H", "2B", "3B", "HR", "RBI", "SB", "CS", "BB", "SO", "IBB", "HBP", "SH", "SF", "GIDP"];

/// Columns of pitching.csv after player and season.
const PITCHING: &[&str] = &[
    "W", "L", "G", "GS", "CG", "SHO", "SV", "IPouts", "H", "ER", "HR", "BB", "SO", "IBB", "WP", "HBP", "BK", "BFP", "R",
];

/// Columns of fielding.csv after player, season and position.
const FIELDING: &[&str] = &["PO", "A", "E", "DP"];

/// Writes all tables into a folder, which is created if necessary.
pub fn write(folder: &Path, season: &Season) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    games(folder, season)?;
    batting(folder, season)?;
    pitching(folder, season)?;
    fielding(folder, season)?;
    let differences = folder.join("differences.csv");
    if !season.differences.is_empty() {
        table(
            &differences,
            &["game_id", "player_id", "stat", "official", "computed", "play"],
            season.differences.iter().map(|one| one.row()),
        )?;
    }
    Ok(())
}

fn games(folder: &Path, season: &Season) -> Result<(), Failure> {
    let header = ["game_id", "date", "visitor", "home", "visitor_runs", "home_runs", "innings"];
    let rows = season.games.iter().map(|game| {
        let [visitor, home] = game.teams.clone();
        let [visitor_runs, home_runs] = game.runs.map(|runs| runs.to_string());
        vec![game.game.clone(), game.date.clone(), visitor, home, visitor_runs, home_runs, game.innings.to_string()]
    });
    table(&folder.join("games.csv"), &header, rows)
}

fn batting(folder: &Path, season: &Season) -> Result<(), Failure> {
    let rows = season.totals.players.iter().filter(|(_, lines)| lines.batting.get(Batting::Games) > 0);
    let rows = rows.map(|((player, year), lines)| {
        let mut row = vec![player.to_string(), year.to_string()];
        row.extend(counts(&lines.batting, BATTING));
        row
    });
    table(&folder.join("batting.csv"), &[&["player_id", "season"], BATTING].concat(), rows)
}

fn pitching(folder: &Path, season: &Season) -> Result<(), Failure> {
    let rows = season.totals.players.iter().filter_map(|((player, year), lines)| {
        let mut row = vec![player.to_string(), year.to_string()];
        row.extend(counts(lines.pitching.as_ref()?, PITCHING));
        Some(row)
    });
    table(&folder.join("pitching.csv"), &[&["player_id", "season"], PITCHING].concat(), rows)
}

/// The three outfield positions count as one, as in Lahman's table.
fn fielding(folder: &Path, season: &Season) -> Result<(), Failure> {
    let rows = season.totals.players.iter().flat_map(|((player, year), lines)| {
        let mut positions: BTreeMap<u8, Line<Fielding>> = BTreeMap::new();
        for (position, line) in &lines.fielding {
            *positions.entry((*position).min(Position::LeftField.number())).or_default() += line;
        }
        let rows = positions.into_iter().map(|(position, line)| {
            let name = match Position::numbered(position) {
                Some(Position::LeftField) | None => "OF",
                Some(position) => position.abbreviation(),
            };
            let mut row = vec![player.to_string(), year.to_string(), name.to_owned()];
            row.extend(counts(&line, FIELDING));
            row
        });
        rows.collect::<Vec<_>>()
    });
    table(&folder.join("fielding.csv"), &[&["player_id", "season", "POS"], FIELDING].concat(), rows)
}

/// The counts with these names, as text.
pub fn counts<C: Counter>(line: &Line<C>, columns: &[&str]) -> Vec<String> {
    let count = |column: &&str| C::named(column).map(|counter| line.get(counter).to_string()).unwrap_or_default();
    columns.iter().map(count).collect()
}

/// Writes rows as CSV.
pub fn table(path: &Path, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| unwritable(path, error);
    let mut writer = csv::Writer::from_path(path).map_err(|error| failed(&error))?;
    writer.write_record(header).map_err(|error| failed(&error))?;
    for row in rows {
        writer.write_record(&row).map_err(|error| failed(&error))?;
    }
    writer.flush().map_err(|error| failed(&error))
}

fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{} cannot be written: {error}", path.display()))
}
