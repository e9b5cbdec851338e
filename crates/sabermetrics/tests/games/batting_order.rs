//! Batting order: out of turn, extra hitters, strikeouts and walks split over a substitution.

use sabermetrics::replay::Problem;
use sabermetrics::stats::{Batting, Pitching};

use super::book::Book;

#[test]
fn a_strikeout_is_charged_to_the_batter_who_left_with_two_strikes() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 02 CS NP", "sub,p1,\"p~1\",0,1,11", "p1 02 CS.S K"])
        .half(1, 0, &["v2 01 C NP", "sub,p2,\"p~2\",0,2,11", "p2 02 C.SS K"])
        .half(1, 0, &["v3 02 CS NP", "sub,p3,\"p~3\",0,3,11", "p3 02 CS.X S7"])
        .played();
    assert_eq!((game.batting("v1", Batting::Strikeouts), game.batting("v1", Batting::AtBats)), (1, 1));
    assert_eq!((game.batting("p1", Batting::AtBats), game.batting("p1", Batting::PlateAppearances)), (0, 0));
    assert_eq!(
        game.batting("p2", Batting::Strikeouts),
        1,
        "a pinch hitter who entered with one strike is charged alone"
    );
    assert_eq!(
        (game.batting("p3", Batting::Hits), game.batting("v3", Batting::AtBats)),
        (1, 0),
        "a hit is the substitute's"
    );
}

#[test]
fn a_walk_is_charged_to_the_pitcher_who_left_behind_in_the_count() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 20 BB NP", "sub,r1,\"r~1\",1,9,1", "v1 30 BB.BB W"])
        .half(1, 0, &["v2 11 BC NP", "sub,r2,\"r~2\",1,9,1", "v2 31 BC.BBB W.1-2"])
        .half(1, 0, &["v3 30 BBB NP", "sub,r3,\"r~3\",1,9,1", "v3 32 BBB.CCS K"])
        .half(1, 0, &["v4 HR.2-H;1-H"])
        .replayed();
    assert_eq!((game.pitching("h9", Pitching::Walks), game.pitching("h9", Pitching::BattersFaced)), (1, 1));
    assert_eq!(game.pitching("h9", Pitching::Runs), 1, "and so is the run");
    assert_eq!((game.pitching("r1", Pitching::Walks), game.pitching("r2", Pitching::Walks)), (0, 1), "1-1 is even");
    assert_eq!((game.pitching("r3", Pitching::Strikeouts), game.pitching("r3", Pitching::Runs)), (1, 1));
}

#[test]
fn the_walk_is_charged_in_either_order_of_the_substitutions() {
    let moves = ["sub,h9,\"h~9\",1,9,5", "sub,r1,\"r~1\",1,4,1"];
    for [one, two] in [moves, [moves[1], moves[0]]] {
        let game = Book::new(&[]).half(1, 0, &["v1 20 BB NP", one, two, "v1 30 BB.BB W", "v2 K"]).replayed();
        assert_eq!((game.pitching("h9", Pitching::Walks), game.pitching("r1", Pitching::Walks)), (1, 0), "{one}");
    }
}

#[test]
fn batting_out_of_turn_is_reported_unless_marked() {
    let game = Book::new(&[]).half(1, 0, &["v1 K", "v3 K", "v4 K"]).replayed();
    assert!(
        matches!(game.problem(), Some(Problem::OutOfTurn { batter, due }) if batter.as_str() == "v3" && due.as_str() == "v2")
    );
    assert_eq!(game.replay.contradictions.len(), 1, "the order continues after the player who batted");
    assert_eq!(game.replay.contradictions[0].record, 23);
    Book::new(&[]).half(1, 0, &["v1 K"]).line("ladj,0,3").half(1, 0, &["v3 K", "v4 K"]).played();
}

#[test]
fn a_tenth_hitter_bats_before_the_first_bats_again() {
    let extra = "start,v10,\"v 10\",0,10,10";
    let all = ["v1 W", "v2 K", "v3 K", "v4 S7.1-2", "v5 W.2-3;1-2", "v6 W.3-H;2-3;1-2"];
    let rest = ["v7 W.3-H;2-3;1-2", "v8 W.3-H;2-3;1-2", "v9 W.3-H;2-3;1-2", "v10 W.3-H;2-3;1-2", "v1 K"];
    let game = Book::new(&["usedh,true"]).line(extra).half(1, 0, &all).half(1, 0, &rest).played();
    assert_eq!(game.batting("v10", Batting::RunsBattedIn), 1);
    let skipped = Book::new(&[]).line(extra).half(1, 0, &all).half(1, 0, &rest[..3]).half(1, 0, &["v1 K"]).replayed();
    assert!(matches!(skipped.problem(), Some(Problem::OutOfTurn { .. })));
}

#[test]
fn a_batter_must_be_in_the_lineup() {
    let game = Book::new(&[]).half(1, 0, &["x1 K"]).replayed();
    let problem = game.problem().unwrap();
    assert!(matches!(problem, Problem::NotInLineup(_)));
    assert!(game.replay.contradictions[0].to_string().contains("add the substitution"));
}
