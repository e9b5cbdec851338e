//! Splits: the same counts by the situation of the play.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::{SmolStr, format_smolstr};

use super::{Batting, Line, Pitching, Team, count, pitch_counts, team_lines};
use crate::model::{Adjustment, Game, Play, PlayerId, Record, Side, TeamId};
use crate::replay::{Outcome, Replay};
use crate::rules::{self, has_remarks};

/// What plays are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SplitBy {
    /// `L` or `R`: the pitcher's hand for batters, the batter's side for pitchers. Unknown hands have no split.
    Hand,
    /// `home` or `away`.
    Venue,
    /// Balls and strikes when the turn ended, as `3-2`. Unknown counts have no split.
    Count,
    /// `empty`, `on`, `scoring` (second or third base) or `loaded`. A play counts in one of them.
    Runners,
    /// Outs when the play began.
    Outs,
    /// The inning; those after the ninth are `10+`.
    Inning,
    /// The other team.
    Opponent,
    /// The month of the date, `01` to `12`.
    Month,
}

impl SplitBy {
    /// All of them.
    pub const ALL: [SplitBy; 8] = [
        SplitBy::Hand,
        SplitBy::Venue,
        SplitBy::Count,
        SplitBy::Runners,
        SplitBy::Outs,
        SplitBy::Inning,
        SplitBy::Opponent,
        SplitBy::Month,
    ];

    /// The name in commands and headings.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["hand", "venue", "count", "runners", "outs", "inning", "opponent", "month"][self as usize]
    }

    /// The split of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<SplitBy> {
        SplitBy::ALL.into_iter().find(|by| by.name() == name)
    }
}

/// From which side players bat and with which hand they throw. Games correct it with `badj` and `padj`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hands(BTreeMap<PlayerId, [Option<Hand>; 2]>);

/// A side of the plate or a throwing hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// `L`
    Left,
    /// `R`
    Right,
    /// `B`, `S`: the other side than the pitcher's hand.
    Both,
}

impl Hand {
    /// The hand of Retrosheet's letter.
    #[must_use]
    pub fn lettered(letter: &str) -> Option<Hand> {
        match letter {
            "L" => Some(Hand::Left),
            "R" => Some(Hand::Right),
            "B" | "S" => Some(Hand::Both),
            _ => None,
        }
    }

    fn against(self, pitcher: Option<Hand>) -> Option<&'static str> {
        match (self, pitcher) {
            (Hand::Left, _) | (Hand::Both, Some(Hand::Right)) => Some("L"),
            (Hand::Right, _) | (Hand::Both, Some(Hand::Left)) => Some("R"),
            (Hand::Both, _) => None,
        }
    }
}

impl Hands {
    /// Adds a player.
    pub fn add(&mut self, player: PlayerId, bats: Option<Hand>, throws: Option<Hand>) {
        self.0.insert(player, [bats, throws]);
    }

    /// Adds the players of a roster file (`*.ROS`): id, last name, first name, bats, throws, team, position.
    pub fn add_roster(&mut self, text: &str) {
        for line in text.lines() {
            if let [id, _, _, bats, throws, ..] = line.split(',').collect::<Vec<_>>().as_slice() {
                self.add(PlayerId::new(id), Hand::lettered(bats), Hand::lettered(throws));
            }
        }
    }

    fn of(&self, player: &PlayerId) -> [Option<Hand>; 2] {
        self.0.get(player).copied().unwrap_or_default()
    }
}

/// The value of one split, as `(SplitBy::Hand, "L")`.
pub type Split = (SplitBy, SmolStr);

/// Lines by player and split, and by team and split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// Batting. A game counts in a split if a play of the player does.
    pub batting: BTreeMap<(PlayerId, Split), Line<Batting>>,
    /// Pitching, without decisions and starts, which belong to games.
    pub pitching: BTreeMap<(PlayerId, Split), Line<Pitching>>,
    /// Whole teams.
    pub teams: BTreeMap<(TeamId, Split), TeamSplit>,
}

/// The lines of a team in one split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamSplit {
    /// Batting of all players. A game counts once if a play does.
    pub batting: Line<Batting>,
    /// Pitching of all players, counted in the same way.
    pub pitching: Line<Pitching>,
    /// Games won and lost, in splits of whole games: venue, opponent and month.
    pub record: Line<Team>,
}

