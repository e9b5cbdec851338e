//! Reconstructs a half-inning without errors, interference and passed balls. The pitcher gets the benefit of the doubt
//! about what runners would have reached.

use crate::model::{Base, Origin, PlayerId};
use crate::notation::{Basic, Event, RunningKind};
use crate::replay::{Half, Outcome, RunnerId, RunnerMove};
use crate::scoring::{BattingResult, Reached};

/// The inning without errors, play by play.
pub(super) struct Reconstruction {
    half: Half,
    /// Outs of the team in the reconstruction.
    team_outs: u8,
    /// The current pitcher, and the outs if errors before he entered did not count.
    pitcher: Option<(PlayerId, u8)>,
    /// Where each runner would be: 1 to 3; `None` if not on base.
    runners: Vec<(RunnerId, Option<u8>)>,
    /// A foul fly was dropped: the batter should be out.
    batter_spared: bool,
}

impl Reconstruction {
    pub(super) fn new(half: Half) -> Self {
        Reconstruction { half, team_outs: 0, pitcher: None, runners: Vec::new(), batter_spared: false }
    }

    pub(super) fn half(&self) -> Half {
        self.half
    }

    /// Adds one play; returns pitcher, earned and team-earned for every run, in order.
    pub(super) fn play(&mut self, outcome: &Outcome, event: &Event) -> Vec<(PlayerId, bool, bool)> {
        let entering = outcome.outs_before;
        if self.pitcher.as_ref().is_none_or(|(pitcher, _)| *pitcher != outcome.pitcher) {
            self.pitcher = Some((outcome.pitcher.clone(), entering));
        }
        let over_for_team = self.team_outs >= 3;
        let over_for_pitcher = self.pitcher.as_ref().is_some_and(|(_, outs)| *outs >= 3);
        let mut runs = Vec::new();
        let mut after = Vec::new();
        // A runner cannot pass the one ahead.
        for one in &outcome.moves {
            let base = self.would_reach(one, outcome, event);
            if one.scored() {
                let home = base.is_some_and(|base| base >= 4);
                let own = one.runner.pitcher == outcome.pitcher;
                let over = if own { over_for_pitcher } else { over_for_team };
                runs.push((one.runner.pitcher.clone(), home && !over, home && !over_for_team));
            }
            let stays = matches!(one.reached, Reached::Safe(base) if base != Base::Home);
            after.push((one.runner.id, base.filter(|_| stays).map(|base| base.min(3)), stays));
        }
        for (id, base, stays) in after {
            self.runners.retain(|(runner, _)| *runner != id);
            if stays {
                self.runners.push((id, base));
            }
        }
        self.count_outs(outcome, event);
        if let Basic::FoulFlyError(_) = event.basic {
            self.batter_spared = true;
        } else if outcome.turn.is_some() {
            self.batter_spared = false;
        }
        runs
    }

    /// Counts the outs made, and the outs that errors prevented.
    fn count_outs(&mut self, outcome: &Outcome, event: &Event) {
        let mut outs = outcome.outs.saturating_add(missed_outs(outcome, event));
        if self.batter_spared && outcome.turn.is_some() {
            let batter_out = outcome.moves.iter().any(|one| one.from == Origin::Plate && one.is_out());
            outs += u8::from(!batter_out);
        }
        self.team_outs = self.team_outs.saturating_add(outs);
        if let Some((_, own)) = &mut self.pitcher {
            *own = own.saturating_add(outs);
        }
    }

    fn place_of(&self, one: &RunnerMove) -> Option<u8> {
        if one.runner.placed {
            return None;
        }
        match self.runners.iter().find(|(id, _)| *id == one.runner.id) {
            Some((_, base)) => *base,
            None => u8::try_from(one.from.index()).ok(),
        }
    }

