//! Which pitcher is responsible for which runner (rule 9.16(g)).

use sabermetrics::stats::Pitching;

use super::book::{Book, Played};

fn runs(game: &Played) -> (u32, u32) {
    (game.pitching("h9", Pitching::Runs), game.pitching("r1", Pitching::Runs))
}

#[test]
fn a_pitcher_is_charged_with_the_runners_he_left() {
    let game =
        Book::new(&[]).half(1, 0, &["v1 W", "sub,r1,\"r~1\",1,9,1", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]).played();
    assert_eq!(runs(&game), (1, 1));
    assert_eq!((game.pitching("r1", Pitching::Inherited), game.pitching("r1", Pitching::InheritedScored)), (1, 1));
}

#[test]
fn a_force_out_moves_the_charge_to_the_batter() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 W", "sub,r1,\"r~1\",1,9,1", "v2 54(1)/FO", "v3 HR.1-H", "v4 K", "v5 K"])
        .played();
    assert_eq!(runs(&game), (1, 1));
}

#[test]
fn the_charge_moves_to_the_next_runner_behind() {
    let start = ["v1 W", "v2 W.1-2", "sub,r1,\"r~1\",1,9,1", "v3 W.2-3;1-2", "v4 5(3)/FO.2-3;1-2"];
    let game = Book::new(&[]).half(1, 0, &start).half(1, 0, &["v5 S8.3-H;2-H;1-3", "v6 K", "v7 K"]).played();
    assert_eq!(runs(&game), (2, 0), "two runners were left: v2 on third, and v3 on second in v1's place");
}

#[test]
fn the_charge_moves_even_if_the_batter_is_out() {
    let start = ["v1 W", "v2 W.1-2", "v3 W.2-3;1-2", "sub,r1,\"r~1\",1,9,1", "v4 S7.3-H;2-3;1-2"];
    let game =
        Book::new(&[]).half(1, 0, &start).half(1, 0, &["v5 42(3)3/GDP.2-3;1-2", "v6 D7.3-H;2-H", "v7 K"]).played();
    assert_eq!(runs(&game), (3, 0));
}

#[test]
fn a_runner_caught_stealing_is_no_longer_charged() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 W", "sub,r1,\"r~1\",1,9,1", "v2 CS2(24)", "v2 W", "v3 HR.1-H", "v4 K", "v5 K"])
        .played();
    assert_eq!(runs(&game), (0, 2));
}

#[test]
fn after_a_hit_an_out_on_a_runner_moves_no_charge() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 W", "sub,r1,\"r~1\",1,9,1", "v2 S7.1X3(75)", "v3 HR.1-H", "v4 K", "v5 K"])
        .played();
    assert_eq!(runs(&game), (0, 2));
}

#[test]
fn a_runner_who_is_out_after_a_caught_fly_moves_no_charge() {
    let fly = ["v1 W", "sub,r1,\"r~1\",1,9,1", "v2 W.1-2", "v3 8/F.2X3(85)", "v4 HR.1-H", "v5 K"];
    assert_eq!(runs(&Book::new(&[]).half(1, 0, &fly).played()), (0, 2), "v2 is still the reliever's");
    let error = ["v1 W", "v2 W.1-2", "sub,r1,\"r~1\",1,9,1", "v3 E6.2X3(65);1-2", "v4 HR.2-H;1-H", "v5 K", "v6 K"];
    assert_eq!(runs(&Book::new(&[]).half(1, 0, &error).played()), (1, 2), "the batter is the reliever's");
}

#[test]
fn a_double_play_that_begins_at_first_base_moves_the_charge() {
    let start = ["v1 W", "v2 W.1-2", "v3 W.2-3;1-2", "sub,r1,\"r~1\",1,9,1", "v4 W.3-H;2-3;1-2"];
    let rest = ["v5 3(B)36(1)/GDP.3-3;2-2", "v6 HR.3-H;2-H", "v7 K"];
    assert_eq!(runs(&Book::new(&[]).half(1, 0, &start).half(1, 0, &rest).played()), (3, 1));
}

#[test]
fn the_scorer_can_set_the_responsible_pitcher() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 W", "sub,r1,\"r~1\",1,9,1", "presadj,r1,1", "v2 D7.1-H", "v3 K", "v4 K", "v5 K"])
        .played();
    assert_eq!(runs(&game), (0, 1));
}
