//! Season lines of Lahman's database, or of tables like those of `dugout stats replay`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use pg::pool::{Connection, Query};
use serde_json::{Map, Value, json};

use super::columns::{BATTING, FIELDING, Kind, PITCHING, position};
use super::league::{CHUNK, League, Person, YEARS, bar, team_name};
use super::skipped::Skipped;
use super::table_files::{Row, Table};
use crate::cli::ImportArgs;
use crate::exit::Failure;

/// The headings of an archive.
pub struct Form {
    player: &'static [&'static str],
    season: &'static [&'static str],
    team: &'static [&'static str],
    /// The table of players, and its headings for id and name (given name first).
    people: (&'static str, &'static [&'static str], &'static [&'static [&'static str]]),
    /// The names are public.
    is_public: bool,
}

/// Lahman's database, whose players are public.
pub const LAHMAN: Form = Form {
    player: &["playerID"],
    season: &["yearID"],
    team: &["teamID"],
    people: ("people", &["playerID"], &[&["nameFirst"], &["nameLast"]]),
    is_public: true,
};

/// `batting.csv`, `pitching.csv` and `fielding.csv` as `dugout stats replay` writes them; a column `team` and a table
/// `players.csv` (player_id, name, bats, throws) are optional.
pub const CSV: Form = Form {
    player: &["player_id"],
    season: &["season"],
    team: &["team"],
    people: ("players", &["player_id"], &[&["name"]]),
    is_public: false,
};

/// Maximum count: the columns are of type integer.
const MAX_COUNT: u32 = i32::MAX.unsigned_abs();

/// A row of an archive.
struct SeasonLine {
    player: String,
    year: u16,
    team: Option<String>,
    stint: u8,
    position: Option<u8>,
    /// By the columns of its kind; `None` if the archive does not know.
    counts: Vec<Option<u32>>,
}

/// Why a line is skipped that has the key of an earlier one.
const TWICE: &str = "the same player, season, team, stint and position again";

/// Imports the three tables.
pub async fn run(
    connection: &mut Connection,
    args: &ImportArgs,
    form: &Form,
    skipped: &mut Skipped,
) -> Result<String, Failure> {
    let mut tables: Vec<(&Kind, Vec<SeasonLine>)> = Vec::new();
    for kind in [&BATTING, &PITCHING, &FIELDING] {
        if let Some(table) = Table::open(&args.source, kind.file)? {
            tables.push((kind, read(table, kind, form, args, skipped)?));
        }
    }
    if tables.is_empty() {
        let folder = args.source.display();
        return Err(Failure::new(format!("{folder} has no batting.csv, pitching.csv or fielding.csv (or .csv.gz)")));
    }
    let league = League::of(connection, args).await?;
    let lines = || tables.iter().flat_map(|(_, lines)| lines);
    let players: BTreeSet<&str> = lines().map(|line| line.player.as_str()).collect();
    let people = people(args, form, &players)?;
    let names = team_names(args, lines())?;
    let years: BTreeSet<u16> = lines().map(|line| line.year).collect();
    let ids = Ids {
        seasons: league.seasons(connection, &years).await?,
        teams: league.teams(connection, &names.values().cloned().collect()).await?,
        athletes: league.athletes(connection, &people, form.is_public || args.public).await?,
        names,
    };
    let mut text = format!(
        "{}: {} seasons, {} teams, {} players.\n",
        args.league.trim(),
        ids.seasons.len(),
        ids.teams.len(),
        ids.athletes.len()
    );
    for (kind, lines) in &tables {
        let lines = once(lines, &ids, skipped);
        let (new, changed) = save(connection, kind, &lines, &ids).await?;
        let same = lines.len() - new - changed;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}: {new} new, {changed} changed, {same} as they were.", lines.len(), kind.name);
    }
    Ok(text)
}

fn read(
    mut table: Table,
    kind: &Kind,
    form: &Form,
    args: &ImportArgs,
    skipped: &mut Skipped,
) -> Result<Vec<SeasonLine>, Failure> {
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    while let Some(row) = table.next()? {
        let year = row.get(form.season).and_then(|year| year.parse().ok()).filter(|year| YEARS.contains(year));
        if year.is_some()
            && !args.seasons.as_ref().is_none_or(|seasons| year.is_some_and(|year| seasons.contains(&year)))
        {
            continue;
        }
        match line(&row, year, kind, form) {
            Ok(line) => {
                let key = (line.player.clone(), line.year, line.team.clone(), line.stint, line.position);
                if seen.insert(key) {
                    lines.push(line);
                } else {
                    skipped.add(TWICE, &row.place);
                }
            }
            Err(reason) => skipped.add(reason, &row.place),
        }
    }
    Ok(lines)
}

fn line(row: &Row<'_>, year: Option<u16>, kind: &Kind, form: &Form) -> Result<SeasonLine, &'static str> {
    let player = row
        .get(form.player)
        .filter(|player| player.len() <= 64 && !player.contains(char::is_control))
        .ok_or("without a player's id")?;
    let stint = row.get(&["stint"]).map_or(Some(1), |stint| stint.parse().ok()).filter(|stint| *stint > 0);
    let mut counts = Vec::with_capacity(kind.columns.len());
    for (_, headings) in kind.columns {
        counts.push(match row.get(headings) {
            // Some of Lahman's counts are written as 12.0.
            Some(text) => Some(count(text.strip_suffix(".0").unwrap_or(text))?),
            None => None,
        });
    }
    let position = match (kind.by_position, row.get(&["POS"])) {
        (false, _) => None,
        (true, name) => Some(name.and_then(position).ok_or("as the position is none in the field (DH)")?),
    };
    let mut line = SeasonLine {
        player: player.to_owned(),
        year: year.ok_or("without a season from 1850 to 2100")?,
        team: row.get(form.team).map(str::to_owned),
        stint: stint.ok_or("with a stint that is no number")?,
        position,
        counts,
    };
    plate_appearances(kind, &mut line);
    Ok(line)
}

/// A count as the columns can hold it.
fn count(text: &str) -> Result<u32, &'static str> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("with a count that is no number");
    }
    text.parse().ok().filter(|count| *count <= MAX_COUNT).ok_or("with a count above 2,147,483,647")
}

