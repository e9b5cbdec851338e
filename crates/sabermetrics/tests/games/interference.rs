//! Interference, obstruction, appeals.

use sabermetrics::replay::Problem;
use sabermetrics::stats::{Batting, Fielding, Pitching};

use super::book::Book;

#[test]
fn catchers_interference_is_an_error_and_no_at_bat() {
    let game = Book::new(&[]).half(1, 0, &["v1 C/E2", "v2 K", "v3 K", "v4 K"]).played();
    assert_eq!((game.batting("v1", Batting::AtBats), game.batting("v1", Batting::PlateAppearances)), (0, 1));
    assert_eq!((game.batting("v1", Batting::Interference), game.fielding("h1", 2, Fielding::Errors)), (1, 1));
    assert_eq!((game.pitching("h9", Pitching::BattersFaced), game.pitching("h9", Pitching::AtBats)), (4, 3));
}

#[test]
fn interference_by_pitcher_or_first_baseman_is_their_error() {
    let game = Book::new(&[]).half(1, 0, &["v1 C/E1", "v2 C/E3.1-2", "v3 K", "v4 K", "v5 K"]).played();
    assert_eq!((game.fielding("h9", 1, Fielding::Errors), game.fielding("h2", 3, Fielding::Errors)), (1, 1));
    assert_eq!(game.fielding("h1", 2, Fielding::Errors), 0);
}

#[test]
fn the_catchers_error_counts_once_however_it_is_written() {
    for play in ["v1 C", "v1 C/E2", "v1 C.B-1(E2)"] {
        let game = Book::new(&[]).half(1, 0, &[play, "v2 K", "v3 K", "v4 K"]).played();
        assert_eq!(game.fielding("h1", 2, Fielding::Errors), 1, "{play}");
    }
}

#[test]
fn batters_interference_is_the_catchers_putout() {
    let game = Book::new(&[]).half(1, 0, &["v1 S7", "v2 2/BINT.1-1", "v3 K/BINT/DP.1X1(2)"]).played();
    assert_eq!(game.fielding("h1", 2, Fielding::Putouts), 3);
    assert_eq!(game.fielding("h1", 2, Fielding::DoublePlays), 1);
}

#[test]
fn obstruction_is_an_error_that_gives_a_base() {
    let game = Book::new(&[]).half(1, 0, &["v1 S7", "v2 S6/OBS.1X3(65E5)", "v3 K", "v4 K", "v5 K"]).played();
    assert_eq!((game.fielding("h4", 5, Fielding::Errors), game.fielding("h5", 6, Fielding::Assists)), (1, 1));
    assert!(game.replay.outcomes[1].bases_after[2].is_some());
}

#[test]
fn an_infield_fly_is_an_out_even_if_dropped() {
    let game =
        Book::new(&[]).half(1, 0, &["v1 W", "v2 W.1-2", "v3 4/P4/IF.2-2", "v4 4/P4/IF.2-3(E4)", "v5 K"]).played();
    assert_eq!((game.fielding("h3", 4, Fielding::Putouts), game.fielding("h3", 4, Fielding::Errors)), (2, 1));
    assert_eq!(game.batting("v4", Batting::OnError), 0);
}

#[test]
fn a_fourth_out_on_appeal_is_credited_but_not_counted() {
    let plays = ["v1 T9", "v2 S7", "v3 K", "v4 K", "v5 S8/AP.3XH(82);1X3(85)"];
    let game = Book::new(&[]).half(1, 0, &plays).played();
    assert_eq!(game.pitching("h9", Pitching::Outs), 3);
    assert_eq!((game.fielding("h1", 2, Fielding::Putouts), game.fielding("h4", 5, Fielding::Putouts)), (3, 1));
    let without = Book::new(&[]).half(1, 0, &["v1 T9", "v2 S7", "v3 K", "v4 K", "v5 S8.3XH(82);1X3(85)"]).replayed();
    assert_eq!(without.problem(), Some(&Problem::TooManyOuts(4)));
}

#[test]
fn an_appeal_makes_an_out_between_plays() {
    let game = Book::new(&[]).half(1, 0, &["v1 D7", "v2 OA/AP.2X1(43)", "v2 K", "v3 K"]).replayed();
    assert_eq!(game.fielding("h2", 3, Fielding::Putouts), 1);
    assert_eq!(game.pitching("h9", Pitching::Outs), 3);
}

#[test]
fn a_runner_who_is_hit_by_the_ball_is_out_and_the_batter_has_a_single() {
    let game = Book::new(&[]).half(1, 0, &["v1 S7", "v2 S4/G34/RINT.1X2(4)", "v3 K", "v4 K"]).played();
    assert_eq!((game.batting("v2", Batting::Hits), game.batting("v2", Batting::AtBats)), (1, 1));
    assert_eq!((game.fielding("h3", 4, Fielding::Putouts), game.fielding("h3", 4, Fielding::Assists)), (1, 0));
    let after = &game.replay.outcomes[1];
    assert_eq!((after.outs, after.bases_after.each_ref().map(Option::is_some)), (1, [true, false, false]));
}

#[test]
fn a_runner_who_breaks_up_a_double_play_puts_out_the_batter_too() {
    let game = Book::new(&[]).half(1, 0, &["v1 W", "v2 64(1)3/GDP/RINT", "v3 K"]).played();
    assert_eq!((game.pitching("h9", Pitching::Outs), game.batting("v2", Batting::DoublePlays)), (3, 1));
    let only = Book::new(&[]).half(1, 0, &["v1 W", "v2 4(1)/FO/RINT", "v3 K", "v4 K"]).played();
    assert_eq!((only.fielding("h3", 4, Fielding::Putouts), only.batting("v2", Batting::DoublePlays)), (1, 0));
}

#[test]
fn spectators_can_cost_the_batter_an_out_or_give_him_bases() {
    let game = Book::new(&[]).half(1, 0, &["v1 7/F7LF/FINT", "v2 S8", "v3 D7/L7L/FINT.1-3", "v4 K", "v5 K"]).played();
    assert_eq!((game.fielding("h6", 7, Fielding::Putouts), game.batting("v1", Batting::AtBats)), (1, 1));
    assert_eq!((game.batting("v3", Batting::Doubles), game.batting("v2", Batting::Runs)), (1, 0));
}

#[test]
fn a_ball_that_hits_an_umpire_is_a_single_and_moves_only_forced_runners() {
    let game = Book::new(&[]).half(1, 0, &["v1 T9", "v2 W", "v3 S4/G4/UINT.3-3;1-2", "v4 K", "v5 K", "v6 K"]).played();
    assert_eq!((game.batting("v3", Batting::Hits), game.batting("v3", Batting::RunsBattedIn)), (1, 0));
    assert_eq!(game.replay.outcomes[2].bases_after.iter().flatten().count(), 3);
}
