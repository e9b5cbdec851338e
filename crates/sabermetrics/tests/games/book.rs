//! Short games from a few lines.

use sabermetrics::model::{Game, PlayerId};
use sabermetrics::notation::parse_file;
use sabermetrics::replay::{Problem, Replay, replay};
use sabermetrics::stats::{Batting, Decisions, EarnedRuns, Fielding, GameLines, Pitching, game_lines};

/// A game under construction. Visitors are `v1` to `v9`, the home team `h1` to `h9` by place in the order. The ninth of
/// each team pitches, unless `usedh` is given. Positions: the first is the catcher (2), the others 3 to 9.
pub(super) struct Book {
    lines: Vec<String>,
}

/// A finished game.
pub(super) struct Played {
    pub(super) game: Game,
    pub(super) replay: Replay,
    pub(super) lines: GameLines,
}

impl Book {
    /// Both teams with nine players each and these `info` lines.
    pub(super) fn new(infos: &[&str]) -> Self {
        let mut lines = vec!["id,HOM202604010".to_owned(), "version,2".to_owned()];
        lines.extend(["info,visteam,VIS", "info,hometeam,HOM", "info,date,2026/04/01"].map(str::to_owned));
        lines.extend(infos.iter().map(|info| format!("info,{info}")));
        for (side, letter) in ["v", "h"].iter().enumerate() {
            for order in 1..=9 {
                let position = if order == 9 { 1 } else { order + 1 };
                lines.push(format!("start,{letter}{order},\"{letter} {order}\",{side},{order},{position}"));
            }
        }
        Book { lines }
    }

    /// Any line.
    pub(super) fn line(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    /// Plays of one half-inning: `batter event` or `batter count pitches event`.
    pub(super) fn half(mut self, inning: u8, side: u8, plays: &[&str]) -> Self {
        for play in plays {
            let parts: Vec<&str> = play.split(' ').collect();
            let line = match parts.as_slice() {
                [sub] => (*sub).replace('~', " "),
                [batter, event] => format!("play,{inning},{side},{batter},??,,{event}"),
                [batter, count, pitches, event] => format!("play,{inning},{side},{batter},{count},{pitches},{event}"),
                other => panic!("{other:?}"),
            };
            self.lines.push(line);
        }
        self
    }

    /// Three strikeouts in a row, of these batters.
    pub(super) fn three_up(self, inning: u8, side: u8, batters: [&str; 3]) -> Self {
        let plays = batters.map(|batter| format!("{batter} K"));
        self.half(inning, side, &plays.each_ref().map(String::as_str))
    }

    /// Replays and expects no contradiction.
    pub(super) fn played(self) -> Played {
        let played = self.replayed();
        assert_eq!(played.replay.contradictions, [], "a legal game");
        played
    }

    /// Replays, even with contradictions.
    pub(super) fn replayed(self) -> Played {
        let game = parse_file(&self.lines.join("\n")).remove(0).unwrap_or_else(|error| panic!("{error}"));
        let replay = replay(&game);
        let lines = game_lines(&game, &replay, EarnedRuns::Official, Decisions::Official);
        Played { game, replay, lines }
    }
}

impl Played {
    pub(super) fn batting(&self, player: &str, counter: Batting) -> u32 {
        let player = PlayerId::new(player);
        self.lines.sides.iter().filter_map(|side| side.get(&player)).map(|lines| lines.batting.get(counter)).sum()
    }

    pub(super) fn pitching(&self, player: &str, counter: Pitching) -> u32 {
        let player = PlayerId::new(player);
        let lines = self.lines.sides.iter().filter_map(|side| side.get(&player)?.pitching.as_ref());
        lines.map(|line| line.get(counter)).sum()
    }

    pub(super) fn fielding(&self, player: &str, position: u8, counter: Fielding) -> u32 {
        let player = PlayerId::new(player);
        let lines = self.lines.sides.iter().filter_map(|side| side.get(&player)?.fielding.get(&position));
        lines.map(|line| line.get(counter)).sum()
    }

    /// The first contradiction.
    pub(super) fn problem(&self) -> Option<&Problem> {
        self.replay.contradictions.first().map(|contradiction| &contradiction.problem)
    }
}
