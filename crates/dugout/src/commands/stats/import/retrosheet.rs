//! Games of Retrosheet's event files: lineups, plays and all that is computed from them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use pg::pool::{Connection, Query, Transaction};
use sabermetrics::model::{Game, PlayerId, Side, TeamId};
use sabermetrics::notation::{FileError, parse_file};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::league::{League, Person, YEARS, bar, team_name};
use super::sheets::{Ids, Prepared, prepared};
use super::skipped::Skipped;
use crate::cli::ImportArgs;
use crate::commands::stats::event_files::{
    DERIVED, count_files, derived_files, for_each_file, is_event_file, is_roster,
};
use crate::exit::Failure;

/// Event files that are read ahead.
const AHEAD: usize = 2;

/// What the database has of a game: its id, its starters and records as [`Prepared::text`](super::sheets::Prepared), and
/// its facts.
const KNOWN: &str = "select g.id::text, concat_ws(e'\\n', \
     (select string_agg(concat_ws(',', l.athlete_id, l.side, l.bat_order, l.position), e'\\n' order by l.side, l.bat_order) \
       from public.lineups as l where l.game_id = g.id and l.bat_order is not null), \
     (select string_agg(p.record, e'\\n' order by p.ord) from public.plays as p where p.game_id = g.id and p.ord is not null)), \
     g.info from public.games as g where g.season_id = ($1::text)::uuid and g.external_id = $2";

const REMOVE: &str = "delete from public.games where id = ($1::text)::uuid";

const GAME: &str = "insert into public.games (id, season_id, external_id, visitor_team_id, home_team_id, visitor_name, \
     home_name, played_on, number, is_public, innings, uses_dh, extra_runner, home_bats_first, info, status, ended, \
     visitor_runs, home_runs, inning, batting, outs, balls, strikes, on_first, on_second, on_third, batter_id, \
     pitcher_id) \
     select g.id, g.season_id, g.external_id, g.visitor_team_id, g.home_team_id, g.visitor_name, \
     g.home_name, g.played_on, g.number, g.is_public, g.innings, g.uses_dh, g.extra_runner, g.home_bats_first, g.info, \
     g.status, g.ended, g.visitor_runs, g.home_runs, g.inning, g.batting, g.outs, \
     g.balls, g.strikes, g.on_first, g.on_second, g.on_third, g.batter_id, g.pitcher_id \
     from jsonb_populate_record(null::public.games, $1) as g";

const LINEUPS: &str = "insert into public.lineups (game_id, athlete_id, side, bat_order, position) \
     select l.game_id, l.athlete_id, l.side, l.bat_order, l.position \
     from jsonb_populate_recordset(null::public.lineups, $1) as l";

const PLAYS: &str = "select private.save_plays(g, $2, $3) from public.games as g where g.id = ($1::text)::uuid";

const LINES: &str = "select private.save_lines(g, $2) from public.games as g where g.id = ($1::text)::uuid";

const SUM: &str = "select private.sum_season(($1::text)::uuid, ($2::text)::uuid)";

/// The games of one file.
type FileOfGames = (String, Vec<Result<Game, FileError>>);

