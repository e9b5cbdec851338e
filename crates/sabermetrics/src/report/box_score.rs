//! The box score of a game.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::{Game, PlayerId, Position, Side};
use crate::replay::Replay;
use crate::stats::{Batting, GameLines, Line, Pitching};

/// Line score, batting and pitching of both teams, as text.
#[must_use]
pub fn box_score(game: &Game, replay: &Replay, lines: &GameLines) -> String {
    let mut text = format!("{}  {}\n\n", game.id, game.date().unwrap_or("date unknown"));
    line_score(game, replay, lines, &mut text);
    for side in Side::BOTH {
        batting(game, lines, side, &mut text);
        pitching(game, lines, side, &mut text);
    }
    text
}

fn line_score(game: &Game, replay: &Replay, lines: &GameLines, text: &mut String) {
    let mut runs: BTreeMap<(usize, u8), u16> = BTreeMap::new();
    for outcome in &replay.outcomes {
        *runs.entry((outcome.batting().index(), outcome.half.inning)).or_default() += outcome.run_count();
    }
    let innings = runs.keys().map(|(_, inning)| *inning).max().unwrap_or(0);
    for side in Side::BOTH {
        let team = game.team(side).map_or_else(|| "?".to_owned(), |team| team.to_string());
        let innings: String = (1..=innings)
            .map(|inning| runs.get(&(side.index(), inning)).map_or("  x".to_owned(), |runs| format!("{runs:>3}")))
            .collect();
        let own = &lines.sides[side.index()];
        let hits: u32 = own.values().map(|line| line.batting.get(Batting::Hits)).sum();
        let fielding = own.values().flat_map(|line| line.fielding.values());
        let errors: u32 = fielding.map(|line| line.get(crate::stats::Fielding::Errors)).sum();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{team:<4}{innings}  |{:>3}{hits:>4}{errors:>3}", replay.state.score[side.index()]);
    }
}

fn batting(game: &Game, lines: &GameLines, side: Side, text: &mut String) {
    let columns =
        [Batting::AtBats, Batting::Runs, Batting::Hits, Batting::RunsBattedIn, Batting::Walks, Batting::Strikeouts];
    let team = game.team(side).map_or_else(|| "?".to_owned(), |team| team.to_string());
    let _ = writeln!(
        text,
        "\n{:<32}{:>4}{:>4}{:>4}{:>4}{:>4}{:>4}",
        format!("{team} batting"),
        "AB",
        "R",
        "H",
        "RBI",
        "BB",
        "SO"
    );
    let mut listed: Vec<(u8, PlayerId, Vec<Position>)> = Vec::new();
    for who in game.appearances().filter(|who| who.side == side && who.order > 0) {
        match listed.iter_mut().find(|(_, player, _)| *player == who.player) {
            Some((_, _, positions)) => positions.push(who.position),
            None => listed.push((who.order, who.player.clone(), vec![who.position])),
        }
    }
    listed.sort_by_key(|(order, ..)| *order);
    let mut total: Line<Batting> = Line::default();
    for (_, player, positions) in &listed {
        let Some(own) = lines.sides[side.index()].get(player) else { continue };
        total += &own.batting;
        let name = game.name_of(player).map_or(player.as_str(), |name| name.as_str());
        let positions: Vec<&str> = positions.iter().map(|position| position.abbreviation()).collect();
        row(&format!("{name} {}", positions.join("-")), columns.map(|column| own.batting.get(column)), text);
    }
    row("", columns.map(|column| total.get(column)), text);
}

fn pitching(game: &Game, lines: &GameLines, side: Side, text: &mut String) {
    let team = game.team(side).map_or_else(|| "?".to_owned(), |team| team.to_string());
    let _ = writeln!(
        text,
        "\n{:<28}{:>5}{:>4}{:>4}{:>4}{:>4}{:>4}{:>4}",
        format!("{team} pitching"),
        "IP",
        "H",
        "R",
        "ER",
        "BB",
        "SO",
        "HR"
    );
    let columns = [
        Pitching::Hits,
        Pitching::Runs,
        Pitching::EarnedRuns,
        Pitching::Walks,
        Pitching::Strikeouts,
        Pitching::HomeRuns,
    ];
    for pitcher in lines.pitchers(game, side) {
        let own = lines.sides[side.index()].get(pitcher).and_then(|lines| lines.pitching.as_ref());
        let Some(own) = own else { continue };
        let marks = [
            (Pitching::Wins, "W"),
            (Pitching::Losses, "L"),
            (Pitching::Saves, "SV"),
            (Pitching::BlownSaves, "BS"),
            (Pitching::Holds, "H"),
        ];
        let marks: Vec<&str> = marks.into_iter().filter(|(mark, _)| own.get(*mark) > 0).map(|(_, text)| text).collect();
        let name = game.name_of(pitcher).map_or(pitcher.as_str(), |name| name.as_str());
        let name = if marks.is_empty() { name.to_owned() } else { format!("{name} ({})", marks.join(", ")) };
        let outs = own.get(Pitching::Outs);
        let _ = write!(text, "{name:<28}{:>5}", format!("{}.{}", outs / 3, outs % 3));
        for column in columns {
            let _ = write!(text, "{:>4}", own.get(column));
        }
        text.push('\n');
    }
}

fn row(name: &str, counts: [u32; 6], text: &mut String) {
    let _ = write!(text, "{name:<32}");
    for count in counts {
        let _ = write!(text, "{count:>4}");
    }
    text.push('\n');
}
