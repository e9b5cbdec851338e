//! The league of an import, with its seasons, teams and players.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

use pg::pool::{Connection, Query};
use serde_json::{Value, json};

use crate::cli::ImportArgs;
use crate::exit::Failure;

/// Rows per statement.
pub const CHUNK: usize = 1_000;

/// The years that a season can have.
pub const YEARS: RangeInclusive<u16> = 1850..=2100;

/// Maximum length of a player's name, in characters.
const MAX_NAME: usize = 120;

/// Maximum length of a team's name, in characters.
const MAX_TEAM: usize = 100;

const LEAGUE: &str = "insert into public.leagues (name, level) values (btrim($1), $2) \
     on conflict (name) do update set name = excluded.name returning id::text";

const SEASONS: &str = "with wanted as (select value::integer as year from jsonb_array_elements_text($2)), \
     added as (insert into public.seasons (league_id, year) select ($1::text)::uuid, year from wanted \
       on conflict on constraint seasons_once_key do nothing returning id, year) \
     select year, id::text from added \
     union select s.year, s.id::text from public.seasons as s join wanted using (year) \
     where s.league_id = ($1::text)::uuid and s.name = ''";

const TEAMS: &str = "with wanted as (select btrim(value) as name from jsonb_array_elements_text($2)), \
     present as (select distinct on (t.name) t.name, t.id from public.teams as t join wanted using (name) \
       where t.league_id = ($1::text)::uuid order by t.name, t.created_at, t.id), \
     added as (insert into public.teams (league_id, name) select ($1::text)::uuid, name from wanted \
       where not exists (select from present where present.name = wanted.name) returning name, id) \
     select name, id::text from present union all select name, id::text from added";

const ATHLETES: &str = "with wanted as (select * from jsonb_to_recordset($2) \
       as w (key text, name text, initial text, bats text, throws text, is_public boolean)), \
     added as (insert into public.athletes (league_id, external_id, initial, is_public) \
       select ($1::text)::uuid, key, initial, is_public from wanted \
       on conflict on constraint athletes_external_key do update set initial = excluded.initial, is_public = excluded.is_public \
       returning id, external_id), \
     named as (insert into public.athlete_identities (athlete_id, full_name, bats, throws) \
       select a.id, w.name, w.bats, w.throws from added as a join wanted as w on w.key = a.external_id \
       on conflict (athlete_id) do update set full_name = excluded.full_name, bats = excluded.bats, throws = excluded.throws \
       where athlete_identities.user_id is null) \
     select external_id, id::text from added";

/// The league of an import.
pub struct League {
    id: String,
}

/// A player of an archive.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The full name; empty if the archive has none, and then the id stands for it.
    pub name: String,
    /// `L`, `R` or `S`.
    pub bats: Option<&'static str>,
    /// `L` or `R`.
    pub throws: Option<&'static str>,
}

impl Person {
    /// From an archive's fields; `B` is another letter for switch hitters.
    pub fn new(name: String, bats: Option<&str>, throws: Option<&str>) -> Self {
        let bats = match bats {
            Some("L") => Some("L"),
            Some("R") => Some("R"),
            Some("B" | "S") => Some("S"),
            _ => None,
        };
        let throws = match throws {
            Some("L") => Some("L"),
            Some("R") => Some("R"),
            _ => None,
        };
        Person { name, bats, throws }
    }
}

/// A team's name as the tables can hold it: from an archive's name, or else from the archive's id.
pub fn team_name(name: &str, id: &str) -> String {
    let name = Some(held(name, MAX_TEAM)).filter(|name| !name.is_empty()).unwrap_or_else(|| held(id, MAX_TEAM));
    if name.chars().count() < 2 { format!("Team {name}").trim_end().to_owned() } else { name }
}

/// The text without control characters, cut after this many others.
fn held(text: &str, most: usize) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.trim().chars().take(most).collect::<String>().trim_end().to_owned()
}

impl League {
    /// The league that was asked for, made if necessary.
    pub async fn of(connection: &Connection, args: &ImportArgs) -> Result<Self, Failure> {
        let (name, level) = (&args.league, &args.level);
        let fits = (2..=100).contains(&name.trim().chars().count()) && (1..=40).contains(&level.chars().count());
        if !fits {
            return Err(Failure::new("the name of a league has 2 to 100 characters, and its level 1 to 40"));
        }
        let row = connection.query_one(LEAGUE, &[&name, &level]).await.map_err(Failure::new)?;
        Ok(League { id: row.try_get(0).map_err(Failure::new)? })
    }

    /// Ids of the seasons of these years.
    pub async fn seasons(
        &self,
        connection: &Connection,
        years: &BTreeSet<u16>,
    ) -> Result<BTreeMap<u16, String>, Failure> {
        let rows = connection.query(SEASONS, &[&self.id, &json!(years)]).await.map_err(Failure::new)?;
        let mut seasons = BTreeMap::new();
        for row in rows {
            let year: i32 = row.try_get(0).map_err(Failure::new)?;
            seasons.insert(u16::try_from(year).unwrap_or(0), row.try_get(1).map_err(Failure::new)?);
        }
        Ok(seasons)
    }

    /// Ids of the teams with these names.
    pub async fn teams(
        &self,
        connection: &Connection,
        names: &BTreeSet<String>,
    ) -> Result<HashMap<String, String>, Failure> {
        self.ids(connection, TEAMS, &json!(names)).await
    }

    /// Ids of these players. `is_public`: everybody may read the names.
    pub async fn athletes(
        &self,
        connection: &Connection,
        people: &BTreeMap<String, Person>,
        is_public: bool,
    ) -> Result<HashMap<String, String>, Failure> {
        let rows: Vec<Value> = people
            .iter()
            .map(|(key, person)| {
                let name = Some(held(&person.name, MAX_NAME)).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| key.clone());
                let initial = name.chars().next().map(|first| first.to_uppercase().take(2).collect::<String>());
                json!({
                    "key": key, "name": name, "initial": initial.unwrap_or_default(), "bats": person.bats,
                    "throws": person.throws, "is_public": is_public,
                })
            })
            .collect();
        let mut all = HashMap::with_capacity(rows.len());
        for (chunk, rows) in rows.chunks(CHUNK).enumerate() {
            bar("players", chunk * CHUNK, people.len());
            all.extend(self.ids(connection, ATHLETES, &json!(rows)).await?);
        }
        Ok(all)
    }

    async fn ids(
        &self,
        connection: &Connection,
        sql: &'static str,
        wanted: &Value,
    ) -> Result<HashMap<String, String>, Failure> {
        let rows = connection.query(sql, &[&self.id, wanted]).await.map_err(Failure::new)?;
        let pair =
            |row: pg::pool::Row| Ok((row.try_get(0).map_err(Failure::new)?, row.try_get(1).map_err(Failure::new)?));
        rows.into_iter().map(pair).collect()
    }
}

/// Shows how far the import is.
pub fn bar(what: &str, done: usize, all: usize) {
    const WIDTH: usize = 24;
    let filled = (done * WIDTH).checked_div(all).unwrap_or(WIDTH).min(WIDTH);
    let bar: String = "█".repeat(filled) + &"░".repeat(WIDTH - filled);
    crate::progress::show(&format!("{bar} {done} of {all} {what}"));
}
