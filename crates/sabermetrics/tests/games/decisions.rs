//! Winning, losing and saving pitcher.

use sabermetrics::stats::Pitching;

use super::book::{Book, Played};

fn innings(mut book: Book, from: u8, to: u8) -> Book {
    for inning in from..=to {
        let at = |inning: u8, letter: &str| -> Vec<String> {
            (0..3).map(|turn| format!("{letter}{}", (inning - 1) * 3 % 9 + 1 + turn)).collect()
        };
        for (side, letter) in [(0, "v"), (1, "h")] {
            let batters = at(inning, letter);
            book = book.three_up(inning, side, [&batters[0], &batters[1], &batters[2]]);
        }
    }
    book
}

fn marks(game: &Played, pitcher: &str) -> (u32, u32, u32) {
    let of = |counter| game.pitching(pitcher, counter);
    (of(Pitching::Wins), of(Pitching::Losses), of(Pitching::Saves))
}

#[test]
fn a_starter_wins_with_five_innings_and_the_last_one_saves() {
    let book = innings(Book::new(&[]), 1, 5);
    let book = book.half(6, 0, &["v7 HR", "v8 K", "v9 K", "v1 K"]).three_up(6, 1, ["h7", "h8", "h9"]);
    let book = book.three_up(7, 0, ["v2", "v3", "v4"]).three_up(7, 1, ["h1", "h2", "h3"]);
    let book = book.three_up(8, 0, ["v5", "v6", "v7"]).three_up(8, 1, ["h4", "h5", "h6"]);
    let book = book.three_up(9, 0, ["v8", "v9", "v1"]).line("sub,c1,\"c 1\",0,9,1");
    let game = book.three_up(9, 1, ["h7", "h8", "h9"]).played();
    assert_eq!((marks(&game, "v9"), marks(&game, "c1"), marks(&game, "h9")), ((1, 0, 0), (0, 0, 1), (0, 1, 0)));
    assert_eq!((game.pitching("h9", Pitching::CompleteGames), game.pitching("v9", Pitching::CompleteGames)), (1, 0));
}

#[test]
fn a_starter_who_leaves_early_does_not_win() {
    let book = Book::new(&[]).half(1, 0, &["v1 HR", "v2 K", "v3 K", "v4 K"]).three_up(1, 1, ["h1", "h2", "h3"]);
    let mut book = book.line("sub,r1,\"r 1\",0,9,1");
    let mut at = [4_u8, 3_u8];
    for inning in 2..=9 {
        for (side, letter) in [(0_u8, "v"), (1, "h")] {
            let place = &mut at[usize::from(side)];
            let batters = [0, 1, 2].map(|turn| match (letter, (*place + turn) % 9 + 1) {
                ("v", 9) => "r1".to_owned(),
                (letter, order) => format!("{letter}{order}"),
            });
            *place += 3;
            book = book.three_up(inning, side, [&batters[0], &batters[1], &batters[2]]);
        }
    }
    let game = book.played();
    assert_eq!((marks(&game, "v9"), marks(&game, "r1"), marks(&game, "h9")), ((0, 0, 0), (1, 0, 0), (0, 1, 0)));
}

#[test]
fn a_starter_of_a_short_game_wins_with_all_but_one_inning() {
    for (innings, starts, wins) in
        [(3, 2, true), (3, 1, false), (4, 3, true), (4, 2, false), (5, 4, true), (5, 3, false)]
    {
        let mut book = Book::new(&[&format!("innings,{innings}")]);
        book = book.half(1, 0, &["v1 HR", "v2 K", "v3 K", "v4 K"]);
        let mut at = [4_usize, 0];
        for inning in 1..=innings {
            for (side, letter) in [(0_usize, "v"), (1, "h")] {
                if (inning, side) == (1, 0) {
                    continue;
                }
                if (inning, side) == (starts + 1, 1) {
                    book = book.line("sub,r1,\"r 1\",0,9,1");
                }
                let batters = [0, 1, 2].map(|turn| match (letter, (at[side] + turn) % 9 + 1) {
                    ("v", 9) if inning > starts + 1 => "r1".to_owned(),
                    (letter, order) => format!("{letter}{order}"),
                });
                at[side] += 3;
                book = book.three_up(inning, side as u8, [&batters[0], &batters[1], &batters[2]]);
            }
        }
        let game = book.played();
        assert_eq!(
            (game.pitching("v9", Pitching::Wins) == 1, game.pitching("r1", Pitching::Wins) == 0),
            (wins, wins),
            "{innings} {starts}"
        );
    }
}

