//! A whole game.

use smol_str::SmolStr;

use super::{Appearance, GameId, PlayerId, Record, Side, TeamId};

/// A game as its records describe it. Everything else is computed from these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The game's id.
    pub id: GameId,
    /// The records after the `id` line, in order.
    pub records: Vec<Record>,
}

impl Game {
    /// The value of an `info` record. The last one counts, because scorers correct by adding.
    #[must_use]
    pub fn info(&self, wanted: &str) -> Option<&str> {
        self.records.iter().rev().find_map(|record| match record {
            Record::Info { key, value } if key == wanted => Some(value.as_str()),
            _ => None,
        })
    }

    /// The team on this side.
    #[must_use]
    pub fn team(&self, side: Side) -> Option<TeamId> {
        let key = match side {
            Side::Visitor => "visteam",
            Side::Home => "hometeam",
        };
        self.info(key).map(TeamId::new)
    }

    /// The date as `2016/04/04`.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.info("date")
    }

    /// The season: the year of the date, or of the id.
    #[must_use]
    pub fn season(&self) -> Option<u16> {
        self.date().and_then(|date| date.get(..4)?.parse().ok()).or_else(|| self.id.year())
    }

    /// The team whose half-inning comes first: the visitors, unless `htbf` says otherwise.
    #[must_use]
    pub fn bats_first(&self) -> Side {
        if self.info("htbf") == Some("true") { Side::Home } else { Side::Visitor }
    }

    /// All players who appear, in order, starters first.
    pub fn appearances(&self) -> impl Iterator<Item = &Appearance> {
        self.records.iter().filter_map(|record| match record {
            Record::Start(who) | Record::Sub(who) => Some(who),
            _ => None,
        })
    }

    /// The name that this game's records give a player.
    #[must_use]
    pub fn name_of(&self, player: &PlayerId) -> Option<&SmolStr> {
        self.appearances().find(|who| &who.player == player).map(|who| &who.name)
    }

    /// Earned runs by the official scorer: `data,er,PLAYER,RUNS`.
    pub fn official_earned_runs(&self) -> impl Iterator<Item = (PlayerId, u16)> {
        self.records.iter().filter_map(|record| match record {
            Record::Data(fields) => match fields.as_slice() {
                [kind, player, runs, ..] if kind == "er" => Some((PlayerId::new(player), runs.parse().ok()?)),
                _ => None,
            },
            _ => None,
        })
    }
}
