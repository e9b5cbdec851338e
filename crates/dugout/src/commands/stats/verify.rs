//! `dugout stats verify`: replays the app's games, and compares everything that is derived from their plays with what the
//! database has.

use pg::pool::{Connection, Query};
use pg::{Pool, PoolConfig, Target};
use serde_json::{Map, Value};

use super::output::say;
use super::stored_games::{self, Stored, Wanted};
use crate::cli::VerifyArgs;
use crate::commands::configuration::configuration;
use crate::exit::Failure;
use crate::score::lines::lines;
use crate::score::stored::Status;

/// The lines of one season and team, before and after they are summed up again.
const SEASONS: &str = "select distinct g.season_id::text, t.team_id::text, l.name \
     from public.games as g cross join lateral (values (g.visitor_team_id), (g.home_team_id)) as t (team_id) \
     join public.seasons as s on s.id = g.season_id left join public.leagues as l on l.id = s.league_id \
     where g.status = 'final' and g.is_public and t.team_id is not null and ($1::text is null or l.name = $1) \
       and exists (select from public.plays as p where p.game_id = g.id)";

const SUM: &str = "select private.sum_season(($1::text)::uuid, ($2::text)::uuid)";

const REBUILD: &str = "select private.rebuild_game(($1::text)::uuid, $2, $3)";

const SEASON_LINES: &str = include_str!("verify_season.sql");

/// Maximum number of differences that are listed.
const LISTED: usize = 100;

/// Compares and reports; differences are a failure.
pub async fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let verified = verify(&opened.owner, args.league.as_deref(), args.repair).await;
    opened.close().await;
    crate::progress::end();
    let Verified { games, seasons, repaired, differences } = verified?;
    if repaired > 0 {
        say(&format!("{repaired} games and seasons of teams repaired.\n"))?;
    }
    if differences.is_empty() {
        return say(&format!(
            "{games} games and {seasons} seasons of teams verified: every number follows from its plays.\n"
        ));
    }
    let listed: Vec<&str> = differences.iter().take(LISTED).map(String::as_str).collect();
    let more = differences.len().saturating_sub(LISTED);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    Err(Failure::new(format!(
        "{} differences in {games} games and {seasons} seasons of teams (stored, then computed):\n{}{more}",
        differences.len(),
        listed.join("\n")
    )))
}

struct Verified {
    games: usize,
    seasons: usize,
    /// Games, and seasons of teams, that differed and were repaired.
    repaired: usize,
    differences: Vec<String>,
}

async fn verify(owner: &Target, league: Option<&str>, repair: bool) -> Result<Verified, Failure> {
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(Failure::new)?;
    let mut connection = pool.get().await.map_err(Failure::new)?;
    let games = stored_games::ids(&mut connection, Wanted { league, game: None }).await?;
    let (mut differences, mut repaired) = (Vec::new(), 0);
    for (index, id) in games.iter().enumerate() {
        super::import::bar("games", index, games.len());
        let Some(Stored { id, value: stored }) = stored_games::stored(&mut connection, id).await? else { continue };
        let computed = computed(&stored);
        let before = differences.len();
        game(&id, &stored, &computed, &mut differences);
        if repair && differences.len() > before && rebuilt(&mut connection, &id, &stored, computed.ok()).await? {
            differences.truncate(before);
            repaired += 1;
        }
    }
    let seasons = connection.query(SEASONS, &[&league]).await.map_err(Failure::new)?;
    for row in &seasons {
        let [season, team]: [String; 2] =
            [row.try_get(0).map_err(Failure::new)?, row.try_get(1).map_err(Failure::new)?];
        let (stored, computed) = summed(&mut connection, &season, &team, repair).await?;
        let before = differences.len();
        rows(&format!("season {season}, team {team}"), &stored, &computed, &mut differences);
        if repair && differences.len() > before {
            differences.truncate(before);
            repaired += 1;
        }
    }
    Ok(Verified { games: games.len(), seasons: seasons.len(), repaired, differences })
}

/// Saves the computed rows of a game; false if the game was scored meanwhile, or its plays cannot be replayed.
async fn rebuilt(
    connection: &mut Connection,
    id: &str,
    stored: &Value,
    computed: Option<Value>,
) -> Result<bool, Failure> {
    let Some(computed) = computed else { return Ok(false) };
    let revision = stored["game"]["revision"].as_i64().unwrap_or_default();
    let row = connection.query_one(REBUILD, &[&id, &revision, &computed]).await.map_err(Failure::new)?;
    row.try_get(0).map_err(Failure::new)
}