#[test]
fn the_loss_is_charged_to_the_pitcher_who_left_the_go_ahead_runner() {
    let book = innings(Book::new(&["innings,3"]), 1, 2).half(3, 0, &["v7 W", "sub,r1,\"r~1\",1,9,1", "v8 D7.1-H"]);
    let game = book.half(3, 0, &["v9 K", "v1 K", "v2 K"]).half(3, 1, &["h7 K", "h8 K", "r1 K"]).played();
    assert_eq!((marks(&game, "h9"), marks(&game, "r1")), ((0, 1, 0), (0, 0, 0)));
}

#[test]
fn a_reliever_who_lets_the_game_be_tied_blows_the_save_and_may_win() {
    let book =
        Book::new(&["innings,3"]).half(1, 0, &["v1 HR", "v2 K", "v3 K", "v4 K"]).three_up(1, 1, ["h1", "h2", "h3"]);
    let book = book.three_up(2, 0, ["v5", "v6", "v7"]).three_up(2, 1, ["h4", "h5", "h6"]);
    let book = book.three_up(3, 0, ["v8", "v9", "v1"]).line("sub,r1,\"r 1\",0,9,1");
    let book = book.half(3, 1, &["h7 HR", "h8 K", "h9 K", "h1 K"]);
    let game = book.half(4, 0, &["v2 HR", "v3 K", "v4 K", "v5 K"]).three_up(4, 1, ["h2", "h3", "h4"]).played();
    assert_eq!(marks(&game, "r1"), (1, 0, 0));
    assert_eq!(game.pitching("r1", Pitching::BlownSaves), 1);
}

/// The visitors lead 1-0 after a run in the first inning; `r1` pitches the third for them, and `r2` allows this in the
/// fourth.
fn lost_by_the_second_reliever(infos: &[&str], fourth: &[&str]) -> Played {
    let book = Book::new(infos).half(1, 0, &["v1 HR", "v2 K", "v3 K", "v4 K"]).three_up(1, 1, ["h1", "h2", "h3"]);
    let book = book.three_up(2, 0, ["v5", "v6", "v7"]).three_up(2, 1, ["h4", "h5", "h6"]);
    let book = book.three_up(3, 0, ["v8", "v9", "v1"]).line("sub,r1,\"r 1\",0,9,1");
    let book = book.three_up(3, 1, ["h7", "h8", "h9"]).three_up(4, 0, ["v2", "v3", "v4"]);
    book.line("sub,r2,\"r 2\",0,9,1").half(4, 1, fourth).played()
}

#[test]
fn a_reliever_of_the_losing_team_keeps_the_hold() {
    let game = lost_by_the_second_reliever(&["innings,4"], &["h1 W", "h2 HR.1-H"]);
    assert_eq!((marks(&game, "r2"), marks(&game, "h9")), ((0, 1, 0), (1, 0, 0)));
    let of = |pitcher| (game.pitching(pitcher, Pitching::Holds), game.pitching(pitcher, Pitching::BlownSaves));
    assert_eq!((of("r1"), of("r2")), ((1, 0), (0, 1)));
}

#[test]
fn a_tie_has_holds_and_blown_saves() {
    let game = lost_by_the_second_reliever(&["innings,4", "ended,called"], &["h1 HR", "h2 K", "h3 K", "h4 K"]);
    assert_eq!((marks(&game, "r1"), marks(&game, "r2")), ((0, 0, 0), (0, 0, 0)));
    let of = |pitcher| (game.pitching(pitcher, Pitching::Holds), game.pitching(pitcher, Pitching::BlownSaves));
    assert_eq!((of("r1"), of("r2")), ((1, 0), (0, 1)));
}

