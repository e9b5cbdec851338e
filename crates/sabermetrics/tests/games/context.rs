//! Win expectancy, WPA, leverage and RE24 against values computed by hand.

use sabermetrics::expectancy::{
    ContextLines, ExpectancyTable, Moment, RunMatrix, Situation, Tally, play_values, shipped,
};
use sabermetrics::model::{GameRules, PlayerId, Side};
use sabermetrics::stats::{Batting, Decisions, EarnedRuns, game_lines};

use super::book::Book;

/// A league where every half-inning has a run with a probability of .4 from anywhere, and where every play is an out or,
/// once in four, a home run.
fn simple() -> ExpectancyTable {
    let mut text = "# by hand\nbases,outs,side,runs_0_to_15\n".to_owned();
    for situation in Situation::all() {
        for side in 0..2 {
            // Half an inning without runs is added to the table: (1 + .5) / 2.5 = .6.
            let counts = format!("1 1{}", " 0".repeat(14));
            text.push_str(&format!("{},{},{side},{counts}\n", situation.bases(), situation.outs));
        }
    }
    text.push_str("bases,outs,bases_after,outs_after,runs,plays\n");
    for outs in 0..3 {
        text.push_str(&format!("---,{outs},---,{},0,3\n---,{outs},---,{outs},1,1\n", outs + 1));
    }
    ExpectancyTable::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one} is not {other}");
}

