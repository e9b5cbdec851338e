//! Replays a game record by record.

use super::charge::shift_charges;
use super::lineup::Place;
use super::{Contradiction, FieldingCredit, Half, Outcome, Problem, RunRemark, Runner, RunnerMove, State, TurnState};
use crate::model::{Adjustment, Appearance, Base, Game, GameRules, Origin, Play, PlayerId, Position, Record, Side};
use crate::notation::{Basic, Flag, Modifier, Running, RunningKind};
use crate::rules;
use crate::scoring::{Movements, Reached, bats_in, credits, movements, turn};

/// A replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The result of each play, in order; lines without a play (`NP`) have none.
    pub outcomes: Vec<Outcome>,
    /// The contradictions, in order. After each, the replay continues with the most plausible reading.
    pub contradictions: Vec<Contradiction>,
    /// The state after the last record.
    pub state: State,
}

/// Replays a game from its first record.
#[must_use]
pub fn replay(game: &Game) -> Replay {
    let mut fold = Fold::new(game);
    for (index, record) in game.records.iter().enumerate() {
        fold.record(index, record);
    }
    Replay { outcomes: fold.outcomes, contradictions: fold.contradictions, state: fold.state }
}

struct Fold {
    rules: GameRules,
    bats_first: Side,
    state: State,
    outcomes: Vec<Outcome>,
    contradictions: Vec<Contradiction>,
    /// Index of the current record.
    at: usize,
    /// True if no turn at bat has begun in this half-inning.
    fresh: bool,
}

impl Fold {
    fn new(game: &Game) -> Self {
        Fold {
            rules: GameRules::of(game),
            bats_first: game.bats_first(),
            state: State::start(game.bats_first()),
            outcomes: Vec::with_capacity(100),
            contradictions: Vec::new(),
            at: 0,
            fresh: true,
        }
    }

    fn record(&mut self, index: usize, record: &Record) {
        self.at = index;
        match record {
            Record::Start(who) => {
                self.state.lineups[who.side.index()].enter(who);
            }
            Record::Sub(who) => self.substitute(who),
            Record::Play(play) => self.play(play),
            Record::Adjust(adjustment) => self.adjust(adjustment),
            Record::Comment(_) if record.ends_half() => self.end_half(),
            Record::Version(_) | Record::Info { .. } | Record::Comment(_) | Record::Data(_) | Record::Other(_) => {}
        }
    }

    fn contradict(&mut self, problem: Problem) {
        self.contradictions.push(Contradiction { record: self.at, problem });
    }

    fn substitute(&mut self, who: &Appearance) {
        let lineup = &mut self.state.lineups[who.side.index()];
        let pitcher = lineup.fielder(1).cloned();
        let due = lineup.next_up();
        let entered = lineup.enter(who);
        match entered.came_back {
            Some(Place::Own) if self.rules.reentry || self.rules.courtesy_runner => {}
            Some(_) => self.contradict(Problem::CameBack(who.player.clone())),
            None => {}
        }
        let batting = who.side == self.state.half.batting;
        if let Some(left) = entered.replaced.filter(|_| batting) {
            if who.position != Position::PinchRunner && who.order == due {
                self.state.turn.batter_left(&left);
            }
            for runner in self.state.bases.iter_mut().flatten().filter(|runner| runner.player == left) {
                runner.player = who.player.clone();
            }
        }
        // He may have left the mound for another position, before the reliever comes in.
        let lineup = &self.state.lineups[who.side.index()];
        let relieved = pitcher.filter(|left| lineup.fielder(1) != Some(left));
        if let Some(left) = relieved.filter(|_| !batting) {
            self.state.turn.pitcher_left(&left);
        }
    }

    fn adjust(&mut self, adjustment: &Adjustment) {
        match adjustment {
            Adjustment::BatterHand(..) | Adjustment::PitcherHand(..) => {}
            Adjustment::BattingOrder(side, order) => self.state.lineups[side.index()].set_next_up(*order),
            Adjustment::RunnerPlaced(player, base) => {
                if self.state.outs >= 3 {
                    self.begin(self.state.half.next(self.bats_first));
                }
                let pitcher = self.state.pitcher().cloned().unwrap_or_else(|| PlayerId::new(""));
                let runner = self.runner(player, pitcher, true);
                if let Some(place) = self.state.bases.get_mut(*base as usize) {
                    *place = Some(runner);
                }
            }
            Adjustment::RunnerCharged(pitcher, base) => {
                if let Some(Some(runner)) = self.state.bases.get_mut(*base as usize) {
                    runner.pitcher = pitcher.clone();
                }
            }
        }
    }

    fn runner(&mut self, player: &PlayerId, pitcher: PlayerId, placed: bool) -> Runner {
        let id = self.state.next_runner;
        self.state.next_runner = id.wrapping_add(1);
        Runner { id, player: player.clone(), pitcher, placed }
    }