/// The stored lines of a season and team, and those summed anew from its games. Keeps the new ones if `keep`.
async fn summed(connection: &mut Connection, season: &str, team: &str, keep: bool) -> Result<(Value, Value), Failure> {
    let transaction = connection.transaction().await.map_err(Failure::new)?;
    let lines = || async {
        let row = transaction.query_one(SEASON_LINES, &[&season, &team]).await.map_err(Failure::new)?;
        row.try_get::<_, Value>(0).map_err(Failure::new)
    };
    let stored = lines().await?;
    transaction.execute(SUM, &[&season, &team]).await.map_err(Failure::new)?;
    let computed = lines().await?;
    let end = if keep { transaction.commit().await } else { transaction.rollback().await };
    end.map_err(Failure::new)?;
    Ok((stored, computed))
}

fn game(id: &str, stored: &Value, computed: &Result<Value, String>, differences: &mut Vec<String>) {
    let name = format!("{} at {}, {}", shown(&stored["game"]["visitor_name"]), shown(&stored["game"]["home_name"]), id);
    match computed {
        Ok(computed) => {
            for part in ["state", "current", "score", "batting", "pitching", "fielding"] {
                rows(&format!("{name}: {part}"), &stored[part], &computed[part], differences);
            }
        }
        Err(problem) => differences.push(format!("{name}: {problem}")),
    }
}

/// All rows that follow from the plays.
fn computed(stored: &Value) -> Result<Value, String> {
    let (begun, sheet) = stored_games::sheet(stored)?;
    let replay = sheet.replayed();
    let is_final = begun.game.status == Status::Final;
    let mut state = sheet.state(&replay, begun.game.status, begun.game.ended);
    let Value::Object(all) = lines(&sheet, &replay, is_final) else { return Err("no lines".to_owned()) };
    // `decided` is no column. The pitches and count of an unfinished plate appearance are in no play, so they cannot be compared.
    let others =
        if begun.game.status == Status::Live { &["decided", "pitches", "balls", "strikes"][..] } else { &["decided"] };
    let columns = state.as_object_mut().map(|state| state.retain(|column, _| !others.contains(&column.as_str())));
    let mut computed = Map::from_iter(all);
    computed.insert("current".to_owned(), Value::Array(sheet.current(&replay)));
    computed.insert("state".to_owned(), if columns.is_some() { Value::Array(vec![state]) } else { Value::Null });
    Ok(Value::Object(computed))
}

/// Keys that tell rows of one game apart.
const KEYS: &[&str] = &["id", "athlete_id", "side", "position", "stint", "table"];

/// Compares rows by their keys; only the computed columns count.
fn rows(place: &str, stored: &Value, computed: &Value, differences: &mut Vec<String>) {
    let none = Vec::new();
    let (stored, computed) = (stored.as_array().unwrap_or(&none), computed.as_array().unwrap_or(&none));
    let key = |row: &Value| KEYS.iter().filter_map(|key| row.get(key)).map(shown).collect::<Vec<_>>().join(" ");
    for row in computed {
        let key = key(row);
        match stored.iter().find(|other| self::key(other, row) == key) {
            Some(other) => {
                let columns = row.as_object().into_iter().flatten();
                differences.extend(columns.filter(|(column, value)| other.get(*column) != Some(value)).map(
                    |(column, value)| {
                        let had = other.get(column).map_or_else(|| "nothing".to_owned(), shown);
                        format!("{place} {key} {column}: {had}, {}", shown(value))
                    },
                ));
            }
            None => differences.push(format!("{place} {key}: nothing, a row")),
        }
    }
    for row in stored {
        if !computed.iter().any(|other| self::key(row, other) == key(other)) {
            differences.push(format!("{place} {}: a row, nothing", key(row)));
        }
    }
}

/// The key of a stored row, of those columns that the computed row has.
fn key(stored: &Value, computed: &Value) -> String {
    let keys = KEYS.iter().filter(|key| computed.get(**key).is_some());
    keys.filter_map(|key| stored.get(key)).map(shown).collect::<Vec<_>>().join(" ")
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
