//! The constants of a league and season, which formulas refer to by name.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::linear_weights::FULL_SAMPLE;
use super::{LinearWeights, RunMatrix, TableError, Tally};
use crate::stats::{Batting, Line, Pitching};

/// The constants of a league and season.
#[derive(Clone, Debug, PartialEq)]
pub struct LeagueConstants {
    /// The games behind them.
    pub source: String,
    /// Number of plate appearances behind them.
    pub plate_appearances: u32,
    /// By name, as in formulas: `wBB`, `lgOBP`, `cFIP`, …
    values: BTreeMap<&'static str, f64>,
}

/// The names that formulas use, and what they mean.
pub const CONSTANTS: &[(&str, &str)] = &[
    ("wBB", "Weight of a walk in wOBA, intentional ones excepted"),
    ("wHBP", "Weight of a hit by pitch"),
    ("w1B", "Weight of a single"),
    ("w2B", "Weight of a double"),
    ("w3B", "Weight of a triple"),
    ("wHR", "Weight of a home run"),
    ("wScale", "What the weights were multiplied with so that the league's wOBA equals its OBP"),
    ("lgwOBA", "The league's wOBA"),
    ("lgOBP", "The league's on-base percentage"),
    ("lgSLG", "The league's slugging percentage"),
    ("lgRPA", "The league's runs per plate appearance"),
    ("lgwRCPA", "The league's runs created per plate appearance"),
    ("lgERA", "The league's earned run average"),
    ("cFIP", "What makes the league's FIP equal its earned run average"),
    ("runSB", "Runs of a stolen base"),
    ("runCS", "Runs of a caught stealing"),
    ("lgwSB", "The league's runs by stealing per time on first base"),
    ("runXB", "Runs of an extra base taken on a team-mate's hit"),
    ("runXBX", "Runs of being put out when trying for it"),
    ("lgXB", "The league's runs per chance to take an extra base"),
    ("RegInn", "Innings of a full game"),
];

/// The constants that ship with this crate.
const SHIPPED: &str = include_str!("../../data/constants.csv");

/// The constants that ship with this crate, for leagues without plays of their own; their `source` names the games.
///
/// # Errors
/// None in practice: a test parses them.
pub fn shipped_constants() -> Result<LeagueConstants, TableError> {
    LeagueConstants::parse(SHIPPED)
}

