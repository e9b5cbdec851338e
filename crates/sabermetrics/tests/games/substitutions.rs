//! Substitutions: runners, re-entry, courtesy runners, the designated hitter.

use sabermetrics::replay::Problem;
use sabermetrics::stats::{Batting, Fielding, Pitching};

use super::book::Book;

#[test]
fn a_run_is_credited_to_the_pinch_runner() {
    let game =
        Book::new(&[]).half(1, 0, &["v1 W", "sub,p1,\"p~1\",0,1,12", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]).played();
    assert_eq!((game.batting("p1", Batting::Runs), game.batting("v1", Batting::Runs)), (1, 0));
    assert_eq!((game.batting("p1", Batting::Games), game.batting("p1", Batting::PlateAppearances)), (1, 0));
}

const BACK: [&str; 6] = ["v1 W", "sub,p1,\"p~1\",0,1,12", "v2 SB2", "v2 K", "v3 K", "v4 K"];

#[test]
fn a_player_returns_only_if_the_rules_allow() {
    let again = "sub,v1,\"v 1\",0,1,2";
    let game = Book::new(&[]).half(1, 0, &BACK).line(again).replayed();
    assert!(matches!(game.problem(), Some(Problem::CameBack(player)) if player.as_str() == "v1"));
    Book::new(&["reentry,true"]).half(1, 0, &BACK).line(again).played();
    Book::new(&["courtesyrunner,true"]).half(1, 0, &BACK).line(again).played();
    let elsewhere = Book::new(&["reentry,true"]).half(1, 0, &BACK).line("sub,v1,\"v 1\",0,4,5").replayed();
    assert!(
        matches!(elsewhere.problem(), Some(Problem::CameBack(_))),
        "a player re-enters at the same place in the order"
    );
}

#[test]
fn a_courtesy_runner_does_not_replace_the_catcher() {
    let game = Book::new(&["courtesyrunner,true"])
        .half(1, 0, &BACK)
        .line("sub,v1,\"v 1\",0,1,2")
        .three_up(1, 1, ["h1", "h2", "h3"])
        .played();
    assert_eq!((game.batting("p1", Batting::StolenBases), game.batting("v1", Batting::Walks)), (1, 1));
    assert_eq!(game.fielding("v1", 2, Fielding::Putouts), 3);
}

#[test]
fn the_designated_hitter_is_lost_when_the_pitcher_bats() {
    let game = Book::new(&["usedh,true"])
        .line("start,v9,\"v 9\",0,9,10")
        .line("start,vp,\"v p\",0,0,1")
        .three_up(1, 0, ["v1", "v2", "v3"])
        .half(1, 1, &["h1 K"])
        .line("sub,v9,\"v 9\",0,9,3")
        .line("sub,vp,\"v p\",0,2,1")
        .half(1, 1, &["h2 3", "h3 K"])
        .half(2, 0, &["v4 K", "v5 K", "v6 K"])
        .three_up(2, 1, ["h4", "h5", "h6"])
        .half(3, 0, &["v7 K", "v8 K", "v9 K"])
        .three_up(3, 1, ["h7", "h8", "h9"])
        .half(4, 0, &["v1 K", "vp S7"])
        .played();
    assert_eq!((game.batting("vp", Batting::Hits), game.pitching("vp", Pitching::Outs)), (1, 9));
    assert_eq!(game.fielding("v9", 3, Fielding::Putouts), 1);
    assert!(game.replay.state.lineups[0].slot(0).is_none());
}

#[test]
fn a_double_switch_moves_the_pitchers_place() {
    let game = Book::new(&[])
        .three_up(1, 0, ["v1", "v2", "v3"])
        .line("sub,r1,\"r 1\",0,4,1")
        .line("sub,n1,\"n 1\",0,9,5")
        .half(1, 1, &["h1 5/L", "h2 53", "h3 13"])
        .half(2, 0, &["r1 S7", "v5 K", "v6 K", "v7 K"])
        .played();
    assert_eq!((game.fielding("n1", 5, Fielding::Putouts), game.fielding("n1", 5, Fielding::Assists)), (1, 1));
    assert_eq!((game.pitching("r1", Pitching::Outs), game.batting("r1", Batting::Hits)), (3, 1));
}

/// A starter who pitches and is his own designated hitter (rule 5.11(b), since 2022): two places in the order.
fn two_way(pitcher_first: bool) -> Book {
    let mut starts = ["start,tw,\"t w\",0,9,10", "start,tw,\"t w\",0,0,1"];
    if pitcher_first {
        starts.reverse();
    }
    let book = Book::new(&["usedh,true"]).line(starts[0]).line(starts[1]);
    book.three_up(1, 0, ["v1", "v2", "v3"]).three_up(1, 1, ["h1", "h2", "h3"])
}

#[test]
fn a_two_way_player_stays_in_the_order_when_relieved() {
    for pitcher_first in [false, true] {
        let game = two_way(pitcher_first)
            .three_up(2, 0, ["v4", "v5", "v6"])
            .line("sub,r1,\"r 1\",0,0,1")
            .three_up(2, 1, ["h4", "h5", "h6"])
            .half(3, 0, &["v7 K", "v8 K", "tw S7", "v1 K"])
            .played();
        assert_eq!([game.pitching("tw", Pitching::Outs), game.pitching("r1", Pitching::Outs)], [3, 3]);
        assert_eq!([game.pitching("tw", Pitching::Games), game.batting("tw", Batting::Games)], [1, 1]);
        assert_eq!([game.pitching("tw", Pitching::Starts), game.batting("tw", Batting::Hits)], [1, 1]);
    }
}

#[test]
fn a_two_way_player_keeps_pitching_when_somebody_bats_for_him() {
    let game = two_way(false)
        .three_up(2, 0, ["v4", "v5", "v6"])
        .three_up(2, 1, ["h4", "h5", "h6"])
        .half(3, 0, &["v7 K", "v8 K", "sub,p1,\"p~1\",0,9,11", "p1 K"])
        .three_up(3, 1, ["h7", "h8", "h9"])
        .played();
    assert_eq!((game.pitching("tw", Pitching::Outs), game.batting("p1", Batting::Strikeouts)), (9, 1));
    assert_eq!(game.pitching("tw", Pitching::CompleteGames), 1);
}

#[test]
fn a_pitcher_who_stays_as_the_designated_hitter_is_relieved() {
    let game = two_way(true)
        .three_up(2, 0, ["v4", "v5", "v6"])
        .line("sub,tw,\"t w\",0,9,10")
        .line("sub,r1,\"r 1\",0,0,1")
        .three_up(2, 1, ["h4", "h5", "h6"])
        .half(3, 0, &["v7 K", "v8 K", "tw K"])
        .played();
    assert_eq!([game.pitching("tw", Pitching::Outs), game.pitching("r1", Pitching::Outs)], [3, 3]);
}