impl Splits {
    /// Counts a game.
    pub fn add(&mut self, game: &Game, replay: &Replay, hands: &Hands) {
        let mut scene = Scene::new(game, hands);
        let mut here = Splits::default();
        for outcome in &replay.outcomes {
            scene.advance_to(outcome.record);
            let Some(Record::Play(play)) = game.records.get(outcome.record) else { continue };
            for (side, split) in scene.splits(outcome, play_of_turn(outcome, play)) {
                if side == outcome.batting() {
                    count::batting(outcome, play, &mut |player, counter, amount| {
                        let line = here.batting.entry((player.clone(), split.clone())).or_default();
                        line.set(Batting::Games, 1);
                        line.add(counter, amount);
                    });
                } else {
                    count::pitching(outcome, play, &mut |player, counter, amount| {
                        let line = here.pitching.entry((player.clone(), split.clone())).or_default();
                        line.set(Pitching::Games, 1);
                        line.add(counter, amount);
                    });
                }
            }
        }
        here.earned_runs(game, replay, Scene::new(game, hands));
        here.pitches(game, replay, Scene::new(game, hands));
        self.add_teams(game, replay, &here);
        for (key, line) in here.batting {
            *self.batting.entry(key).or_default() += &line;
        }
        for (key, line) in here.pitching {
            *self.pitching.entry(key).or_default() += &line;
        }
    }

    /// Sums the players of each team in this game.
    fn add_teams(&mut self, game: &Game, replay: &Replay, here: &Splits) {
        let records = team_lines(game, replay);
        for side in Side::BOTH {
            let Some(team) = game.team(side) else { continue };
            let own: BTreeSet<&PlayerId> =
                game.appearances().filter(|who| who.side == side).map(|who| &who.player).collect();
            let mut teams: BTreeMap<&Split, TeamSplit> = BTreeMap::new();
            for ((_, split), line) in here.batting.iter().filter(|((player, _), _)| own.contains(player)) {
                let team = teams.entry(split).or_default();
                team.batting += line;
                team.batting.set(Batting::Games, 1);
            }
            for ((_, split), line) in here.pitching.iter().filter(|((player, _), _)| own.contains(player)) {
                let team = teams.entry(split).or_default();
                team.pitching += line;
                team.pitching.set(Pitching::Games, 1);
            }
            for (split, mut lines) in teams {
                if matches!(split.0, SplitBy::Venue | SplitBy::Opponent | SplitBy::Month) {
                    lines.record += &records[side.index()];
                }
                let sum = self.teams.entry((team.clone(), split.clone())).or_default();
                sum.batting += &lines.batting;
                sum.pitching += &lines.pitching;
                sum.record += &lines.record;
            }
        }
    }

    /// A pitch belongs to the situation in which it was thrown: that of its line, and for a line without a play that of the
    /// next play, but with its own pitcher and batter. By the count it belongs to the one that ended the turn.
    fn pitches(&mut self, game: &Game, replay: &Replay, mut scene: Scene) {
        let play_at = |record: usize| match game.records.get(record) {
            Some(Record::Play(play)) => Some(play.as_ref()),
            _ => None,
        };
        for thrown in pitch_counts(game) {
            let Some(play) = play_at(thrown.record) else { continue };
            let next = replay.outcomes.partition_point(|outcome| outcome.record < thrown.record);
            let same_half = |outcome: &&Outcome| (outcome.half.inning, outcome.batting()) == (play.inning, play.side);
            let Some(outcome) = replay.outcomes.get(next).filter(same_half) else {
                // The game ends here, before the next play.
                let lines = self.pitching.iter_mut().filter(|((player, _), _)| *player == thrown.pitcher);
                lines.for_each(|(_, line)| thrown.counts().iter().for_each(|(counter, _)| line.set_unknown(*counter)));
                continue;
            };
            scene.advance_to(thrown.record);
            let outcome = Outcome { pitcher: thrown.pitcher.clone(), batter: play.batter.clone(), ..outcome.clone() };
            let splits = scene.splits(&outcome, thrown.turn.and_then(play_at));
            for (_, split) in splits.into_iter().filter(|(side, _)| *side == thrown.side) {
                let line = self.pitching.entry((thrown.pitcher.clone(), split)).or_default();
                line.set(Pitching::Games, 1);
                thrown.counts().into_iter().for_each(|(counter, amount)| line.add(counter, amount));
            }
        }
    }

