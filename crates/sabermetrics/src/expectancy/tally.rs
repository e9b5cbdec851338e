//! Counting what followed each situation.

use super::extra_bases::{Attempt, attempts, average};
use super::transitions::Transitions;
use super::{ExpectancyTable, LinearWeights, RunMatrix, RunValues, Situation};
use crate::model::{Game, Record, Side};
use crate::notation::RunningKind;
use crate::replay::Outcome;
use crate::scoring::BattingResult;
use crate::stats::{Batting, Line};

/// Maximum number of runs that are distinguished; more count as this many.
pub(super) const MAX_RUNS: usize = 15;

/// Counts what followed each situation until the half-inning ended.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By situation, side at bat (visitors first) and runs until the end.
    pub(super) runs: Vec<[[u32; MAX_RUNS + 1]; 2]>,
    /// Plays of each kind, for run values.
    events: Vec<Event>,
    /// Extra bases, taken or not.
    extra_bases: Vec<Attempt>,
    /// The batting of all players.
    batting: Line<Batting>,
}

/// One play: its kind, the situations before and after (`None` if the half-inning is over), and its runs.
#[derive(Clone, Copy, Debug)]
struct Event {
    kind: Kind,
    before: Situation,
    after: Option<Situation>,
    runs: u8,
}

/// The kind of a play for linear weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Walk,
    HitByPitch,
    Single,
    Double,
    Triple,
    HomeRun,
    OnError,
    Out,
    Steal,
    Caught,
    Other,
}

impl Tally {
    /// Counts a game. Half-innings that ended before the third out are left out, because what would have followed is
    /// unknown.
    pub fn add(&mut self, game: &Game, outcomes: &[Outcome]) {
        self.runs.resize(Situation::COUNT, [[0; MAX_RUNS + 1]; 2]);
        for half in outcomes.chunk_by(|one, next| one.half == next.half) {
            let complete = half.last().is_some_and(|last| last.outs_after() == 3);
            let mut to_come: usize = half.iter().map(|outcome| usize::from(outcome.run_count())).sum();
            for outcome in half {
                let Some(before) = Situation::before(outcome) else { continue };
                let runs = u8::try_from(outcome.run_count()).unwrap_or(u8::MAX);
                if complete {
                    self.runs[before.index()][Side::index(outcome.batting())][to_come.min(MAX_RUNS)] += 1;
                }
                self.extra_bases.extend(attempts(outcome));
                let after = Situation::after(outcome);
                self.events.push(Event { kind: kind(outcome, game), before, after, runs });
                to_come = to_come.saturating_sub(usize::from(runs));
            }
        }
    }

    /// Adds a batting line, for the league's OBP.
    pub fn add_batting(&mut self, line: &Line<Batting>) {
        self.batting += line;
    }

    /// The tables.
    #[must_use]
    pub fn table(&self, source: &str) -> ExpectancyTable {
        ExpectancyTable::new(self, source)
    }

    pub(super) fn transitions(&self) -> Transitions {
        let mut all = Transitions::default();
        for event in &self.events {
            all.add(event.before, event.after, event.runs);
        }
        all
    }

    /// The batting of all players.
    pub(super) fn batting(&self) -> &Line<Batting> {
        &self.batting
    }

    /// Average change of run expectancy by kind of play. The matrix is usually that of [`ExpectancyTable::matrix`]; one
    /// of several seasons is more stable.
    #[must_use]
    pub fn run_values(&self, matrix: &RunMatrix) -> RunValues {
        let value = |wanted: Kind| {
            let (mut sum, mut count) = (0.0, 0_u32);
            for event in self.events.iter().filter(|event| event.kind == wanted) {
                let after = event.after.map_or(Some(0.0), |after| matrix.runs(after));
                sum += after? - matrix.runs(event.before)? + f64::from(event.runs);
                count += 1;
            }
            (count > 0).then(|| sum / f64::from(count))
        };
        RunValues {
            walk: value(Kind::Walk),
            hit_by_pitch: value(Kind::HitByPitch),
            single: value(Kind::Single),
            double: value(Kind::Double),
            triple: value(Kind::Triple),
            home_run: value(Kind::HomeRun),
            on_error: value(Kind::OnError),
            out: value(Kind::Out),
            stolen_base: value(Kind::Steal),
            caught_stealing: value(Kind::Caught),
            extra_base: average(self.extra_bases.iter().filter(|attempt| !attempt.is_out), matrix),
            extra_base_out: average(self.extra_bases.iter().filter(|attempt| attempt.is_out), matrix),
        }
    }

    /// The weights of wOBA; `None` if a kind of play is missing.
    #[must_use]
    pub fn linear_weights(&self, matrix: &RunMatrix) -> Option<LinearWeights> {
        LinearWeights::new(&self.run_values(matrix), &self.batting)
    }
}

fn kind(outcome: &Outcome, game: &Game) -> Kind {
    match outcome.turn.map(|turn| turn.result) {
        Some(BattingResult::Walk) => Kind::Walk,
        Some(BattingResult::HitByPitch) => Kind::HitByPitch,
        Some(BattingResult::Single) => Kind::Single,
        Some(BattingResult::Double) => Kind::Double,
        Some(BattingResult::Triple) => Kind::Triple,
        Some(BattingResult::HomeRun) => Kind::HomeRun,
        Some(BattingResult::ReachedOnError) => Kind::OnError,
        Some(BattingResult::Out | BattingResult::Strikeout | BattingResult::FieldersChoice) => Kind::Out,
        Some(BattingResult::IntentionalWalk | BattingResult::Interference) => Kind::Other,
        None => match game.records.get(outcome.record) {
            Some(Record::Play(play)) => match play.event.running.first().map(|running| &running.kind) {
                Some(RunningKind::Stolen(_)) => Kind::Steal,
                Some(RunningKind::Caught(_) | RunningKind::PickedOffStealing(_)) => Kind::Caught,
                _ => Kind::Other,
            },
            _ => Kind::Other,
        },
    }
}