/// Lahman has no plate appearances: at bats, walks, hit by pitch and sacrifices. Interference is missing there.
fn plate_appearances(kind: &Kind, line: &mut SeasonLine) {
    let at = |name: &str| kind.columns.iter().position(|(column, _)| *column == name);
    let Some(pa) = at("pa").filter(|pa| line.counts[*pa].is_none()) else { return };
    let parts = ["ab", "bb", "hbp", "sh", "sf"].map(|name| at(name).and_then(|index| line.counts[index]));
    line.counts[pa] =
        parts.into_iter().try_fold(0_u32, |sum, part| sum.checked_add(part?)).filter(|sum| *sum <= MAX_COUNT);
}

fn people(args: &ImportArgs, form: &Form, wanted: &BTreeSet<&str>) -> Result<BTreeMap<String, Person>, Failure> {
    let unnamed = |id: &&str| ((*id).to_owned(), Person::default());
    let mut people: BTreeMap<String, Person> = wanted.iter().map(unnamed).collect();
    let (file, id, names) = form.people;
    let Some(mut table) = Table::open(&args.source, file)? else { return Ok(people) };
    while let Some(row) = table.next()? {
        let Some(person) = row.get(id).and_then(|id| people.get_mut(id)) else { continue };
        let name = names.iter().filter_map(|headings| row.get(headings)).collect::<Vec<_>>().join(" ");
        *person = Person::new(name, row.get(&["bats"]), row.get(&["throws"]));
    }
    Ok(people)
}

/// The latest name of each team, by the archive's id.
fn team_names<'l>(
    args: &ImportArgs,
    lines: impl Iterator<Item = &'l SeasonLine>,
) -> Result<BTreeMap<String, String>, Failure> {
    let own_name = |id: &String| (id.clone(), team_name("", id));
    let mut names: BTreeMap<String, String> = lines.filter_map(|line| line.team.as_ref()).map(own_name).collect();
    let Some(mut table) = Table::open(&args.source, "teams")? else { return Ok(names) };
    let mut latest: BTreeMap<String, u16> = BTreeMap::new();
    while let Some(row) = table.next()? {
        let year = row.get(&["yearID"]).and_then(|year| year.parse().ok()).unwrap_or(0);
        let (Some(id), Some(name)) = (row.get(&["teamID"]), row.get(&["name"])) else { continue };
        if let Some(known) = names.get_mut(id).filter(|_| latest.get(id).is_none_or(|latest| *latest <= year)) {
            *known = team_name(name, id);
            latest.insert(id.to_owned(), year);
        }
    }
    Ok(names)
}

/// The database's ids.
struct Ids {
    seasons: BTreeMap<u16, String>,
    /// Names of teams, by the archive's id.
    names: BTreeMap<String, String>,
    teams: HashMap<String, String>,
    athletes: HashMap<String, String>,
}

impl Ids {
    fn team(&self, line: &SeasonLine) -> Option<&String> {
        self.teams.get(self.names.get(line.team.as_ref()?)?)
    }
}

/// The lines without those whose teams have different ids in the archive, but one name and so one row in the database.
fn once<'l>(lines: &'l [SeasonLine], ids: &Ids, skipped: &mut Skipped) -> Vec<&'l SeasonLine> {
    let mut seen = HashSet::with_capacity(lines.len());
    let is_first = |line: &&'l SeasonLine| {
        let first = seen.insert((line.player.as_str(), line.year, ids.team(line), line.stint, line.position));
        if !first {
            let team = line.team.as_deref().unwrap_or_default();
            skipped.add(TWICE, format!("{}, {}, {team}", line.player, line.year));
        }
        first
    };
    lines.iter().filter(is_first).collect()
}

/// Returns the number of new and of changed rows.
async fn save(
    connection: &mut Connection,
    kind: &Kind,
    lines: &[&SeasonLine],
    ids: &Ids,
) -> Result<(usize, usize), Failure> {
    let (mut new, mut changed) = (0, 0);
    for (index, chunk) in lines.chunks(CHUNK).enumerate() {
        bar(kind.name, index * CHUNK, lines.len());
        let rows: Vec<Value> = chunk.iter().map(|line| row(kind, line, ids)).collect();
        let saved = connection.query(kind.sql, &[&Value::Array(rows)]).await.map_err(Failure::new)?;
        for row in saved {
            let is_new: bool = row.try_get(0).map_err(Failure::new)?;
            new += usize::from(is_new);
            changed += usize::from(!is_new);
        }
    }
    Ok((new, changed))
}

fn row(kind: &Kind, line: &SeasonLine, ids: &Ids) -> Value {
    let mut row = Map::new();
    let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
    put("season_id", json!(ids.seasons.get(&line.year)));
    put("athlete_id", json!(ids.athletes.get(&line.player)));
    put("team_id", json!(ids.team(line)));
    put("stint", json!(line.stint));
    put("position", json!(line.position));
    let mut unknown = Vec::new();
    for ((column, _), count) in kind.columns.iter().zip(&line.counts) {
        put(column, json!(count.unwrap_or(0)));
        if count.is_none() {
            unknown.push(*column);
        }
    }
    put("unknown", json!(unknown));
    Value::Object(row)
}