    fn begin(&mut self, half: Half) {
        self.state.half = half;
        self.state.outs = 0;
        self.state.bases = [None, None, None];
        self.state.turn = TurnState::default();
        self.fresh = true;
    }

    /// Ends the half-inning as the third out does.
    fn end_half(&mut self) {
        if self.state.outs >= 3 {
            return self.contradict(Problem::HalfIsOver);
        }
        self.state.outs = 3;
        self.state.turn = TurnState::default();
    }

    /// Enters the half-inning of this play, and records a contradiction if that is impossible.
    fn enter_half(&mut self, half: Half) {
        let now = self.state.half;
        if half == now {
            if self.state.outs >= 3 {
                self.contradict(Problem::HalfIsOver);
            }
            return;
        }
        if self.state.outs < 3 {
            self.contradict(Problem::HalfTooShort { half: now, outs: self.state.outs });
        }
        if now.next(self.bats_first) != half {
            self.contradict(Problem::WrongHalf(half));
        }
        self.begin(half);
    }

    fn play(&mut self, play: &Play) {
        let half = Half { inning: play.inning, batting: play.side };
        if half != self.state.half || self.state.outs < 3 || play.event.basic != Basic::NoPlay {
            if rules::is_decided(&self.state, &self.rules, self.bats_first) && play.event.basic != Basic::NoPlay {
                self.contradict(Problem::GameIsOver);
            }
            self.enter_half(half);
        }
        if play.event.basic != Basic::NoPlay {
            let slot = self.check_batter(play);
            self.apply(play, slot);
        }
        self.state.turn.count = play.pitches.count_after().or_else(|| play.count.known());
        if play.event.ends_turn() {
            self.state.turn = TurnState::default();
        }
    }

    /// Checks whether the batter is due; returns the place in the order.
    fn check_batter(&mut self, play: &Play) -> Option<u8> {
        let lineup = &self.state.lineups[play.side.index()];
        let order = lineup.order_of(&play.batter);
        match (order, lineup.batter_due()) {
            (None, _) => self.contradict(Problem::NotInLineup(play.batter.clone())),
            (Some(order), Some(due)) if order != lineup.next_up() => {
                let due = due.clone();
                self.contradict(Problem::OutOfTurn { batter: play.batter.clone(), due });
            }
            _ => {}
        }
        order
    }

    fn apply(&mut self, play: &Play, order: Option<u8>) {
        let Some(pitcher) = self.state.pitcher().cloned() else {
            return self.contradict(Problem::NoPitcher);
        };
        if self.fresh {
            // The pitcher at the start of the inning is responsible for the extra runner.
            for runner in self.state.bases.iter_mut().flatten() {
                runner.pitcher = pitcher.clone();
            }
            self.fresh = false;
        }
        let turn = turn(&play.event);
        let (charged_batter, charged_pitcher) = self.charged(play, turn, &pitcher);
        let occupied = self.state.occupied();
        let movements = movements(&play.event, occupied);
        let mut moves = self.moves(play, movements, &charged_pitcher);
        shift_charges(&play.event, &mut moves);
        for one in moves.iter_mut().filter(|one| one.scored()) {
            one.batted_in = turn.is_some_and(|turn| bats_in_move(&turn, one, play, &self.state));
        }
        let outs = self.outs(play, &moves);
        let outcome = Outcome {
            record: self.at,
            half: self.state.half,
            outs_before: self.state.outs.min(3),
            bases_before: self.state.bases.clone(),
            score_before: self.state.score,
            batter: play.batter.clone(),
            slot: self.slot(play.side, order),
            charged_batter,
            pitcher,
            charged_pitcher,
            turn,
            outs,
            fielders: self.state.lineups[self.state.fielding().index()].fielders(),
            credits: self.credits(play),
            multiple_play: play.event.modifiers.iter().any(Modifier::is_multiple_play),
            bases_after: self.bases_after(&moves),
            moves: moves.into_iter().filter(has_moved).collect(),
        };
        self.check_runs(play, &outcome);
        self.state.bases = outcome.bases_after.clone();
        self.state.outs += outcome.outs;
        let runs = &mut self.state.score[play.side.index()];
        *runs = runs.saturating_add(outcome.run_count());
        if let Some(order) = order.filter(|_| turn.is_some()) {
            self.state.lineups[play.side.index()].has_batted(order);
        }
        self.outcomes.push(outcome);
    }

    /// Reports runs that the rules do not allow. They count all the same, because the scorer has entered them.
    fn check_runs(&mut self, play: &Play, outcome: &Outcome) {
        if let Some(runner) = rules::run_on_third_out(&play.event, &self.state, &outcome.moves) {
            self.contradict(Problem::RunOnThirdOut(runner));
        }
        let runs = outcome.run_count();
        let extra = rules::runs_after_winning(&play.event, &self.state, runs, &self.rules, self.bats_first);
        if let Some(extra) = extra {
            self.contradict(Problem::RunsAfterWinning(extra));
        }
    }