/// Imports all games.
pub async fn run(connection: &mut Connection, args: &ImportArgs, skipped: &mut Skipped) -> Result<String, Failure> {
    let files = count_files(&args.source, is_event_file)?;
    if files == 0 {
        let source = args.source.display();
        return Err(Failure::new(format!("there are no event files (*.EVA, *.EVN, *.EVE, …) in {source}")));
    }
    for name in derived_files(&args.source)? {
        skipped.add(format!("a file that is no event file, because {DERIVED}"), name);
    }
    let mut archive = Archive::read(&args.source)?;
    let league = League::of(connection, args).await?;
    let (sender, mut parsed) = mpsc::channel::<FileOfGames>(AHEAD);
    let source = args.source.clone();
    let reading = tokio::task::spawn_blocking(move || {
        for_each_file(&source, is_event_file, |name, text| {
            // The receiver is gone when the import has failed.
            sender.blocking_send((name.to_owned(), parse_file(text))).map_err(|_| Failure::new("the import has ended"))
        })
    });
    let mut done = Done::default();
    while let Some((name, games)) = parsed.recv().await {
        bar("event files", done.files, files);
        done.files += 1;
        let mut fine = Vec::with_capacity(games.len());
        for game in games {
            match game {
                Ok(game) if wanted(args, &game) => fine.push(game),
                Ok(_) => {}
                Err(error) => skipped.add("a game that cannot be read", format!("{name}, {error}")),
            }
        }
        archive.complete(connection, &league, &fine).await?;
        for game in &fine {
            save(connection, &archive, game, &mut done, skipped).await?;
        }
    }
    reading.await.map_err(Failure::new)??;
    for (season, team) in &done.touched {
        connection.execute(SUM, &[season, team]).await.map_err(Failure::new)?;
    }
    Ok(format!(
        "{}: {} games, {} new, {} changed, {} as they were.\nComments of event files are not imported.\n",
        args.league.trim(),
        done.new + done.changed + done.same,
        done.new,
        done.changed,
        done.same
    ))
}

fn wanted(args: &ImportArgs, game: &Game) -> bool {
    let Some(seasons) = &args.seasons else { return true };
    game.season().is_some_and(|season| seasons.contains(&season))
}

/// What the import did.
#[derive(Default)]
struct Done {
    files: usize,
    new: usize,
    changed: usize,
    same: usize,
    /// Ids of seasons and teams whose lines are summed up at the end.
    touched: BTreeSet<(String, String)>,
}

/// The archive's names, and the database's ids so far.
struct Archive {
    people: BTreeMap<PlayerId, Person>,
    team_names: HashMap<TeamId, String>,
    ids: Ids,
    seasons: BTreeMap<u16, String>,
}

impl Archive {
    /// Reads rosters (`*.ROS`) and the names of teams (`TEAM2016`), if the archive has them.
    fn read(source: &Path) -> Result<Self, Failure> {
        let mut archive = Archive {
            people: BTreeMap::new(),
            team_names: HashMap::new(),
            ids: Ids::default(),
            seasons: BTreeMap::new(),
        };
        let one_file =
            source.is_file() && source.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("zip"));
        if one_file {
            return Ok(archive);
        }
        for_each_file(source, is_roster, |_, text| {
            for line in text.lines() {
                if let [id, last, first, bats, throws, ..] = line.split(',').collect::<Vec<_>>().as_slice() {
                    let person = Person::new(format!("{first} {last}"), Some(bats), Some(throws));
                    archive.people.insert(PlayerId::new(id), person);
                }
            }
            Ok(())
        })?;
        for_each_file(source, is_team_list, |_, text| {
            for line in text.lines() {
                if let [id, _, city, name] = line.trim_end().split(',').collect::<Vec<_>>().as_slice() {
                    archive.team_names.insert(TeamId::new(id), format!("{city} {name}"));
                }
            }
            Ok(())
        })?;
        Ok(archive)
    }

    /// Makes the seasons, teams and players of these games that the database lacks.
    async fn complete(&mut self, connection: &Connection, league: &League, games: &[Game]) -> Result<(), Failure> {
        let years: BTreeSet<u16> = games.iter().filter_map(Game::season).filter(|year| YEARS.contains(year)).collect();
        if !years.iter().all(|year| self.seasons.contains_key(year)) {
            self.seasons.extend(league.seasons(connection, &years).await?);
        }
        let teams = games.iter().flat_map(|game| Side::BOTH.map(|side| game.team(side))).flatten();
        let new: BTreeMap<TeamId, String> = teams
            .filter(|team| !self.ids.teams.contains_key(team))
            .map(|team| (team.clone(), self.team_name(&team)))
            .collect();
        if !new.is_empty() {
            let ids = league.teams(connection, &new.values().cloned().collect()).await?;
            let known = new.into_iter().filter_map(|(team, name)| Some((team, (ids.get(&name)?.clone(), name))));
            self.ids.teams.extend(known);
        }
        let mut people = BTreeMap::new();
        for who in games.iter().flat_map(Game::appearances) {
            if !self.ids.athletes.contains_key(&who.player) {
                let named = || Person { name: who.name.to_string(), ..Person::default() };
                let person = self.people.get(&who.player).cloned().unwrap_or_else(named);
                people.insert(who.player.to_string(), person);
            }
        }
        if !people.is_empty() {
            let ids = league.athletes(connection, &people, true).await?;
            self.ids.athletes.extend(ids.into_iter().map(|(player, id)| (PlayerId::new(&player), id)));
        }
        Ok(())
    }

    fn team_name(&self, team: &TeamId) -> String {
        team_name(self.team_names.get(team).map_or("", String::as_str), team.as_str())
    }
}

