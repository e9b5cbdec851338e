//! The lines of one game.

use std::collections::BTreeMap;

use super::field::{Field, Place};
use super::{Batting, Fielding, Line, Pitching, count, pitch_counts};
use crate::model::{Game, PlayerId, Position, Record, Side};
use crate::notation::Basic;
use crate::replay::{Outcome, Replay};
use crate::rules::{self, RunJudgement, Stint};

/// The source of wins, losses and saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decisions {
    /// The file's `wp`, `lp` and `save`; the engine's if the file has none.
    Official,
    /// The engine's rules.
    Computed,
}

/// The source of earned runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarnedRuns {
    /// The file's: its plays' remarks `(UR)` and `(TUR)` if it has any, else its `data,er` lines; the engine's if it has
    /// neither. Where the two contradict each other, the plays decide, because they can be opened.
    Official,
    /// The plays.
    Computed,
}

/// The lines of one player in a game, or in many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLines {
    /// Batting and running.
    pub batting: Line<Batting>,
    /// Pitching, if the player pitched.
    pub pitching: Option<Line<Pitching>>,
    /// Fielding by position, 1 to 9.
    pub fielding: BTreeMap<u8, Line<Fielding>>,
}

/// The lines of all players of a game, by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLines {
    /// Visitors and home team.
    pub sides: [BTreeMap<PlayerId, PlayerLines>; 2],
}

/// Counts a replayed game.
#[must_use]
pub fn game_lines(game: &Game, replay: &Replay, earned_runs: EarnedRuns, decided: Decisions) -> GameLines {
    let mut lines = GameLines::default();
    let stints = rules::stints(&replay.outcomes);
    let runs = rules::judge_runs(game, &replay.outcomes);
    let pitchers = lines.appearances(game);
    for outcome in &replay.outcomes {
        let Some(Record::Play(play)) = game.records.get(outcome.record) else { continue };
        let [batting, fielding] = [outcome.batting(), outcome.batting().other()];
        count::batting(outcome, play, &mut |player, counter, amount| {
            lines.of(batting, player).batting.add(counter, amount);
        });
        count::pitching(outcome, play, &mut |player, counter, amount| {
            lines.pitching(fielding, player).add(counter, amount);
        });
        count::fielding(outcome, play, &mut |player, position, counter, amount| {
            lines.of(fielding, player).fielding.entry(position).or_default().add(counter, amount);
        });
    }
    for thrown in pitch_counts(game) {
        let line = lines.pitching(thrown.side, &thrown.pitcher);
        thrown.counts().into_iter().for_each(|(counter, amount)| line.add(counter, amount));
    }
    lines.earned_runs(game, &replay.outcomes, &runs, earned_runs);
    lines.pitchers_games(replay, &stints, &pitchers);
    lines.decisions(game, replay, &runs, decided);
    lines
}

/// A start of six innings with at most three earned runs.
pub(super) fn is_quality_start(outs: u32, earned_runs: u32) -> bool {
    outs >= 18 && earned_runs <= 3
}

impl GameLines {
    /// The players of a side who have a pitching line, in the order in which they came in. Some face no batter to the end:
    /// they threw a few pitches, or a runner whom they left on base scored.
    #[must_use]
    pub fn pitchers<'l>(&'l self, game: &'l Game, side: Side) -> Vec<&'l PlayerId> {
        let own = &self.sides[side.index()];
        let came_in = game.appearances().filter(|who| who.side == side && who.position == Position::Pitcher);
        let mut pitchers: Vec<&PlayerId> = Vec::new();
        // A `presadj` line can charge a run to somebody who never pitched.
        for player in came_in.map(|who| &who.player).chain(own.keys()) {
            if own.get(player).is_some_and(|lines| lines.pitching.is_some()) && !pitchers.contains(&player) {
                pitchers.push(player);
            }
        }
        pitchers
    }

    fn of(&mut self, side: Side, player: &PlayerId) -> &mut PlayerLines {
        let side = &mut self.sides[side.index()];
        if !side.contains_key(player) {
            side.insert(player.clone(), PlayerLines::default());
        }
        side.entry(player.clone()).or_default()
    }

    fn pitching(&mut self, side: Side, player: &PlayerId) -> &mut Line<Pitching> {
        self.of(side, player).pitching.get_or_insert_with(Line::default)
    }

