//! Run values of events and the weights of wOBA.

use crate::stats::{Batting, Line};

/// Average change of run expectancy, including runs; `None` for kinds that did not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunValues {
    /// Walks, without intentional ones.
    pub walk: Option<f64>,
    /// Hit by pitch.
    pub hit_by_pitch: Option<f64>,
    /// Single.
    pub single: Option<f64>,
    /// Double.
    pub double: Option<f64>,
    /// Triple.
    pub triple: Option<f64>,
    /// Home run.
    pub home_run: Option<f64>,
    /// Safe on an error.
    pub on_error: Option<f64>,
    /// Outs of batters, including fielder's choices.
    pub out: Option<f64>,
    /// Stolen bases.
    pub stolen_base: Option<f64>,
    /// Caught stealing.
    pub caught_stealing: Option<f64>,
    /// An extra base taken on a team-mate's hit, against stopping before it.
    pub extra_base: Option<f64>,
    /// Put out when trying for an extra base, against stopping before it.
    pub extra_base_out: Option<f64>,
}

/// The weights of wOBA: run value above an out, scaled so that the league's wOBA equals its OBP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearWeights {
    /// Walks, without intentional ones.
    pub walk: f64,
    /// Hit by pitch.
    pub hit_by_pitch: f64,
    /// Single.
    pub single: f64,
    /// Double.
    pub double: f64,
    /// Triple.
    pub triple: f64,
    /// Home run.
    pub home_run: f64,
    /// OBP over the unscaled average.
    pub scale: f64,
    /// Number of plate appearances behind the weights.
    pub plate_appearances: u32,
}

/// Number of plate appearances from which a league's own weights are used without blending.
pub const FULL_SAMPLE: u32 = 2_000;

impl LinearWeights {
    pub(super) fn new(values: &RunValues, league: &Line<Batting>) -> Option<Self> {
        let out = values.out?;
        let above = |value: Option<f64>| value.map(|value| value - out);
        let [walk, hit_by_pitch, single] = [above(values.walk)?, above(values.hit_by_pitch)?, above(values.single)?];
        let [double, triple, home_run] = [above(values.double)?, above(values.triple)?, above(values.home_run)?];
        let raw =
            LinearWeights { walk, hit_by_pitch, single, double, triple, home_run, scale: 1.0, plate_appearances: 0 };
        let of = |counter| f64::from(league.get(counter));
        let on_base = of(Batting::Hits) + of(Batting::Walks) + of(Batting::HitByPitch);
        let chances = of(Batting::AtBats) + of(Batting::Walks) + of(Batting::HitByPitch) + of(Batting::SacrificeFlies);
        let scale = (on_base / chances) / raw.woba(league)?;
        let scaled = |value: f64| value * scale;
        Some(LinearWeights {
            walk: scaled(walk),
            hit_by_pitch: scaled(hit_by_pitch),
            single: scaled(single),
            double: scaled(double),
            triple: scaled(triple),
            home_run: scaled(home_run),
            scale,
            plate_appearances: league.get(Batting::PlateAppearances),
        })
    }

    /// Weighted on-base average; `None` without any turn that counts.
    #[must_use]
    pub fn woba(&self, line: &Line<Batting>) -> Option<f64> {
        let of = |counter| f64::from(line.get(counter));
        let unintentional = of(Batting::Walks) - of(Batting::IntentionalWalks);
        let singles = of(Batting::Hits) - of(Batting::Doubles) - of(Batting::Triples) - of(Batting::HomeRuns);
        let chances = of(Batting::AtBats) + unintentional + of(Batting::SacrificeFlies) + of(Batting::HitByPitch);
        let worth = self.walk * unintentional
            + self.hit_by_pitch * of(Batting::HitByPitch)
            + self.single * singles
            + self.double * of(Batting::Doubles)
            + self.triple * of(Batting::Triples)
            + self.home_run * of(Batting::HomeRuns);
        (chances > 0.0).then(|| worth / chances)
    }

    /// The weights of a league with few plate appearances, blended with those of the level above: a league of 500
    /// counts for a quarter (see [`FULL_SAMPLE`]).
    #[must_use]
    pub fn blended(&self, parent: &LinearWeights) -> LinearWeights {
        let own = (f64::from(self.plate_appearances) / f64::from(FULL_SAMPLE)).min(1.0);
        let mix = |mine: f64, theirs: f64| own * mine + (1.0 - own) * theirs;
        LinearWeights {
            walk: mix(self.walk, parent.walk),
            hit_by_pitch: mix(self.hit_by_pitch, parent.hit_by_pitch),
            single: mix(self.single, parent.single),
            double: mix(self.double, parent.double),
            triple: mix(self.triple, parent.triple),
            home_run: mix(self.home_run, parent.home_run),
            scale: mix(self.scale, parent.scale),
            plate_appearances: self.plate_appearances,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(single: f64, plate_appearances: u32) -> LinearWeights {
        LinearWeights {
            walk: 0.7,
            hit_by_pitch: 0.7,
            single,
            double: 1.2,
            triple: 1.6,
            home_run: 2.0,
            scale: 1.2,
            plate_appearances,
        }
    }

    #[test]
    fn a_small_league_is_blended_with_the_level_above() {
        let parent = weights(0.9, 100_000);
        assert_eq!(weights(0.8, 0).blended(&parent).single, 0.9);
        assert!((weights(0.8, 500).blended(&parent).single - 0.875).abs() < 1e-12);
        assert_eq!(weights(0.8, 2_000).blended(&parent).single, 0.8);
        assert_eq!(weights(0.8, 9_000).blended(&parent).single, 0.8);
    }

    #[test]
    fn without_a_turn_there_is_no_woba() {
        assert_eq!(weights(0.9, 1).woba(&Line::default()), None);
    }
}