    /// A run belongs to the split of the play that scored it, also for the pitcher who left the runner. Where the
    /// official number differs from that of the plays, nobody knows the split, and the count is unknown.
    fn earned_runs(&mut self, game: &Game, replay: &Replay, mut scene: Scene) {
        let runs = rules::judge_runs(game, &replay.outcomes);
        for run in runs.iter().filter(|run| run.earned) {
            let outcome = &replay.outcomes[run.outcome];
            let Some(Record::Play(play)) = game.records.get(outcome.record) else { continue };
            scene.advance_to(outcome.record);
            let splits = scene.splits(outcome, play_of_turn(outcome, play));
            for (_, split) in splits.into_iter().filter(|(side, _)| *side != outcome.batting()) {
                let line = self.pitching.entry((run.pitcher.clone(), split)).or_default();
                line.add(Pitching::EarnedRuns, 1);
            }
        }
        if has_remarks(&replay.outcomes) {
            return;
        }
        for (pitcher, official) in game.official_earned_runs() {
            let own = runs.iter().filter(|run| run.earned && run.pitcher == pitcher).count();
            if own != usize::from(official) {
                let lines = self.pitching.iter_mut().filter(|((player, _), _)| *player == pitcher);
                lines.for_each(|(_, line)| line.set_unknown(Pitching::EarnedRuns));
            }
        }
    }
}

/// The play, if it ended the turn at bat.
fn play_of_turn<'p>(outcome: &Outcome, play: &'p Play) -> Option<&'p Play> {
    outcome.turn.is_some().then_some(play)
}

/// The hands in force at a record.
struct Scene<'g> {
    game: &'g Game,
    hands: &'g Hands,
    /// `badj` and `padj`, by player: side at bat and throwing hand.
    adjusted: BTreeMap<&'g PlayerId, [Option<Hand>; 2]>,
    next: usize,
}

impl<'g> Scene<'g> {
    fn new(game: &'g Game, hands: &'g Hands) -> Self {
        Scene { game, hands, adjusted: BTreeMap::new(), next: 0 }
    }

    fn advance_to(&mut self, record: usize) {
        let game = self.game;
        for record in game.records.iter().take(record).skip(self.next) {
            let (player, index, hand) = match record {
                Record::Adjust(Adjustment::BatterHand(player, hand)) => (player, 0, hand),
                Record::Adjust(Adjustment::PitcherHand(player, hand)) => (player, 1, hand),
                _ => continue,
            };
            let letter = hand.split(',').next().unwrap_or_default();
            self.adjusted.entry(player).or_default()[index] = Hand::lettered(letter);
        }
        self.next = self.next.max(record);
    }

    fn hand(&self, player: &PlayerId, index: usize) -> Option<Hand> {
        self.adjusted.get(player).and_then(|hands| hands[index]).or_else(|| self.hands.of(player)[index])
    }

    /// The splits of a play, for the team at bat and for the one in the field. `ending` is the play that ended the turn at
    /// bat, if one did.
    fn splits(&self, outcome: &Outcome, ending: Option<&Play>) -> Vec<(Side, Split)> {
        let [batting, fielding] = [outcome.batting(), outcome.batting().other()];
        let throws = self.hand(&outcome.pitcher, 1).filter(|hand| *hand != Hand::Both);
        let bats = self.hand(&outcome.batter, 0).and_then(|hand| hand.against(throws));
        let mut all = Vec::with_capacity(16);
        let mut add = |side: Side, by: SplitBy, value: Option<SmolStr>| {
            all.extend(value.map(|value| (side, (by, value))));
        };
        add(batting, SplitBy::Hand, throws.and_then(|hand| hand.against(None)).map(SmolStr::new_static));
        add(fielding, SplitBy::Hand, bats.map(SmolStr::new_static));
        let month = self.game.date().and_then(|date| date.get(5..7)).map(SmolStr::new);
        let count = ending.and_then(|play| play.count.known());
        for side in [batting, fielding] {
            let venue = if side == Side::Home { "home" } else { "away" };
            add(side, SplitBy::Venue, Some(SmolStr::new_static(venue)));
            add(side, SplitBy::Opponent, self.game.team(side.other()).map(|team| SmolStr::new(team.as_str())));
            add(side, SplitBy::Month, month.clone());
            add(side, SplitBy::Count, count.map(|(balls, strikes)| format_smolstr!("{balls}-{strikes}")));
            add(side, SplitBy::Runners, Some(SmolStr::new_static(runners(outcome))));
            add(side, SplitBy::Outs, Some(format_smolstr!("{}", outcome.outs_before)));
            add(side, SplitBy::Inning, Some(inning(outcome.half.inning)));
        }
        all
    }
}

fn runners(outcome: &Outcome) -> &'static str {
    match outcome.bases_before.each_ref().map(Option::is_some) {
        [true, true, true] => "loaded",
        [_, second, third] if second || third => "scoring",
        [true, ..] => "on",
        _ => "empty",
    }
}

fn inning(inning: u8) -> SmolStr {
    if inning > 9 { SmolStr::new_static("10+") } else { format_smolstr!("{inning}") }
}