    /// Counts games; returns the pitchers of both sides, in order.
    fn appearances(&mut self, game: &Game) -> [Vec<PlayerId>; 2] {
        let mut fields = [Field::default(), Field::default()];
        let mut pitchers = [Vec::new(), Vec::new()];
        for record in &game.records {
            match record {
                Record::Start(who) | Record::Sub(who) => {
                    let lines = self.of(who.side, &who.player);
                    lines.batting.set(Batting::Games, 1);
                    if matches!(record, Record::Start(_)) && who.position.fields() {
                        lines.fielding.entry(who.position.number()).or_default().set(Fielding::Starts, 1);
                    }
                    fields[who.side.index()].enter(who);
                }
                Record::Play(play) if play.event.basic != Basic::NoPlay || play.pitches.fresh().next().is_some() => {
                    let side = play.side.other();
                    for place in &mut fields[side.index()].newcomers() {
                        self.fields(side, place);
                        if place.position == Position::Pitcher.number()
                            && !pitchers[side.index()].contains(&place.player)
                        {
                            pitchers[side.index()].push(place.player.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        pitchers
    }

    fn fields(&mut self, side: Side, place: &Place) {
        self.of(side, &place.player).fielding.entry(place.position).or_default().set(Fielding::Games, 1);
        if place.position == Position::Pitcher.number() {
            self.pitching(side, &place.player).set(Pitching::Games, 1);
        }
    }

    fn pitchers_games(&mut self, replay: &Replay, stints: &[Stint], pitchers: &[Vec<PlayerId>; 2]) {
        for side in Side::BOTH {
            // A starter who leaves during the first turn at bat has no stint.
            if let Some(starter) = pitchers[side.index()].first() {
                self.pitching(side, starter).set(Pitching::Starts, 1);
            }
            let own: Vec<&Stint> = stints.iter().filter(|stint| stint.side == side).collect();
            for stint in own {
                let inherited_scored = stint.inherited_scored(&replay.outcomes).count();
                let alone = pitchers[side.index()].len() == 1;
                let line = self.pitching(side, &stint.pitcher);
                line.add(Pitching::Inherited, u32::try_from(stint.inherited.len()).unwrap_or(0));
                line.add(Pitching::InheritedScored, u32::try_from(inherited_scored).unwrap_or(0));
                if line.get(Pitching::Starts) == 1 {
                    line.set(Pitching::CompleteGames, u32::from(alone));
                    line.set(Pitching::Shutouts, u32::from(alone && line.get(Pitching::Runs) == 0));
                    // All of the starter's outs: where re-entry is allowed, there can be two stints.
                    let quality = is_quality_start(line.get(Pitching::Outs), line.get(Pitching::EarnedRuns));
                    line.set(Pitching::QualityStarts, u32::from(quality));
                }
            }
        }
    }

    fn earned_runs(&mut self, game: &Game, outcomes: &[Outcome], runs: &[RunJudgement], source: EarnedRuns) {
        let official: Vec<(PlayerId, u16)> = game.official_earned_runs().collect();
        if source == EarnedRuns::Official && !official.is_empty() && !rules::has_remarks(outcomes) {
            for (pitcher, runs) in official {
                for side in Side::BOTH {
                    if let Some(line) =
                        self.sides[side.index()].get_mut(&pitcher).and_then(|lines| lines.pitching.as_mut())
                    {
                        line.set(Pitching::EarnedRuns, u32::from(runs));
                    }
                }
            }
            return;
        }
        for run in runs.iter().filter(|run| run.earned) {
            let side = outcomes[run.outcome].batting().other();
            self.pitching(side, &run.pitcher).add(Pitching::EarnedRuns, 1);
        }
    }

    fn decisions(&mut self, game: &Game, replay: &Replay, runs: &[RunJudgement], source: Decisions) {
        let computed = rules::decisions(game, replay, runs);
        let mut give = |player: Option<PlayerId>, counter: Pitching| {
            let Some(player) = player else { return };
            for side in &mut self.sides {
                if let Some(line) = side.get_mut(&player).and_then(|lines| lines.pitching.as_mut()) {
                    line.add(counter, 1);
                }
            }
        };
        for pitcher in computed.holds {
            give(Some(pitcher), Pitching::Holds);
        }
        for pitcher in computed.blown_saves {
            give(Some(pitcher), Pitching::BlownSaves);
        }
        let of = |decision: Option<rules::Decision>| decision.map(|decision| decision.pitcher);
        let official = source == Decisions::Official && (game.info("wp").is_some() || game.info("lp").is_some());
        let named = |key: &str| game.info(key).filter(|player| !player.is_empty()).map(PlayerId::new);
        let [win, loss, save] = if official {
            [named("wp"), named("lp"), named("save")]
        } else {
            [of(computed.win), of(computed.loss), of(computed.save)]
        };
        give(win, Pitching::Wins);
        give(loss, Pitching::Losses);
        give(save, Pitching::Saves);
    }
}