fn three_innings() -> Book {
    Book::new(&["innings,3"])
        .three_up(1, 0, ["v1", "v2", "v3"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .three_up(2, 0, ["v4", "v5", "v6"])
        .three_up(2, 1, ["h4", "h5", "h6"])
        .three_up(3, 0, ["v7", "v8", "v9"])
}

#[test]
fn win_expectancy_follows_from_the_distribution_of_runs() {
    let game = three_innings().half(3, 1, &["h7 K", "h8 HR"]).played();
    let chances = simple().win_expectancy(&GameRules::of(&game.game));
    let bottom = |lead| Moment { inning: 3, batting: Side::Home, situation: Situation::START, home_lead: lead };
    // Tied after three innings, both sides are equal: .5. So .4 + .6 * .5, and a run behind .4 * .5.
    close(chances.home(&bottom(0)), 0.7);
    close(chances.home(&bottom(-1)), 0.2);
    close(chances.home(&bottom(-2)), 0.0);
    close(chances.home(&Moment { batting: Side::Visitor, ..bottom(0) }), 0.6 * 0.7 + 0.4 * 0.2);
    let values = play_values(&game.game, &game.replay, &simple().matrix(), &chances);
    let last = values.last().unwrap_or_else(|| panic!("a play"));
    assert_eq!((last.player.as_str(), last.pitcher.as_str()), ("h8", "v9"));
    close(last.wins.unwrap_or(f64::NAN), 0.3);
    close(last.home_after.unwrap_or(f64::NAN), 1.0);
    // The matrix has .5 everywhere: the home run adds its run.
    close(last.runs.unwrap_or(f64::NAN), 1.0);
    // What the plays add sums up from the start of the game to its end.
    let start = values[0].home_before.unwrap_or(f64::NAN);
    let sum: f64 = values.iter().filter_map(|value| Some(value.home_after? - value.home_before?)).sum();
    close(start + sum, 1.0);
}

#[test]
fn leverage_is_the_average_change_relative_to_a_game() {
    let game = three_innings().three_up(3, 1, ["h7", "h8", "h9"]).replayed();
    let chances = simple().win_expectancy(&GameRules::of(&game.game));
    let at = |outs, home_lead| Moment {
        inning: 3,
        batting: Side::Home,
        situation: Situation { occupied: [false; 3], outs },
        home_lead,
    };
    // Two outs, tied: an out leads from .7 to .5, a home run to 1: .75 * .2 + .25 * .3. One out: an out changes nothing.
    let ratio = chances.leverage_index(&at(2, 0)).zip(chances.leverage_index(&at(1, 0))).map(|(two, one)| two / one);
    close(ratio.unwrap_or(f64::NAN), (0.75 * 0.2 + 0.25 * 0.3) / (0.25 * 0.3));
    let loaded = Moment { situation: Situation { occupied: [true; 3], outs: 0 }, ..at(0, 0) };
    assert_eq!(chances.leverage_index(&loaded), None, "no such play was counted: unknown, not 0");
    let mut sums = ContextLines::default();
    sums.add(&play_values(&game.game, &game.replay, &simple().matrix(), &chances));
    let line = &sums.batting[&PlayerId::new("h9")];
    assert_eq!(line.plays, 1);
    close(line.wins.unwrap_or(f64::NAN), -0.2);
    assert_eq!(sums.pitching[&PlayerId::new("v9")].plays, 9);
    let values = line.values();
    let text = |key: &str| values.iter().find(|value| value.definition.key == key).map(|value| value.text());
    assert_eq!(text("WPA").as_deref(), Some("-0.20"));
}

#[test]
fn a_stolen_base_belongs_to_the_runner() {
    let plays = ["v1 W", "v2 SB2", "v2 CS3(25)", "v2 K", "v3 K"];
    let game = Book::new(&[]).half(1, 0, &plays).played();
    let table = shipped().unwrap_or_else(|error| panic!("{error}"));
    let chances = table.win_expectancy(&GameRules::of(&game.game));
    let values = play_values(&game.game, &game.replay, &table.matrix(), &chances);
    let players: Vec<&str> = values.iter().map(|value| value.player.as_str()).collect();
    assert_eq!(players, ["v1", "v1", "v1", "v2", "v3"]);
    let runs: Vec<f64> = values.iter().filter_map(|value| value.runs).collect();
    assert!(runs[1] > 0.0 && runs[2] < 0.0, "{runs:?}");
}

#[test]
fn the_shipped_table_names_its_source_and_is_kept_byte_for_byte() {
    let table = shipped().unwrap_or_else(|error| panic!("{error}"));
    assert!(table.source.contains("2016") && table.source.contains("copyrighted by Retrosheet"));
    assert_eq!(ExpectancyTable::parse(&table.to_csv()), Ok(table.clone()));
    let cut = table.to_csv().replace("---,2,---,3,0,", "---,2,---,4,0,");
    assert!(ExpectancyTable::parse(&cut).is_err());
}

#[test]
fn extra_bases_are_worth_what_they_change_against_stopping() {
    // v1 takes third, v2 stops at second, v3 scores from first base, and v4 is the third out at home.
    let top = ["v1 S8", "v2 S8.1-3", "v3 S8.3-H;1-2", "v4 D7.2-H;1-H", "v5 K", "v6 K", "v7 S8.2XH(82)"];
    // h1 is out at third. h2 takes third, but h3 is on second, where h2 would have stopped.
    let bottom = ["h1 S8", "h2 S8.1X3(85)", "h3 S8.1-3;B-2", "h4 K", "h5 K"];
    let game = Book::new(&["innings,3"]).half(1, 0, &top).half(1, 1, &bottom).played();
    let lines = game_lines(&game.game, &game.replay, EarnedRuns::Computed, Decisions::Computed);
    let of = |side: usize, player: &str| {
        let batting = &lines.sides[side][&PlayerId::new(player)].batting;
        [Batting::ExtraBaseChances, Batting::ExtraBases, Batting::ExtraBaseOuts].map(|counter| batting.get(counter))
    };
    assert_eq!([of(0, "v1"), of(0, "v2"), of(0, "v3"), of(0, "v4")], [[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1]]);
    assert_eq!([of(1, "h1"), of(1, "h2"), of(1, "h3")], [[1, 0, 1], [1, 1, 0], [0, 0, 0]]);

    let mut tally = Tally::default();
    tally.add(&game.game, &game.replay.outcomes);
    // .3, .5 and .8 for runners on first, second and third, .1 for each out that is left.
    let matrix = RunMatrix::new(|Situation { occupied, outs }| {
        let runners = occupied.iter().zip([0.3, 0.5, 0.8]).map(|(on, runs)| if *on { runs } else { 0.0 });
        Some(runners.sum::<f64>() + 0.1 * f64::from(3 - outs))
    });
    let values = tally.run_values(&matrix);
    // v1: .8 instead of .5. v3: a run instead of .8.
    close(values.extra_base.unwrap_or(f64::NAN), (0.3 + 0.2) / 2.0);
    // v4: nothing instead of .3 + .8 + .1. h1: .3 + .2 instead of .3 + .5 + .3.
    close(values.extra_base_out.unwrap_or(f64::NAN), (-1.2 - 0.6) / 2.0);
}
