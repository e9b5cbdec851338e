//! Pitches, by the pitcher who threw them.

use sabermetrics::model::PlayerId;
use sabermetrics::stats::{Batting, Hands, Pitching, SplitBy, Splits, pitching_plays};

use super::book::{Book, Played};

fn thrown(game: &Played, pitcher: &str) -> (u32, u32) {
    (game.pitching(pitcher, Pitching::Pitches), game.pitching(pitcher, Pitching::Strikes))
}

fn known(game: &Played, pitcher: &str, counter: Pitching) -> Option<u32> {
    let lines = game.lines.sides.iter().find_map(|side| side.get(&PlayerId::new(pitcher))?.pitching.as_ref());
    lines.and_then(|line| line.known(counter))
}

#[test]
fn the_pitches_of_an_unfinished_turn_count() {
    let game = Book::new(&[]).half(1, 0, &["v1 W", "v2 K", "v3 K", "v4 12 CBS CS2(26)"]).played();
    assert_eq!(thrown(&game, "h9"), (3, 2));
    assert_eq!(known(&game, "h9", Pitching::Swings), Some(1));
    assert_eq!(known(&game, "h9", Pitching::FirstStrikes), None, "no turn with pitches ended");
}

#[test]
fn each_pitcher_has_his_own_pitches_of_a_turn() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 32 BCBBC NP", "sub,r1,\"r~1\",1,9,1", "v1 32 BCBBC.S K", "v2 K", "v3 K"])
        .played();
    assert_eq!((thrown(&game, "h9"), thrown(&game, "r1")), ((5, 2), (1, 1)));
    assert_eq!((known(&game, "h9", Pitching::Misses), known(&game, "r1", Pitching::Misses)), (Some(0), Some(1)));
    // The plays behind the number.
    let plays = |pitcher| pitching_plays(&game.game, &game.replay, &PlayerId::new(pitcher), &[Pitching::Pitches]).len();
    assert_eq!((plays("h9"), plays("r1")), (1, 1));
    // Neither pitcher has a split without these pitches, nor with those of the other.
    let mut splits = Splits::default();
    splits.add(&game.game, &game.replay, &Hands::default());
    for (pitcher, pitches) in [("h9", 5), ("r1", 1)] {
        for (by, value) in [(SplitBy::Outs, "0"), (SplitBy::Count, "3-2"), (SplitBy::Inning, "1")] {
            let line = &splits.pitching[&(PlayerId::new(pitcher), (by, value.into()))];
            assert_eq!(line.known(Pitching::Pitches), Some(pitches), "{pitcher} {value}");
        }
    }
}

#[test]
fn balls_and_strikes_without_a_throw_are_no_pitches() {
    let game = Book::new(&[]).half(1, 0, &["v1 40 VVVV IW", "v2 K", "v3 K", "v4 K"]).played();
    assert_eq!(known(&game, "h9", Pitching::Pitches), Some(0));
    assert_eq!((game.batting("v1", Batting::Pitches), game.batting("v1", Batting::PitchedPa)), (0, 1));
    let game = Book::new(&[]).half(1, 0, &["v1 01 ACX 63", "v2 K", "v3 K"]).played();
    assert_eq!((thrown(&game, "h9"), game.batting("v1", Batting::Pitches)), ((2, 2), 2));
}

#[test]
fn pitches_are_not_counted_again_when_a_line_repeats_them_without_a_full_stop() {
    let game = Book::new(&[]).half(1, 0, &["v1 11 BF FLE2", "v1 11 BFFX 63", "v2 NP", "v2 10 .BX 63", "v3 K"]).played();
    assert_eq!(thrown(&game, "h9"), (6, 4));
}

#[test]
fn the_same_batter_begins_a_new_turn_after_the_third_out() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 W", "v2 K", "v3 K", "v4 10 B CS2(26)"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .half(2, 0, &["v4 10 BX 63", "v5 K", "v6 K"])
        .played();
    assert_eq!(thrown(&game, "h9"), (3, 1));
}