fn is_team_list(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default();
    name.strip_prefix("TEAM").is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Saves a game in one transaction, unless the database has the same one.
async fn save(
    connection: &mut Connection,
    archive: &Archive,
    game: &Game,
    done: &mut Done,
    skipped: &mut Skipped,
) -> Result<(), Failure> {
    let season = game.season().and_then(|year| archive.seasons.get(&year));
    let Some(season) = season else {
        skipped.add("a game without a season from 1850 to 2100", &game.id);
        return Ok(());
    };
    let prepared = match prepared(game, season, &archive.ids) {
        Ok(prepared) => prepared,
        Err(reason) => {
            skipped.add(reason, &game.id);
            return Ok(());
        }
    };
    // Also if the game is there: an earlier import may have ended before the sums.
    let teams = Side::BOTH.into_iter().filter_map(|side| archive.ids.teams.get(&game.team(side)?));
    done.touched.extend(teams.map(|(team, _)| (season.clone(), team.clone())));
    let transaction = connection.transaction().await.map_err(Failure::new)?;
    let known = transaction.query_opt(KNOWN, &[season, &game.id.as_str()]).await.map_err(Failure::new)?;
    let mut is_new = true;
    if let Some(row) = known {
        let id: String = row.try_get(0).map_err(Failure::new)?;
        let text: String = row.try_get(1).map_err(Failure::new)?;
        let info: Value = row.try_get(2).map_err(Failure::new)?;
        if text == prepared.text && info == prepared.row["info"] {
            done.same += 1;
            return Ok(());
        }
        transaction.execute(REMOVE, &[&id]).await.map_err(Failure::new)?;
        is_new = false;
    }
    match insert(&transaction, prepared).await {
        Ok(()) => transaction.commit().await.map_err(Failure::new)?,
        Err(pg::Error::Database(error)) if is_of_the_data(&error.code) => {
            // What the database had of this game before stays.
            transaction.rollback().await.map_err(Failure::new)?;
            skipped.add(format!("a game that the tables cannot hold ({})", error.message), &game.id);
            return Ok(());
        }
        Err(error) => return Err(Failure::new(format!("{}: {error}", game.id))),
    }
    *(if is_new { &mut done.new } else { &mut done.changed }) += 1;
    Ok(())
}

/// True for the classes of SQLSTATE that blame the row: data exceptions and violated constraints.
fn is_of_the_data(code: &str) -> bool {
    code.starts_with("22") || code.starts_with("23")
}

async fn insert(transaction: &Transaction<'_>, prepared: Prepared) -> Result<(), pg::Error> {
    let id = prepared.row["id"].as_str().unwrap_or_default().to_owned();
    transaction.execute(GAME, &[&Value::Object(prepared.row)]).await?;
    transaction.execute(LINEUPS, &[&Value::Array(prepared.lineups)]).await?;
    transaction.execute(PLAYS, &[&id, &json!(prepared.plays), &Value::Array(prepared.current)]).await?;
    transaction.execute(LINES, &[&id, &prepared.lines]).await?;
    Ok(())
}