#[test]
fn a_starter_who_returns_to_the_mound_keeps_the_quality_start() {
    let mut book = innings(Book::new(&["reentry,true"]), 1, 6);
    book = book.half(7, 0, &["v1 W"]).line("sub,r1,\"r 1\",1,9,1").half(7, 0, &["v2 K"]);
    let game = book.line("sub,h9,\"h 9\",1,9,1").half(7, 0, &["v3 K", "v4 K"]).played();
    assert_eq!((game.pitching("h9", Pitching::Outs), game.pitching("h9", Pitching::QualityStarts)), (20, 1));
}

#[test]
fn the_files_decisions_take_precedence_and_a_tie_has_none() {
    let tie = innings(Book::new(&["innings,3", "ended,called"]), 1, 3).played();
    assert_eq!((marks(&tie, "v9"), marks(&tie, "h9")), ((0, 0, 0), (0, 0, 0)));
    let official = innings(Book::new(&["innings,3", "wp,v9", "lp,h9", "save,"]), 1, 3).played();
    assert_eq!((marks(&official, "v9"), marks(&official, "h9")), ((1, 0, 0), (0, 1, 0)));
}

/// Nine innings of which the visitors score these runs in the first. `c1` pitches for them from this inning on, after
/// this many outs in it.
fn relieved(runs: u8, inning: u8, outs: usize) -> Played {
    let mut at = [0_usize; 2];
    let mut book = Book::new(&[]);
    let mut relieved = false;
    for (half, side, letter) in (1..=9).flat_map(|half| [(half, 0, "v"), (half, 1, "h")]) {
        let homers = if (half, side) == (1, 0) { usize::from(runs) } else { 0 };
        for turn in 0..homers + 3 {
            if (half, side, turn) == (inning, 1, outs) {
                book = book.line("sub,c1,\"c 1\",0,9,1");
                relieved = true;
            }
            let order = at[usize::from(side)] % 9 + 1;
            at[usize::from(side)] += 1;
            let batter =
                if relieved && (letter, order) == ("v", 9) { "c1".to_owned() } else { format!("{letter}{order}") };
            let play = if turn < homers { "HR" } else { "K" };
            book = book.half(half, side, &[&format!("{batter} {play}")]);
        }
    }
    book.played()
}

#[test]
fn three_innings_save_any_lead() {
    assert_eq!(marks(&relieved(5, 7, 0), "c1"), (0, 0, 1));
    assert_eq!(marks(&relieved(5, 7, 1), "c1"), (0, 0, 0), "two outs of three innings are missing");
}

#[test]
fn one_out_saves_if_the_tying_run_is_on_deck() {
    assert_eq!(marks(&relieved(2, 9, 2), "c1"), (0, 0, 1));
    assert_eq!(marks(&relieved(3, 9, 2), "c1"), (0, 0, 0), "the tying run is in the dugout");
    assert_eq!(marks(&relieved(3, 9, 0), "c1"), (0, 0, 1), "but a full inning saves a lead of three");
}

#[test]
fn a_brief_and_ineffective_reliever_does_not_win() {
    let game = |homers: [&str; 2]| {
        let book = Book::new(&["innings,3"]).half(1, 0, &["v1 HR", "v2 HR", "v3 K", "v4 K", "v5 K"]);
        let book = book.three_up(1, 1, ["h1", "h2", "h3"]).three_up(2, 0, ["v6", "v7", "v8"]);
        let second = ["h4 K", "h5 K", "sub,r1,\"r~1\",0,9,1", homers[0], homers[1], "h8 K"];
        let book = book.half(2, 1, &second).half(3, 0, &["r1 HR", "v1 K", "v2 K", "v3 K"]);
        book.line("sub,r2,\"r 2\",0,9,1").three_up(3, 1, ["h9", "h1", "h2"]).played()
    };
    let blown = game(["h6 HR", "h7 HR"]);
    assert_eq!((marks(&blown, "v9"), marks(&blown, "r1"), marks(&blown, "r2")), ((0, 0, 0), (0, 0, 0), (1, 0, 0)));
    // After the error that would have been the third out, nothing is earned.
    let unlucky = game(["h6 E4", "h7 HR.1-H"]);
    assert_eq!((marks(&unlucky, "r1"), marks(&unlucky, "r2")), ((1, 0, 0), (0, 0, 1)));
}