    /// The base that this runner would reach in the play: 4 for home, `None` for a runner who would be out.
    fn would_reach(&self, one: &RunnerMove, outcome: &Outcome, event: &Event) -> Option<u8> {
        if one.from == Origin::Plate {
            return self.batter_would_reach(one, outcome, event);
        }
        let start = self.place_of(one)?;
        let Reached::Safe(base) = one.reached else { return None };
        let actual = base.number().saturating_sub(u8::try_from(one.from.index()).unwrap_or(0));
        let result = outcome.turn.map(|turn| turn.result);
        let errorless = match result {
            Some(BattingResult::HomeRun | BattingResult::Triple) => 4,
            Some(BattingResult::Double) => start + actual.max(2),
            Some(BattingResult::Single) => start + actual.max(1),
            Some(BattingResult::Walk | BattingResult::IntentionalWalk | BattingResult::HitByPitch)
                if !event.running.is_empty() || self.is_forced(start, outcome) =>
            {
                start + actual
            }
            Some(BattingResult::Walk | BattingResult::IntentionalWalk | BattingResult::HitByPitch) => start,
            Some(BattingResult::Interference) => start,
            Some(BattingResult::ReachedOnError) if one.from != Origin::Third => start + actual.min(1),
            _ => start + actual,
        };
        let on_error = one.on_error || event.got_away(&RunningKind::PassedBall);
        Some(if on_error { self.without_error(one, start, result) } else { errorless }.min(4))
    }

    /// The part of an advance with an error that the hit alone allows.
    fn without_error(&self, one: &RunnerMove, start: u8, result: Option<BattingResult>) -> u8 {
        let from = u8::try_from(one.from.index()).unwrap_or(0);
        let scored_anyway = one.batted_in && start == from;
        match result {
            _ if scored_anyway => 4,
            Some(result) if result.is_hit() => start + result.bases(),
            _ => start,
        }
    }

    /// True if every base behind this one would be occupied.
    fn is_forced(&self, base: u8, outcome: &Outcome) -> bool {
        (1..base).all(|behind| {
            outcome.bases_before.iter().enumerate().filter_map(|(at, runner)| Some((at, runner.as_ref()?))).any(
                |(at, runner)| {
                    let found = self.runners.iter().find(|(id, _)| *id == runner.id);
                    let place = found.map_or_else(|| u8::try_from(at + 1).ok(), |(_, place)| *place);
                    place == Some(behind)
                },
            )
        })
    }

    fn batter_would_reach(&self, one: &RunnerMove, outcome: &Outcome, event: &Event) -> Option<u8> {
        let Reached::Safe(base) = one.reached else { return None };
        if self.batter_spared {
            return None;
        }
        let result = outcome.turn.map(|turn| turn.result)?;
        match result {
            BattingResult::ReachedOnError | BattingResult::Interference => None,
            BattingResult::Strikeout if event.got_away(&RunningKind::WildPitch) => Some(base.number()),
            BattingResult::Strikeout => None,
            // The fielder chose a runner who would not have been there: the batter would be out instead.
            BattingResult::Out | BattingResult::FieldersChoice if self.phantom_was_out(outcome) => None,
            _ if result.is_hit() && one.on_error => Some(result.bases()),
            _ => Some(base.number()),
        }
    }

    fn phantom_was_out(&self, outcome: &Outcome) -> bool {
        outcome.moves.iter().any(|one| one.from != Origin::Plate && one.is_out() && self.place_of(one).is_none())
    }
}

/// The outs that errors of this play prevented.
fn missed_outs(outcome: &Outcome, event: &Event) -> u8 {
    let batter = match outcome.turn.map(|turn| turn.result) {
        Some(BattingResult::ReachedOnError) => 1,
        Some(BattingResult::Strikeout) if !event.got_away(&RunningKind::WildPitch) => {
            let safe = |one: &RunnerMove| one.from == Origin::Plate && !one.is_out();
            usize::from(outcome.moves.iter().any(safe))
        }
        _ => 0,
    };
    let negated = event.advances.iter().filter(|advance| advance.arrival == crate::notation::Arrival::Out);
    let negated = negated.filter(|advance| !advance.puts_out() && advance.from != Origin::Plate).count();
    let caught = event.running.iter().filter(|running| {
        let tried = matches!(running.kind, RunningKind::Caught(_) | RunningKind::PickedOffStealing(_));
        tried && !running.puts_out()
    });
    u8::try_from(batter + negated + caught.count()).unwrap_or(u8::MAX - 1)
}
