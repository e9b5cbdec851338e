//! Earned runs by reconstruction (rule 9.16).

use sabermetrics::stats::Pitching;

use super::book::Book;

/// Runs and earned runs of the home team's starter after these plays of the first inning.
fn starter(plays: &[&str]) -> (u32, u32) {
    let game = Book::new(&[]).half(1, 0, plays).played();
    (game.pitching("h9", Pitching::Runs), game.pitching("h9", Pitching::EarnedRuns))
}

#[test]
fn runs_on_hits_are_earned() {
    assert_eq!(starter(&["v1 S7", "v2 D7.1-H", "v3 K", "v4 K", "v5 K"]), (1, 1));
}

#[test]
fn a_runner_who_reached_on_an_error_scores_no_earned_run() {
    assert_eq!(starter(&["v1 E6", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]), (2, 1));
}

#[test]
fn nothing_is_earned_after_three_chances_for_outs() {
    assert_eq!(starter(&["v1 K", "v2 K", "v3 E6", "v4 HR.1-H", "v5 K"]), (2, 0));
}

#[test]
fn an_advance_on_a_passed_ball_counts_after_a_later_hit() {
    assert_eq!(starter(&["v1 D7", "v2 PB.2-3", "v2 8/SF.3-H", "v3 K", "v4 K"]), (1, 0));
    assert_eq!(starter(&["v1 D7", "v2 PB.2-3", "v2 HR.3-H", "v3 K", "v4 K", "v5 K"]), (2, 2));
    assert_eq!(
        starter(&["v1 D7", "v2 WP.2-3", "v2 8/SF.3-H", "v3 K", "v4 K"]),
        (1, 1),
        "a wild pitch is the pitcher's"
    );
}

#[test]
fn after_a_dropped_foul_fly_the_batter_counts_as_out() {
    assert_eq!(starter(&["v1 FLE5", "v1 HR", "v2 K", "v3 K", "v4 K"]), (1, 0));
}

#[test]
fn a_batter_on_base_by_interference_scores_no_earned_run() {
    assert_eq!(starter(&["v1 C/E2", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]), (2, 1));
}

#[test]
fn a_dropped_third_strike_is_unearned_unless_the_pitch_was_wild() {
    assert_eq!(starter(&["v1 K+PB.B-1", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]), (2, 1));
    assert_eq!(starter(&["v1 K+WP.B-1", "v2 HR.1-H", "v3 K", "v4 K", "v5 K"]), (2, 2));
}

#[test]
fn errors_before_a_reliever_do_not_help_him() {
    let plays = ["v1 K", "v2 E6", "v3 K", "sub,r1,\"r~1\",1,9,1", "v4 HR.1-H", "v5 K"];
    let game = Book::new(&[]).half(1, 0, &plays).played();
    assert_eq!((game.pitching("h9", Pitching::Runs), game.pitching("h9", Pitching::EarnedRuns)), (1, 0));
    assert_eq!((game.pitching("r1", Pitching::Runs), game.pitching("r1", Pitching::EarnedRuns)), (1, 1));
    let runs = sabermetrics::rules::reconstruct(&game.game, &game.replay.outcomes);
    assert_eq!(
        runs.iter().filter(|run| run.team_earned).count(),
        0,
        "team-unearned: the error would have ended the inning"
    );
}

#[test]
fn the_scorers_remark_decides() {
    assert_eq!(starter(&["v1 S7", "v2 D7.1-H(UR)", "v3 K", "v4 K", "v5 K"]), (1, 0));
    assert_eq!(starter(&["v1 E6", "v2 D7.1-H(TUR)", "v3 K", "v4 K", "v5 K"]), (1, 1));
}

#[test]
fn the_extra_runner_is_unearned() {
    let game = Book::new(&["tiebreaker,2", "innings,3"])
        .line("radj,v9,2")
        .half(1, 0, &["v1 S7.2-H", "v2 K", "v3 K", "v4 K"])
        .played();
    assert_eq!((game.pitching("h9", Pitching::Runs), game.pitching("h9", Pitching::EarnedRuns)), (1, 0));
}

#[test]
fn a_run_does_not_count_on_the_play_that_would_have_ended_the_half_inning() {
    // With the error as an out, the double play makes three.
    assert_eq!(starter(&["v1 D7", "v2 E5.2-3", "v3 46(1)3/GDP.3-H", "v4 K"]), (1, 0));
    assert_eq!(starter(&["v1 D7", "v2 E5.2-3", "v3 K", "v4 8/SF.3-H", "v5 K"]), (1, 0));
    assert_eq!(
        starter(&["v1 D7", "v2 K", "v3 K", "v4 E4/TH.2-H", "v5 K"]),
        (1, 0),
        "the error itself was the third out"
    );
}

#[test]
fn a_run_with_the_help_of_an_error_is_earned_once_a_later_play_would_have_scored_it() {
    assert_eq!(starter(&["v1 S9", "v2 S9.1-H(E9);B-3", "v3 D8.3-H", "v4 K", "v5 K", "v6 K"]), (2, 1));
    assert_eq!(starter(&["v1 S9", "v2 S9.1-H(E9);B-2", "v3 K", "v4 K", "v5 K"]), (1, 0));
    assert_eq!(
        starter(&["v1 S7", "v2 PB.1-2", "v2 S9.2-H", "v3 S9.1-2", "v4 S8.2-H;1-2", "v5 K", "v6 K", "v7 K"]),
        (2, 2)
    );
}

#[test]
fn the_runner_whom_an_error_saved_from_a_force_is_out_and_the_batter_is_safe() {
    assert_eq!(starter(&["v1 W", "v2 E6/FO.1-2", "v3 HR.2-H;1-H", "v4 K", "v5 K", "v6 K"]), (3, 2));
    let bunt = ["v1 W", "v2 W.1-2", "v3 E1/TH/FO/BG.2-3;1-2", "v4 S8.3-H;2-3;1-2", "v5 K", "v6 K", "v7 K"];
    assert_eq!(starter(&bunt), (1, 0), "a bunt goes to the base ahead");
}

#[test]
fn a_wild_throw_to_a_base_gives_no_base_in_the_reconstruction() {
    assert_eq!(starter(&["v1 S8", "v2 PO1(E1).1-3", "v2 8/SF.3-H", "v3 K", "v4 K"]), (1, 0));
    assert_eq!(starter(&["v1 S8", "v2 CS2(2E4).1-3", "v2 S7.3-H", "v3 K", "v4 K"]), (1, 0), "caught but for the error");
}

#[test]
fn a_walk_forces_a_runner_whom_a_passed_ball_had_moved() {
    let plays = ["v1 D8", "v2 HP", "v3 PB.2-3;1-2", "v3 W", "v4 S9.3-H;2-H;1-3", "v5 K", "v6 K", "v7 K"];
    assert_eq!(starter(&plays), (2, 2));
}

#[test]
fn the_extra_runner_is_unearned_in_a_game_that_the_scorer_closed() {
    let game = Book::new(&["tiebreaker,2", "innings,3"])
        .half(1, 0, &["v1 E6", "v2 HR.1-H(UR)", "v3 K", "v4 K", "v5 K"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .line("radj,v5,2")
        .half(2, 0, &["v6 S7.2-H", "v7 K", "v8 K", "v9 K"])
        .line("data,er,h9,1")
        .played();
    assert_eq!((game.pitching("h9", Pitching::Runs), game.pitching("h9", Pitching::EarnedRuns)), (3, 1));
}