impl LeagueConstants {
    /// The constants of the games in a tally. `pitching` is the sum of all pitchers, `innings` the length
    /// of a game. `None` if a kind of play or the runs of stealing are missing: a small league takes the constants of the
    /// level above, see [`LeagueConstants::blended`].
    #[must_use]
    pub fn new(
        tally: &Tally,
        matrix: &RunMatrix,
        pitching: &Line<Pitching>,
        innings: u8,
        source: &str,
    ) -> Option<Self> {
        let weights = tally.linear_weights(matrix)?;
        let runs = tally.run_values(matrix);
        let batting = tally.batting();
        let bat = |counter| f64::from(batting.get(counter));
        let pitch = |counter| f64::from(pitching.get(counter));
        let turns = bat(Batting::PlateAppearances);
        let on_base = bat(Batting::Hits) + bat(Batting::Walks) + bat(Batting::HitByPitch);
        let chances =
            bat(Batting::AtBats) + bat(Batting::Walks) + bat(Batting::HitByPitch) + bat(Batting::SacrificeFlies);
        let singles = bat(Batting::Hits) - bat(Batting::Doubles) - bat(Batting::Triples) - bat(Batting::HomeRuns);
        let bases = singles + 2.0 * bat(Batting::Doubles) + 3.0 * bat(Batting::Triples) + 4.0 * bat(Batting::HomeRuns);
        let on_first = singles + bat(Batting::Walks) + bat(Batting::HitByPitch) - bat(Batting::IntentionalWalks);
        let [steal, caught] = [runs.stolen_base?, runs.caught_stealing?];
        // The value of what nobody did does not matter.
        let unless_none = |counter, value: Option<f64>| if batting.get(counter) == 0 { Some(0.0) } else { value };
        let extra = unless_none(Batting::ExtraBases, runs.extra_base)?;
        let extra_out = unless_none(Batting::ExtraBaseOuts, runs.extra_base_out)?;
        let extra_chances = bat(Batting::ExtraBaseChances).max(1.0);
        let outs = pitch(Pitching::Outs);
        let era = f64::from(innings) * 3.0 * pitch(Pitching::EarnedRuns) / outs;
        let independent = 13.0 * pitch(Pitching::HomeRuns)
            + 3.0 * (pitch(Pitching::Walks) + pitch(Pitching::HitByPitch))
            - 2.0 * pitch(Pitching::Strikeouts);
        let values = [
            ("wBB", weights.walk),
            ("wHBP", weights.hit_by_pitch),
            ("w1B", weights.single),
            ("w2B", weights.double),
            ("w3B", weights.triple),
            ("wHR", weights.home_run),
            ("wScale", weights.scale),
            ("lgwOBA", weights.woba(batting)?),
            ("lgOBP", on_base / chances),
            ("lgSLG", bases / bat(Batting::AtBats)),
            ("lgRPA", bat(Batting::Runs) / turns),
            // The league is average: its runs created are its runs.
            ("lgwRCPA", bat(Batting::Runs) / turns),
            ("lgERA", era),
            ("cFIP", era - 3.0 * independent / outs),
            ("runSB", steal),
            ("runCS", caught),
            ("lgwSB", (bat(Batting::StolenBases) * steal + bat(Batting::CaughtStealing) * caught) / on_first),
            ("runXB", extra),
            ("runXBX", extra_out),
            ("lgXB", (bat(Batting::ExtraBases) * extra + bat(Batting::ExtraBaseOuts) * extra_out) / extra_chances),
            ("RegInn", f64::from(innings)),
        ];
        let all = values.iter().all(|(_, value)| value.is_finite());
        all.then(|| LeagueConstants {
            source: source.replace('\n', " "),
            plate_appearances: batting.get(Batting::PlateAppearances),
            values: values.into_iter().collect(),
        })
    }