    fn slot(&self, side: Side, order: Option<u8>) -> Option<(u8, Position)> {
        let order = order?;
        Some((order, self.state.lineups[side.index()].slot(order)?.position))
    }

    fn charged(&self, play: &Play, turn: Option<crate::scoring::Turn>, pitcher: &PlayerId) -> (PlayerId, PlayerId) {
        use crate::scoring::BattingResult::Strikeout;
        let under_way = &self.state.turn;
        let batter =
            under_way.strikeout_charged_to.as_ref().filter(|_| turn.is_some_and(|turn| turn.result == Strikeout));
        let walked = under_way.walk_charged_to.as_ref().filter(|_| turn.is_some_and(|turn| turn.result.is_walk()));
        (batter.unwrap_or(&play.batter).clone(), walked.unwrap_or(pitcher).clone())
    }

    /// Everyone on base and the batter, from third base to the plate, moved or not.
    fn moves(&mut self, play: &Play, mut movements: Movements, pitcher: &PlayerId) -> Vec<RunnerMove> {
        let mut moves = Vec::with_capacity(4);
        for from in Origin::ALL.into_iter().rev() {
            let movement = movements[from.index()].take();
            let runner = match from {
                Origin::Plate if movement.is_some() => Some(self.runner(&play.batter, pitcher.clone(), false)),
                Origin::Plate => None,
                _ => self.state.bases[from.index() - 1].clone(),
            };
            let Some(runner) = runner else {
                if movement.is_some() {
                    self.contradict(Problem::NobodyThere(from));
                }
                continue;
            };
            let stayed = Base::numbered(from.index().try_into().unwrap_or(0)).unwrap_or(Base::First);
            let (reached, groups) =
                movement.map_or((Reached::Safe(stayed), Vec::new()), |one| (one.reached, one.groups));
            if matches!(reached, Reached::Safe(base) if usize::from(base.number()) < from.index()) {
                self.contradict(Problem::Backwards(from));
            }
            let has = |wanted: &Flag| groups.iter().any(|group| group.flag() == Some(wanted));
            let remark = match () {
                () if has(&Flag::TeamUnearned) => RunRemark::TeamUnearned,
                () if has(&Flag::Unearned) => RunRemark::Unearned,
                () => RunRemark::Silent,
            };
            let on_error = groups.iter().filter_map(|group| group.fielding()).any(|fielding| fielding.has_error());
            moves.push(RunnerMove { runner, from, reached, batted_in: false, remark, on_error });
        }
        moves
    }

    fn bases_after(&mut self, moves: &[RunnerMove]) -> [Option<Runner>; 3] {
        let mut bases = [None, None, None];
        for one in moves {
            let Reached::Safe(base) = one.reached else { continue };
            let Some(place) = bases.get_mut(base as usize) else { continue };
            if place.replace(one.runner.clone()).is_some() {
                self.contradict(Problem::BaseTaken(base));
            }
        }
        bases
    }

    /// The outs that count: a fourth one, on appeal, does not.
    fn outs(&mut self, play: &Play, moves: &[RunnerMove]) -> u8 {
        let made = u8::try_from(moves.iter().filter(|one| one.is_out()).count()).unwrap_or(4);
        let left = 3_u8.saturating_sub(self.state.outs);
        if made > left && !(play.event.has("AP") && made == left + 1) {
            self.contradict(Problem::TooManyOuts(self.state.outs + made));
        }
        made.min(left)
    }

    fn credits(&self, play: &Play) -> Vec<FieldingCredit> {
        let lineup = &self.state.lineups[self.state.fielding().index()];
        let named = |credit: crate::scoring::Credit| FieldingCredit {
            player: lineup.fielder(credit.position).cloned(),
            position: credit.position,
            deed: credit.deed,
        };
        credits(&play.event).into_iter().map(named).collect()
    }
}

fn has_moved(one: &RunnerMove) -> bool {
    one.is_out() || one.reached != Base::numbered(one.from as u8).map_or(Reached::Out(None), Reached::Safe)
}

/// True if the run counts for the batter: not if a running play of its own scored it.
fn bats_in_move(turn: &crate::scoring::Turn, one: &RunnerMove, play: &Play, before: &State) -> bool {
    let stole = |running: &Running| running.kind == RunningKind::Stolen(Base::Home) && one.from == Origin::Third;
    let advance = play.event.advances.iter().find(|advance| advance.from == one.from);
    let groups = advance.map_or_else(Vec::new, |advance| advance.groups.clone());
    let movement = crate::scoring::Movement { reached: one.reached, groups };
    !play.event.running.iter().any(stole) && bats_in(turn, one.from, &movement, before.occupied(), before.outs)
}
