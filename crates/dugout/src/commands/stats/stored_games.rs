//! Games of the app's tables, as the engine reads them.

use std::collections::HashMap;

use pg::pool::{Connection, Query, Row};
use pg::{Pool, PoolConfig, Target};
use sabermetrics::model::{Game, Record, Side};
use serde_json::Value;
use smol_str::SmolStr;

use super::import::sheets::official;
use crate::cli::ServerArgs;
use crate::commands::configuration::configuration;
use crate::exit::Failure;
use crate::score::log::Log;
use crate::score::sheet::Sheet;
use crate::score::stored::Begun;

/// Games with plays: those of a league, or the one with this id or archive's id.
const GAMES: &str = "select g.id::text from public.games as g \
     left join public.seasons as s on s.id = g.season_id left join public.leagues as l on l.id = s.league_id \
     where exists (select from public.plays as p where p.game_id = g.id) \
       and ($1::text is null or l.name = $1) and ($2::text is null or $2 in (g.id::text, g.external_id)) \
     order by g.played_on, g.number, g.id";

const GAME: &str = include_str!("verify_game.sql");

/// The names of a game's players.
const NAMES: &str = "select i.athlete_id::text, i.full_name from public.lineups as l \
     join public.athlete_identities as i using (athlete_id) where l.game_id = ($1::text)::uuid";

/// Which games of the app are read.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Those of the league with this name.
    pub league: Option<&'a str>,
    /// The one with this id, or this id of an archive.
    pub game: Option<&'a str>,
}

/// A game as the database has it.
pub struct Stored {
    /// Its id.
    pub id: String,
    /// Its row, lineups, log and everything derived from them.
    pub value: Value,
}

/// Calls `each` with every wanted game of the app, with the names of players and teams. Returns a sentence about each game whose
/// plays cannot be read.
pub async fn for_each_stored_game(
    server: &ServerArgs,
    wanted: Wanted<'_>,
    mut each: impl FnMut(Game) -> Result<(), Failure>,
) -> Result<Vec<String>, Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let read = read(&opened.owner, wanted, &mut each).await;
    opened.close().await;
    read
}

async fn read(
    owner: &Target,
    wanted: Wanted<'_>,
    each: &mut impl FnMut(Game) -> Result<(), Failure>,
) -> Result<Vec<String>, Failure> {
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(Failure::new)?;
    let mut connection = pool.get().await.map_err(Failure::new)?;
    let mut skipped = Vec::new();
    for id in ids(&mut connection, wanted).await? {
        let Some(stored) = stored(&mut connection, &id).await? else { continue };
        let names = names(&mut connection, &id).await?;
        match sheet(&stored.value) {
            Ok((_, sheet)) => each(named(sheet.game, &stored.value["game"], &names))?,
            Err(problem) => skipped.push(format!("{id}: {problem}")),
        }
    }
    Ok(skipped)
}

/// The ids of the wanted games, in the order of their days.
pub async fn ids(connection: &mut Connection, wanted: Wanted<'_>) -> Result<Vec<String>, Failure> {
    let rows = connection.query(GAMES, &[&wanted.league, &wanted.game]).await.map_err(Failure::new)?;
    rows.iter().map(|row| row.try_get(0).map_err(Failure::new)).collect()
}

/// The game with this id; `None` if it was deleted meanwhile.
pub async fn stored(connection: &mut Connection, id: &str) -> Result<Option<Stored>, Failure> {
    let Some(row) = connection.query_opt(GAME, &[&id]).await.map_err(Failure::new)? else { return Ok(None) };
    Ok(Some(Stored { id: id.to_owned(), value: row.try_get(0).map_err(Failure::new)? }))
}

/// The score sheet of a stored game, with the official decisions.
pub fn sheet(stored: &Value) -> Result<(Begun, Sheet), String> {
    let begun: Begun = serde_json::from_value(stored.clone()).map_err(|error| error.to_string())?;
    let log = Log::new(&begun.log).map_err(|problem| problem.to_string())?;
    let mut sheet = Sheet::new(&begun.game, &begun.lineups, &log).map_err(|problem| problem.to_string())?;
    sheet.game.records.extend(official(&stored["game"]["info"]));
    Ok((begun, sheet))
}

async fn names(connection: &mut Connection, id: &str) -> Result<HashMap<String, String>, Failure> {
    let rows = connection.query(NAMES, &[&id]).await.map_err(Failure::new)?;
    let name = |row: &Row| Ok((row.try_get(0).map_err(Failure::new)?, row.try_get(1).map_err(Failure::new)?));
    rows.iter().map(name).collect()
}

/// The log knows players and teams by ids.
fn named(mut game: Game, row: &Value, names: &HashMap<String, String>) -> Game {
    let team = |side: Side| row[if side == Side::Visitor { "visitor_name" } else { "home_name" }].as_str();
    for record in &mut game.records {
        match record {
            Record::Start(who) | Record::Sub(who) => {
                if let Some(name) = names.get(who.player.as_str()) {
                    who.name = SmolStr::new(name.replace('"', "'"));
                }
            }
            Record::Info { key, value } => {
                let side = [("visteam", Side::Visitor), ("hometeam", Side::Home)];
                let side = side.into_iter().find(|(name, _)| name == key).map(|(_, side)| side);
                if let Some(name) = side.and_then(team) {
                    *value = SmolStr::new(name.replace([',', '"'], " "));
                }
            }
            _ => {}
        }
    }
    game
}