    /// The constant of this name. `PF`, the factor of a player's park, is no constant of the league.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// What a formula asks for, with the park factor of the player's team ([`ParkFactor::season`](super::ParkFactor)); 1 for
    /// a neutral park.
    pub fn with_park(&self, factor: f64) -> impl Fn(&str) -> Option<f64> + '_ {
        move |name| if name == "PF" { Some(factor) } else { self.get(name) }
    }

    /// The weights of wOBA.
    #[must_use]
    pub fn weights(&self) -> Option<LinearWeights> {
        Some(LinearWeights {
            walk: self.get("wBB")?,
            hit_by_pitch: self.get("wHBP")?,
            single: self.get("w1B")?,
            double: self.get("w2B")?,
            triple: self.get("w3B")?,
            home_run: self.get("wHR")?,
            scale: self.get("wScale")?,
            plate_appearances: self.plate_appearances,
        })
    }

    /// The constants of a league with few plate appearances, blended with those of the level above: a league of 500 counts
    /// for a quarter (see [`FULL_SAMPLE`]). The length of a game is always the league's own; what the level above has per
    /// game (`lgERA`, and `cFIP` with it) is converted to that length.
    #[must_use]
    pub fn blended(&self, parent: &LeagueConstants) -> LeagueConstants {
        let own = (f64::from(self.plate_appearances) / f64::from(FULL_SAMPLE)).min(1.0);
        let mix = |(name, mine): (&&'static str, &f64)| {
            let theirs = parent.per_game_of(self, name).unwrap_or(*mine);
            (*name, own * mine + (1.0 - own) * theirs)
        };
        LeagueConstants { values: self.values.iter().map(mix).collect(), ..self.clone() }
    }

    /// The constant for games as long as those of `league`; `None` for that length itself. FIP is per inning but for
    /// `cFIP`, which lifts it to the earned run average per game.
    fn per_game_of(&self, league: &LeagueConstants, name: &str) -> Option<f64> {
        let value = self.get(name)?;
        let longer = || Some(league.get("RegInn")? / self.get("RegInn")?);
        match name {
            "RegInn" => None,
            "lgERA" => Some(value * longer()?),
            "cFIP" => Some(value + self.get("lgERA")? * (longer()? - 1.0)),
            _ => Some(value),
        }
    }

    /// The text form: the source, the number of plate appearances, then a name and a value per line.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = format!("# {}\nPA,{}\n", self.source, self.plate_appearances);
        for (name, _) in CONSTANTS {
            if let Some(value) = self.get(name) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{name},{value:.6}");
            }
        }
        text
    }

    /// Parses the text form.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let wrong = |line, problem| TableError { line, problem };
        let mut lines = text.lines();
        let source = lines.next().and_then(|line| line.strip_prefix("# "));
        let source = source.ok_or(wrong(1, "“# ” and the source is missing"))?.to_owned();
        let turns = lines.next().and_then(|line| line.strip_prefix("PA,")?.parse().ok());
        let plate_appearances = turns.ok_or(wrong(2, "the number of plate appearances is missing"))?;
        let mut values = BTreeMap::new();
        for ((name, _), line) in CONSTANTS.iter().zip(3..) {
            let row = lines.next().and_then(|row| row.strip_prefix(name)?.strip_prefix(','));
            let value = row.and_then(|value| value.parse().ok()).filter(|value: &f64| value.is_finite());
            values.insert(*name, value.ok_or(wrong(line, "the next constant and its value are expected"))?);
        }
        Ok(LeagueConstants { source, plate_appearances, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> LeagueConstants {
        shipped_constants().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_shipped_constants_are_those_of_2016() {
        let constants = shipped();
        assert!(constants.source.contains("2016") && constants.source.contains("Retrosheet"));
        assert_eq!(LeagueConstants::parse(&constants.to_csv()), Ok(constants.clone()));
        // Published by FanGraphs (cFIP 3.147) and Baseball-Reference. Published weights of wOBA come from other tables of run
        // expectancy, so these agree roughly.
        for (name, published, within) in [
            ("cFIP", 3.147, 0.002),
            ("lgRPA", 0.118, 0.0005),
            ("lgOBP", 0.322, 0.0005),
            ("lgSLG", 0.417, 0.0005),
            ("lgERA", 4.18, 0.011),
            ("wBB", 0.691, 0.01),
            ("wHBP", 0.721, 0.01),
            ("w1B", 0.878, 0.01),
            ("w2B", 1.242, 0.02),
            ("w3B", 1.569, 0.04),
            ("wHR", 2.015, 0.05),
            ("runSB", 0.2, 0.03),
            ("runCS", -0.41, 0.03),
        ] {
            let value = constants.get(name).unwrap_or(f64::NAN);
            assert!((value - published).abs() <= within, "{name}: {value}, published {published}");
        }
    }

    #[test]
    fn a_small_league_is_blended_but_keeps_its_innings() {
        let parent = shipped();
        let mut own = parent.clone();
        own.plate_appearances = 500;
        own.values.insert("lgERA", 8.0);
        own.values.insert("RegInn", 7.0);
        let blended = own.blended(&parent);
        let of = |constants: &LeagueConstants, name: &str| constants.get(name).unwrap_or(f64::NAN);
        // Earned runs per seven innings, and the difference between them and FIP is the level's above.
        let era = of(&parent, "lgERA") * 7.0 / 9.0;
        assert!((of(&blended, "lgERA") - (0.25 * 8.0 + 0.75 * era)).abs() < 1e-12, "{blended:?}");
        let independent = of(&parent, "lgERA") - of(&parent, "cFIP");
        let expected = 0.25 * of(&own, "cFIP") + 0.75 * (era - independent);
        assert!((of(&blended, "cFIP") - expected).abs() < 1e-12, "{blended:?}");
        assert_eq!(blended.get("lgOBP"), parent.get("lgOBP"));
        assert_eq!(blended.get("RegInn"), Some(7.0));
        own.plate_appearances = FULL_SAMPLE;
        assert_eq!(own.blended(&parent).get("lgERA"), Some(8.0));
        assert_eq!(own.with_park(1.1)("PF"), Some(1.1));
        assert_eq!(own.get("PF"), None);
    }
}
